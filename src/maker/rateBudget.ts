// A client's own count against the exchange's rate limits: fixed windows aligned to the wall clock.
// So the client does not send a request that would be refused.

import { assert } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';

export type RateWindow = { readonly milliseconds: number; readonly max: number };

export type RateBudget = {
  /**
   * Takes `cost` from every window. False, and takes nothing, when one window has too little left.
   */
  readonly take: (cost: number) => boolean;
  /** Takes the exchange's own count of a window's present use; the higher of the two counts. */
  readonly observe: (milliseconds: number, used: number) => void;
  /** The exchange refused a request: the present windows of the shortest kind are used up. */
  readonly exhaust: () => void;
};

/** A budget over the windows given, the shortest first. */
export function createRateBudget(clock: Clock, windows: readonly RateWindow[]): RateBudget {
  assert(windows.length > 0, 'a budget has a window');
  const counts = windows.map((window) => ({ ...window, number: -1, used: 0 }));
  const current = (): typeof counts => {
    for (const count of counts) {
      const number = Math.floor(clock.now() / count.milliseconds);
      if (number === count.number) continue;
      count.number = number;
      count.used = 0;
    }
    return counts;
  };
  return {
    take: (cost) => {
      if (current().some(({ used, max }) => used + cost > max)) return false;
      for (const count of counts) count.used += cost;
      return true;
    },
    observe: (milliseconds, used) => {
      for (const count of current()) {
        if (count.milliseconds === milliseconds) count.used = Math.max(count.used, used);
      }
    },
    exhaust: () => {
      const [shortest] = current();
      shortest!.used = shortest!.max;
    },
  };
}
