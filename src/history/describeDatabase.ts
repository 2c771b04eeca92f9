// The name of history's database for people, never with the password that the address may contain.

import { type HistoryWhere, sqliteFileOf } from './openHistoryWriter.ts';

/** `PostgreSQL at host:port/name`, or the file of SQLite. */
export function describeDatabase({ databaseUrl, directory }: HistoryWhere): string {
  if (databaseUrl === undefined) return sqliteFileOf(directory);
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${hostname}:${port || '5432'}${pathname}`;
}
