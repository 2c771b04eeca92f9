// A socket of the library as the wire that streams send through.

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Wire } from '../../streams/reader.ts';
import { boundRest } from '../endSocket.ts';

/** `stream` is what the socket writes to. Messages sent in one turn leave in one write. */
export function wireOf(socket: WebSocket, stream: Duplex): Wire {
  let corked = false;
  const uncork = (): void => {
    corked = false;
    stream.uncork();
  };
  return {
    send: (bytes, taken) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!corked) {
        corked = true;
        stream.cork();
        process.nextTick(uncork);
      }
      socket.send(bytes, { binary: false }, taken);
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
