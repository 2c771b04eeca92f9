// Which database history lies in: PostgreSQL when the deployment names one, else a file of SQLite
// in its data directory.

import { join } from 'node:path';
import type { HistoryWriter } from './history.ts';
import { createPostgresWriter } from './postgres/createPostgresWriter.ts';
import { createSqliteWriter } from './sqlite/createSqliteWriter.ts';

export type HistoryWhere = {
  /** `postgres://…`; undefined takes SQLite. */
  readonly databaseUrl: string | undefined;
  /** The data directory; the file of SQLite is `history.db` in it. */
  readonly directory: string;
};

/** A writer of the deployment's history; nothing is touched before its `open`. */
export function openHistoryWriter(where: HistoryWhere & { readonly chain: number }): HistoryWriter {
  const { databaseUrl, directory, chain } = where;
  if (databaseUrl !== undefined) return createPostgresWriter({ databaseUrl, chain });
  return createSqliteWriter({ file: sqliteFileOf(directory), chain });
}

/** The file of SQLite in the data directory. */
export function sqliteFileOf(directory: string): string {
  return join(directory, 'history.db');
}
