// Goal: tables that grew beside a crash, through outages of their database and snapshots of the
// replica, are those that a rebuild makes of the log. Method: a simulated day writes a log, which
// the archivist follows with a historian beside it on either database; where the recording of
// 10 October 2025 is at hand, its worst minutes.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { simulateCrashDay } from '../../sim/crashDay.ts';
import { readCrashDayOptions } from '../../sim/crashDayOptions.ts';
import { type DataDirectory, findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { DatabaseFailed, type HistoryWriter } from '../../src/history/history.ts';
import { openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { readLogHead } from '../../src/log/file/readLogHead.ts';
import { beginning } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { type Figures, figuresOf } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { createDatabase, eachDatabase } from '../fixtures/eachDatabase.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { writeRecordedCrash } from '../sim/recordedCrash.ts';
import { dumpHistory, dumpRebuilt } from './dumpHistory.ts';
import { openBeside } from './openBeside.ts';

const real = resolve(import.meta.dirname, '../../../shared/data');
const spot = join(real, 'coinbase_trades_2025-10-10_AVAX-USD.csv.gz');
const perpetual = join(real, 'binance-delivery_trades_2025-10-10_AVAXUSD_PERP.csv.gz');
const isThere = existsSync(spot) && existsSync(perpetual);
if (!isThere) console.warn('the recordings of 10 October 2025 are not here: a made one is taken');

const directory = createTemporaryDirectory();
let day: DataDirectory;
/** Figures along the day. */
const chunks: Figures[] = [];
const chunkCount = 24;

beforeAll(async () => {
  const data = join(directory.path, 'day');
  const recording = join(directory.path, 'crash.csv');
  if (!isThere) writeRecordedCrash(recording);
  const args = isThere
    ? ['--index', spot, '--prints', perpetual, '--from-minute', '1272', '--limit-minutes', '10']
    : ['--index', recording];
  await simulateCrashDay(
    readCrashDayOptions([...args, '--accounts', '200', '--data', data]),
    () => {},
  );
  day = findDataDirectory(data);
  const { position } = readLogHead(day.log);
  const begun = beginning(day.chainId);
  let at = begun.place;
  for (let chunk = 1; chunk <= chunkCount; chunk += 1) {
    const toPosition = Math.floor((position * chunk) / chunkCount);
    const replay = { directory: day.log, skips: createSkipIndex([]), toPosition };
    at = replayLog(begun.state, at, replay);
    chunks.push(figuresOf(begun.state));
  }
});
afterAll(() => directory[Symbol.dispose]());

/** A writer that can be cut off from its database. */
function cutOff(writer: HistoryWriter): { readonly writer: HistoryWriter; cut: boolean } {
  const check = (): void => {
    if (gate.cut) throw new DatabaseFailed('cut off');
  };
  const gate = {
    cut: false,
    writer: {
      open: async () => {
        check();
        return writer.open();
      },
      write: async (...transaction: Parameters<HistoryWriter['write']>) => {
        check();
        await writer.write(...transaction);
      },
      close: writer.close,
    },
  };
  return gate;
}

eachDatabase('a crash day grown is a crash day rebuilt', async (database) => {
  using snapshots = createTemporaryDirectory();
  const gate = cutOff(openHistoryWriter({ ...database, chain: day.chainId }));
  const { position, commands } = chunks.at(-1)!;
  const beside = await openBeside({
    logDirectory: day.log,
    snapshotDirectory: snapshots.path,
    chainId: day.chainId,
    headPosition: position,
    writer: gate.writer,
    bounds: { batchRows: 500, queueRows: 4000 },
    snapshotEvery: Math.ceil(commands / 7),
  });
  for (const [index, figures] of chunks.entries()) {
    // Short outages, and one that is too long for the rows to wait.
    gate.cut = index % 6 === 2 || (index >= 12 && index < 20);
    await beside.follow([figures]);
  }
  await beside.finish([]);
  await beside.close();
  expect(beside.reports.join('\n')).toContain('they are dropped and read again');
  const dump = await dumpHistory(database);
  expect(dump.position).toBe(position);
  expect(dump.rows.forceOrders.length).toBeGreaterThan(20);
  expect(dump).toEqual(await dumpRebuilt(day, position));
  if (database.kind === 'sqlite') return;
  const databaseUrl = await createDatabase();
  expect(dump).toEqual(await dumpRebuilt(day, position, { ...database, databaseUrl }));
});
