// Goal: tables that grew beside a crash, through outages of their database and snapshots of the
// replica, are those that a rebuild makes of the log. Method: a simulated day writes a log, which
// the archivist follows with a historian beside it on either database: the worst minutes of the
// recorded day. The whole of that day: runCrashDayHistory.ts.

import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { simulateCrashDay } from '../../sim/crashDay.ts';
import { readCrashDayOptions } from '../../sim/crashDayOptions.ts';
import { type DataDirectory, findDataDirectory } from '../../src/bin/dataDirectory.ts';
import type { Figures } from '../../src/replica/replicaState.ts';
import { createDatabase, eachDatabase } from '../fixtures/eachDatabase.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { recordedDayArgs } from '../sim/recordedCrash.ts';
import { dumpHistory, dumpRebuilt } from './dumpHistory.ts';
import { figuresAlong, growThroughOutages } from './growThroughOutages.ts';

const directory = createTemporaryDirectory();
let day: DataDirectory;
let along: readonly Figures[];

beforeAll(async () => {
  const data = join(directory.path, 'day');
  const args = [...recordedDayArgs(), '--from-minute', '1272', '--limit-minutes', '10'];
  await simulateCrashDay(
    readCrashDayOptions([...args, '--accounts', '200', '--data', data]),
    () => {},
  );
  day = findDataDirectory(data);
  along = figuresAlong(day);
});
afterAll(() => directory[Symbol.dispose]());

eachDatabase(
  'history of a crash day that grew with trading equals a rebuilt one',
  async (database) => {
    const reports = await growThroughOutages(day, along, database, {
      batchRows: 500,
      queueRows: 4000,
    });
    expect(reports.join('\n')).toContain('they are dropped and read again');
    const { position } = along.at(-1)!;
    const dump = await dumpHistory(database);
    expect(dump.position).toBe(position);
    expect(dump.rows.forceOrders.length).toBeGreaterThan(20);
    expect(dump).toEqual(await dumpRebuilt(day, position));
    if (database.kind === 'sqlite') return;
    const databaseUrl = await createDatabase();
    expect(dump).toEqual(await dumpRebuilt(day, position, { ...database, databaseUrl }));
  },
);
