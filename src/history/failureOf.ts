// What the failure of a database means for the writer of history, and the errors for tables that
// are not as the writer left them.

import { Fault } from '../std/assert.ts';
import { DatabaseFailed, HistoryForked, HistoryTooNew, HistoryTooOld } from './history.ts';
import type { TableName } from './rows.ts';

/** Another writer has moved the place, or the tables were reset to an earlier state. */
export const placeMoved = (): HistoryForked =>
  new HistoryForked('The tables are not where this writer left them.');

/** A row to change no longer exists. */
export const rowMissing = (table: TableName): HistoryForked =>
  new HistoryForked(`A row of ${table} that was written is not there.`);

const finals = [Fault, HistoryForked, HistoryTooNew, HistoryTooOld];
/** The codes for a duplicate key: SQLite's begin like this, PostgreSQL's is this. */
const duplicate = /^(SQLITE_CONSTRAINT|23505$)/;

/**
 * The failure as `HistoryWriter` promises it. If a row already exists, another process wrote it,
 * because a writer only writes what comes after its place.
 */
export function failureOf(error: unknown): Error {
  if (finals.some((kind) => error instanceof kind)) return error as Error;
  const { message, code } = error as { readonly message: string; readonly code?: unknown };
  if (duplicate.test(String(code))) {
    return new HistoryForked(`The tables have rows beyond their place: ${message}`);
  }
  return new DatabaseFailed(message, { cause: error });
}
