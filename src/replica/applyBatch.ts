// The apply loop: how a batch changes a replica. The replica that writes the batch and the replicas
// that read it from the log go through the same two steps, so they cannot differ.

import type { TimedCommand } from '../engine/codec/commandCodec.ts';
import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { LogBatch } from '../log/log.ts';
import { viewEvent } from '../market-data/views.ts';
import { assert } from '../std/assert.ts';
import { type ByteReader, createByteReader } from '../std/bytes.ts';
import type { Time } from '../units/units.ts';
import { applyActivation } from './activation.ts';
import { readAhead } from './readAhead.ts';
import { beginEngine, engineHashOf, type ReplicaState } from './replicaState.ts';
import { type SkipIndex, wholeBatch } from './skipIndex.ts';

/** The effects of a command threw: the state is broken, and this process must not continue. */
export class PoisonCommand extends Error {
  override name = 'PoisonCommand';
  readonly position: number;
  /** undefined: not a command, but a timer that ran before the first command. */
  readonly index: number | undefined;

  constructor(position: number, index: number | undefined, cause: unknown) {
    super(poisonMessage(position, index, cause), { cause });
    this.position = position;
    this.index = index;
  }
}

function poisonMessage(position: number, index: number | undefined, cause: unknown): string {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return index === undefined
    ? `the timers due in batch ${position} stopped the exchange: ${detail}. To start a release ` +
        `that mends it: evermark log skip ${position} batch`
    : `command ${index} of batch ${position} stopped the exchange: ${detail}. ` +
        `To start without it: evermark log skip ${position} ${index}`;
}

/** Moves the replica's time to the next batch's and runs the timers that became due. */
export function openBatch(state: ReplicaState, position: number, time: number): void {
  assert(position === state.position + 1, 'a replica applies every batch, in order');
  assert(time >= state.time, 'time never runs backwards');
  state.position = position;
  state.time = time;
  try {
    state.engine.beginBatch(state.exchange, time as Time);
  } catch (error) {
    throw new PoisonCommand(position, undefined, error);
  }
  takeEvents(state);
}

/** Applies the command at `index` of the open batch. The records in the outcome are live. */
export function applyNext(
  state: ReplicaState,
  command: Command,
  deadline: Time,
  index: number,
): Outcome {
  let outcome: Outcome;
  try {
    outcome = state.engine.applyCommand(state.exchange, command, deadline);
  } catch (error) {
    throw new PoisonCommand(state.position, index, error);
  }
  state.commands += 1;
  takeEvents(state);
  return outcome;
}

/** Receives each command of a batch right after it was applied. The outcome's records are live. */
export type OutcomeReader = (index: number, command: Command, outcome: Outcome) => void;

/**
 * Applies a whole batch that was read from the log, with the engine that wrote it. Throws
 * `PoisonCommand` and `EngineRefused`.
 */
export function applyBatch(
  state: ReplicaState,
  batch: LogBatch,
  skips: SkipIndex,
  read?: OutcomeReader,
): void {
  if (batch.engineHash !== engineHashOf(state)) {
    if (state.position > 0) return applyActivation(state, batch);
    beginEngine(state, batch.engineHash);
  }
  const skipped = skips.get(batch.position);
  if (skipped?.has(wholeBatch)) return passOver(state, batch);
  openBatch(state, batch.position, batch.time);
  const commands = decodeAll(state, batch, skipped);
  // Records of another engine may have other fields.
  const isPresent = state.engine === state.engines.present.engine;
  for (let index = 0; index < commands.length; index += 1) {
    if (isPresent) readAhead(state.exchange, commands, index);
    const timed = commands[index];
    if (timed === undefined) state.commands += 1;
    else {
      const outcome = applyNext(state, timed.command, timed.deadline, index);
      read?.(index, timed.command, outcome);
    }
  }
}

/** The commands of a batch; undefined in place of a skipped one. */
function decodeAll(
  state: ReplicaState,
  batch: LogBatch,
  skipped: ReadonlySet<number> | undefined,
): (TimedCommand | undefined)[] {
  const commands: (TimedCommand | undefined)[] = [];
  const reader = createByteReader(batch.commands);
  for (let index = 0; index < batch.count; index += 1) {
    if (skipped?.has(index)) {
      state.engine.skipCommand(reader);
      commands.push(undefined);
    } else commands.push(decodeNext(state, reader, index));
  }
  assert(reader.offset === reader.end, `batch ${batch.position} holds more than its commands`);
  return commands;
}

// Runs neither timers nor commands: the time becomes the batch's, and due timers run in the next
// batch.
function passOver(state: ReplicaState, { position, time, count }: LogBatch): void {
  assert(position === state.position + 1, 'a replica applies every batch, in order');
  state.position = position;
  state.time = time;
  state.exchange.time = time as Time;
  state.commands += count;
}

function decodeNext(state: ReplicaState, reader: ByteReader, index: number): TimedCommand {
  try {
    return state.engine.decodeCommand(reader);
  } catch (error) {
    throw new PoisonCommand(state.position, index, error);
  }
}

function takeEvents(state: ReplicaState): void {
  const { engine, exchange, views } = state;
  const { events } = exchange;
  if (events.length === 0) return;
  for (const event of events) {
    engine.hashEvent(state.eventHash, event);
    viewEvent(views, exchange, event);
  }
  state.events += events.length;
  state.onEvents?.(events);
  state.onEventsToo?.(events);
  // A new list, because assigning a length calls into the runtime.
  exchange.events = [];
}
