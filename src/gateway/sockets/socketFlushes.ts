// When messages leave that many sockets get (CON-7). Each write costs the thread that trades some
// 12 µs, whatever it holds. So sockets take turns: a few are written to at a time, then orders are
// served for as long as that took. What a socket gets meanwhile leaves with the same write.

import { stopwatchMs } from '../../std/clock.ts';

/** Sockets that are written to without a pause. */
const perTurn = 32;
/** What a write takes, and how long the next ones wait for it, in milliseconds. */
const msPerFlush = 0.015;

export type SocketFlushes = {
  /** Calls `flush` when it is its turn: in this turn of the event loop unless many wait. */
  readonly add: (flush: () => void) => void;
};

export function createSocketFlushes(): SocketFlushes {
  /** First come, first served. */
  const waiting = new Set<() => void>();
  let scheduled = false;
  let restsUntil = 0;
  const takeTurn = (): void => {
    scheduled = false;
    let flushed = 0;
    for (const flush of waiting) {
      if (flushed === perTurn) break;
      waiting.delete(flush);
      flush();
      flushed += 1;
    }
    restsUntil = stopwatchMs() + flushed * msPerFlush;
    if (waiting.size > 0) schedule();
  };
  const schedule = (): void => {
    scheduled = true;
    const rest = restsUntil - stopwatchMs();
    // A timer takes a millisecond at least.
    if (rest < 0.25) process.nextTick(takeTurn);
    else setTimeout(takeTurn, rest);
  };
  return {
    add: (flush) => {
      waiting.add(flush);
      if (!scheduled) schedule();
    },
  };
}
