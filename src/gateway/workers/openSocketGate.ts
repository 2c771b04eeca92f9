// Where workers hand their clients' sockets to the serving thread: a listener inside the machine
// that takes upgrades which show the word of this start, and the address of the client with it.

import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RandomBytes } from '../../secrets/vault.ts';
import { headerBytesMax } from '../createServer.ts';
import type { Upgrade } from '../sockets/serveSockets.ts';
import { passHeader, type SocketGateKey } from './workerMessage.ts';

/** What the pass adds to a client's head. */
const passBytesMax = 256;

export type SocketGate = {
  readonly key: SocketGateKey;
  readonly close: () => Promise<void>;
};

export type OpenSocketGate = {
  readonly randomBytes: RandomBytes;
  readonly takeUpgrade: (upgrade: Upgrade) => void;
  /** This thread's end of the socket is gone. */
  readonly onEnded: (socket: { readonly threadId: number; readonly number: number }) => void;
};

type Pass = { readonly threadId: number; readonly number: number; readonly peer: string };

/** Resolves when it listens. */
export async function openSocketGate(options: OpenSocketGate): Promise<SocketGate> {
  const { randomBytes, takeUpgrade, onEnded } = options;
  const [name, word] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
  // An abstract socket of Linux: no file that a crash leaves behind, no bound of a path's length.
  const path = `\0evermark-${name}`;
  const server = createServer({
    maxHeaderSize: headerBytesMax + passBytesMax,
    requireHostHeader: false,
  });
  server.on('request', ({ socket }) => socket.destroy());
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const pass = readPass(request, word);
    if (pass === undefined) {
      stream.destroy();
      return;
    }
    stream.once('close', () => onEnded(pass));
    const { [passHeader]: _, ...headers } = request.headers;
    takeUpgrade({ request, stream, head, caller: { peer: pass.peer, headers } });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  return {
    key: { path, word },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** What a worker's pass says; undefined unless it shows the word. */
function readPass({ headers }: IncomingMessage, word: string): Pass | undefined {
  const text = headers[passHeader];
  const [shown = '', threadId, number, peer = ''] = typeof text === 'string' ? text.split(' ') : [];
  const digest = (value: string): Buffer => hash('sha256', value, 'buffer');
  if (!timingSafeEqual(digest(shown), digest(word))) return undefined;
  return { threadId: Number(threadId), number: Number(number), peer };
}
