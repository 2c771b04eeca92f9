// The archivist's thread as trading sees it: its answers are about the reported batches, and a
// difference ends it.

import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { adlQuantilesOf } from '../../src/archivist/adlQuantiles.ts';
import { gapHolesOf } from '../../src/archivist/gapHoles.ts';
import {
  awaitArchivist,
  type RunningArchivist,
  startArchivist,
  type WaitingArchivist,
} from '../../src/archivist/startArchivist.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { type Figures, figuresOf } from '../../src/replica/replicaState.ts';
import { listSnapshots } from '../../src/replica/snapshotFile.ts';
import { fileDisk } from '../../src/std/disk.ts';
import type { AccountId } from '../../src/units/units.ts';
import {
  type FileReplica,
  logDirectoryOf,
  openFileReplica,
  snapshotDirectoryOf,
  testChain,
} from '../fixtures/fileReplica.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { testEngines } from '../fixtures/testEngines.ts';

function start(
  directory: string,
  figures: Figures,
  onFatal: (error: Error) => void,
  waiting?: WaitingArchivist,
): RunningArchivist {
  return startArchivist({
    waiting,
    logDirectory: logDirectoryOf(directory),
    snapshotDirectory: snapshotDirectoryOf(directory),
    chainId: testChain,
    skips: [],
    enginesDirectory: '',
    engineHash: testEngines.present.hash,
    snapshotEvery: 1_000_000,
    archiveLog: false,
    figures,
    heapSize: 512,
    report: () => {},
    onFatal,
  });
}

const hashesOf = ({ state }: FileReplica): unknown => ({
  position: state.position,
  stateHash: stateHash(state.exchange),
  priceHash: priceHash(state.exchange),
});

/** The niceness of every thread of this process, as `proc_pid_stat(5)` places it. */
const nicenesses = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

test.skipIf(process.platform !== 'linux')(
  'its thread runs below the priority of trading threads',
  async () => {
    using directory = createTemporaryDirectory();
    const trading = await openFileReplica(directory.path);
    const behind = (): number => nicenesses().filter((each) => each > getPriority()).length;
    const before = behind();
    const archivist = start(directory.path, figuresOf(trading.state), () => {});
    await archivist.stateHash();
    await expect.poll(behind).toBe(before + 1);
    await archivist.close();
    await trading.close();
  },
);

test.each([0, 500])('a thread that waited for its state for %i ms misses nothing', async (ms) => {
  using directory = createTemporaryDirectory();
  const waiting = awaitArchivist(512);
  await wait(ms);
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 100);
  const figures = figuresOf(trading.state);
  const fatal: Error[] = [];
  const archivist = start(directory.path, figures, (error) => fatal.push(error), waiting);
  await trading.trade(2, 100);
  for (const each of trading.durable.splice(0)) archivist.follow(each);
  expect(await archivist.stateHash()).toEqual(hashesOf(trading));
  await archivist.close();
  expect(fatal).toEqual([]);
  await trading.close();
});

test('a thread that waits for its state ends when its start has failed', async () => {
  const { worker } = awaitArchivist(512);
  await new Promise((resolve) => worker.once('online', resolve));
  await worker.terminate();
  expect(worker.threadId).toBe(-1);
});

test('it answers for the last reported position, at once and after more trading', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 300);
  const fatal: Error[] = [];
  const archivist = start(directory.path, figuresOf(trading.state), (error) => fatal.push(error));
  expect(await archivist.stateHash()).toEqual(hashesOf(trading));
  for (let round = 2; round <= 5; round += 1) {
    await trading.trade(round, 200);
    for (const figures of trading.durable.splice(0)) archivist.follow(figures);
    expect(await archivist.stateHash()).toEqual(hashesOf(trading));
  }
  const invariants = await archivist.invariants();
  expect(invariants).toMatchObject({ ok: true, position: trading.state.position });
  expect(invariants.figures.difference).toBe(0n);
  const { position } = await archivist.snapshot();
  expect(position).toBe(trading.state.position);
  const place = { disk: fileDisk, directory: snapshotDirectoryOf(directory.path) };
  expect(listSnapshots(place)).toEqual([position]);
  await archivist.close();
  expect(fatal).toEqual([]);
  await expect(archivist.stateHash()).rejects.toThrow('has ended');
  await trading.close();
});

test('OPS-8 it finds what a gap would cost each market, at the last reported position', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(5, 2500);
  const archivist = start(directory.path, figuresOf(trading.state), () => {});
  const holes = gapHolesOf(trading.state.exchange);
  expect(holes).toHaveLength(3);
  expect(holes.some(({ hole }) => hole > 0)).toBe(true);
  expect(await archivist.gapHoles()).toEqual(holes);
  await archivist.close();
  await expect(archivist.gapHoles()).rejects.toThrow('has ended');
  await trading.close();
});

test('LIQ-7: it ranks positions for clients and refuses too many simultaneous requests', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 800);
  const archivist = start(directory.path, figuresOf(trading.state), () => {});
  const { exchange } = trading.state;
  const rankings = new Map();
  const answers = await Promise.all(
    liveAccounts(exchange).map(({ id }) => archivist.adlQuantiles(id)),
  );
  const expected = liveAccounts(exchange).map(({ id }) => adlQuantilesOf(exchange, rankings, id));
  expect(answers).toEqual(expected);
  expect(expected.flat().length).toBeGreaterThan(5);
  const flood = Array.from({ length: 1001 }, () => archivist.adlQuantiles(1 as AccountId));
  expect(await flood.at(-1)).toEqual({ reason: 'overloaded' });
  expect(await flood[0]).toEqual(expected[1]);
  await Promise.all(flood);
  expect(await archivist.adlQuantiles(1 as AccountId)).toEqual(expected[1]);
  await archivist.close();
  await trading.close();
});

test('a difference is fatal, and waiting questions get an answer', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 100);
  const figures = { ...figuresOf(trading.state), events: 1 };
  const stopped = Promise.withResolvers<Error>();
  const archivist = start(directory.path, figures, stopped.resolve);
  const question = archivist.stateHash().catch((error: Error) => error.message);
  expect((await stopped.promise).message).toContain('differ at batch');
  expect(await question).toContain('differ at batch');
  await archivist.close();
  await trading.close();
});
