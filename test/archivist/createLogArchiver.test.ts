// Archiving without hurry: one segment at a time, none that a start or history needs, and a disk
// that refuses is reported once.

import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogArchiver } from '../../src/archivist/createLogArchiver.ts';
import { archiveSegments } from '../../src/log/file/archiveSegments.ts';
import { listArchived, listSegments } from '../../src/log/file/segment.ts';
import { type Disk, fileDisk } from '../../src/std/disk.ts';
import { logDirectoryOf, openFileReplica } from '../fixtures/fileReplica.ts';
import { createManualClock } from '../fixtures/manualClock.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

/** As the archivist's thread does it. */
const archiveIn =
  (directory: string, disk: Disk = fileDisk) =>
  (belowPosition: number): Promise<number[]> =>
    archiveSegments(directory, belowPosition, { disk, segmentsMax: 1 });

test('segments move one at a time when no reader needs them, and a start reads them all', async () => {
  using directory = createTemporaryDirectory();
  const log = logDirectoryOf(directory.path);
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  await trading.trade(1, 1300);
  const before = listSegments(fileDisk, log);
  expect(before.length).toBeGreaterThan(4);
  const clock = createManualClock();
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const archiver = createLogArchiver({ archiveOne: archiveIn(log), clock, report });
  const needed = before[3]! + 1;
  const counts: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    archiver.rest(() => needed);
    await archiver.close();
    counts.push(listArchived(fileDisk, log).length);
    if (look === 3) clock.advance(60_000);
  }
  // It checks segments that could not be moved again later.
  expect(counts).toEqual([1, 2, 3, 3, 3]);
  expect(listSegments(fileDisk, log)).toEqual(before.slice(3));
  expect(reports).toEqual([]);
  const { state } = trading;
  await trading.close();
  const again = await openFileReplica(directory.path);
  expect(again.state.eventHash).toEqual(state.eventHash);
  await again.close();
});

test('a disk that refuses is reported once, and nothing is lost', async () => {
  using directory = createTemporaryDirectory();
  const log = logDirectoryOf(directory.path);
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  await trading.trade(1, 400);
  const before = readdirSync(log);
  const full: Disk = {
    ...fileDisk,
    writeAt: () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
  };
  const clock = createManualClock();
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const archiver = createLogArchiver({ archiveOne: archiveIn(log, full), clock, report });
  for (let look = 0; look < 3; look += 1) {
    archiver.rest(() => trading.state.position);
    await archiver.close();
    await wait(1);
    clock.advance(60_000);
  }
  expect(reports).toEqual(['no segment of the log could be archived: no space left on device']);
  expect(readdirSync(log).filter((name) => name !== 'archive')).toEqual(before);
  await trading.close();
});

test('CON-2 a missing descriptor delays the archive and stops nothing', async () => {
  using directory = createTemporaryDirectory();
  const clock = createManualClock();
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const log = logDirectoryOf(directory.path);
  const archiver = createLogArchiver({ archiveOne: archiveIn(log), clock, report });
  archiver.rest(() => {
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  });
  await archiver.close();
  expect(reports).toEqual(['no segment of the log could be archived: EMFILE: too many open files']);
});
