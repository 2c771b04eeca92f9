// The archivist without its thread: a second replica that follows the log behind the trading one,
// compares itself with it, takes snapshots and proves them. Every call blocks its caller, which is
// a thread of its own, or a test.

import type { Invariants } from '../engine/invariants/invariants.ts';
import type { LogFollower, LogReader } from '../log/log.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import type { Engines } from '../replica/engines.ts';
import { beginning } from '../replica/recoverState.ts';
import {
  type Figures,
  figuresOf,
  type ReplicaState,
  sameFigures,
} from '../replica/replicaState.ts';
import type { SkipIndex } from '../replica/skipIndex.ts';
import { listSnapshots, SnapshotDamaged } from '../replica/snapshotFile.ts';
import type { TreeMaker } from '../solvency/createTreeMaker.ts';
import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import type { Disk } from '../std/disk.ts';
import type { AccountId, MarketId } from '../units/units.ts';
import { type AdlQuantile, type AdlRankings, adlQuantilesOf } from './adlQuantiles.ts';
import type { Progress } from './archivistMessage.ts';
import type { Historian } from './createHistorian.ts';
import { type GapHole, gapHolesOf } from './gapHoles.ts';
import { type LongShort, type LongShortCounts, longShortOf } from './longShort.ts';
import type { Reporter } from './report/createReporter.ts';
import { createSnapshotChain, type SnapshotChain } from './snapshotChain.ts';
import { createSnapshotRule, type SnapshotBounds, type SnapshotRule } from './snapshotRule.ts';

export type ArchivistOptions = {
  readonly disk: Disk;
  readonly log: LogReader;
  readonly snapshotDirectory: string;
  readonly chainId: number;
  readonly skips: SkipIndex;
  readonly engines: Engines;
  readonly clock: Clock;
  /** After so many commands it takes a snapshot by itself, at the latest (snapshotRule.ts). */
  readonly snapshotEvery: number;
  /** Milliseconds, only for durations, and those of the processor that this thread has used. */
  readonly stopwatch: () => number;
  readonly processorMs: () => number;
  /** When it takes one before that; `snapshotBounds` unless given. */
  readonly snapshotBounds?: SnapshotBounds;
  /** Receives sentences that an operator should know and that do not stop trading. */
  readonly report: (message: string) => void;
  /** Makes history from the steps of this replica. */
  readonly historian?: Historian;
  /** Makes the rows of the keeper's reports from the steps of this replica. */
  readonly reporter?: Reporter;
  /** Makes trees of what is owed from the batches of this replica. */
  readonly treeMaker?: TreeMaker;
};

/**
 * The trading replica and this one differ, or a snapshot and its replay differ: trading must stop.
 */
export class ReplicasDiffer extends Error {
  override name = 'ReplicasDiffer';
}

export type Hashes = {
  readonly position: number;
  readonly stateHash: string;
  readonly priceHash: string;
};

export type Archivist = {
  /**
   * What the trading replica had seen at a durable position, in the order of positions. This
   * replica compares itself with it there.
   */
  readonly expect: (figures: Figures) => void;
  /**
   * Works for about `milliseconds`: it follows the log. When it is not behind any more, it takes a
   * due snapshot and lets history catch up. False when there is nothing left to do. Throws
   * `ReplicasDiffer`, `SnapshotRefuted`, `LogDamaged`, `PoisonCommand`, `EngineRefused`.
   */
  readonly work: (milliseconds: number) => boolean;
  /** Follows until it has seen everything expected. */
  readonly catchUp: () => void;
  readonly position: () => number;
  readonly progress: () => Progress;
  readonly hashes: () => Hashes;
  readonly invariants: () => Invariants;
  readonly adlQuantiles: (account: AccountId) => readonly AdlQuantile[];
  readonly longShort: (market: MarketId) => LongShort;
  readonly gapHoles: () => readonly GapHole[];
  /** Takes a snapshot now unless there is one of this position; gives the position. */
  readonly takeSnapshot: () => number;
  /** Only a replay of the whole log reads batches below this one again. */
  readonly neededFrom: () => number;
  readonly close: () => void;
};

type ArchivistState = {
  readonly options: ArchivistOptions;
  state: ReplicaState;
  readonly follower: LogFollower;
  readonly chain: SnapshotChain;
  readonly expected: Figures[];
  readonly rankings: AdlRankings;
  readonly longShorts: LongShortCounts;
  /** Hex: the hash of the last batch seen. */
  batchHash: string;
  /** What must be done before the next batch is applied. */
  passing: Generator<void, void> | undefined;
  readonly rule: SnapshotRule;
  /** It tries nothing before this time, by the clock: there was no file descriptor left. */
  retryAt: number;
};

const retryMs = 5000;

/**
 * Begins from the second newest snapshot, so that following the log proves the newest. Throws the
 * same as `work`.
 */
export function createArchivist(options: ArchivistOptions): Archivist {
  const { disk, log, snapshotDirectory, chainId, engines, historian, reporter } = options;
  const place = { disk, directory: snapshotDirectory };
  const readerPosition = (): number | undefined => historian?.figures().position;
  const reportPosition = (): number | undefined => reporter?.neededFrom();
  const { report } = options;
  const chain = createSnapshotChain({
    ...{ place, engines, report, readerPosition, reportPosition },
  });
  const { state, place: after } = chain.begin() ?? beginning(chainId, engines);
  historian?.attend(state, after.hash);
  reporter?.attend(state);
  options.treeMaker?.begin(state);
  const run: ArchivistState = {
    options,
    state,
    follower: log.follow(after),
    chain,
    expected: [],
    rankings: new Map(),
    longShorts: new Map(),
    batchHash: after.hash,
    passing: undefined,
    rule: ruleOf(options, chain),
    retryAt: 0,
  };
  return {
    expect: (figures) => run.expected.push(figures),
    work: (milliseconds) => work(run, milliseconds),
    catchUp: () => {
      while (follow(run, Number.POSITIVE_INFINITY)) {}
    },
    position: () => run.state.position,
    progress: () => ({ position: run.state.position, time: run.state.time }),
    hashes: () => {
      const { engine, exchange, position } = run.state;
      const { stateHash, priceHash } = engine;
      return { position, stateHash: stateHash(exchange), priceHash: priceHash(exchange) };
    },
    invariants: () => run.state.engine.checkInvariants(run.state.exchange),
    adlQuantiles: (account) => adlQuantilesOf(run.state.exchange, run.rankings, account),
    longShort: (market) => longShortOf(run.state.exchange, run.longShorts, market),
    gapHoles: () => gapHolesOf(run.state.exchange),
    takeSnapshot: () => takeSnapshot(run),
    neededFrom: () => {
      const [oldest = 0] = listSnapshots(place);
      return Math.min(oldest, readerPosition() ?? oldest, reportPosition() ?? oldest);
    },
    close: () => {
      reporter?.close();
      options.treeMaker?.close();
      run.follower.close();
    },
  };
}

function ruleOf(options: ArchivistOptions, chain: SnapshotChain): SnapshotRule {
  const { snapshotEvery: commandsMax, stopwatch, processorMs, snapshotBounds: bounds } = options;
  const { commands } = chain.newest();
  return createSnapshotRule({ commandsMax, commands, stopwatch, processorMs, bounds });
}

function work(run: ArchivistState, milliseconds: number): boolean {
  const { clock } = run.options;
  const until = clock.now() + milliseconds;
  // Every file is closed again, and the data to read will still be there later.
  if (clock.now() < run.retryAt) return false;
  try {
    if (follow(run, until)) return true;
  } catch (error) {
    if (!isDescriptorShortage(error)) throw error;
    retryLater(run, `the log cannot be followed: ${error.message}`);
    return false;
  }
  if (run.rule.isDue(run.state.commands)) trySnapshot(run);
  const { historian, reporter, treeMaker } = run.options;
  // A part of the time each, so that none waits for another.
  const isReading = reporter?.work(clock.now() + (until - clock.now()) / 3) ?? false;
  const isGrowing = treeMaker?.work((clock.now() + until) / 2) ?? false;
  const isBusy = isReading || isGrowing;
  if (historian === undefined || leavesRoom(historian, treeMaker)) return isBusy;
  return historian.work(until) || isBusy;
}

/**
 * History that reads the log takes what a process of the lowest priority needs: between them, a
 * tree of a million wallets took 43 s instead of 9. History goes on with a later batch of the log.
 */
function leavesRoom(historian: Historian, treeMaker: TreeMaker | undefined): boolean {
  return treeMaker?.needsRoom() === true && historian.figures().status === 'catchingUp';
}

/** Applies what is expected; true when time ran out before the end. */
function follow(run: ArchivistState, until: number): boolean {
  const { state, follower, expected, options } = run;
  for (;;) {
    if (!endPassing(run, until)) return true;
    const figures = expected[0];
    if (figures === undefined) return false;
    const batch = follower.next(figures.position);
    if (batch !== undefined) {
      run.rule.replaying(batch.count, () => applyBatch(state, batch, options.skips));
      run.batchHash = batch.hash.toString('hex');
      run.chain.passed(state);
      options.historian?.passed(run.batchHash);
      options.reporter?.passed();
      const { exchange, position, time } = state;
      const moment = { exchange, position, time, batchHash: run.batchHash };
      run.passing = options.treeMaker?.passed(moment);
    }
    if (state.position >= figures.position) {
      expected.shift();
      compare(state, figures);
    }
    if (options.clock.now() < until) continue;
    return !endPassing(run, until) || expected.length > 0;
  }
}

/** False when time ran out before the end: the state must stay as it is. */
function endPassing(run: ArchivistState, until: number): boolean {
  const { passing, options } = run;
  if (passing === undefined) return true;
  while (!passing.next().done) {
    if (options.clock.now() >= until) return false;
  }
  run.passing = undefined;
  return true;
}

// A replica that began after an expected position has not seen it and cannot compare.
function compare(state: ReplicaState, figures: Figures): void {
  if (state.position > figures.position || sameFigures(figuresOf(state), figures)) return;
  const here = figuresOf(state);
  throw new ReplicasDiffer(
    `the trading replica and the archivist differ at batch ${figures.position}: trading saw ` +
      `${figures.events} events of ${figures.commands} commands with hash ${figures.eventHash}, ` +
      `replay ${here.events} of ${here.commands} with hash ${here.eventHash}. The log is the ` +
      'truth; start again and compare with: evermark verify',
  );
}

// Trading continues without snapshots when the disk has no room for one; the log has everything.
function trySnapshot(run: ArchivistState): void {
  try {
    takeSnapshot(run);
  } catch (error) {
    if (!isSnapshotFailure(error)) throw error;
    const message = `no snapshot could be taken: ${error.message}`;
    if (!isDescriptorShortage(error)) {
      run.options.report(message);
      return;
    }
    run.rule.failed();
    retryLater(run, message);
  }
}

function retryLater(run: ArchivistState, message: string): void {
  run.options.report(`${message}; this is tried again in ${retryMs / 1000} s`);
  run.retryAt = run.options.clock.now() + retryMs;
}

/** Whether the process or the machine has no file descriptor left: this passes. */
function isDescriptorShortage(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}

/** Whether the disk failed, and not a replica. */
export function isSnapshotFailure(error: unknown): error is Error {
  if (error instanceof SnapshotDamaged) return true;
  return error instanceof Error && (error as NodeJS.ErrnoException).code !== undefined;
}

function takeSnapshot(run: ArchivistState): number {
  const { state, chain, rule } = run;
  if (state.position === chain.newest().position) return state.position;
  rule.taking(state.commands, () => replaceState(run));
  return state.position;
}

/** The archivist goes on with what it reads back of the snapshot. */
function replaceState(run: ArchivistState): void {
  const { state, options, chain } = run;
  const { ok, failures } = state.engine.checkInvariants(state.exchange);
  if (!ok) {
    const first = must(failures[0], 'a failed check names a failure');
    throw new ReplicasDiffer(`an invariant is broken at batch ${state.position}: ${first}`);
  }
  options.historian?.leave();
  options.reporter?.leave();
  run.state = chain.take(state, run.batchHash);
  options.historian?.attend(run.state, run.batchHash);
  options.reporter?.attend(run.state);
}
