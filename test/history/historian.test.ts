// The historian beside the archivist, over a database in memory that fails on demand. Goal:
// whatever the database does, no row is missing, none is there twice, and trading waits for
// nothing. Method: after every adventure the tables are compared with a rebuild from the log.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rebuildHistory } from '../../src/archivist/rebuildHistory.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { createSkipIndex, type SkipRecord } from '../../src/replica/skipIndex.ts';
import { listSnapshots, removeSnapshot } from '../../src/replica/snapshotFile.ts';
import { fileDisk } from '../../src/std/disk.ts';
import { createFickleHistory, type FickleHistory } from '../fixtures/fickleHistory.ts';
import {
  type FileReplica,
  logDirectoryOf,
  openFileReplica,
  snapshotDirectoryOf,
  testChain,
} from '../fixtures/fileReplica.ts';
import { riskyHour } from '../fixtures/riskyHour.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { type Beside, type OpenBeside, openBeside } from './openBeside.ts';

type Options = Pick<OpenBeside, 'bounds' | 'snapshotEvery' | 'answersLate'>;

type BesideReplica = Pick<Beside, 'archivist' | 'historian' | 'reports' | 'close'> & {
  readonly follow: () => Promise<void>;
  readonly finish: () => Promise<void>;
};

/** Beside a replica that trades in this directory. */
async function open(
  trading: FileReplica,
  directory: string,
  history: FickleHistory,
  options: Options = {},
): Promise<BesideReplica> {
  const beside = await openBeside({
    ...options,
    logDirectory: logDirectoryOf(directory),
    snapshotDirectory: snapshotDirectoryOf(directory),
    chainId: testChain,
    headPosition: trading.state.position,
    writer: history.writer,
  });
  return {
    ...beside,
    follow: () => beside.follow(trading.durable),
    finish: () => beside.finish(trading.durable),
  };
}

/** The tables as they come out of the log alone. */
async function rebuilt(
  trading: FileReplica,
  directory: string,
  batchRows = 300,
  skips: readonly SkipRecord[] = [],
): Promise<ReturnType<FickleHistory['dump']>> {
  const history = createFickleHistory();
  const place = await rebuildHistory({
    engines: testEngines,
    writer: history.writer,
    log: openLogReader(logDirectoryOf(directory)),
    chainId: testChain,
    skips: createSkipIndex(skips),
    toPosition: trading.state.position,
    batchRows,
  });
  expect(place.position).toBe(trading.state.position);
  return history.dump();
}

const snapshotsIn = (directory: string): number[] =>
  listSnapshots({ disk: fileDisk, directory: snapshotDirectoryOf(directory) });

test('rows follow trading and equal those of a rebuild, with any transactions', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  const history = createFickleHistory();
  const beside = await open(trading, directory.path, history, { snapshotEvery: 500 });
  for (let round = 1; round <= 6; round += 1) {
    await trading.trade(round, 300);
    await beside.follow();
  }
  await beside.finish();
  expect(history.transactions).toBeGreaterThan(5);
  expect(snapshotsIn(directory.path)).toHaveLength(2);
  const dump = history.dump();
  expect(dump.fills!.length).toBeGreaterThan(200);
  expect(dump).toEqual(await rebuilt(trading, directory.path));
  expect(dump).toEqual(await rebuilt(trading, directory.path, 1));
  expect(beside.reports).toEqual([]);
  await beside.close();
  expect(history.closed).toBe(1);
  await trading.close();
});

test('rows of a difficult period, with rows in all tables except one, equal those of a rebuild', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const history = createFickleHistory();
  const beside = await open(trading, directory.path, history, { snapshotEvery: 20 });
  await riskyHour(trading);
  trading.clock.advance(60_000);
  await trading.trade(1, 400);
  for (const figures of trading.durable.splice(0)) {
    beside.archivist.expect(figures);
    while (beside.archivist.work(20)) {}
    await wait(0);
  }
  await beside.finish();
  const dump = history.dump();
  const empty = Object.keys(dump).filter((name) => dump[name]!.length === 0);
  expect(empty).toEqual(['referralDays']);
  expect(dump).toEqual(await rebuilt(trading, directory.path));
  await beside.close();
  await trading.close();
});

test('an outage loses no row and doubles none, with or without the answer to the commit', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const history = createFickleHistory();
  const beside = await open(trading, directory.path, history, { snapshotEvery: 400 });
  await trading.trade(100, 100);
  await beside.finish();
  for (const mode of ['down', 'silent', 'down'] as const) {
    history.mode = mode;
    const before = history.place.position;
    await trading.trade(history.transactions, 400);
    await beside.follow();
    await wait(15);
    await beside.follow();
    // The archivist has followed all the same, and taken its snapshots.
    expect(beside.archivist.position()).toBe(trading.state.position);
    if (mode === 'down') {
      expect(history.place.position).toBe(before);
      expect(beside.historian.figures()).toMatchObject({ failing: true, position: before });
    }
    history.mode = 'up';
    await beside.finish();
    expect(beside.historian.figures()).toMatchObject({ failing: false, status: 'following' });
  }
  expect(history.dump()).toEqual(await rebuilt(trading, directory.path));
  // Each outage and its end are reported once.
  const said = beside.reports.map((report) => (report.includes('again') ? 'end' : 'failed'));
  expect(said).toEqual(['failed', 'end', 'failed', 'end', 'failed', 'end']);
  expect(beside.reports[0]).toContain('the database failed: the memory is down');
  await beside.close();
  await trading.close();
});

test('rows beyond the bound are dropped and later read again from the log', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  const history = createFickleHistory();
  const bounds = { queueRows: 500, batchRows: 50 };
  const beside = await open(trading, directory.path, history, { bounds, snapshotEvery: 600 });
  await trading.trade(100, 100);
  await beside.finish();
  beside.archivist.takeSnapshot();
  const place = history.place.position;
  history.mode = 'down';
  for (let round = 1; round <= 8; round += 1) {
    await trading.trade(round, 300);
    await beside.follow();
    expect(beside.historian.figures().waiting).toBeLessThan(700);
  }
  expect(beside.historian.figures().status).toBe('unknown');
  expect(beside.reports.filter((report) => report.includes('rows wait'))).toHaveLength(1);
  // What history will begin from is kept, beside the usual two.
  const kept = snapshotsIn(directory.path);
  expect(kept[0]).toBeLessThanOrEqual(place);
  expect(kept).toHaveLength(3);
  history.mode = 'up';
  await beside.finish();
  expect(beside.historian.figures().status).toBe('following');
  await trading.trade(9, 200);
  await beside.finish();
  expect(history.dump()).toEqual(await rebuilt(trading, directory.path));
  await beside.close();
  await trading.close();
});

test('a slow database does not delay trading and gets every row in the end', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const history = createFickleHistory();
  const bounds = { queueRows: 400, batchRows: 50 };
  const beside = await open(trading, directory.path, history, { bounds });
  await trading.trade(100, 100);
  await beside.finish();
  history.mode = 'held';
  for (let round = 1; round <= 4; round += 1) {
    await trading.trade(round, 300);
    await beside.follow();
  }
  expect(beside.archivist.position()).toBe(trading.state.position);
  history.release();
  await beside.finish();
  expect(history.dump()).toEqual(await rebuilt(trading, directory.path));
  await beside.close();
  await trading.close();
});

test.each([false, true])(
  'a start continues history behind, between or after its snapshots (the database answers late: %s)',
  async (answersLate) => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
    const history = createFickleHistory();
    await trading.trade(100, 100);
    const copies: FickleHistory['place'][] = [];
    let beside = await open(trading, directory.path, history, { answersLate });
    for (let round = 1; round <= 4; round += 1) {
      await trading.trade(round, 200);
      await beside.finish();
      copies.push(history.place);
      if (round >= 2) beside.archivist.takeSnapshot();
    }
    await beside.close();
    const end = history.dump();
    // At the log's end.
    beside = await open(trading, directory.path, history, { answersLate });
    expect(beside.historian.figures().status).toBe('waiting');
    trading.durable.push(trading.replica.figures());
    await beside.follow();
    expect(beside.historian.figures().status).toBe('following');
    await beside.close();
    expect(history.dump()).toEqual(end);
    // Behind every snapshot: from the log's beginning.
    for (const upTo of [0, copies[0]!.position, copies[2]!.position]) {
      const other = createFickleHistory();
      if (upTo > 0) {
        await rebuildHistory({
          engines: testEngines,
          writer: other.writer,
          log: openLogReader(logDirectoryOf(directory.path)),
          chainId: testChain,
          skips: createSkipIndex([]),
          toPosition: upTo,
        });
      }
      beside = await open(trading, directory.path, other, { answersLate });
      trading.durable.push(trading.replica.figures());
      while (other.place.position < trading.state.position) await beside.follow();
      expect(other.dump()).toEqual(end);
      await beside.close();
    }
    await trading.close();
  },
);

test('skipped commands leave no row', async () => {
  using directory = createTemporaryDirectory();
  const skips = [0, 1, 2, 3, 4].map((index) => ({ position: 9, index }));
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 200);
  const history = createFickleHistory();
  await rebuildHistory({
    engines: testEngines,
    writer: history.writer,
    log: openLogReader(logDirectoryOf(directory.path)),
    chainId: testChain,
    skips: createSkipIndex(skips),
    toPosition: trading.state.position,
  });
  expect(history.dump()).toEqual(await rebuilt(trading, directory.path, 20, skips));
  expect(history.dump()).not.toEqual(await rebuilt(trading, directory.path, 20));
  await trading.close();
});

test('tables of another log refuse a start; tables found later stay unchanged', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 200);
  const history = createFickleHistory();
  const first = await open(trading, directory.path, history);
  trading.durable.push(trading.replica.figures());
  await first.finish();
  await first.close();
  const { place } = history;
  history.place = { ...place, hash: 'f'.repeat(64) };
  await expect(open(trading, directory.path, history)).rejects.toThrow('another log');
  history.place = { ...place, position: place.position + 1 };
  await expect(open(trading, directory.path, history)).rejects.toThrow('the log ends at batch');
  // Somebody else moves the tables on.
  history.place = place;
  const beside = await open(trading, directory.path, history);
  trading.durable.push(trading.replica.figures());
  await beside.follow();
  history.place = { ...place, position: place.position + 7, hash: 'e'.repeat(64) };
  await trading.trade(2, 50);
  await beside.follow();
  await wait(5);
  await beside.follow();
  expect(beside.historian.figures()).toMatchObject({ status: 'stopped', position: -1 });
  expect(beside.reports.at(-1)).toContain('no longer written to the database');
  expect(beside.archivist.position()).toBe(trading.state.position);
  await beside.close();
  await trading.close();
});

test('the newest snapshot that is not ahead of history stays', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 200);
  const history = createFickleHistory();
  const beside = await open(trading, directory.path, history);
  trading.durable.push(trading.replica.figures());
  await beside.finish();
  const first = beside.archivist.takeSnapshot();
  history.mode = 'down';
  const taken: number[] = [];
  for (let round = 2; round <= 6; round += 1) {
    await trading.trade(round, 100);
    await beside.follow();
    taken.push(beside.archivist.takeSnapshot());
  }
  expect(snapshotsIn(directory.path)).toEqual([first, ...taken.slice(-2)]);
  expect(beside.archivist.neededFrom()).toBe(first);
  history.mode = 'up';
  await beside.finish();
  await trading.trade(7, 100);
  await beside.finish();
  taken.push(beside.archivist.takeSnapshot());
  expect(snapshotsIn(directory.path)).toEqual(taken.slice(-2));
  await beside.close();
  await trading.close();
});

test('when batches for history are missing, history reports it and trading continues', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  await trading.trade(1, 600);
  const history = createFickleHistory();
  const place = { disk: fileDisk, directory: snapshotDirectoryOf(directory.path) };
  const before = await open(trading, directory.path, createFickleHistory());
  trading.durable.push(trading.replica.figures());
  await before.follow();
  before.archivist.takeSnapshot();
  await before.close();
  for (const position of snapshotsIn(directory.path).slice(0, -1)) removeSnapshot(place, position);
  fileDisk.remove(`${logDirectoryOf(directory.path)}/0000000000000001.segment`);
  const beside = await open(trading, directory.path, history);
  trading.durable.push(trading.replica.figures());
  await beside.follow();
  expect(beside.historian.figures().status).toBe('stopped');
  expect(beside.reports.at(-1)).toContain('batch 1 is no longer there');
  expect(beside.archivist.position()).toBe(trading.state.position);
  await beside.close();
  await trading.close();
});
