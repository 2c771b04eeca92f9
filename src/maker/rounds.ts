// The rhythm of the market maker and of the demo's crowd: one round after the other, with a pause
// between them, and work whose errors become reports.

import type { Scheduler } from '../std/scheduler.ts';
import type { MakerDesk } from './makerRequests.ts';

export type Rounds = {
  readonly start: () => void;
  /** Finishes the round in progress. Never rejects. */
  readonly stop: () => Promise<void>;
};

/** Nothing begins before `start`. A round never rejects; the pause begins at its end. */
export function createRounds(
  scheduler: Scheduler,
  pauseMs: number,
  round: () => Promise<void>,
): Rounds {
  let running = false;
  let cancel = (): void => {};
  let present: Promise<void> = Promise.resolve();
  const run = (): void => {
    present = round().then(() => {
      if (running) cancel = scheduler.after(pauseMs, run);
    });
  };
  return {
    start: () => {
      if (running) return;
      running = true;
      run();
    },
    stop: async () => {
      running = false;
      cancel();
      await present;
    },
  };
}

/** Runs `work`; an error becomes a report. */
export async function guarded(
  { trouble }: Pick<MakerDesk, 'trouble'>,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    trouble(`${key} ${message}`, message);
  }
}
