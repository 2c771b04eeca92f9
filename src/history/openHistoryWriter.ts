// The database of history: PostgreSQL when the deployment names one, else a file of SQLite in its
// data directory.

import { join } from 'node:path';
import type { HistoryWriter } from './history.ts';
import { createPostgresWriter } from './postgres/createPostgresWriter.ts';
import { createSqliteWriter } from './sqlite/createSqliteWriter.ts';

export type HistoryWhere = {
  /** `postgres://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
  /** The data directory; it contains SQLite's file, `history.db`. */
  readonly directory: string;
};

/** A writer of the deployment's history; it touches nothing before its `open`. */
export function openHistoryWriter(where: HistoryWhere & { readonly chain: number }): HistoryWriter {
  const { databaseUrl, directory, chain } = where;
  if (databaseUrl !== undefined) return createPostgresWriter({ databaseUrl, chain });
  return createSqliteWriter({ file: sqliteFileOf(directory), chain });
}

/** The file of SQLite in the data directory. */
export function sqliteFileOf(directory: string): string {
  return join(directory, 'history.db');
}
