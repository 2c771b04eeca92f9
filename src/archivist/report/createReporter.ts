// The archivist's part of the keeper's reports: it holds the rows of the newest batches, judges
// reports that the vault has, and makes the next stretch with its file (KPR-1 … KPR-4). For what
// lies before its rows it replays the log from a snapshot, in steps. Nothing here may stop trading.

import { LogDamaged } from '../../log/log.ts';
import { PoisonCommand } from '../../replica/applyBatch.ts';
import { EngineRefused } from '../../replica/engines.ts';
import type { ReplicaState } from '../../replica/replicaState.ts';
import { must } from '../../std/assert.ts';
import type { Clock } from '../../std/clock.ts';
import {
  type HistoryReplica,
  type HistoryReplicaOptions,
  openHistoryReplica,
} from '../historyReplica.ts';
import { rootOf } from './hashTree.ts';
import { createHeldRows, type HeldRows, type RowBounds, rowBounds } from './heldRows.ts';
import type { NextStretch, Report, ReportJudgement } from './report.ts';
import { hasReport, newestFrom, writeReport } from './writeReport.ts';

export type ReporterOptions = HistoryReplicaOptions & {
  /** Where the files are published. */
  readonly reportDirectory: string;
  readonly clock: Clock;
  readonly bounds?: RowBounds;
};

export type Reporter = {
  /** The archivist's replica is this state from now on; after `leave`, another one. */
  readonly attend: (state: ReplicaState) => void;
  readonly leave: () => void;
  /** The archivist's replica has applied a batch. */
  readonly passed: () => void;
  /** Reads the log until then, when it has to; true: there is more to read. */
  readonly work: (until: number) => boolean;
  readonly judge: (report: Report) => ReportJudgement;
  /** Whether its file is there, of a stretch that the log has. */
  readonly isPublished: (report: Report) => boolean;
  /** The stretch after a batch, published as this report. Throws what the disk throws. */
  readonly next: (after: number, sequence: number) => NextStretch;
  /** The state of this batch, or of an earlier one, is needed again after a start. */
  readonly neededFrom: () => number;
  readonly close: () => void;
};

type Rebuild = {
  readonly from: number;
  readonly replica: HistoryReplica;
  /** From the moment at which the replica stands at `from`. */
  held: HeldRows | undefined;
};

type Reporting = {
  readonly options: ReporterOptions;
  /** The archivist's replica. */
  state: ReplicaState | undefined;
  held: HeldRows | undefined;
  rebuild: Rebuild | undefined;
  /** Rows after this batch, or after an earlier one, cannot be made: the log is not there. */
  unreadable: number;
  /** The right reports end here: rows up to it are not needed any more. */
  keptFrom: number | undefined;
  /** The number of the batch at the last question, or at the last time that rows were forgotten. */
  askedAt: number;
};

/** A day of periods without a question: somebody else reports. Then an hour is held. */
const unaskedMax = 288;
const unaskedKept = 12;

export function createReporter(options: ReporterOptions): Reporter {
  const run: Reporting = {
    ...{ options, state: undefined, held: undefined, rebuild: undefined },
    ...{ unreadable: -1, keptFrom: newestFrom(placeOf(options)), askedAt: 0 },
  };
  return {
    attend: (state) => {
      run.state = state;
      if (run.held === undefined) run.held = holdFrom(run, state);
      else if (run.held.end() === state.position) run.held.follow(state);
    },
    leave: () => run.held?.leave(),
    passed: () => {
      run.held?.endBatch();
      forgetUnasked(run);
    },
    work: (until) => work(run, until),
    judge: (report) => {
      run.askedAt = run.state!.position;
      return judge(run, report);
    },
    isPublished: (report) =>
      report.to <= run.state!.position && hasReport(placeOf(options), report),
    next: (after, sequence) => {
      run.askedAt = run.state!.position;
      return next(run, after, sequence);
    },
    neededFrom: () => {
      const { state, rebuild, held } = run;
      const start = rebuild?.from ?? held?.start() ?? 0;
      return Math.min(start, run.keptFrom ?? start, state?.position ?? 0);
    },
    close: () => run.rebuild?.replica.close(),
  };
}

const placeOf = ({ disk, reportDirectory }: ReporterOptions) => ({
  disk,
  directory: reportDirectory,
});

const holdFrom = ({ options }: Reporting, state: ReplicaState): HeldRows =>
  createHeldRows(state, options.bounds ?? rowBounds, options.report);

/** So that a process that follows keeps neither old rows nor old snapshots for its whole life. */
function forgetUnasked(run: Reporting): void {
  const borders = run.held?.borders() ?? [];
  const oldest = borders.at(-unaskedMax);
  if (oldest === undefined || oldest <= run.askedAt) return;
  run.held!.trim(borders.at(-unaskedKept)!);
  run.keptFrom = undefined;
}

/**
 * Has the rows after a batch made from the log. True when they cannot be: then the reports begin
 * with what there is.
 */
function isUnreadable(run: Reporting, from: number): boolean {
  if (from <= run.unreadable) return true;
  if (run.rebuild !== undefined && run.rebuild.from <= from) return false;
  run.rebuild?.replica.close();
  run.rebuild = undefined;
  attempt(run, from, () => {
    run.rebuild = { from, replica: openHistoryReplica(run.options, from), held: undefined };
  });
  return from <= run.unreadable;
}

/** What the disk refuses may come later; what the log does not have does not. */
function attempt(run: Reporting, from: number, act: () => void): void {
  try {
    act();
  } catch (error) {
    run.rebuild?.replica.close();
    run.rebuild = undefined;
    const isGone =
      error instanceof LogDamaged ||
      error instanceof PoisonCommand ||
      error instanceof EngineRefused ||
      (error as NodeJS.ErrnoException).code === undefined;
    if (isGone) run.unreadable = from;
    run.options.report(
      `the log after batch ${from} cannot be read for reports: ${(error as Error).message}`,
    );
  }
}

function work(run: Reporting, until: number): boolean {
  const { rebuild } = run;
  if (rebuild === undefined) return false;
  let isBusy = false;
  attempt(run, rebuild.from, () => {
    isBusy = readOn(run, rebuild, until);
  });
  return isBusy;
}

/** Reads the log up to the archivist's replica, whose steps are then taken. */
function readOn(run: Reporting, rebuild: Rebuild, until: number): boolean {
  const main = must(run.state, 'the archivist has a replica');
  const { replica, from } = rebuild;
  for (;;) {
    const { position } = replica.state;
    if (position === from) rebuild.held ??= holdFrom(run, replica.state);
    if (position >= main.position || rebuild.held?.isFull() === true) break;
    if (run.options.clock.now() >= until) return true;
    replica.next();
    rebuild.held?.endBatch();
  }
  run.held?.leave();
  run.held = must(rebuild.held, 'the archivist is past where the rows begin');
  run.rebuild = undefined;
  replica.close();
  if (!run.held.isFull()) run.held.follow(main);
  return false;
}

function judge(run: Reporting, report: Report): ReportJudgement {
  const { sequence, from, to, digest } = report;
  const held = must(run.held, 'the archivist has a replica');
  if (to > run.state!.position) return 'ahead';
  if (from < held.start()) return isUnreadable(run, from) ? 'unknown' : 'later';
  if (to > held.end()) {
    // One that begins with what is held and exceeds it was not made here.
    if (from === held.start()) return 'wrong';
    return isUnreadable(run, from) ? 'unknown' : 'later';
  }
  const rows = held.rowsOf(from, to);
  if (rootOf(rows) !== digest) return 'wrong';
  writeReport(placeOf(run.options), { sequence, from, to, digest }, rows);
  return 'right';
}

function next(run: Reporting, after: number, sequence: number): NextStretch {
  const held = must(run.held, 'the archivist has a replica');
  if (after < held.start() && !isUnreadable(run, after)) return 'later';
  held.trim(after);
  run.keptFrom = after;
  const from = Math.max(after, held.start());
  const found = from > held.end() ? undefined : held.next(from);
  if (found === undefined) {
    if (!held.isFull()) return 'open';
    if (!isUnreadable(run, from)) return 'later';
    // Neither held nor in the log: the reports go on with what comes.
    run.held = holdFrom(run, run.state!);
    return 'later';
  }
  writeReport(placeOf(run.options), { sequence, ...found }, held.rowsOf(from, found.to));
  return found;
}
