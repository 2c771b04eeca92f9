// How long to wait before asking a source that has failed again. The wait doubles after each
// failure, up to a bound. Jitter prevents sources that failed together from returning together.

import type { Prng } from '../../std/prng.ts';

const waitMsMin = 1000;
export const backoffMsMax = 30_000;
const doublingsMax = 5;

export type Backoff = {
  /** The wait after one more failure, milliseconds. */
  readonly next: () => number;
  /** After a success the next failure counts as the first. */
  readonly reset: () => void;
};

export function createBackoff(prng: Prng): Backoff {
  let failures = 0;
  return {
    // wait = min(30 s, 1 s × 2^failures) × (1/2 … 1)
    next: () => {
      const full = Math.min(backoffMsMax, waitMsMin * 2 ** Math.min(failures, doublingsMax));
      failures += 1;
      return Math.ceil((full * (1 + prng.unit())) / 2);
    },
    reset: () => {
      failures = 0;
    },
  };
}
