// What the failure of a database means to whoever writes history, and the words for tables that are
// not as their writer left them.

import { Fault } from '../std/assert.ts';
import { DatabaseFailed, HistoryForked, HistoryTooNew, HistoryTooOld } from './history.ts';
import type { TableName } from './rows.ts';

/** Another writer has moved the place, or the tables were put back to what they were. */
export const placeMoved = (): HistoryForked =>
  new HistoryForked('The tables are not where this writer left them.');

/** A row that is to change has gone. */
export const rowMissing = (table: TableName): HistoryForked =>
  new HistoryForked(`A row of ${table} that was written is not there.`);

const finals = [Fault, HistoryForked, HistoryTooNew, HistoryTooOld];
/** The codes of a key that is already there: SQLite's begin so, PostgreSQL's is this. */
const duplicate = /^(SQLITE_CONSTRAINT|23505$)/;

/**
 * The failure as `HistoryWriter` promises it. A row that is already there was written by somebody
 * else, because a writer writes what comes after its place.
 */
export function failureOf(error: unknown): Error {
  if (finals.some((kind) => error instanceof kind)) return error as Error;
  const { message, code } = error as { readonly message: string; readonly code?: unknown };
  if (duplicate.test(String(code))) {
    return new HistoryForked(`The tables have rows beyond their place: ${message}`);
  }
  return new DatabaseFailed(message, { cause: error });
}
