// Goal: the log of a crash becomes complete tables. Method: a simulated day writes a log, which a
// replica with a projector follows; where the recording of 10 October 2025 is available, its worst
// minutes too.

import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { simulateCrashDay } from '../../sim/crashDay.ts';
import { readCrashDayOptions } from '../../sim/crashDayOptions.ts';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { logBeginning } from '../../src/log/log.ts';
import { openKeptEngines } from '../../src/replica/keptEngines.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { createReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { recordedDayArgs, writeRecordedCrash } from '../sim/recordedCrash.ts';
import { expectLedger, expectTables } from './expectTables.ts';
import { createProjection, drainProjection, type Projection } from './projection.ts';

const directory = createTemporaryDirectory();
afterAll(() => directory[Symbol.dispose]());

/** Simulates the day into a log and follows it, drained sometimes. */
async function projectDay(name: string, args: readonly string[]): Promise<Projection> {
  const data = join(directory.path, name);
  const options = readCrashDayOptions([...args, '--data', data]);
  const { result, violations } = await simulateCrashDay(options, () => {});
  expect(violations).toEqual([]);
  expect(result.liquidated).toBeGreaterThan(10);
  const { chainId, engines } = findDataDirectory(data);
  const projection = createProjection(createReplicaState(chainId, openKeptEngines(engines)));
  const prng = createPrng(1);
  const skips = createSkipIndex([]);
  const onBatch = (): void => {
    if (prng.below(500) > 0) return;
    drainProjection(projection);
    if (prng.below(4) === 0) expectLedger(projection);
  };
  replayLog(projection.state, logBeginning, {
    log: openLogReader(findDataDirectory(data).log),
    skips,
    onBatch,
  });
  drainProjection(projection);
  return projection;
}

test('BAL-3a HIST-1 HIST-2 a random crash', async () => {
  const recording = join(directory.path, 'crash.csv');
  writeRecordedCrash(recording);
  const projection = await projectDay('drawn', ['--index', recording, '--accounts', '100']);
  expectTables(projection);
  const kinds = new Set([...projection.tables.fills.values()].map(({ kind }) => kind));
  for (const kind of ['trade', 'takeover', 'deleveraging'] as const) expect(kinds).toContain(kind);
});

test('BAL-3a HIST-1 the worst minutes of a recorded day', async () => {
  const args = [...recordedDayArgs(), '--accounts', '60'];
  args.push('--from-minute', '1270', '--limit-minutes', '15');
  expectTables(await projectDay('real', args));
});
