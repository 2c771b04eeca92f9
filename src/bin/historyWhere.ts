// The place of a deployment's history, from its configuration and its data directory.

import type { Config } from '../config.ts';
import type { HistoryWhere } from '../history/openHistoryWriter.ts';
import type { DataDirectory } from './dataDirectory.ts';

export function historyWhere(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { path }: DataDirectory,
): HistoryWhere {
  return { databaseUrl: databaseUrl === '' ? undefined : databaseUrl, directory: path };
}
