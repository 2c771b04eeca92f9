// When the archivist's thread lowers its priority below the trading threads: after it has read the
// log as it was when the exchange started, or not much later. With a lower priority on a busy
// machine, a second of work takes half a minute, and history could not be read during that time.
// Later it must give way: it writes rows in bursts of some 60 ms, for which orders would wait on a
// machine with few cores.

import type { Clock } from '../std/clock.ts';

/** How long a start may run with the priority of the trading threads, milliseconds. */
export const promptMs = 10_000;

/**
 * Call the result after each step, with whether the log has been caught up with; it calls `giveWay`
 * once.
 */
export function giveWayLater(clock: Clock, giveWay: () => void): (caughtUp: boolean) => void {
  const until = clock.now() + promptMs;
  let given = false;
  return (caughtUp) => {
    if (given || (!caughtUp && clock.now() < until)) return;
    given = true;
    giveWay();
  };
}
