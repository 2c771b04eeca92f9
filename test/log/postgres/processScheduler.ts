// The timers of one process in a simulation: one that stands still does what is due when it wakes,
// and a dead one nothing.

import type { Steps } from '../../../sim/life/steps.ts';
import type { Prng } from '../../../src/std/prng.ts';
import type { Scheduler } from '../../../src/std/scheduler.ts';

export type ProcessScheduler = {
  readonly steps: Steps;
  readonly prng: Prng;
  readonly isAlive: () => boolean;
  /** In virtual time. */
  readonly pausedUntil: () => number;
};

export function createProcessScheduler(options: ProcessScheduler): Scheduler {
  const { steps, prng, isAlive, pausedUntil } = options;
  return {
    after: (milliseconds, task) => {
      let cancelled = false;
      const due = (): void => {
        if (cancelled || !isAlive()) return;
        const pauseMs = pausedUntil() - steps.now();
        if (pauseMs > 0) steps.after(pauseMs + prng.unit(), due);
        else task();
      };
      steps.after(milliseconds, due);
      return () => {
        cancelled = true;
      };
    },
  };
}
