// When messages leave that many sockets get (CON-7). Each write costs the thread that trades some
// 12 µs, whatever it holds. So sockets take turns: a few are written to at a time, then orders are
// served for three times as long. What a socket gets meanwhile leaves with the same write.

import { stopwatchMs } from '../../std/clock.ts';

/** Sockets that are written to without a pause. */
const perTurn = 32;
/** A turn on a slow machine ends sooner, in milliseconds. */
const turnMs = 0.5;
/** How many times as long as a turn the next one waits: writes take a quarter of the thread. */
const restTimes = 3;
/** A turn in which the machine stood still is no reason to stand still for longer. */
const restMsMax = 10;
/** The least that a write takes, in milliseconds. */
const msPerFlush = 0.01;

export type SocketFlushes = {
  /** Calls `flush` when it is its turn: in this turn of the event loop unless many wait. */
  readonly add: (flush: () => void) => void;
};

/** `now` gives milliseconds. */
export function createSocketFlushes(now: () => number = stopwatchMs): SocketFlushes {
  /** First come, first served. */
  const waiting = new Set<() => void>();
  let scheduled = false;
  let restsUntil = 0;
  const takeTurn = (): void => {
    scheduled = false;
    const began = now();
    let flushed = 0;
    for (const flush of waiting) {
      if (flushed === perTurn || now() - began >= turnMs) break;
      waiting.delete(flush);
      flush();
      flushed += 1;
    }
    const ended = now();
    const took = Math.max(ended - began, flushed * msPerFlush);
    restsUntil = ended + Math.min(restMsMax, restTimes * took);
    if (waiting.size > 0) schedule();
  };
  const schedule = (): void => {
    scheduled = true;
    const rest = restsUntil - now();
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
