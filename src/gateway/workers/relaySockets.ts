// Sockets of a worker's clients: the upgraded connection is handed, byte for byte, to the serving
// thread's socket gate, where frames are read and written. Nothing is understood here.

import type { IncomingMessage, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../std/clock.ts';
import { type Caller, callerOf } from '../arrival.ts';
import { refuseUpgrade } from '../sockets/refuseUpgrade.ts';
import { passHeader, type SocketGateKey } from './workerMessage.ts';

export type RelaySockets = {
  readonly gate: SocketGateKey;
  /** Of the worker, in the process. */
  readonly threadId: number;
  /** Whether the socket may be handed on; otherwise it is refused here. */
  readonly mayOpen: (caller: Caller) => boolean;
  readonly clock: Clock;
};

export type SocketRelay = {
  /** The other end of this socket is gone: so is this one, soon, whether it has read all or not. */
  readonly ended: (socket: number) => void;
  /** Ends every socket now. */
  readonly destroy: () => void;
};

/** How long a client may take to read what it was told last. */
const lastWordsMs = 2000;

/** Takes the listener's upgrades from now on. */
export function relaySockets(server: Server, options: RelaySockets): SocketRelay {
  const { gate, threadId, mayOpen, clock } = options;
  const clients = new Map<number, Duplex>();
  let last = 0;
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!mayOpen(callerOf(request))) {
      client.on('error', () => client.destroy());
      refuseUpgrade(clock, client, { reason: 'tooManyRequests' });
      return;
    }
    last += 1;
    const number = last;
    const peer = request.socket.remoteAddress ?? '';
    const inner = connect(gate.path);
    clients.set(number, client);
    inner.write(requestHead(request, `${gate.word} ${threadId} ${number} ${peer}`), 'latin1');
    inner.write(head);
    client.once('close', () => clients.delete(number));
    join(client, inner);
  });
  return {
    ended: (socket) => {
      const client = clients.get(socket);
      if (client === undefined) return;
      setTimeout(() => client.destroy(), lastWordsMs).unref();
    },
    destroy: () => {
      for (const client of clients.values()) client.destroy();
    },
  };
}

/** Each end's bytes go to the other, as fast as it takes them; what breaks one breaks both. */
function join(client: Duplex, inner: Socket): void {
  client.on('error', () => client.destroy());
  inner.on('error', () => inner.destroy());
  client.on('close', () => inner.destroy());
  inner.on('close', () => {
    if (!inner.readableEnded) client.destroy();
  });
  client.pipe(inner);
  inner.pipe(client);
}

/** The head as it came, and whose it is. */
function requestHead(request: IncomingMessage, pass: string): string {
  const { method, url, httpVersion, rawHeaders } = request;
  let head = `${method} ${url} HTTP/${httpVersion}\r\n${passHeader}: ${pass}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === passHeader) continue;
    head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  }
  return `${head}\r\n`;
}
