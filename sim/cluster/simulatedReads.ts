// The reads of a simulated process: it answers them as a follower, when it has what was durable at
// the holder, and as the holder, while its lease certainly runs. Barrier and term are the real
// ones.

import { createReadBarrier } from '../../src/bin/createReadBarrier.ts';
import { createLeaseTerm } from '../../src/log/postgres/leaseTerm.ts';
import type { Clock } from '../../src/std/clock.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';

export type SimulatedReads = {
  /** A client reads; `answer` receives what this process has applied, or is never called. */
  readonly read: (answer: (position: number) => void) => void;
  /** Runs the task while this process certainly holds the lease, or never. */
  readonly whileHeld: (task: () => void) => void;
  /** A renewal of the lease that was sent then has succeeded. */
  readonly renewed: (sentAtMs: number) => void;
  /** This process has the lease, and its state is at the end of the log. */
  readonly lead: () => void;
  /** The process stops, or gives the lease away: it answers no read any more. */
  readonly end: () => void;
} & Pick<
  ReturnType<typeof createReadBarrier>,
  'onLinked' | 'onUnlinked' | 'onAnswer' | 'onApplied' | 'tick'
>;

export type SimulateReads = {
  readonly scheduler: Scheduler;
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  readonly clock: Clock;
  /** A mistake: a holder answers without a look at its lease. */
  readonly ignoresLease: boolean;
  /** The last batch that the own replica has applied. */
  readonly applied: () => number;
};

/** How often a read that waits for the lease looks at it. */
const termEveryMs = 20;

export function simulateReads(options: SimulateReads): SimulatedReads {
  const { scheduler, now, clock, ignoresLease, applied } = options;
  const term = createLeaseTerm(undefined, { monotonicMs: now, wallMs: clock.now });
  const barrier = createReadBarrier(0, now, (step) => void scheduler.after(0, step));
  const { onLinked, onUnlinked, onAnswer, onApplied, tick } = barrier;
  let leads = false;
  const whileHeld = (task: () => void): void => {
    if (ignoresLease || term.isRunning()) task();
    else scheduler.after(termEveryMs, () => whileHeld(task));
  };
  return {
    ...{ whileHeld, onLinked, onUnlinked, onAnswer, onApplied, tick },
    read: (answer) => {
      const take = (): void => {
        if (leads) whileHeld(() => answer(applied()));
        else answer(applied());
      };
      barrier.whenCurrent(take, () => {});
    },
    renewed: (sentAtMs) => term.renewed(now() - sentAtMs),
    lead: () => {
      leads = true;
      barrier.lift();
    },
    end: term.end,
  };
}
