// The rhythm of a source that is polled: one round a second, one round at a time, and a pause that
// grows while it fails. restFeed.ts and contractFeed.ts make the rounds.

import type { Clock } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { Backoff } from './backoff.ts';

/** The time between the beginnings of two rounds, milliseconds. */
export const pollMs = 1000;

export type Round = {
  /** Whether any usable price came. */
  readonly good: boolean;
  /** Why the loop pauses this source for a while. */
  readonly failed?: { readonly waitMsMin: number };
};

export type PollLoopOptions = {
  /** Runs one round, and ends soon after `signal` is raised. */
  readonly ask: (signal: AbortSignal) => Promise<Round>;
  /**
   * Called when a round failed by a fault of the exchange. Its prices stop, but the exchange
   * continues.
   */
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
    // When the clock is set, one wait becomes longer or shorter, within these bounds.
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
