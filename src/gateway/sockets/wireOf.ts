// A socket of the library as the wire that streams send through.

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Wire } from '../../streams/reader.ts';
import { boundRest } from '../endSocket.ts';
import type { SharedFrames } from './sharedFrames.ts';
import type { SocketFlushes } from './socketFlushes.ts';

/** What the sockets of a listener share. */
export type SharedSending = { readonly flushes: SocketFlushes; readonly frameOf: SharedFrames };

/**
 * `stream` is what the socket writes to. Messages sent in one turn leave in one write. Those that
 * may wait leave when it is the turn of the socket; many sockets get them, in the same frame.
 */
export function wireOf(
  socket: WebSocket,
  stream: Duplex,
  { flushes, frameOf }: SharedSending,
): Wire {
  let corked = false;
  /** Whether it is written to at the end of this turn. */
  let soon = false;
  const uncork = (): void => {
    soon = false;
    if (!corked) return;
    corked = false;
    stream.uncork();
  };
  return {
    send: (bytes, { taken, mayWait = false } = {}) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!corked) stream.cork();
      corked = true;
      if (mayWait) {
        flushes.add(uncork);
        // Nothing of the library waits before it: it compresses nothing, so it writes at once.
        stream.write(frameOf(bytes), taken);
        return;
      }
      if (!soon) {
        soon = true;
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
