// Changes to the table of the log that need a lock which stops its writers.

import type pg from 'pg';
import type { Scheduler } from '../../std/scheduler.ts';
import { DatabaseRefused } from './serverFacts.ts';

/** Writers wait for so long at most, again and again, for a lock that is waited for. */
const lockMs = 100;
const pauseMs = 300;
const attempts = 6;
const lockNotAvailable = '55P03';

/**
 * Runs the statements in one transaction, when no other one holds their locks. They go to the
 * server in one message: a program that stands still holds no lock. Throws `DatabaseRefused` when
 * others hold the locks for seconds.
 */
export async function lockBriefly(
  client: pg.Client,
  scheduler: Scheduler,
  statements: readonly string[],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const all = ['begin', `set local lock_timeout = ${lockMs}`, ...statements, 'commit'];
      await client.query(all.join('; '));
      return;
    } catch (error) {
      await client.query('rollback');
      if ((error as { readonly code?: string }).code !== lockNotAvailable) throw error;
      if (attempt === attempts) {
        throw new DatabaseRefused(
          'The table of the log is in use, for example by a backup or by writes that wait for ' +
            'their standby, so it cannot be changed now: type it again later.',
        );
      }
    }
    await new Promise<void>((resolve) => scheduler.after(pauseMs, resolve));
  }
}
