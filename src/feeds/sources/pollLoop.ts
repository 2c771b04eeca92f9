// The rhythm of a source that is asked: one round a second, one round at a time, and a pause that
// grows while it fails. What a round asks stands in restFeed.ts and contractFeed.ts.

import type { Clock } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { Backoff } from './backoff.ts';

/** The time between the beginnings of two rounds, milliseconds. */
export const pollMs = 1000;

export type Round = {
  /** Whether anything good has come. */
  readonly good: boolean;
  /** Why the source is left alone for a while. */
  readonly failed?: { readonly waitMsMin: number };
};

export type PollLoopOptions = {
  /** Asks once round, and ends soon after `signal` is raised. */
  readonly ask: (signal: AbortSignal) => Promise<Round>;
  /** A round that failed by a fault of ours: prices end there, the exchange does not. */
  readonly onFault: (error: unknown) => void;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
};

export type PollLoop = {
  /** Ends the rhythm; resolves when the round in progress is over. */
  readonly stop: () => Promise<void>;
};

/** Begins with the first round. */
export function startPollLoop(options: PollLoopOptions): PollLoop {
  const { ask, onFault, backoff, clock, scheduler } = options;
  const stopping = new AbortController();
  let cancel = (): void => {};
  let running: Promise<void> | undefined;
  const round = async (): Promise<void> => {
    const begun = clock.now();
    const { good, failed } = await ask(stopping.signal).catch((error: unknown): Round => {
      onFault(error);
      return { good: false, failed: { waitMsMin: 0 } };
    });
    running = undefined;
    if (stopping.signal.aborted) return;
    if (good) backoff.reset();
    // A clock that was set makes one wait longer or shorter, within these bounds.
    const elapsed = Math.min(Math.max(clock.now() - begun, 0), pollMs);
    const next = pollMs - elapsed;
    const wait = failed === undefined ? next : Math.max(backoff.next(), failed.waitMsMin);
    cancel = scheduler.after(wait, begin);
  };
  const begin = (): void => {
    running = round();
  };
  begin();
  return {
    stop: async () => {
      stopping.abort();
      cancel();
      await running;
    },
  };
}
