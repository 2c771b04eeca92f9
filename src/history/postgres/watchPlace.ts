// The place of a history in PostgreSQL that another process writes, for a process that only reads
// it.

import type { Scheduler } from '../../std/scheduler.ts';
import type { HistoryPlace } from '../history.ts';
import { createPool, schemaName } from './createPool.ts';

export type WatchPlace = {
  readonly databaseUrl: string;
  readonly scheduler: Scheduler;
  /** Receives each look; undefined: the database did not answer, or has no tables yet. */
  readonly onLook: (place: Pick<HistoryPlace, 'position' | 'time'> | undefined) => void;
  /** Receives the first sentence of a series of failures. */
  readonly report: (message: string) => void;
};

export type PlaceWatch = {
  /** A reader waits for rows that were not there at the last look: it looks often for a while. */
  readonly urge: () => void;
  readonly end: () => void;
};

/** While no reader waits, it looks for its own figures alone. */
const lookEveryMs = 1000;
/** The writer gathers rows for twice as long. */
const urgedEveryMs = 250;
/** How many looks follow each other so soon after the last time that a reader waited. */
const urgedLooks = 8;
const answerMs = 2000;

export function watchPlace({ databaseUrl, scheduler, onLook, report }: WatchPlace): PlaceWatch {
  const settings = { default_transaction_read_only: 'on', statement_timeout: answerMs };
  const pool = createPool({ databaseUrl, connections: 1, settings, queryMs: answerMs });
  let ended = false;
  let failing = false;
  let urged = 0;
  /** Of the wait between two looks; undefined while the database is asked. */
  let cancel: (() => void) | undefined;
  const look = async (): Promise<void> => {
    cancel = undefined;
    try {
      const { rows } = await pool.query(`select position, time from ${schemaName}.place`);
      if (ended) return;
      failing = false;
      onLook(rows[0]);
    } catch (error) {
      if (ended) return;
      if (!failing) report(`the place of history cannot be read: ${(error as Error).message}`);
      failing = true;
      onLook(undefined);
    }
    cancel = scheduler.after(urged > 0 ? urgedEveryMs : lookEveryMs, () => void look());
    if (urged > 0) urged -= 1;
  };
  void look();
  return {
    urge: () => {
      const waits = urged === 0;
      urged = urgedLooks;
      if (!waits || ended || cancel === undefined) return;
      cancel();
      void look();
    },
    end: () => {
      if (ended) return;
      ended = true;
      cancel?.();
      pool.end().catch(() => {});
    },
  };
}
