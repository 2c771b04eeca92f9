// Virtual time for the keepers' tests: a clock and a scheduler that move only when a test says so.

import type { Clock } from '../../src/std/clock.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';

export type VirtualTime = {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Runs, in order, every task that falls due within `milliseconds`; the rest of time is empty. */
  readonly advance: (milliseconds: number) => void;
  /** As `advance`, and lets the promises of each task settle before the next one. */
  readonly advanceSettling: (milliseconds: number) => Promise<void>;
  /** Moves the clock alone, as an operator of the machine would. */
  readonly shiftClock: (milliseconds: number) => void;
  readonly waiting: () => number;
};

export function createVirtualTime(start = 1_760_000_000_000): VirtualTime {
  let elapsed = 0;
  let offset = start;
  let next = 0;
  const tasks = new Map<number, { readonly at: number; readonly task: () => void }>();
  const earliest = (until: number): number | undefined => {
    let found: number | undefined;
    for (const [id, { at }] of tasks) {
      if (at > until) continue;
      if (found === undefined || at < tasks.get(found)!.at) found = id;
    }
    return found;
  };
  const runOne = (until: number): boolean => {
    const id = earliest(until);
    if (id === undefined) return false;
    const { at, task } = tasks.get(id)!;
    tasks.delete(id);
    elapsed = Math.max(elapsed, at);
    task();
    return true;
  };
  return {
    clock: { now: () => offset + elapsed },
    scheduler: {
      after: (milliseconds, task) => {
        const id = next;
        next += 1;
        tasks.set(id, { at: elapsed + milliseconds, task });
        return () => {
          tasks.delete(id);
        };
      },
    },
    advance: (milliseconds) => {
      const until = elapsed + milliseconds;
      while (runOne(until));
      elapsed = until;
    },
    advanceSettling: async (milliseconds) => {
      const until = elapsed + milliseconds;
      for (;;) {
        for (let i = 0; i < 200; i += 1) await Promise.resolve();
        if (!runOne(until)) break;
      }
      elapsed = until;
    },
    shiftClock: (milliseconds) => {
      offset += milliseconds;
    },
    waiting: () => tasks.size,
  };
}
