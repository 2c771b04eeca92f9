// A whole day of the crash in history: `node scripts/node24.mjs test/history/runCrashDayHistory.ts
// [--accounts N] [--seed N]`. Its tables grow on both databases beside the archivist, through
// outages and snapshots, and are compared row by row with those that a rebuild makes of the log,
// the two databases with each other by counts. Prints its figures and ends with 1 at a difference.

import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { simulateCrashDay } from '../../sim/crashDay.ts';
import { readCrashDayOptions } from '../../sim/crashDayOptions.ts';
import { rebuildHistory } from '../../src/archivist/rebuildHistory.ts';
import { type DataDirectory, findDataDirectory } from '../../src/bin/dataDirectory.ts';
import type { HistoryTables } from '../../src/history/historyTables.ts';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { type HistoryWhere, openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import type { TableName } from '../../src/history/rows.ts';
import { tableNames, tables } from '../../src/history/tables.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { openKeptEngines } from '../../src/replica/keptEngines.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { startPostgresServer } from '../fixtures/postgresServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { recordedDayArgs } from '../sim/recordedCrash.ts';
import { figuresAlong, growThroughOutages } from './growThroughOutages.ts';

const bounds = { batchRows: 10_000, queueRows: 100_000 };
const batchRows = 7777;
const pageRows = 50_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The rows after the key, in the order of keys, as text. */
async function page(
  reader: Kysely<HistoryTables>,
  name: TableName,
  after: readonly unknown[] | undefined,
): Promise<readonly Record<string, unknown>[]> {
  const key = sql.join(tables[name].key.map((column) => sql.ref(column)));
  const where = after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const from = sql.table(name);
  const query = sql`select * from ${from} ${where} order by ${key} limit ${pageRows}`;
  return (await query.execute(reader)).rows as Record<string, unknown>[];
}

/** How many rows the two tables share; throws at the first that differs. */
async function compareTable(
  name: TableName,
  one: Kysely<HistoryTables>,
  other: Kysely<HistoryTables>,
): Promise<number> {
  let [count, after] = [0, undefined as readonly unknown[] | undefined];
  for (;;) {
    const rows = await page(one, name, after);
    const others = await page(other, name, after);
    for (let i = 0; i < Math.max(rows.length, others.length); i += 1) {
      const [here, there] = [JSON.stringify(rows[i]), JSON.stringify(others[i])];
      if (here !== there) throw new Error(`${name}: grown ${here}, rebuilt ${there}`);
    }
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return count;
    after = tables[name].key.map((column) => last[column]);
  }
}

async function compare(grown: HistoryWhere, rebuilt: HistoryWhere): Promise<string> {
  const [one, other] = [openHistoryReader(grown), openHistoryReader(rebuilt)];
  try {
    const counts = [];
    for (const name of tableNames) counts.push([name, await compareTable(name, one, other)]);
    const places = [one, other].map((reader) => reader.selectFrom('place').selectAll().execute());
    const [here, there] = (await Promise.all(places)).map((rows) => JSON.stringify(rows));
    if (here !== there) throw new Error(`grown up to ${here}, rebuilt up to ${there}`);
    return JSON.stringify(Object.fromEntries(counts));
  } finally {
    await one.destroy();
    await other.destroy();
  }
}

async function growAndCompare(
  day: DataDirectory,
  along: ReturnType<typeof figuresAlong>,
  [grown, rebuilt]: readonly [HistoryWhere, HistoryWhere],
): Promise<string> {
  const reports = await growThroughOutages(day, along, grown, bounds);
  const dropped = reports.filter((text) => text.includes('they are dropped and read again'));
  say(`grown; rows were dropped ${dropped.length} times and read again`);
  const { chainId } = day;
  const log = openLogReader(day.log);
  const writer = openHistoryWriter({ ...rebuilt, chain: chainId });
  const skips = createSkipIndex([]);
  const toPosition = along.at(-1)!.position;
  const engines = openKeptEngines(day.engines);
  await rebuildHistory({ writer, log, chainId, skips, engines, toPosition, batchRows });
  await writer.close();
  const counts = await compare(grown, rebuilt);
  say(`equal to the rebuild, row by row: ${counts}`);
  return counts;
}

async function run(args: readonly string[]): Promise<void> {
  using directory = createTemporaryDirectory();
  const data = join(directory.path, 'day');
  const options = readCrashDayOptions([...recordedDayArgs(), '--data', data, ...args]);
  const { result, violations } = await simulateCrashDay(options, () => {});
  say(JSON.stringify(result));
  if (violations.length > 0) throw new Error(violations.join('\n'));
  const day = findDataDirectory(data);
  const along = figuresAlong(day);
  using grown = createTemporaryDirectory();
  using rebuilt = createTemporaryDirectory();
  const files = [grown, rebuilt].map(({ path }) => ({ databaseUrl: undefined, directory: path }));
  const inSqlite = await growAndCompare(day, along, [files[0]!, files[1]!]);
  const server = await startPostgresServer();
  try {
    const urls = [await server.createDatabase(), await server.createDatabase()];
    const servers = urls.map((databaseUrl) => ({ databaseUrl, directory: directory.path }));
    const inPostgres = await growAndCompare(day, along, [servers[0]!, servers[1]!]);
    if (inSqlite !== inPostgres) throw new Error('the two databases hold other numbers of rows');
  } finally {
    await server.remove();
  }
}

run(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exit(1);
});
