// Archives the log slowly: one segment from time to time, while the archivist's thread has nothing
// else to do. log/file/archiveSegments.ts does the archiving.

import type { Clock } from '../std/clock.ts';

export type LogArchiverOptions = {
  /** Archives the oldest full segment below a batch, if there is one; gives the last batches. */
  readonly archiveOne: (belowPosition: number) => Promise<readonly number[]>;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

export type LogArchiver = {
  /**
   * Call it at rest. It archives a full segment below that batch if there is one and if the last
   * look was long enough ago.
   */
  readonly rest: (neededFrom: () => number) => void;
  /** Resolves when nothing is being archived. */
  readonly close: () => Promise<void>;
};

/** The pause after a look that found nothing, or failed. */
const lookEveryMs = 10_000;

export function createLogArchiver(options: LogArchiverOptions): LogArchiver {
  const { clock, report } = options;
  let activity: Promise<void> | undefined;
  let lookedAt = 0;
  let failed = false;
  const archive = async (neededFrom: () => number): Promise<void> => {
    try {
      const archived = await options.archiveOne(neededFrom());
      if (archived.length > 0) lookedAt = 0;
      failed = false;
    } catch (error) {
      // Reported once: a full disk stays full for a while.
      if (!failed) report(`no segment of the log could be archived: ${(error as Error).message}`);
      failed = true;
    } finally {
      activity = undefined;
    }
  };
  return {
    rest: (neededFrom) => {
      if (activity !== undefined || clock.now() - lookedAt < lookEveryMs) return;
      lookedAt = clock.now();
      activity = archive(neededFrom);
    },
    close: async () => {
      await activity;
    },
  };
}
