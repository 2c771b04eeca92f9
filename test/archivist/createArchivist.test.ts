// The archivist without its thread: it follows, compares, takes snapshots and proves them; it stops
// trading when two replicas differ, and never for want of disk.

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Archivist,
  type ArchivistOptions,
  createArchivist,
} from '../../src/archivist/createArchivist.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { listSnapshots } from '../../src/replica/snapshotFile.ts';
import { createTreeMaker, type TreeMaker } from '../../src/solvency/createTreeMaker.ts';
import { systemClock } from '../../src/std/clock.ts';
import { type Disk, fileDisk } from '../../src/std/disk.ts';
import {
  type FileReplica,
  logDirectoryOf,
  openFileReplica,
  snapshotDirectoryOf,
  testChain,
} from '../fixtures/fileReplica.ts';
import { createManualClock } from '../fixtures/manualClock.ts';
import { riskyHour } from '../fixtures/riskyHour.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { viewContents } from '../fixtures/viewContents.ts';

const never = 1_000_000_000;

function archivistOver(
  directory: string,
  options: Partial<ArchivistOptions> = {},
): { readonly archivist: Archivist; readonly reports: string[] } {
  const reports: string[] = [];
  const archivist = createArchivist({
    disk: fileDisk,
    log: openLogReader(logDirectoryOf(directory), options.disk),
    snapshotDirectory: snapshotDirectoryOf(directory),
    chainId: testChain,
    skips: createSkipIndex([]),
    engines: testEngines,
    clock: systemClock,
    snapshotEvery: never,
    stopwatch: () => 0,
    processorMs: () => 0,
    report: (message) => reports.push(message),
    ...options,
  });
  return { archivist, reports };
}

/** Reports to the archivist everything that became durable since the last call. */
function tell(archivist: Archivist, { durable }: FileReplica): void {
  for (const figures of durable.splice(0)) archivist.expect(figures);
}

function workAll(archivist: Archivist): void {
  while (archivist.work(50)) {}
}

const snapshotsIn = (directory: string): number[] =>
  listSnapshots({ disk: fileDisk, directory: snapshotDirectoryOf(directory) });

test('it follows the log across segments and agrees with the trading replica', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  const { archivist } = archivistOver(directory.path);
  for (let round = 1; round <= 6; round += 1) {
    await trading.trade(round, 300);
    tell(archivist, trading);
    workAll(archivist);
    expect(archivist.position()).toBe(trading.state.position);
  }
  const segments = readdirSync(logDirectoryOf(directory.path)).filter((name) =>
    name.endsWith('.segment'),
  );
  expect(segments.length).toBeGreaterThan(3);
  expect(archivist.hashes()).toEqual({
    position: trading.state.position,
    stateHash: stateHash(trading.state.exchange),
    priceHash: priceHash(trading.state.exchange),
  });
  expect(archivist.invariants()).toMatchObject({ ok: true, failures: [] });
  archivist.close();
  await trading.close();
});

test('it reads nothing that is not durable', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const { archivist } = archivistOver(directory.path);
  await trading.trade(1, 200);
  const early = trading.durable.slice(0, 10);
  for (const figures of early) archivist.expect(figures);
  archivist.catchUp();
  expect(archivist.position()).toBe(early.at(-1)!.position);
  archivist.close();
  await trading.close();
});

test('its views continue from the snapshot that it reads back like those of trading', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const first = archivistOver(directory.path).archivist;
  await riskyHour(trading);
  tell(first, trading);
  first.catchUp();
  first.takeSnapshot();
  await trading.trade(3, 200);
  tell(first, trading);
  first.catchUp();
  first.takeSnapshot();
  first.close();
  const contents = viewContents(trading.state.views);
  await trading.close();
  const again = await openFileReplica(directory.path);
  expect(again.recovered.snapshot).toBe(trading.state.position);
  expect(viewContents(again.state.views)).toEqual(contents);
  await again.close();
});

describe('a difference stops trading', () => {
  test.each(['eventHash', 'commands', 'events'] as const)('in %s', async (figure) => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    const { archivist } = archivistOver(directory.path);
    await trading.trade(1, 200);
    const figures = trading.durable.at(-1)!;
    const changed = figure === 'eventHash' ? 'ffffffffffffffff' : figures[figure] + 1;
    archivist.expect({ ...figures, [figure]: changed });
    expect(() => archivist.catchUp()).toThrow('differ at batch');
    archivist.close();
    await trading.close();
  });

  test('in the invariants, before a snapshot would preserve it', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    await trading.trade(1, 200);
    const { archivist } = archivistOver(directory.path, {
      skips: createSkipIndex([{ position: 1, index: 3 }]),
    });
    // The archivist passes over a command that the trading replica applied.
    tell(archivist, trading);
    expect(() => archivist.catchUp()).toThrow('differ at batch');
    archivist.close();
    await trading.close();
  });
});

describe('snapshots', () => {
  test('are taken by number of commands, proved from the previous one, and two are kept', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    const { archivist, reports } = archivistOver(directory.path, { snapshotEvery: 400 });
    const counts: number[] = [];
    for (let round = 1; round <= 6; round += 1) {
      await trading.trade(round, 500);
      tell(archivist, trading);
      workAll(archivist);
      counts.push(snapshotsIn(directory.path).length);
    }
    expect(counts).toEqual([1, 2, 2, 2, 2, 2]);
    expect(snapshotsIn(directory.path).at(-1)).toBe(trading.state.position);
    expect(reports).toEqual([]);
    archivist.close();
    await trading.close();
  });

  test('are taken when a replay would take too long, if they take a small share of the time', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    // Each look at the processor's time is a millisecond later, and a sync takes `syncMs`.
    let now = 0;
    let syncMs = 0;
    const disk: Disk = {
      ...fileDisk,
      syncData: (file) => {
        now += syncMs;
        fileDisk.syncData(file);
      },
    };
    const processorMs = (): number => {
      now += 1;
      return now;
    };
    // One batch in sixteen is measured, and counts for all: a batch of five commands takes 1 ms.
    const snapshotBounds = { replayMsMax: 100, shareMax: 0.1, commandsMin: 200 };
    const clocks = { stopwatch: () => now, processorMs, snapshotBounds };
    const { archivist } = archivistOver(directory.path, { disk, ...clocks });
    const counts: number[] = [];
    // 100 batches are 500 commands and 100 ms.
    for (const [seed, commands, sync] of [
      [1, 450, 0],
      [2, 100, 5000],
      [3, 600, 0],
    ] as const) {
      syncMs = sync;
      await trading.trade(seed, commands);
      tell(archivist, trading);
      workAll(archivist);
      counts.push(snapshotsIn(directory.path).length);
    }
    // That one took five seconds, so the next one waits until fifty have passed.
    expect(counts).toEqual([0, 1, 1]);
    now += 50_000;
    await trading.trade(4, 5);
    tell(archivist, trading);
    workAll(archivist);
    expect(snapshotsIn(directory.path)).toHaveLength(2);
    archivist.close();
    await trading.close();
  });

  test('the operator gets one at once, and only one of each position', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    const { archivist } = archivistOver(directory.path);
    expect(archivist.takeSnapshot()).toBe(0);
    await trading.trade(1, 100);
    tell(archivist, trading);
    archivist.catchUp();
    expect(archivist.takeSnapshot()).toBe(trading.state.position);
    expect(archivist.takeSnapshot()).toBe(trading.state.position);
    expect(snapshotsIn(directory.path)).toEqual([trading.state.position]);
    archivist.close();
    await trading.close();
  });

  test('the next start begins at the one before the newest and proves the newest by replay', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    const first = archivistOver(directory.path).archivist;
    const taken: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await trading.trade(round, 300);
      tell(first, trading);
      first.catchUp();
      taken.push(first.takeSnapshot());
    }
    first.close();
    expect(snapshotsIn(directory.path)).toEqual(taken.slice(1));
    await trading.trade(4, 100);
    const second = archivistOver(directory.path).archivist;
    expect(second.position()).toBe(taken[1]);
    tell(second, trading);
    workAll(second);
    expect(second.position()).toBe(trading.state.position);
    expect(snapshotsIn(directory.path)).toEqual(taken.slice(1));
    second.close();
    await trading.close();
  });

  test('that cannot be read back are set aside, and trading continues', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    let worn = false;
    const disk: Disk = {
      ...fileDisk,
      writeAt: (file, bytes, offset) => {
        const written = Buffer.from(bytes);
        if (worn) written[written.length - 1]! ^= 1;
        fileDisk.writeAt(file, written, offset);
      },
    };
    const { archivist, reports } = archivistOver(directory.path, { disk, snapshotEvery: 200 });
    const positions: number[][] = [];
    for (const wear of [false, true, false]) {
      worn = wear;
      await trading.trade(positions.length + 1, 300);
      tell(archivist, trading);
      workAll(archivist);
      positions.push(snapshotsIn(directory.path));
    }
    expect(positions.map((found) => found.length)).toEqual([1, 1, 2]);
    expect(reports.join()).toContain('cannot be used');
    expect(readdirSync(snapshotDirectoryOf(directory.path)).join()).toContain('.refused');
    expect(archivist.hashes().stateHash).toBe(stateHash(trading.state.exchange));
    archivist.close();
    await trading.close();
  });

  test('at start the newest one that replay does not confirm is set aside and stops trading', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    const first = archivistOver(directory.path).archivist;
    const taken: number[] = [];
    for (let round = 1; round <= 2; round += 1) {
      await trading.trade(round, 300);
      tell(first, trading);
      first.catchUp();
      taken.push(first.takeSnapshot());
    }
    first.close();
    // This archivist's replay passes over commands that are in the newest snapshot.
    const position = taken[0]! + 5;
    const skips = createSkipIndex([0, 1, 2, 3, 4].map((index) => ({ position, index })));
    const second = archivistOver(directory.path, { skips }).archivist;
    await trading.trade(3, 5);
    tell(second, trading);
    expect(() => second.catchUp()).toThrow('is not what replay makes of the one before it');
    expect(snapshotsIn(directory.path)).toEqual([taken[0]]);
    second.close();
    await trading.close();
    const again = await openFileReplica(directory.path);
    expect(again.recovered.snapshot).toBe(taken[0]);
    expect(stateHash(again.state.exchange)).toBe(stateHash(trading.state.exchange));
    await again.close();
  });

  test('that the disk refuses are reported, and trading continues', async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    let full = true;
    const disk: Disk = {
      ...fileDisk,
      writeAt: (file, bytes, offset) => {
        if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        fileDisk.writeAt(file, bytes, offset);
      },
    };
    const { archivist, reports } = archivistOver(directory.path, { disk, snapshotEvery: 200 });
    await trading.trade(1, 300);
    tell(archivist, trading);
    workAll(archivist);
    expect(reports.join()).toContain('no space left');
    expect(readdirSync(snapshotDirectoryOf(directory.path))).toEqual([]);
    full = false;
    await trading.trade(2, 300);
    tell(archivist, trading);
    workAll(archivist);
    expect(snapshotsIn(directory.path)).toEqual([trading.state.position]);
    archivist.close();
    await trading.close();
  });
});

test('CON-2 a missing descriptor delays the archivist and stops nothing', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  let missing = false;
  const guarded = <A extends readonly unknown[], R>(step: (...args: A) => R) => {
    return (...args: A): R => {
      if (missing)
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      return step(...args);
    };
  };
  const disk: Disk = {
    ...fileDisk,
    openFile: guarded(fileDisk.openFile),
    list: guarded(fileDisk.list),
    syncDirectory: guarded(fileDisk.syncDirectory),
  };
  const clock = createManualClock();
  const { archivist, reports } = archivistOver(directory.path, { disk, clock, snapshotEvery: 100 });
  missing = true;
  await trading.trade(1, 300);
  tell(archivist, trading);
  expect(archivist.work(50)).toBe(false);
  expect(archivist.work(50)).toBe(false);
  expect(reports).toEqual([expect.stringMatching(/log cannot be followed.*again in 5 s/)]);
  expect(() => archivist.catchUp()).toThrow('EMFILE');
  missing = false;
  clock.advance(5000);
  const follow = (): void => {
    for (let i = 0; i < 1000 && archivist.position() < trading.state.position; i += 1) {
      archivist.work(50);
    }
  };
  follow();
  expect(archivist.position()).toBe(trading.state.position);
  archivist.work(50);
  const before = snapshotsIn(directory.path).length;
  expect(before).toBeGreaterThan(0);
  // The segment that is being read stays open; the snapshot has to be.
  await trading.trade(2, 120);
  tell(archivist, trading);
  archivist.catchUp();
  missing = true;
  archivist.work(50);
  expect(reports.at(-1)).toMatch(/no snapshot could be taken: EMFILE.*again in 5 s/);
  missing = false;
  clock.advance(5000);
  archivist.work(50);
  expect(snapshotsIn(directory.path).length).toBe(before + 1);
  await trading.close();
  archivist.close();
});

test('what is owed is gathered in steps, and no batch is applied between them', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 100);
  const seen: number[] = [];
  let now = 0;
  const treeMaker: TreeMaker = {
    ...createTreeMaker({
      ...{ place: undefined, chainId: testChain, intervalMs: 1000, clock: systemClock },
      report: () => {},
    }),
    *passed({ position }) {
      for (let step = 0; step < 3; step += 1) {
        seen.push(position);
        expect(archivist.position()).toBe(position);
        now += 10;
        yield;
      }
    },
  };
  const { archivist } = archivistOver(directory.path, { treeMaker, clock: { now: () => now } });
  tell(archivist, trading);
  const positions: number[] = [];
  // Each piece of work has the time of one step.
  while (archivist.work(10)) positions.push(archivist.position());
  const last = trading.state.position;
  expect(archivist.position()).toBe(last);
  expect(seen).toEqual(Array.from({ length: 3 * last }, (_, at) => Math.floor(at / 3) + 1));
  expect(positions.length).toBeGreaterThan(last);
  // A question waits for the pass.
  await trading.trade(2, 1);
  tell(archivist, trading);
  archivist.catchUp();
  expect(seen.filter((position) => position === trading.state.position)).toHaveLength(3);
  archivist.close();
  await trading.close();
});
