// How often a process looks at the lease: seldom, and in quick succession for a moment after a sign
// that the lease changes hands. A sign decides nothing; what the look shows does.

import type { Scheduler } from '../../std/scheduler.ts';
import { pollEveryMs } from './candidacy.ts';

export type Haste = {
  /** Waits until the next look. */
  readonly rest: () => Promise<void>;
  /** Every rest ends now, and the next ones are short. */
  readonly hurry: () => void;
};

/** A handover takes a few milliseconds; a sign that comes to nothing costs as many looks. */
const hastyMs = 500;
const hastyEveryMs = 5;

export function createHaste(scheduler: Scheduler, stopwatch: () => number): Haste {
  const resting = new Set<() => void>();
  let hastyUntil = Number.NEGATIVE_INFINITY;
  return {
    rest: () =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel();
          resting.delete(end);
          resolve();
        };
        resting.add(end);
        const cancel = scheduler.after(stopwatch() < hastyUntil ? hastyEveryMs : pollEveryMs, end);
      }),
    hurry: () => {
      hastyUntil = stopwatch() + hastyMs;
      for (const end of [...resting]) end();
    },
  };
}
