// What the tables of a database hold, in an order that both databases give alike, and what a
// rebuild from the log alone would put into them.

import { rebuildHistory } from '../../src/archivist/rebuildHistory.ts';
import type { DataDirectory } from '../../src/bin/dataDirectory.ts';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { type HistoryWhere, openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import type { TableName } from '../../src/history/rows.ts';
import { tableNames, tables } from '../../src/history/tables.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { readSkips } from '../../src/log/file/skip.ts';
import { openKeptEngines } from '../../src/replica/keptEngines.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

export type Dump = {
  readonly position: number;
  readonly counters: string;
  readonly rows: Readonly<Record<TableName, readonly object[]>>;
};

export async function dumpHistory(where: HistoryWhere): Promise<Dump> {
  const reader = openHistoryReader(where);
  try {
    const { position, counters } = await reader
      .selectFrom('place')
      .selectAll()
      .executeTakeFirstOrThrow();
    const rows: Partial<Record<TableName, readonly object[]>> = {};
    for (const name of tableNames) {
      const found = await reader.selectFrom(name).selectAll().execute();
      rows[name] = sorted(name, found);
    }
    return { position, counters, rows: rows as Dump['rows'] };
  } finally {
    await reader.destroy();
  }
}

function sorted(name: TableName, rows: readonly object[]): readonly object[] {
  const keyOf = (row: object): string =>
    tables[name].key.map((column) => String((row as Record<string, unknown>)[column])).join(' ');
  const keyed = rows.map((row): [string, object] => [keyOf(row), row]);
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Rebuilds into `where`, by default a file of SQLite that is then thrown away. */
export async function dumpRebuilt(
  directory: DataDirectory,
  toPosition: number,
  where?: HistoryWhere,
): Promise<Dump> {
  using temporary = createTemporaryDirectory();
  const target = where ?? { databaseUrl: undefined, directory: temporary.path };
  const { chainId } = directory;
  const writer = openHistoryWriter({ ...target, chain: chainId });
  const skips = createSkipIndex(readSkips(directory.log));
  const engines = openKeptEngines(directory.engines);
  const log = openLogReader(directory.log);
  const options = { log, chainId, skips, engines, toPosition };
  await rebuildHistory({ ...options, writer, batchRows: 777 });
  await writer.close();
  return dumpHistory(target);
}
