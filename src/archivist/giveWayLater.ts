// When the archivist's thread puts itself behind those that trade: not before it has read what there
// was when the exchange started, and not much later. Behind them, on a machine that is busy, a second
// of work takes half a minute, in which history could not be read. Later it must give way: rows are
// written in strokes of some 60 ms, in which orders would wait on a machine of few cores.

import type { Clock } from '../std/clock.ts';

/** How long a start may take beside the threads that trade, milliseconds. */
export const promptMs = 10_000;

/** Takes after each step whether the log has been caught up with; calls `giveWay` once. */
export function giveWayLater(clock: Clock, giveWay: () => void): (caughtUp: boolean) => void {
  const until = clock.now() + promptMs;
  let given = false;
  return (caughtUp) => {
    if (given || (!caughtUp && clock.now() < until)) return;
    given = true;
    giveWay();
  };
}
