// How often a process looks at the lease: seldom, still less often while it has a link to the
// holder, and in quick succession for a moment after a sign that the lease changes hands. A lost
// link is such a sign. A sign decides nothing; what the look shows does.

import type { Scheduler } from '../../std/scheduler.ts';
import { pollEveryMs } from './candidacy.ts';

export type Haste = {
  /** Waits until the next look. */
  readonly rest: () => Promise<void>;
  /** This process has a link to the holder, until the next sign. */
  readonly linked: () => void;
  readonly isLinked: () => boolean;
  /** Every rest ends now, and the next ones are short. */
  readonly hurry: () => void;
};

/** A handover takes a few milliseconds; a sign that comes to nothing costs as many looks. */
const hastyMs = 500;
const hastyEveryMs = 5;
/** A look costs this process some 1 ms of processor time, and the database a query. */
const linkedEveryMs = 300;

export function createHaste(scheduler: Scheduler, stopwatch: () => number): Haste {
  /** What waits for the next look, which ends all of it: each wake costs more than the look. */
  const resting = new Set<() => void>();
  let cancel: (() => void) | undefined;
  const endAll = (): void => {
    cancel?.();
    cancel = undefined;
    for (const end of resting) end();
    resting.clear();
  };
  let hastyUntil = Number.NEGATIVE_INFINITY;
  let isLinked = false;
  const restMs = (): number => {
    if (stopwatch() < hastyUntil) return hastyEveryMs;
    return isLinked ? linkedEveryMs : pollEveryMs;
  };
  return {
    rest: () =>
      new Promise((resolve) => {
        resting.add(resolve);
        cancel ??= scheduler.after(restMs(), endAll);
      }),
    linked: () => {
      isLinked = true;
    },
    isLinked: () => isLinked,
    hurry: () => {
      isLinked = false;
      hastyUntil = stopwatch() + hastyMs;
      endAll();
    },
  };
}
