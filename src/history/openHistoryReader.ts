// History as it is read: Kysely over connections that cannot write. Where it lies says
// openHistoryWriter.ts.

import type { HistoryDatabase } from './historyTables.ts';
import { type HistoryWhere, sqliteFileOf } from './openHistoryWriter.ts';
import { createPostgresReader } from './postgres/createPostgresReader.ts';
import { openSqlite, sqliteQueries } from './sqlite/openSqlite.ts';

export type HistoryReaderOptions = HistoryWhere & {
  /** PostgreSQL gives a query up after so long; SQLite's end when they end. */
  readonly statementMs?: number;
  /** How many queries PostgreSQL answers at a time; SQLite answers one after the other. */
  readonly connections?: number;
};

/**
 * Queries of history; the first of them connects. One that fails rejects with what the database
 * says, and the next one tries anew. To be given up with `destroy`.
 */
export function openHistoryReader(options: HistoryReaderOptions): HistoryDatabase {
  const { databaseUrl, directory, statementMs = 5000, connections = 4 } = options;
  if (databaseUrl !== undefined) {
    return createPostgresReader({ databaseUrl, connections, statementMs });
  }
  return sqliteQueries(() => openSqlite(sqliteFileOf(directory), { readonly: true }));
}
