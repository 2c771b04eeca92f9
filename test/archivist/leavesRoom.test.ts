// History that reads the log again leaves the processors to a tree that is being made, and goes on
// when that is there; history that follows goes on beside it.

import { expect, test } from 'vitest';
import { createArchivist } from '../../src/archivist/createArchivist.ts';
import type { Historian, HistoryStatus } from '../../src/archivist/createHistorian.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { createTreeMaker } from '../../src/solvency/createTreeMaker.ts';
import { systemClock } from '../../src/std/clock.ts';
import { fileDisk } from '../../src/std/disk.ts';
import {
  logDirectoryOf,
  openFileReplica,
  snapshotDirectoryOf,
  testChain,
} from '../fixtures/fileReplica.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { testEngines } from '../fixtures/testEngines.ts';

test.each<[HistoryStatus, isMaking: boolean, works: boolean]>([
  ['catchingUp', true, false],
  ['catchingUp', false, true],
  ['following', true, true],
  ['following', false, true],
])('history that is %s beside a tree (%s) works: %s', async (status, isMaking, works) => {
  using directory = createTemporaryDirectory();
  const { path } = directory;
  await (await openFileReplica(path)).close();
  let worked = 0;
  const counts = { rows: 0, waiting: 0, failures: 0, failing: false };
  const historian: Historian = {
    ...{ attend: () => {}, passed: () => {}, leave: () => {}, urge: () => {} },
    ...{ begin: async () => {}, close: async () => {} },
    work: () => {
      worked += 1;
      return true;
    },
    figures: () => ({ status, position: 0, time: 0, ...counts }),
  };
  const trees = { place: undefined, chainId: testChain, intervalMs: 1000, clock: systemClock };
  const archivist = createArchivist({
    ...{ disk: fileDisk, log: openLogReader(logDirectoryOf(path)), chainId: testChain },
    ...{ snapshotDirectory: snapshotDirectoryOf(path), skips: createSkipIndex([]) },
    ...{ engines: testEngines, clock: systemClock, snapshotEvery: 1e9, historian },
    ...{ stopwatch: () => 0, processorMs: () => 0, report: () => {} },
    treeMaker: { ...createTreeMaker({ ...trees, report: () => {} }), needsRoom: () => isMaking },
  });
  // There is more to do, unless it waits: then the thread rests until it is woken.
  expect(archivist.work(1)).toBe(works);
  expect(worked).toBe(works ? 1 : 0);
  archivist.close();
});
