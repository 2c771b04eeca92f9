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

/** The writer gathers rows for twice as long. */
const lookEveryMs = 250;
const answerMs = 2000;

/** Gives the function that ends it. */
export function watchPlace({ databaseUrl, scheduler, onLook, report }: WatchPlace): () => void {
  const settings = { default_transaction_read_only: 'on', statement_timeout: answerMs };
  const pool = createPool({ databaseUrl, connections: 1, settings, queryMs: answerMs });
  let ended = false;
  let failing = false;
  const look = async (): Promise<void> => {
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
    scheduler.after(lookEveryMs, () => void look());
  };
  void look();
  return () => {
    if (ended) return;
    ended = true;
    pool.end().catch(() => {});
  };
}
