// The holder of the lease at work: waits for the lease, finds the end of the log, and carries out
// what the tenure decides, over lanes to the database. It runs on the caller's thread; nothing in
// it blocks. Lanes, clock and timers are given, so that tests can put a stepped database behind
// them.

import { must } from '../../std/assert.ts';
import type { Clock } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import {
  acknowledge,
  admitEntry,
  createLogOutlet,
  fail,
  isReady,
  type LogOutlet,
} from '../file/logOutlet.ts';
import { batchesInFlightMax, type Log, LogDamaged, type LogHead, type LogPlace } from '../log.ts';
import { type Candidacy, decide, type Lease, type Look, pollEveryMs } from './candidacy.ts';
import type { Clean, Lane, Outcome, Row } from './createLane.ts';
import type { BatchPlace } from './readTail.ts';
import {
  cutStatement,
  type Heir,
  handOverStatement,
  lookStatement,
  releaseStatement,
  renewStatement,
  type Statement,
  takeOverStatement,
  type Writer,
  writeStatement,
} from './statement.ts';
import {
  type Act,
  actsDue,
  beginTenure,
  dueAt,
  type Ending,
  type Flight,
  giveBatch,
  onCut,
  onRenewed,
  onWritten,
  type Renewal,
  type Tenure,
} from './tenure.ts';

export type HoldLog = {
  /** This start of this process; no other start has the same. */
  readonly holder: string;
  /** Where the other processes reach it. */
  readonly address: string;
  /** The last batch that this process knows as durable, when it takes the lease. */
  readonly known: () => LogPlace;
  /** The operator has declared that the storage of the server is replicated. */
  readonly replicatedStorage: boolean;
  readonly clock: Clock;
  /** Milliseconds since an arbitrary moment. */
  readonly stopwatch: () => number;
  readonly scheduler: Scheduler;
  readonly makeLane: () => Lane;
  /** Receives a sentence when something keeps the log waiting; the same one once a minute. */
  readonly report: (message: string) => void;
  /** What follows the lease; a program that only copies a log needs none of it. */
  readonly watch?: LeaseWatch | undefined;
  /** A living holder is an error, `LeaseHeld`, instead of a reason to wait. */
  readonly impatient?: boolean | undefined;
  /** Begins what a holder does beside the log, and gives what ends it. */
  readonly accompany?: ((held: Accompanied) => () => void) | undefined;
};

export type Accompanied = {
  readonly writer: Writer;
  readonly head: () => LogHead;
  /** Reports a sentence, seldom when it stays the same. */
  readonly report: (message: string) => void;
};

export type LeaseWatch = {
  /** Receives the lease at each look, until this process has it. */
  readonly seen: (lease: SeenLease) => void;
  /** Asked when the lease is free: whether this process may take it. */
  readonly mayTakeOver: () => boolean;
  /** A renewal that was sent at this time, by the stopwatch, has succeeded. */
  readonly renewed: (sentAtMs: number) => void;
  /** Waits until the next look; absent: for the usual time. */
  readonly rest?: () => Promise<void>;
};

/** The row of the lease, with what is not needed to decide about it. */
export type SeenLease = Lease & {
  readonly address: string;
  /** The position up to which its holder knew the log as durable. */
  readonly durable: number;
};

/** Thrown when another process has the lease and renews it. */
export class LeaseHeld extends Error {
  override name = 'LeaseHeld';
}

export type HeldLog = Log & {
  /** Of the lease. */
  readonly epoch: number;
  /** Like `close`, but the lease goes to this process, which need not wait for its end. */
  readonly handOver: (heir: Heir) => Promise<void>;
};

/** Thrown, or given to `onFailure`, when another process has taken the lease over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

type Holding = HoldLog & {
  /** For looks, takeovers, renewals and removals. */
  readonly control: Lane;
  readonly waits: (why: string) => void;
};

/**
 * Waits until this process has the lease, and opens the log where it ends. Throws `LogDamaged` when
 * the log is not the one that was known, and `LeaseLost`.
 */
export async function holdLog(options: HoldLog): Promise<HeldLog> {
  const control = options.makeLane();
  const report = reportSeldom(options);
  const waits = (why: string): void => report(`the log in PostgreSQL waits: ${why}`);
  const holding = { ...options, control, report, waits };
  try {
    return await openTenure(holding, await waitForLease(holding));
  } catch (error) {
    control.end();
    throw error;
  }
}

const reportEveryMs = 60_000;

/** What stays true is reported once a minute. */
function reportSeldom({ report, stopwatch }: HoldLog): (message: string) => void {
  let last = { message: '', at: Number.NEGATIVE_INFINITY };
  return (message) => {
    const at = stopwatch();
    if (message === last.message && at - last.at < reportEveryMs) return;
    last = { message, at };
    report(message);
  };
}

/** Gives the epoch of the lease as soon as this process holds it. */
async function waitForLease(holding: Holding): Promise<number> {
  const { holder, address, control, scheduler, stopwatch, waits, watch } = holding;
  const candidacy: Candidacy = { sight: undefined };
  for (;;) {
    const look = await lookAt(holding);
    const before = candidacy.sight?.lease;
    const decision = decide(candidacy, look, { holder, nowMs: stopwatch() });
    if (decision === 'held') return look!.lease.epoch;
    if (holding.impatient === true) checkNoHolder(before, look?.lease);
    if (decision === 'takeOver' && (watch?.mayTakeOver() ?? true)) {
      // Whatever becomes of it, the next look shows whether this process is the holder.
      await control.run(takeOverStatement(look!.lease, { holder, address }));
      continue;
    }
    if (decision === 'clockOff') {
      waits("this machine's clock and the database's differ by more than half a second");
    }
    if (watch?.rest !== undefined) await watch.rest();
    else await new Promise<void>((resolve) => scheduler.after(pollEveryMs, resolve));
  }
}

/** A holder that lives gives each renewal another number. */
function checkNoHolder(before: Lease | undefined, now: Lease | undefined): void {
  if (before === undefined || now === undefined || now.released) return;
  if (before.holder !== now.holder || before.renewal === now.renewal) return;
  throw new LeaseHeld('another process has the lease of the log and renews it: stop it first');
}

async function lookAt({ control, clock, waits, watch }: Holding): Promise<Look | undefined> {
  const askedMs = clock.now();
  const outcome = await control.run(lookStatement);
  if (outcome.kind === 'doubt') {
    waits(outcome.why);
    return undefined;
  }
  const row = outcome.rows[0] as SeenLease & { readonly now: number };
  watch?.seen(row);
  return { lease: row, databaseMs: row.now, askedMs, answeredMs: clock.now() };
}

type Run = {
  readonly holding: Holding;
  readonly writer: Writer;
  /** For batches. They connect at their making, so they are made when the log is open. */
  lanes: readonly Lane[];
  readonly tenure: Tenure;
  /** Exists from the opening on. */
  outlet: LogOutlet | undefined;
  readonly opened: (head: LogHead) => void;
  readonly ended: (error: Error) => void;
  /** Called when no batch is in flight any more. */
  drained: () => void;
  cancelTimer: () => void;
  /** Ends what accompanies the log. */
  leave: () => void;
};

async function openTenure(holding: Holding, epoch: number): Promise<HeldLog> {
  const { holder, replicatedStorage, makeLane, known, stopwatch } = holding;
  const { promise, resolve, reject } = Promise.withResolvers<LogHead>();
  const run: Run = {
    holding,
    writer: { epoch, holder, replicatedStorage },
    lanes: [],
    tenure: beginTenure(known(), stopwatch()),
    outlet: undefined,
    opened: resolve,
    ended: reject,
    drained: () => {},
    cancelTimer: () => {},
    leave: () => {},
  };
  perform(run, actsDue(run.tenure, stopwatch()));
  const outlet = createLogOutlet(await promise);
  run.outlet = outlet;
  run.lanes = Array.from({ length: batchesInFlightMax }, makeLane);
  if (run.tenure.phase === 'writing') {
    const { writer, tenure } = run;
    const report = (message: string): void => {
      if (tenure.phase !== 'over') holding.report(message);
    };
    run.leave = holding.accompany?.({ writer, head: () => outlet.head, report }) ?? run.leave;
  }
  const close = async (last: Statement): Promise<void> => {
    if (outlet.status === 'open') outlet.status = 'closing';
    await drain(run);
    await giveBack(run, last);
  };
  return {
    epoch,
    head: () => outlet.head,
    ready: () => isReady(outlet),
    append: (entry) => {
      const position = admitEntry(outlet, entry);
      perform(run, [giveBatch(run.tenure, entry)]);
      return position;
    },
    onDurable: (listener) => {
      outlet.durable = listener;
    },
    onFailure: (listener) => {
      outlet.failure = listener;
    },
    close: () => close(releaseStatement(run.writer)),
    handOver: (heir) => close(handOverStatement(run.writer, heir)),
  };
}

async function drain(run: Run): Promise<void> {
  const { phase, flights } = run.tenure;
  if (phase !== 'writing' || flights.length === 0) return;
  await new Promise<void>((resolve) => {
    run.drained = resolve;
  });
}

/** Longer than this, and the lease would end by itself. */
const giveBackMs = 1000;

/** Runs the last statement of this holder, if the lease is still its own, and ends everything. */
async function giveBack(run: Run, last: Statement): Promise<void> {
  const { tenure, holding, lanes } = run;
  if (tenure.phase !== 'writing') return stop(run);
  // No renewal may come behind it. Its lane is connected and idle, because nothing is in flight.
  tenure.phase = 'over';
  run.cancelTimer();
  const lane = must(
    lanes.find(({ isIdle }) => isIdle()),
    'the lanes are idle when nothing is in flight',
  );
  const cancel = holding.scheduler.after(giveBackMs, lane.end);
  await lane.run(last);
  cancel();
  stop(run);
}

function stop({ tenure, holding, lanes, cancelTimer, leave }: Run): void {
  tenure.phase = 'over';
  cancelTimer();
  leave();
  holding.control.end();
  for (const lane of lanes) lane.end();
}

function perform(run: Run, acts: readonly Act[]): void {
  for (const act of acts) carryOut(run, act);
  const { tenure, holding } = run;
  run.cancelTimer();
  const at = dueAt(tenure);
  if (at === Number.POSITIVE_INFINITY) return;
  const due = (): void => perform(run, actsDue(tenure, holding.stopwatch()));
  const waitMs = Math.max(0, at - holding.stopwatch());
  run.cancelTimer = holding.scheduler.after(waitMs, due);
}

function carryOut(run: Run, act: Act): void {
  switch (act.kind) {
    case 'renew':
      return void renew(run, act);
    case 'cut':
      return void cut(run, act.after);
    case 'write':
      return void write(run, act.flight);
    case 'open':
      return run.opened(act.head);
    case 'acknowledge':
      acknowledge(must(run.outlet, 'the log is open'), act.head);
      if (run.tenure.flights.length === 0) run.drained();
      return;
    case 'end':
      return end(run, errorOf(act.ending));
  }
}

async function renew(run: Run, act: Act & { readonly kind: 'renew' }): Promise<void> {
  const { holding, writer, tenure } = run;
  const outcome = await holding.control.run(renewStatement(writer, act));
  explain(run, outcome);
  const isGuarded = writer.replicatedStorage || outcome.kind === 'doubt' || hasStandby(outcome);
  if (!isGuarded) holding.waits(unguarded);
  const renewal = isGuarded ? readRenewal(outcome) : doubtful;
  const { asked } = tenure;
  if (renewal.kind === 'renewed' && asked !== undefined) holding.watch?.renewed(asked.sentAt);
  perform(run, onRenewed(tenure, renewal, holding.stopwatch()));
}

async function cut(run: Run, after: number): Promise<void> {
  const { holding, writer, tenure } = run;
  explain(run, await holding.control.run(cutStatement(writer, after)));
  perform(run, onCut(tenure, holding.stopwatch()));
}

async function write(run: Run, flight: Flight): Promise<void> {
  const { lanes, holding, writer, tenure } = run;
  const lane = must(
    lanes.find(({ isIdle }) => isIdle()),
    'there is a lane for each batch in flight',
  );
  const outcome = await lane.run(writeStatement(writer, flight, tenure.durable));
  explain(run, outcome);
  const clean = outcome.kind === 'clean' && outcome.rowCount === 1;
  const written = { position: flight.position, clean, nowMs: holding.stopwatch() };
  perform(run, onWritten(tenure, written));
}

/** At the end all connections are ended; that keeps nothing waiting. */
function explain({ holding, tenure }: Run, outcome: Outcome): void {
  if (outcome.kind === 'doubt' && tenure.phase !== 'over') holding.waits(outcome.why);
}

function end(run: Run, error: Error): void {
  stop(run);
  run.drained();
  if (run.outlet === undefined) run.ended(error);
  else fail(run.outlet, error);
}

const doubtful: Renewal = { kind: 'doubtful' };
const unguarded =
  'synchronous_standby_names is empty now, so no standby would hold what is acknowledged';

/** Whether the server still waits for a standby; also when the lease is another's. */
function hasStandby({ rows }: Clean): boolean {
  return rows[0]?.guarded !== false;
}

function readRenewal(outcome: Outcome): Renewal {
  if (outcome.kind === 'doubt') return doubtful;
  if (outcome.rows.length === 0) return { kind: 'deposed' };
  const rows = outcome.rows.filter(({ position }) => position !== null);
  return { kind: 'renewed', places: rows.map(placeOf) };
}

function placeOf(row: Row): BatchPlace {
  const { position, hash, time, previous_hash: previousHash } = row;
  return { position, hash, time, previousHash } as BatchPlace;
}

function errorOf(ending: Ending): Error {
  if (ending.kind === 'damaged') {
    return new LogDamaged(
      `the log in PostgreSQL is not the one that was acknowledged: ${ending.why}`,
    );
  }
  return new LeaseLost('another process has taken over the lease of the log');
}
