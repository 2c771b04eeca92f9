// The exchange's time: this machine's clock, corrected by what the exchange says. A clock that is
// off by minutes would show wrong countdowns.

import type { Clock } from '../../std/clock.ts';

export type ServerClock = Clock & {
  /** Milliseconds by which the exchange is ahead of this machine. */
  readonly offset: () => number;
  /** Takes a time of the exchange that was read between two moments of this machine. */
  readonly learn: (heard: {
    readonly serverTime: number;
    readonly askedAt: number;
    readonly heardAt: number;
  }) => void;
};

export function createServerClock(clock: Clock): ServerClock {
  let offset = 0;
  let wayMs = Number.POSITIVE_INFINITY;
  return {
    now: () => clock.now() + offset,
    offset: () => offset,
    learn: ({ serverTime, askedAt, heardAt }) => {
      const took = Math.max(0, heardAt - askedAt);
      const found = serverTime - (askedAt + heardAt) / 2;
      // The shortest way there and back is the most exact; a clock that jumped counts at once.
      if (took > wayMs && Math.abs(found - offset) <= took + wayMs) return;
      wayMs = took;
      offset = Math.round(found);
    },
  };
}
