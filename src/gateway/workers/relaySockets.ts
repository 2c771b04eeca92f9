// Sockets of a worker's clients: the worker copies the bytes of each upgraded connection to the
// serving thread's socket gate and back. It does not parse frames. An address at which no socket is
// served it refuses itself, by the same function: a connection inside the machine costs the serving
// thread more than the refusal.

import type { IncomingMessage, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../std/clock.ts';
import { type Caller, callerOf } from '../incomingRequest.ts';
import { refuseUpgrade } from '../sockets/refuseUpgrade.ts';
import { parseSocketPath } from '../sockets/socketPath.ts';
import { passHeader, type SocketGateKey } from './workerMessage.ts';

export type RelaySockets = {
  readonly gate: SocketGateKey;
  /** The worker's thread number in the process. */
  readonly threadId: number;
  /** Whether the socket may be forwarded; otherwise it is refused here. */
  readonly mayOpen: (caller: Caller) => boolean;
  readonly clock: Clock;
};

export type SocketRelay = {
  /** The other end of this socket is closed: this end is closed soon, even with unread bytes. */
  readonly ended: (socket: number) => void;
  /** Ends every socket now. */
  readonly destroy: () => void;
};

/** How long a client may take to read the last bytes. */
const lastWordsMs = 2000;

/** Takes the listener's upgrades from now on. */
export function relaySockets(server: Server, options: RelaySockets): SocketRelay {
  const { gate, threadId, mayOpen, clock } = options;
  const clients = new Map<number, Duplex>();
  let last = 0;
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const reason = whyNot(request, mayOpen);
    if (reason !== undefined) {
      client.on('error', () => client.destroy());
      refuseUpgrade(clock, client, { reason });
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

/** What the worker itself refuses; the limit comes first, as at the serving thread. */
function whyNot(
  request: IncomingMessage,
  mayOpen: RelaySockets['mayOpen'],
): 'tooManyRequests' | 'pathUnknown' | undefined {
  if (!mayOpen(callerOf(request))) return 'tooManyRequests';
  return parseSocketPath(request.url ?? '') === undefined ? 'pathUnknown' : undefined;
}

/** Copies the bytes of each end to the other, at its speed. If one end breaks, both close. */
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

/** The head as received, with the pass. */
function requestHead(request: IncomingMessage, pass: string): string {
  const { method, url, httpVersion, rawHeaders } = request;
  let head = `${method} ${url} HTTP/${httpVersion}\r\n${passHeader}: ${pass}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === passHeader) continue;
    head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  }
  return `${head}\r\n`;
}
