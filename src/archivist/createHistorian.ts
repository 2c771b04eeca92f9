// Makes history from the steps of the archivist's replica. It gathers rows and decides when they
// are written. It catches up with a replica of its own when it cannot gather rows from the
// archivist's. historyQueue.ts brings transactions into the database, and repeats them after a
// failure.

import type { Event } from '../engine/event.ts';
import { createProjector, type Projector } from '../history/createProjector.ts';
import { HistoryForked, type HistoryPlace, type HistoryWriter } from '../history/history.ts';
import { LogDamaged } from '../log/log.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import { assert, must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import { type Scheduler, systemScheduler } from '../std/scheduler.ts';
import { type HistorianBounds, historianBounds } from './historianBounds.ts';
import { createHistoryQueue, type HistoryQueue } from './historyQueue.ts';
import {
  type HistoryReplica,
  type HistoryReplicaOptions,
  openHistoryReplica,
} from './historyReplica.ts';

export type HistorianOptions = HistoryReplicaOptions & {
  readonly writer: HistoryWriter;
  /** The name of the database in reports, without a password. */
  readonly database: string;
  /** The last durable batch when the exchange started. */
  readonly headPosition: number;
  readonly clock: Clock;
  /** For its pauses; the process's timers unless given. */
  readonly scheduler?: Scheduler;
  readonly bounds?: HistorianBounds;
  /** Receives every written place, and every change of `status`. */
  readonly onFigures: (figures: HistoryFigures) => void;
  /** Called when there is something to `work` at. */
  readonly wake: () => void;
};

/**
 * following: rows are gathered from the archivist's replica. waiting: that replica does not exist
 * yet, or has not reached the place of the tables. catchingUp: a replica of its own reads the log.
 * unknown: the database has not given the place of its tables. stopped: for ever.
 */
export type HistoryStatus = 'unknown' | 'waiting' | 'following' | 'catchingUp' | 'stopped';

export type HistoryFigures = {
  readonly status: HistoryStatus;
  /** The last position whose rows are in the tables; -1: not known yet. */
  readonly position: number;
  /** The time of that batch; 0: none. */
  readonly time: number;
  /** Rows written since the start. */
  readonly rows: number;
  /** Rows that wait to be written. */
  readonly waiting: number;
  readonly failures: number;
  /** Whether the database does not answer. */
  readonly failing: boolean;
};

export type Historian = {
  /**
   * The replica from which rows are gathered from now on, and the hash of the batch at its
   * position. The first call may come before or after `begin`.
   */
  readonly attend: (state: ReplicaState, hash: string) => void;
  /** That replica has applied a batch. */
  readonly passed: (hash: string) => void;
  /** Another replica at the same place is about to replace it. */
  readonly leave: () => void;
  /**
   * Asks the database for the place of its tables, again later when it does not answer. Rejects
   * with `HistoryForked` when they belong to another log, `HistoryTooNew`, `HistoryTooOld`, and any
   * fault of this program.
   */
  readonly begin: () => Promise<void>;
  /** Works until about that time; false when there is nothing to do before `wake`. */
  readonly work: (until: number) => boolean;
  /** A client waits for the rows up to that batch. */
  readonly urge: (position: number) => void;
  readonly figures: () => HistoryFigures;
  /** Writes the gathered rows, unless the database does not answer, and releases it. */
  readonly close: () => Promise<void>;
};

type Source =
  | { readonly status: 'unknown' | 'waiting' | 'stopped' }
  | { readonly status: 'following'; projector: Projector }
  | {
      readonly status: 'catchingUp';
      readonly replica: HistoryReplica;
      /** Set when the replica has reached the place of the tables. */
      projector: Projector | undefined;
    };

type HistorianState = {
  readonly options: HistorianOptions;
  readonly bounds: HistorianBounds;
  readonly scheduler: Scheduler;
  readonly queue: HistoryQueue;
  /** The archivist's replica. */
  state: ReplicaState | undefined;
  hash: string;
  source: Source;
  /** Where the queued rows end: the next transaction's `from`. */
  end: HistoryPlace | undefined;
  queuedAt: number;
  urgedTo: number;
  /** Cancels the pause before the next transaction, while there is one. */
  cancel: (() => void) | undefined;
  stoppedBy: Error | undefined;
};

export function createHistorian(options: HistorianOptions): Historian {
  const { bounds = historianBounds, scheduler = systemScheduler } = options;
  const { writer, database, report, wake } = options;
  const run: HistorianState = {
    options,
    bounds,
    scheduler,
    queue: createHistoryQueue({
      writer,
      database,
      ...bounds,
      scheduler,
      report,
      onPlace: (place) => begin(run, place),
      onRefused: (error) => stop(run, error),
      onChange: () => {
        if (run.source.status !== 'stopped') options.onFigures(figuresOf(run));
        wake();
      },
    }),
    state: undefined,
    hash: '',
    source: { status: 'unknown' },
    end: undefined,
    queuedAt: 0,
    urgedTo: 0,
    cancel: undefined,
    stoppedBy: undefined,
  };
  return {
    attend: (state, hash) => attend(run, state, hash),
    passed: (hash) => passed(run, hash),
    leave: () => {
      if (run.source.status === 'following') guard(run, () => seal(run));
    },
    begin: async () => {
      run.queue.reopen();
      await run.queue.settled();
      if (run.stoppedBy !== undefined) throw run.stoppedBy;
    },
    work: (until) => work(run, until),
    urge: (position) => {
      run.urgedTo = Math.max(run.urgedTo, position);
    },
    figures: () => figuresOf(run),
    close: () => close(run),
  };
}

function figuresOf({ source, queue, ...run }: HistorianState): HistoryFigures {
  const { position = -1, time = 0 } = queue.written() ?? {};
  const gathered = 'projector' in source ? (source.projector?.size() ?? 0) : 0;
  return {
    status: source.status,
    position: run.stoppedBy === undefined ? position : -1,
    time,
    rows: queue.rows(),
    waiting: queue.size() + gathered,
    failures: queue.failures(),
    failing: queue.failing(),
  };
}

/** An exception in here stops history and not trading. */
function guard(run: HistorianState, step: () => void): void {
  try {
    step();
  } catch (error) {
    stop(run, error as Error);
  }
}

function stop(run: HistorianState, error: Error): void {
  if (run.stoppedBy !== undefined) return;
  run.stoppedBy = error;
  leaveSource(run, { status: 'stopped' });
  run.queue.stop();
  const { database, report } = run.options;
  report(
    `history is no longer written to ${database}: ${error.message}. Trading goes on; ` +
      'reads of history are answered with -1000',
  );
}

function leaveSource(run: HistorianState, source: Source): void {
  if (run.source.status === 'catchingUp') run.source.replica.close();
  if (run.state !== undefined) run.state.onEvents = undefined;
  run.source = source;
  run.options.onFigures(figuresOf(run));
}

function attend(run: HistorianState, state: ReplicaState, hash: string): void {
  run.state = state;
  run.hash = hash;
  if (run.source.status === 'following') guard(run, () => follow(run));
  if (run.source.status === 'waiting') guard(run, () => chooseSource(run, state));
}

/** Gathers rows from the archivist's replica, which is at the end of the queued rows. */
function follow(run: HistorianState): void {
  const state = must(run.state, 'there is a replica to follow');
  const end = must(run.end, 'the place of the tables is known');
  checkSame(end, state.position, run.hash);
  const projector = createProjector(end, state);
  if (run.source.status === 'following') run.source.projector = projector;
  else leaveSource(run, { status: 'following', projector });
  state.onEvents = (events) => take(run, projector, events, state);
}

function take(
  run: HistorianState,
  projector: Projector,
  events: readonly Event[],
  state: ReplicaState,
): void {
  guard(run, () => projector.take(events, state));
}

/** Throws `HistoryForked` unless the tables have the same hash for the log's batch. */
function checkSame(place: HistoryPlace, position: number, hash: string): void {
  assert(place.position === position, 'the hash belongs to the last batch in the tables');
  if (position === 0 || place.hash === hash) return;
  throw new HistoryForked(
    `its tables contain batch ${place.position} of another log: they have ` +
      `${place.hash.slice(0, 12)}… there, the log ${hash.slice(0, 12)}…`,
  );
}

function passed(run: HistorianState, hash: string): void {
  run.hash = hash;
  const { source, state, end, bounds, queue } = run;
  if (source.status === 'waiting') {
    if (state!.position === end?.position) guard(run, () => follow(run));
    return;
  }
  if (source.status !== 'following') return;
  const gathered = source.projector.size();
  if (gathered >= bounds.batchRows && !queue.busy()) guard(run, () => seal(run));
  if (gathered + queue.size() > bounds.queueRows) {
    run.options.report(
      `history: ${gathered + queue.size()} rows wait; they are dropped and read again from the ` +
        'log when the database has room',
    );
    leaveSource(run, { status: 'unknown' });
    queue.reopen();
  }
}

/** The place of the tables is `place`; nothing is queued. */
function begin(run: HistorianState, place: HistoryPlace): void {
  guard(run, () => {
    const { options, state } = run;
    checkPlace(options, Math.max(options.headPosition, state?.position ?? 0), place);
    run.end = place;
    if (state === undefined) leaveSource(run, { status: 'waiting' });
    else chooseSource(run, state);
  });
}

/** Chooses the source of rows by the places of the tables and of the archivist's replica. */
function chooseSource(run: HistorianState, state: ReplicaState): void {
  const { position } = must(run.end, 'the place of the tables is known');
  if (position > state.position) leaveSource(run, { status: 'waiting' });
  else if (position === state.position) follow(run);
  else {
    const replica = openHistoryReplica(run.options, position);
    leaveSource(run, { status: 'catchingUp', replica, projector: undefined });
  }
}

function checkPlace({ log }: HistorianOptions, headPosition: number, place: HistoryPlace): void {
  const { position } = place;
  if (position === 0) return;
  if (position > headPosition) {
    throw new HistoryForked(
      `its tables end at batch ${position}, the log ends at batch ${headPosition}: they belong ` +
        'to another deployment, or the log is an older copy',
    );
  }
  try {
    const [batch] = log.read(position, position);
    if (batch !== undefined) checkSame(place, position, batch.hash.toString('hex'));
  } catch (error) {
    // A batch that was removed cannot be compared. If it is needed to continue, a later step
    // reports that.
    if (!(error instanceof LogDamaged)) throw error;
  }
}

function work(run: HistorianState, until: number): boolean {
  let busy = false;
  guard(run, () => {
    const { source } = run;
    if (source.status === 'catchingUp') busy = catchUp(run, source, until);
    if (run.source.status === 'following') sealWhenDue(run);
  });
  return busy;
}

/** Reads the log up to the position of the archivist's replica; then rows are gathered there. */
function catchUp(
  run: HistorianState,
  source: Source & { status: 'catchingUp' },
  until: number,
): boolean {
  const { options, bounds, queue } = run;
  const { replica } = source;
  const end = must(run.end, 'the place of the tables is known');
  for (;;) {
    const { position } = replica.state;
    if (position === end.position && source.projector === undefined) {
      checkSame(end, position, replica.hash());
      const projector = createProjector(end, replica.state);
      replica.state.onEvents = (events) => projector.take(events, replica.state);
      source.projector = projector;
    }
    const gathered = source.projector?.size() ?? 0;
    if (position === run.state!.position) {
      if (position > run.end!.position) seal(run);
      follow(run);
      return false;
    }
    if (gathered >= bounds.batchRows) {
      // The database sets the pace.
      if (queue.busy()) return false;
      seal(run);
    }
    if (options.clock.now() >= until) return true;
    replica.next();
  }
}

/** Makes a transaction of the gathered rows. */
function seal(run: HistorianState): void {
  const { source, end: from, options } = run;
  if (!('projector' in source) || source.projector === undefined || from === undefined) return;
  const { state, hash } = placeOf(run, source);
  if (state.position === from.position) return;
  const size = source.projector.size();
  const { rows, counters } = source.projector.drain(state);
  const { position, time } = state;
  const to: HistoryPlace = { position, hash, time, counters };
  run.end = to;
  run.queuedAt = options.clock.now();
  run.queue.push({ rows, size, from, to });
}

function placeOf(
  run: HistorianState,
  source: Source,
): { readonly state: ReplicaState; readonly hash: string } {
  if (source.status !== 'catchingUp') return { state: run.state!, hash: run.hash };
  return { state: source.replica.state, hash: source.replica.hash() };
}

// Rows of a period are written together, unless a client waits for them: an order that is placed
// and cancelled in that time is one row instead of two.
function sealWhenDue(run: HistorianState): void {
  const { queue, bounds, options, state, end, urgedTo } = run;
  if (queue.busy() || state!.position === end!.position) return;
  const waitMs = run.queuedAt + bounds.writeEveryMs - options.clock.now();
  if (waitMs <= 0 || urgedTo > end!.position) {
    seal(run);
    return;
  }
  run.cancel ??= run.scheduler.after(waitMs, () => {
    run.cancel = undefined;
    options.wake();
  });
}

async function close(run: HistorianState): Promise<void> {
  const { queue } = run;
  run.cancel?.();
  if (run.source.status === 'following') guard(run, () => seal(run));
  while (queue.busy() && !queue.failing() && run.stoppedBy === undefined) await queue.settled();
  queue.stop();
  if (run.source.status === 'catchingUp') run.source.replica.close();
  await run.options.writer.close();
}
