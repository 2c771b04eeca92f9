// Virtual time: everything that waits is a step. Steps run one after the other, by their time and
// then in the order in which they were planned. This file does not know what a step does.

import { createHeap, heapPeek, heapPop, heapPush } from '../../src/std/heap.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';

type Step = { readonly at: number; readonly number: number; run: (() => void) | undefined };

export type Steps = Scheduler & {
  /** Virtual milliseconds since the run began; it never goes back. */
  readonly now: () => number;
  /** Runs the next step; false when there is none. */
  readonly take: () => boolean;
  /** The number of steps that have run. */
  readonly taken: () => number;
};

export function createSteps(): Steps {
  const heap = createHeap<Step>((a, b) => a.at < b.at || (a.at === b.at && a.number < b.number));
  let now = 0;
  let planned = 0;
  let taken = 0;
  return {
    now: () => now,
    after: (milliseconds, run) => {
      planned += 1;
      const step: Step = { at: now + Math.max(0, milliseconds), number: planned, run };
      heapPush(heap, step);
      return () => {
        step.run = undefined;
      };
    },
    take: () => {
      while (heapPeek(heap)?.run === undefined && heap.items.length > 0) heapPop(heap);
      const step = heapPop(heap);
      if (step === undefined) return false;
      now = step.at;
      taken += 1;
      const { run } = step;
      step.run = undefined;
      run!();
      return true;
    },
    taken: () => taken,
  };
}
