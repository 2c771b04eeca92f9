// A socket of the library as the wire that streams send through.

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Wire } from '../../streams/reader.ts';
import { boundRest } from '../endSocket.ts';
import { framesOf } from './framesOf.ts';
import type { SocketFlushes } from './socketFlushes.ts';

/**
 * `stream` is what the socket writes to. Messages sent in one turn leave in one write. Those that
 * many sockets get leave when it is the turn of the socket.
 */
export function wireOf(socket: WebSocket, stream: Duplex, flushes: SocketFlushes): Wire {
  let corked = false;
  /** Whether it is written to at the end of this turn. */
  let soon = false;
  const uncork = (): void => {
    soon = false;
    if (!corked) return;
    corked = false;
    stream.uncork();
  };
  const cork = (): void => {
    if (!corked) stream.cork();
    corked = true;
  };
  return {
    send: (bytes, taken) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      cork();
      if (!soon) {
        soon = true;
        process.nextTick(uncork);
      }
      socket.send(bytes, { binary: false }, taken);
    },
    sendShared: (shared) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      cork();
      flushes.add(uncork);
      // Nothing of the library waits before it: it compresses nothing, so it writes at once.
      stream.write(framesOf(shared));
    },
    backlog: () => socket.bufferedAmount,
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    close: (code, reason) => {
      socket.close(code, reason);
      // The library reads on until its peer has answered: 150,000 small frames in a second.
      boundRest(stream);
    },
    cut: () => socket.terminate(),
  };
}
