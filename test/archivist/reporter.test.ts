// The keeper's reports as the archivist makes them: a risky hour with liquidations, takeovers and
// deleveragings over real files, with starts, replays and a log whose beginning is gone.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Archivist, createArchivist } from '../../src/archivist/createArchivist.ts';
import { createReporter, type Reporter } from '../../src/archivist/report/createReporter.ts';
import { createHashTree, emptyRoot, rootOf } from '../../src/archivist/report/hashTree.ts';
import type { RowBounds } from '../../src/archivist/report/heldRows.ts';
import type { Report, Stretch } from '../../src/archivist/report/report.ts';
import { reportPeriodMs } from '../../src/archivist/report/report.ts';
import { createReportRows } from '../../src/archivist/report/reportRows.ts';
import { createReportCheck } from '../../src/bin/createReportCheck.ts';
import { balanceOf } from '../../src/engine/views/account.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { beginning } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { listSnapshots } from '../../src/replica/snapshotFile.ts';
import { systemClock } from '../../src/std/clock.ts';
import { fileDisk } from '../../src/std/disk.ts';
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

type World = {
  readonly archivist: Archivist;
  readonly reporter: Reporter;
  readonly reports: string[];
};

function openReporter(directory: string, bounds?: RowBounds): World {
  const reports: string[] = [];
  const shared = {
    disk: fileDisk,
    log: openLogReader(logDirectoryOf(directory)),
    snapshotDirectory: snapshotDirectoryOf(directory),
    chainId: testChain,
    skips: createSkipIndex([]),
    engines: testEngines,
    clock: systemClock,
    report: (message: string) => void reports.push(message),
  };
  const reportDirectory = join(directory, 'reports');
  const reporter = createReporter({ ...shared, reportDirectory, ...(bounds && { bounds }) });
  const archivist = createArchivist({
    ...shared,
    snapshotEvery: 1_000_000_000,
    stopwatch: () => 0,
    processorMs: () => 0,
    reporter,
  });
  return { archivist, reporter, reports };
}

function follow({ archivist }: World, { durable }: FileReplica): void {
  for (const figures of durable) archivist.expect(figures);
  while (archivist.work(50)) {}
}

/** Moves on to the next period, so that the one before has ended. */
async function endPeriod(trading: FileReplica): Promise<void> {
  trading.clock.advance(reportPeriodMs);
  await trading.trade(trading.state.position, 5);
}

/** Asks until the log has been read. */
function nextOf({ archivist, reporter }: World, after: number, sequence: number): Stretch {
  for (;;) {
    const next = reporter.next(after, sequence);
    if (typeof next === 'object') return next;
    expect(next).toBe('later');
    while (archivist.work(50)) {}
  }
}

function judgeOf({ archivist, reporter }: World, report: Report) {
  for (;;) {
    const judged = reporter.judge(report);
    if (judged !== 'later') return judged;
    while (archivist.work(50)) {}
  }
}

const rowsIn = (directory: string, sequence: number): string[] => {
  const name = `${String(sequence).padStart(8, '0')}.jsonl`;
  return readFileSync(join(directory, 'reports', name), 'utf8')
    .trimEnd()
    .split('\n');
};

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The slow, obvious tree: the left half of a node has the largest power of two below its rows. */
function naiveHash(rows: readonly string[]): Buffer {
  if (rows.length === 1) return sha256(Buffer.concat([Buffer.alloc(1), Buffer.from(rows[0]!)]));
  let half = 1;
  while (2 * half < rows.length) half *= 2;
  const halves = [naiveHash(rows.slice(0, half)), naiveHash(rows.slice(half))];
  return sha256(Buffer.concat([Buffer.alloc(1, 1), ...halves]));
}

const naiveRoot = (rows: readonly string[]): string => `0x${naiveHash(rows).toString('hex')}`;

test('KPR-2 the tree made row by row is that of its halves', () => {
  const tree = createHashTree();
  const rows: string[] = [];
  expect(tree.root()).toBe(emptyRoot);
  for (let at = 0; at < 40; at += 1) {
    rows.push(`row ${at}`);
    tree.add(`row ${at}`);
    expect(tree.root()).toBe(naiveRoot(rows));
  }
  expect(rootOf(rows.toSpliced(7, 1, 'row 6'))).not.toBe(tree.root());
});

test('KPR-2 the bytes of each kind of row are fixed', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await trading.trade(1, 5);
  const rows: string[] = [];
  const state = { ...trading.state, position: 7, time: 9 };
  const { take } = createReportRows(state, (row) => rows.push(row));
  const [one, two] = [1, 2].map((account) => {
    const { address } = trading.state.exchange.accounts[account]!;
    return { address, fill: { account, order: 3, pnl: -4, fee: 5, balance: 6, position: 0 } };
  });
  const { symbol } = trading.state.exchange.markets[0]!;
  const fund = { ...two!.fill, account: 0 };
  const close = { id: 3, market: 0, tradeId: 8, ticks: 10, lots: 11 };
  const margin = { equity: -12, maintenance: 13 };
  const money = { id: 3, account: 1, market: 0, amount: 14, balance: 15 };
  take([
    { kind: 'liquidationFlagged', account: 1, market: undefined, flagged: true, ...margin },
    { kind: 'liquidationFlagged', account: 1, market: 0, flagged: false, ...margin },
    ...[true, false].map((liquidation) => ({
      ...{ kind: 'traded', ...close, takerSide: 1, liquidation },
      ...{ taker: one!.fill, maker: two!.fill },
    })),
    { kind: 'takenOver', ...close, side: -1, account: one!.fill, fund },
    {
      ...{ kind: 'deleveraged', cause: 'deleveraging', ...close, side: -1, mark: 16 },
      ...{ marginStatus: margin, bankrupt: one!.fill, counterparty: two!.fill, rank: {} },
    },
    ...['profitShared', 'liquidationFeePaid', 'fundingCovered', 'feesShared'].map((kind) => ({
      ...{ kind, ...money },
    })),
    { kind: 'lossCovered', account: 1, market: 0, fund: 17, shared: 18, shortfall: 19 },
    { kind: 'insuranceCredited', id: 3, amount: 20, balance: 21, reference: 'a "b"' },
  ] as never);
  const market = `"market":"${symbol}"`;
  const head = (kind: string): string => `{"batch":7,"time":9,"kind":"${kind}",`;
  const inMarket = (kind: string): string => `${head(kind)}${market},"account":"${one!.address}",`;
  const sized = (side: string): string => `"side":"${side}","ticks":10,"lots":11`;
  const side = (name: string, { address }: { readonly address: string }): string =>
    `"${name}":"${address}","${name}_pnl":-4,"${name}_fee":5`;
  const fundRow = (cause: string, amount: number, more = ''): string =>
    `${head('fund')}"cause":"${cause}",${market},"amount":${amount}${more}}`;
  const account = side('account', one!);
  expect(rows).toEqual([
    `${head('liquidation_begun')}"market":null,"account":"${one!.address}","equity":-12,"maintenance":13}`,
    `${inMarket('liquidation_ended')}"equity":-12,"maintenance":13}`,
    `${head('liquidation_trade')}${market},"trade":8,${sized('BUY')},${account},${side('maker', two!)}}`,
    `${head('takeover')}${market},"trade":8,${sized('SELL')},${account},"fund_pnl":-4}`,
    ...[fundRow('realized_pnl', -4), fundRow('fee', -5)],
    `${head('deleveraging')}"cause":"deleveraging",${market},"trade":8,${sized('SELL')},"mark":16,${account},${side('counterparty', two!)}}`,
    `${inMarket('profit_shared')}"amount":14}`,
    ...[`${inMarket('liquidation_fee')}"amount":14}`, fundRow('insurance_income', 14)],
    ...[`${inMarket('funding_covered')}"amount":14}`, fundRow('insurance_payment', -14)],
    fundRow('insurance_income', 14),
    `${inMarket('loss_covered')}"fund":17,"shared":18,"shortfall":19}`,
    fundRow('insurance_payment', -17),
    `${head('fund')}"cause":"deposit","market":null,"amount":20,"reference":"a \\"b\\""}`,
  ]);
  await trading.close();
});

test('KPR-2 the rows explain the fund, and a replay gives the same digests', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const world = openReporter(directory.path);
  await riskyHour(trading);
  follow(world, trading);
  expect(world.reporter.next(0, 1)).toBe('open');
  await endPeriod(trading);
  follow(world, trading);
  const first = nextOf(world, 0, 1);
  await endPeriod(trading);
  follow(world, trading);
  const second = nextOf(world, first.to, 2);
  expect(first.from).toBe(0);
  expect(second.from).toBe(first.to);
  expect(second.to).toBeGreaterThan(first.to);
  const [head, ...rows] = rowsIn(directory.path, 1);
  expect(JSON.parse(head!)).toEqual({ sequence: 1, ...first, rows: rows.length });
  expect(naiveRoot(rows)).toBe(first.digest);
  const read = rows.map((row) => JSON.parse(row));
  const kinds = new Set(read.map(({ kind }) => kind));
  const expected = ['deleveraging', 'fund', 'liquidation_begun', 'takeover', 'totals'];
  expect(expected.filter((kind) => !kinds.has(kind))).toEqual([]);
  const totals = read.filter(({ kind }) => kind === 'totals').at(-1);
  const balance = balanceOf(trading.state.exchange.accounts[0]!);
  expect({ fund: totals.fund, shortfall: totals.shortfall }).toEqual({
    fund: balance,
    shortfall: trading.state.exchange.funds.shortfall,
  });
  world.archivist.close();
  await trading.close();

  const log = openLogReader(logDirectoryOf(directory.path));
  const { state, place } = beginning(testChain, testEngines);
  const claims: Report[] = [
    { sequence: 1, ...first },
    { sequence: 2, ...second, digest: first.digest },
    { sequence: 3, ...second },
    { sequence: 4, from: second.to, to: 9_000_000, digest: emptyRoot },
  ];
  const check = createReportCheck(state, { reports: claims, vault: undefined });
  const skips = createSkipIndex([]);
  replayLog(state, place, { log, skips, onBatch: () => check.endBatch() });
  check.endBatch();
  expect(check.findings()).toMatchObject({
    ...{ ok: false, count: 4, reported_to: second.to, wrong_count: 2, gaps: [] },
    wrong: [{ sequence: 2, why: `the log gives ${second.digest}` }, { sequence: 4 }],
  });
});

test('KPR-2 a start makes the same stretch again from any snapshot', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const before = openReporter(directory.path);
  await riskyHour(trading);
  await endPeriod(trading);
  follow(before, trading);
  const first = nextOf(before, 0, 1);
  await endPeriod(trading);
  follow(before, trading);
  // Snapshots after the stretches: a start must read the log again.
  for (let taken = 0; taken < 3; taken += 1) {
    await trading.trade(taken, 20);
    follow(before, trading);
    before.archivist.takeSnapshot();
  }
  const second = nextOf(before, first.to, 2);
  before.archivist.close();

  const after = openReporter(directory.path);
  follow(after, trading);
  expect(after.reporter.judge({ sequence: 1, ...first })).toBe('later');
  expect(judgeOf(after, { sequence: 1, ...first })).toBe('right');
  expect(nextOf(after, first.to, 2)).toEqual(second);
  expect(judgeOf(after, { sequence: 2, ...first, digest: second.digest })).toBe('wrong');
  expect(judgeOf(after, { sequence: 2, ...second, to: second.to + 1_000_000 })).toBe('ahead');
  expect(after.reports).toEqual([]);
  // What the next start may be asked for keeps its snapshot: here the log's beginning is enough.
  expect(after.reporter.neededFrom()).toBe(0);
  after.archivist.close();
  await trading.close();
});

test('KPR-2 a snapshot before the last right report is kept, so that a start reads little', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const world = openReporter(directory.path);
  const place = { disk: fileDisk, directory: snapshotDirectoryOf(directory.path) };
  const snapshot = async (): Promise<void> => {
    await trading.trade(trading.state.position, 20);
    follow(world, trading);
    world.archivist.takeSnapshot();
  };
  await snapshot();
  await endPeriod(trading);
  follow(world, trading);
  const first = nextOf(world, 0, 1);
  await snapshot();
  await endPeriod(trading);
  follow(world, trading);
  let last = { sequence: 2, ...nextOf(world, first.to, 2) };
  // Five snapshots in each period, so that every one is newer than what is reported.
  const kept: number[] = [];
  for (let made = 0; made < 8; made += 1) {
    for (let taken = 0; taken < 5; taken += 1) await snapshot();
    await endPeriod(trading);
    follow(world, trading);
    expect(judgeOf(world, last)).toBe('right');
    last = { sequence: last.sequence + 1, ...nextOf(world, last.to, last.sequence + 1) };
    kept.push(listSnapshots(place).findLast((position) => position <= last.from) ?? 0);
    expect(listSnapshots(place).length).toBeLessThan(6);
  }
  // It moves on with the reports.
  expect(kept.at(-1)).toBeGreaterThan(kept[3]!);
  expect(kept[3]).toBeGreaterThan(0);
  world.archivist.close();
  // The files say so to the next start, which proves its newest snapshot and removes others.
  const again = openReporter(directory.path);
  follow(again, trading);
  expect(again.reporter.neededFrom()).toBeGreaterThan(kept[3]!);
  expect(judgeOf(again, last)).toBe('right');
  again.archivist.close();
  await trading.close();
});

test('KPR-4 without the log before, the next report begins where it can', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path, { segmentBytes: 16 * 1024 });
  const before = openReporter(directory.path);
  await riskyHour(trading);
  await endPeriod(trading);
  await trading.trade(9, 400);
  await endPeriod(trading);
  follow(before, trading);
  before.archivist.takeSnapshot();
  const [snapshot] = listSnapshots({
    disk: fileDisk,
    directory: snapshotDirectoryOf(directory.path),
  });
  await trading.trade(4, 20);
  await endPeriod(trading);
  before.archivist.close();
  const [oldest] = readdirSync(logDirectoryOf(directory.path)).filter((name) =>
    name.endsWith('.segment'),
  );
  rmSync(join(logDirectoryOf(directory.path), oldest!));

  const after = openReporter(directory.path);
  follow(after, trading);
  const next = nextOf(after, 0, 1);
  expect(next.from).toBe(snapshot);
  expect(after.reports.join()).toContain('cannot be read for reports');
  expect(judgeOf(after, { sequence: 1, from: 0, to: 3, digest: emptyRoot })).toBe('unknown');
  // Trading and the rows of what comes are as ever.
  expect(nextOf(after, next.from, 2)).toEqual(next);
  after.archivist.close();
  await trading.close();
});

test('KPR-2 a process that is asked for nothing for a day holds the last hour', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const world = openReporter(directory.path);
  await trading.trade(1, 20);
  for (let made = 0; made < 300; made += 1) await endPeriod(trading);
  follow(world, trading);
  const { position } = trading.state;
  expect(world.reporter.neededFrom()).toBeGreaterThan(position - 60);
  expect(world.reporter.neededFrom()).toBeLessThan(position - 10);
  // It can still report all of it.
  expect(nextOf(world, 0, 1)).toMatchObject({ from: 0, to: position - 1 });
  world.archivist.close();
  await trading.close();
});

test('KPR-2 a report takes only so many rows, and what is held is bounded', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  const whole = openReporter(directory.path);
  await riskyHour(trading);
  await endPeriod(trading);
  follow(whole, trading);
  const all = nextOf(whole, 0, 1);
  const rows = rowsIn(directory.path, 1).slice(1);
  whole.archivist.close();
  const bounded = openReporter(directory.path, { rowsPerReportMax: 5, rowsHeldMax: 12 });
  follow(bounded, trading);
  const found: string[] = [];
  let after = 0;
  for (let sequence = 1; after < all.to; sequence += 1) {
    const stretch = nextOf(bounded, after, sequence);
    const own = rowsIn(directory.path, sequence).slice(1);
    expect(stretch.from).toBe(after);
    expect(rootOf(own)).toBe(stretch.digest);
    const batches = new Set(own.map((row) => JSON.parse(row).batch));
    if (own.length > 5) expect(batches.size).toBe(1);
    found.push(...own);
    after = stretch.to;
    expect(sequence).toBeLessThan(200);
  }
  expect(after).toBe(all.to);
  expect(found).toEqual(rows);
  bounded.archivist.close();
  await trading.close();
});
