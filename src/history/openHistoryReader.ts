// History for its readers: Kysely over connections that cannot write. openHistoryWriter.ts says
// where it is.

import type { HistoryDatabase } from './historyTables.ts';
import { type HistoryWhere, sqliteFileOf } from './openHistoryWriter.ts';
import { createPostgresReader } from './postgres/createPostgresReader.ts';
import { openSqlite, sqliteQueries } from './sqlite/openSqlite.ts';

export type HistoryReaderOptions = HistoryWhere & {
  /** PostgreSQL cancels a query after this time; SQLite has no such limit. */
  readonly statementMs?: number;
  /** How many queries PostgreSQL answers at the same time; SQLite answers one after the other. */
  readonly connections?: number;
};

/**
 * Queries of history; the first of them connects. A failed one rejects with the database's error,
 * and the next one tries again. Release it with `destroy`.
 */
export function openHistoryReader(options: HistoryReaderOptions): HistoryDatabase {
  const { databaseUrl, directory, statementMs = 5000, connections = 4 } = options;
  if (databaseUrl !== undefined) {
    return createPostgresReader({ databaseUrl, connections, statementMs });
  }
  return sqliteQueries(() => openSqlite(sqliteFileOf(directory), { readonly: true }));
}
