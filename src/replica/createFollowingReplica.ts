// The replica of a process that may write later. At first it follows: it applies the durable
// batches of the process that writes, and passes commands on to it. When it is promoted, it writes,
// over the same state, so that what reads it goes on.

import { testOrder } from '../engine/apply.ts';
import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/outcome.ts';
import { unitsOfWork } from '../engine/work.ts';
import type { LogBatch, LogPlace } from '../log/log.ts';
import { decodeEnded, indexViews } from '../market-data/views.ts';
import { assert } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import { applyBatch } from './applyBatch.ts';
import { createReplica, type ReplicaOptions } from './createReplica.ts';
import { EngineLeft, shortHash } from './engines.ts';
import type {
  Lane,
  Replica,
  ReplicaListener,
  ReplicaMeter,
  RunningReplica,
  Shortage,
  Waiter,
} from './replica.ts';
import { engineHashOf, type Figures, figuresOf, type ReplicaState } from './replicaState.ts';
import type { SkipIndex } from './skipIndex.ts';

export type FollowingReplicaOptions = {
  /** The present engine runs it. The replica owns it from now on. */
  readonly state: ReplicaState;
  /** The last batch of that state. */
  readonly place: LogPlace;
  readonly skips: SkipIndex;
  readonly clock: Clock;
  readonly shortage?: () => Shortage | undefined;
  /**
   * Passes a command on to the process that writes. Gives the reason when it cannot; then the
   * command is definitely not executed.
   */
  readonly forward: (command: Command, lane: Lane, waiter: Waiter) => ForwardRefusal | undefined;
  readonly whenCurrent: NonNullable<Replica['whenCurrent']>;
  /** Requests and commands that wait for the process that writes. */
  readonly waiting: () => number;
};

export type ForwardRefusal = ReturnType<Replica['whyRefused']>;

export type FollowingReplica = RunningReplica & {
  /**
   * Applies the next batch, which is durable; `waiters` wait for its commands, by their places.
   * Throws `PoisonCommand`, and `EngineLeft` for a batch of another engine: its state would be
   * another object than the one that readers have.
   */
  readonly apply: (batch: LogBatch, waiters?: ReadonlyMap<number, Waiter>) => Figures;
  /** The state is at the end of this log: from now on this replica writes. */
  readonly promote: (options: Omit<ReplicaOptions, 'state' | 'clock' | 'shortage'>) => void;
};

type Run = {
  readonly options: FollowingReplicaOptions;
  place: LogPlace;
  listener: ReplicaListener | undefined;
  meter: ReplicaMeter | undefined;
  shortage: Shortage | undefined;
  /** What leaves behind the answers of the batch that is being applied; undefined: none is. */
  leaving: (() => void)[] | undefined;
  /** It shows nothing more: a batch has broken the state, or the process stops. */
  stopped: boolean;
  /** Why the last command was not passed on. */
  refused: ForwardRefusal;
  /** From the promotion on. */
  writing: RunningReplica | undefined;
};

export function createFollowingReplica(options: FollowingReplicaOptions): FollowingReplica {
  const { state, place, clock } = options;
  assert(place.position === state.position, 'the place is that of the state');
  const { hash } = state.engines.present;
  assert(engineHashOf(state) === hash, 'the present engine runs what others read');
  const run: Run = {
    ...{ options, place, listener: undefined, meter: undefined },
    ...{ shortage: undefined, stopped: false, refused: 'waiting', writing: undefined },
    leaving: undefined,
  };
  indexViews(state.views);
  const listen = (listener: ReplicaListener): void => {
    run.listener = listener;
    state.onEvents = listener.onEvents;
    run.writing?.listen(listener);
  };
  const measure = (meter: ReplicaMeter): void => {
    run.meter = meter;
    run.writing?.measure(meter);
  };
  const now = (): number => Math.max(state.time, clock.now());
  return {
    ...{ exchange: state.exchange, views: state.views, listen, measure, now },
    submit: (command, lane, waiter) =>
      run.writing === undefined
        ? forward(run, command, lane, waiter)
        : run.writing.submit(command, lane, waiter),
    whyRefused: (lane) => (run.writing === undefined ? run.refused : run.writing.whyRefused(lane)),
    whenDurable: (then) => whenDurable(run, then),
    whenCurrent: (task, refuse) => {
      if (run.writing !== undefined) task();
      else options.whenCurrent(task, refuse);
    },
    testOrder: (command, look) => testOrder(state.exchange, command, look),
    head: () => run.writing?.head() ?? run.place,
    waiting: () => run.writing?.waiting() ?? options.waiting(),
    tick: () => {
      if (run.writing !== undefined) run.writing.tick();
      else {
        decodeEnded(state.views);
        run.shortage = options.shortage?.();
      }
    },
    shortage: () => (run.writing === undefined ? run.shortage : run.writing.shortage()),
    figures: () => figuresOf(state),
    drain: () => run.writing?.drain() ?? Promise.resolve(),
    stop: () => {
      run.stopped = true;
      run.writing?.stop();
    },
    apply: (batch, waiters) => apply(run, batch, waiters),
    promote: (writing) => promote(run, writing),
  };
}

function forward(run: Run, command: Command, lane: Lane, waiter: Waiter): boolean {
  const refused = run.stopped ? 'stopping' : run.options.forward(command, lane, waiter);
  if (refused === undefined) return true;
  run.refused = refused;
  return false;
}

/** What a follower has applied is durable; within a batch its answers leave first. */
function whenDurable({ writing, leaving, stopped }: Run, then: () => void): void {
  if (writing !== undefined) writing.whenDurable(then);
  else if (leaving !== undefined) leaving.push(then);
  else if (!stopped) then();
}

function apply(
  run: Run,
  batch: LogBatch,
  waiters: ReadonlyMap<number, Waiter> | undefined,
): Figures {
  const { options, listener, meter } = run;
  const { state, skips } = options;
  assert(run.writing === undefined && !run.stopped, 'a replica that follows applies batches');
  checkEngine(state, batch);
  const read = (index: number, command: Command, outcome: Outcome): void => {
    meter?.onCommand(command, outcome);
    waiters?.get(index)?.capture(outcome, unitsOfWork(state.exchange.work));
  };
  run.leaving = [];
  try {
    applyBatch(state, batch, skips, read);
  } catch (error) {
    run.stopped = true;
    throw error;
  }
  run.place = { position: batch.position, hash: batch.hash.toString('hex') };
  listener?.onApplied();
  for (const waiter of waiters?.values() ?? []) waiter.release();
  const { leaving } = run;
  run.leaving = undefined;
  for (const then of leaving) then();
  return figuresOf(state);
}

function checkEngine({ engines }: ReplicaState, { position, engineHash }: LogBatch): void {
  const { hash } = engines.present;
  if (engineHash === hash) return;
  throw new EngineLeft(
    `with batch ${position} engine ${shortHash(engineHash)} has taken over, and this process has ` +
      `engine ${shortHash(hash)}, to which the log does not go back: start it again with the ` +
      'release of that engine',
  );
}

function promote(run: Run, options: Parameters<FollowingReplica['promote']>[0]): void {
  const { listener, meter } = run;
  const { state, clock, shortage } = run.options;
  assert(run.writing === undefined && !run.stopped, 'a replica is promoted once');
  const writing = createReplica({ ...options, state, clock, ...(shortage && { shortage }) });
  if (listener !== undefined) writing.listen(listener);
  if (meter !== undefined) writing.measure(meter);
  run.writing = writing;
}
