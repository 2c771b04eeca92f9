// Workers give their clients' sockets to the serving thread through this gate: a listener inside
// the machine that takes upgrades with the secret word of this start and the client's address.

import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RandomBytes } from '../../secrets/secretStore.ts';
import { headerBytesMax } from '../createServer.ts';
import type { Upgrade } from '../sockets/serveSockets.ts';
import { passHeader, type SocketGateKey } from './workerMessage.ts';

/** What the pass header adds to a client's head. */
const passBytesMax = 256;

export type SocketGate = {
  readonly key: SocketGateKey;
  readonly close: () => Promise<void>;
};

export type OpenSocketGate = {
  readonly randomBytes: RandomBytes;
  readonly takeUpgrade: (upgrade: Upgrade) => void;
  /** Called when this thread's end of the socket is closed. */
  readonly onEnded: (socket: { readonly threadId: number; readonly number: number }) => void;
};

type Pass = { readonly threadId: number; readonly number: number; readonly peer: string };

/** Resolves when it listens. */
export async function openSocketGate(options: OpenSocketGate): Promise<SocketGate> {
  const { randomBytes, takeUpgrade, onEnded } = options;
  const [name, word] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
  // An abstract socket of Linux: a crash leaves no file, and the path's length has no bound.
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

/** The content of a worker's pass; undefined if the word is wrong. */
function readPass({ headers }: IncomingMessage, word: string): Pass | undefined {
  const text = headers[passHeader];
  const [shown = '', threadId, number, peer = ''] = typeof text === 'string' ? text.split(' ') : [];
  const digest = (value: string): Buffer => hash('sha256', value, 'buffer');
  if (!timingSafeEqual(digest(shown), digest(word))) return undefined;
  return { threadId: Number(threadId), number: Number(number), peer };
}
