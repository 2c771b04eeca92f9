// The replica that writes. It gathers commands into batches, gives each batch to the log and
// applies it at once. It sends the answers when the log reports that the batch is durable.

import { isBehind, testOrder } from '../engine/apply.ts';
import { encodeCommand } from '../engine/codec/commandCodec.ts';
import type { Command } from '../engine/command.ts';
import { deadlineMs } from '../engine/limits.ts';
import { unitsOfWork } from '../engine/work.ts';
import type { Log, LogHead } from '../log/log.ts';
import { decodeEnded, indexViews } from '../market-data/views.ts';
import { assert } from '../std/assert.ts';
import { type ByteWriter, createByteWriter } from '../std/bytes.ts';
import { type Clock, stopwatchMs } from '../std/clock.ts';
import type { Time } from '../units/units.ts';
import { applyNext, openBatch } from './applyBatch.ts';
import { readAhead } from './readAhead.ts';
import type {
  Lane,
  Replica,
  ReplicaListener,
  ReplicaMeter,
  RunningReplica,
  Shortage,
  Waiter,
} from './replica.ts';
import { defaultReplicaBounds, type ReplicaBounds } from './replicaBounds.ts';
import {
  beginEngine,
  engineHashOf,
  type Figures,
  figuresOf,
  type ReplicaState,
  shownHead,
} from './replicaState.ts';

export type ReplicaOptions = {
  /**
   * The state, replayed up to the log's head. The present engine runs it, if the log has any batch
   * (activateEngine.ts). The replica owns it from now on.
   */
  readonly state: ReplicaState;
  readonly log: Log;
  readonly clock: Clock;
  /** Called once: nothing is acknowledged any more, and the process must stop. */
  readonly onFatal: (error: Error) => void;
  /** What every replica must have seen at the position that has just become durable. */
  readonly onDurable?: (figures: Figures) => void;
  /** The bytes that stand beside a batch of these commands; called before the log receives it. */
  readonly besideOf?: (commands: readonly { readonly waiter: Waiter }[]) => Buffer | undefined;
  /** A batch was given to the log and applied. */
  readonly onBatch?: (figures: Figures) => void;
  /** What is short, so that orders are refused. Asked at every tick. */
  readonly shortage?: () => Shortage | undefined;
  readonly bounds?: ReplicaBounds;
  /** Runs a step after the present turn, so that requests parsed in one turn share a batch. */
  readonly defer?: (step: () => void) => void;
};

type Waiting = {
  readonly command: Command;
  readonly deadline: Time;
  readonly waiter: Waiter;
};

type InFlight = {
  readonly figures: Figures;
  /** When the batch was given to the log, by the stopwatch, and its bytes. */
  readonly appendedAt: number;
  readonly bytes: number;
  readonly waiting: readonly Waiting[];
  readonly releases: (() => void)[];
};

type TradingState = {
  readonly options: ReplicaOptions;
  readonly bounds: ReplicaBounds;
  /** The gathering batch: its bytes, and the waiter of each command. */
  readonly writer: ByteWriter;
  gathering: Waiting[];
  /** Applied batches that are not known to be durable, oldest first. */
  readonly inFlight: InFlight[];
  /** What leaves behind the answers of the batch that is being applied; undefined: none is. */
  leaving: InFlight['releases'] | undefined;
  readonly drained: (() => void)[];
  listener: ReplicaListener | undefined;
  meter: ReplicaMeter | undefined;
  closingScheduled: boolean;
  shortage: Shortage | undefined;
  stopped: boolean;
  /** A batch broke the state, or the log has failed: the state must not be shown any more. */
  failed: boolean;
};

/** The state must be at the end of the log. Sets the log's listeners. */
export function createReplica(options: ReplicaOptions): RunningReplica {
  const { state, log, bounds = defaultReplicaBounds } = options;
  assert(state.position === log.head().position, 'a replica begins where its log ends');
  const { hash: engineHash } = state.engines.present;
  if (state.position === 0) beginEngine(state, engineHash);
  assert(engineHashOf(state) === engineHash, 'the present engine has been activated');
  const run: TradingState = {
    options,
    bounds,
    writer: createByteWriter(64 * 1024),
    gathering: [],
    inFlight: [],
    leaving: undefined,
    drained: [],
    listener: undefined,
    meter: undefined,
    closingScheduled: false,
    shortage: undefined,
    stopped: false,
    failed: false,
  };
  // Build the indexes now, and not when the first client asks. What the snapshot has of ended
  // orders comes later, in steps (`decodeEnded`).
  indexViews(state.views);
  log.onDurable((head) => guard(run, () => release(run, head)));
  log.onFailure((error) => fail(run, error));
  return {
    exchange: state.exchange,
    views: state.views,
    submit: (command, lane, waiter) => submit(run, command, lane, waiter),
    whenDurable: (then) => whenDurable(run, then),
    listen: (listener) => {
      run.listener = listener;
      state.onEvents = listener.onEvents;
    },
    measure: (meter) => {
      run.meter = meter;
    },
    shortage: () => run.shortage,
    whyRefused: (lane) => whyRefused(run, lane),
    testOrder: (command, look) => testOrder(state.exchange, command, look),
    head: () => shownHead(log.head()),
    waiting: () => run.gathering.length,
    tick: () => guard(run, () => tick(run)),
    figures: () => figuresOf(state),
    now: () => timeNow(run),
    drain: () => drain(run),
    stop: () => {
      run.stopped = true;
    },
  };
}

/**
 * While the clock is behind the exchange's time, the time stands still: a clock that was set back
 * must not stop trading.
 */
function timeNow({ options: { state, clock } }: TradingState): number {
  return Math.max(state.time, clock.now());
}

function submit(run: TradingState, command: Command, lane: Lane, waiter: Waiter): boolean {
  const { bounds, gathering, writer } = run;
  const full = lane === 'order' ? bounds.orderLaneMax : bounds.reserveLaneMax;
  if (run.stopped || gathering.length >= full) return false;
  if (run.shortage !== undefined && lane === 'order') return false;
  const ageMs = waiter.beside === undefined ? 0 : waiter.beside.ageMs;
  const deadline = (timeNow(run) + deadlineMs - ageMs) as Time;
  const before = writer.length;
  encodeCommand(writer, command, deadline);
  if (writer.length > bounds.batchBytes) {
    writer.length = before;
    return false;
  }
  gathering.push({ command, deadline, waiter });
  scheduleClosing(run);
  return true;
}

function whyRefused(
  { stopped, shortage }: TradingState,
  lane: Lane,
): ReturnType<Replica['whyRefused']> {
  if (stopped) return 'stopping';
  return lane === 'order' && shortage !== undefined ? shortage : 'overloaded';
}

/** Whether the next batch comes at once: commands wait, or work that is due waits (ORD-15). */
function isWanted({ gathering, options }: TradingState): boolean {
  return gathering.length > 0 || isBehind(options.state.exchange);
}

// Runs once a turn of the event loop: the requests parsed in it share one batch and one sync.
function scheduleClosing(run: TradingState): void {
  if (run.closingScheduled || !isWanted(run) || !run.options.log.ready()) return;
  run.closingScheduled = true;
  (run.options.defer ?? setImmediate)(() => {
    run.closingScheduled = false;
    guard(run, () => {
      if (isWanted(run) && run.options.log.ready()) closeBatch(run);
    });
  });
}

function closeBatch(run: TradingState): void {
  const { log, state } = run.options;
  const { writer, gathering: waiting } = run;
  const time = timeNow(run);
  const commands = writer.buffer.subarray(0, writer.length);
  const { length: bytes } = commands;
  const appendedAt = stopwatchMs();
  const { hash: engineHash } = state.engines.present;
  const origins = run.options.besideOf?.(waiting);
  const position = log.append({ time, engineHash, count: waiting.length, commands, origins });
  writer.length = 0;
  run.gathering = [];
  // The batch is applied before its sync; nothing leaves before the sync.
  const releases: InFlight['releases'] = [];
  run.leaving = releases;
  openBatch(state, position, time);
  for (let index = 0; index < waiting.length; index += 1) {
    readAhead(state.exchange, waiting, index);
    const { command, deadline, waiter } = waiting[index]!;
    const outcome = applyNext(state, command, deadline, index);
    run.meter?.onCommand(command, outcome);
    waiter.capture(outcome, unitsOfWork(state.exchange.work));
  }
  run.leaving = undefined;
  const figures = figuresOf(state);
  run.inFlight.push({ figures, appendedAt, bytes, waiting, releases });
  run.options.onBatch?.(figures);
  run.listener?.onApplied();
  scheduleClosing(run);
}

function release(run: TradingState, head: LogHead): void {
  const { inFlight, options } = run;
  let figures: Figures | undefined;
  while (inFlight.length > 0 && inFlight[0]!.figures.position <= head.position) {
    const batch = inFlight.shift()!;
    figures = batch.figures;
    measureBatch(run, batch);
    for (const { waiter } of batch.waiting) waiter.release();
    for (const then of batch.releases) whenCurrent(run, then);
  }
  if (figures !== undefined) options.onDurable?.(figures);
  scheduleClosing(run);
  if (run.gathering.length > 0 || inFlight.length > 0) return;
  for (const done of run.drained.splice(0)) done();
}

function measureBatch({ meter }: TradingState, { appendedAt, bytes, waiting }: InFlight): void {
  const milliseconds = stopwatchMs() - appendedAt;
  meter?.onBatch({ commands: waiting.length, bytes, milliseconds });
}

function whenDurable(run: TradingState, then: () => void): void {
  if (run.failed) return;
  const releases = run.leaving ?? run.inFlight.at(-1)?.releases;
  if (releases !== undefined) releases.push(then);
  else whenCurrent(run, then);
}

// A batch that became durable before the process stood still says nothing of what others wrote
// meanwhile. So a read behind a batch is held to the same as one without.
function whenCurrent({ options }: TradingState, then: () => void): void {
  if (options.log.whenCurrent === undefined) then();
  else options.log.whenCurrent(then);
}

function tick(run: TradingState): void {
  const { options, bounds, gathering } = run;
  decodeEnded(options.state.views);
  run.shortage = options.shortage?.();
  const quiet = options.clock.now() - options.state.time >= bounds.tickMs;
  if (!run.stopped && quiet && gathering.length === 0 && options.log.ready()) closeBatch(run);
}

function drain(run: TradingState): Promise<void> {
  if (run.stopped || (run.gathering.length === 0 && run.inFlight.length === 0)) {
    return Promise.resolve();
  }
  return new Promise((resolve) => run.drained.push(resolve));
}

// An exception in here has broken the state or an answer: the replica must not continue.
function guard(run: TradingState, step: () => void): void {
  if (run.stopped) return;
  try {
    step();
  } catch (error) {
    fail(run, error as Error);
  }
}

function fail(run: TradingState, error: Error): void {
  if (run.stopped) return;
  run.stopped = true;
  run.failed = true;
  run.options.onFatal(error);
}
