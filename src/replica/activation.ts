// How one engine follows another in the log. The first batch of an engine is its activation: no
// command, but a record of both engines and of the hashes of the state before and after. Between
// two batches the state and the views move to the new engine: the old engine writes them as the
// sections of a snapshot, these are migrated, and the new engine reads them. Every replica does
// this at the same place, and compares the hashes.

import type { LogBatch } from '../log/log.ts';
import { decodeViews, encodeViews } from '../market-data/encodeViews.ts';
import { assert, isFault } from '../std/assert.ts';
import {
  createByteReader,
  createByteWriter,
  readText,
  readUint32,
  writeText,
  writeUint32,
  writtenBytes,
} from '../std/bytes.ts';
import { EngineRefused, shortHash } from './engines.ts';
import { engineHashOf, type ReplicaState } from './replicaState.ts';

/** As the log and `inspect` show it. */
export type Activation = {
  /** The engine before this batch, and the engine from this batch on. */
  readonly from: string;
  readonly to: string;
  /** The hash of the state that the old engine leaves, computed by the old engine. */
  readonly stateHashBefore: string;
  readonly priceHashBefore: string;
  /** The hash of the state with which the new engine begins, computed by the new engine. */
  readonly stateHashAfter: string;
  readonly priceHashAfter: string;
};

const version = 1;
/**
 * In the place where a command has its kind. No engine has this kind, so no engine reads it as a
 * command.
 */
const mark = 0xff000000;

export function encodeActivation(activation: Activation): Buffer {
  const writer = createByteWriter(512);
  writeUint32(writer, mark);
  writeUint32(writer, version);
  writeText(writer, activation.from);
  writeText(writer, activation.to);
  writeText(writer, activation.stateHashBefore);
  writeText(writer, activation.priceHashBefore);
  writeText(writer, activation.stateHashAfter);
  writeText(writer, activation.priceHashAfter);
  return writtenBytes(writer);
}

/**
 * undefined: the batch is no activation. Throws `EngineRefused` on an activation of a later
 * release.
 */
export function readActivation({ position, commands }: LogBatch): Activation | undefined {
  if (commands.length < 4 || commands.readUInt32LE(0) !== mark) return undefined;
  const reader = createByteReader(commands, 4);
  const written = readUint32(reader);
  if (written !== version) {
    throw new EngineRefused(
      `batch ${position} activates an engine in version ${written} of that record, this release ` +
        `reads ${version}: start the release that wrote the log, or a newer one`,
    );
  }
  const activation = {
    from: readText(reader),
    to: readText(reader),
    stateHashBefore: readText(reader),
    priceHashBefore: readText(reader),
    stateHashAfter: readText(reader),
    priceHashAfter: readText(reader),
  };
  assert(reader.offset === reader.end, 'an activation holds more than it should');
  return activation;
}

/** What a state continues with under another engine. */
type HandedOver = Pick<ReplicaState, 'exchange' | 'views'>;

/**
 * The activation of `to` for this state, and the state with which `to` continues. Throws
 * `EngineRefused`. Cost: the state and the views once more in memory, and as bytes.
 */
export function handOver(
  state: Readonly<ReplicaState>,
  to: string,
): { readonly activation: Activation; readonly handed: HandedOver } {
  const { engine: source, exchange: before } = state;
  const target = state.engines.of(to);
  const handed = migrated(state, to);
  const activation = {
    from: engineHashOf(state),
    to,
    stateHashBefore: source.stateHash(before),
    priceHashBefore: source.priceHash(before),
    stateHashAfter: target.stateHash(handed.exchange),
    priceHashAfter: target.priceHash(handed.exchange),
  };
  return { activation, handed };
}

// The views move with the state, because ended orders have the same bytes as live ones.
function migrated(state: Readonly<ReplicaState>, to: string): HandedOver {
  const { engine: source, engines } = state;
  const target = engines.of(to);
  const written: Buffer[] = [];
  const emit = (section: Buffer): void => void written.push(section);
  source.encodeSnapshot(state.exchange, emit);
  encodeViews(state.views, source, emit);
  try {
    const sections = oneByOne(target.migrateSnapshot(written, source.snapshotFormat));
    const exchange = target.decodeSnapshot(sections);
    return { exchange, views: decodeViews(sections, target) };
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new EngineRefused(
      `engine ${shortHash(to)} cannot follow ${shortHash(engineHashOf(state))}: ${error.message}`,
    );
  }
}

/** A section that one reader takes is not there for the next reader. */
function* oneByOne(sections: Iterable<Buffer>): Generator<Buffer, void, undefined> {
  yield* sections;
}

/** The state now belongs to `to`; the next batch is the activation. */
export function takeEngine(state: ReplicaState, to: string, handed: HandedOver): void {
  state.ran = [...state.ran, { hash: to, from: state.position + 1 }];
  state.engine = state.engines.of(to);
  state.exchange = handed.exchange;
  state.views = handed.views;
  state.position += 1;
  state.commands += 1;
}

/**
 * Applies the first batch of another engine than the state's. Throws `EngineRefused` unless the
 * batch is an activation and replay gives the hashes that it names.
 */
export function applyActivation(state: ReplicaState, batch: LogBatch): void {
  const stated = readActivation(batch);
  const { position, engineHash } = batch;
  if (stated === undefined || stated.to !== engineHash || stated.from !== engineHashOf(state)) {
    throw new EngineRefused(
      `batch ${position} is the first of engine ${shortHash(engineHash)} after ` +
        `${shortHash(engineHashOf(state))}, and not its activation`,
    );
  }
  const { activation, handed } = handOver(state, engineHash);
  for (const name of [
    'stateHashBefore',
    'priceHashBefore',
    'stateHashAfter',
    'priceHashAfter',
  ] as const) {
    if (activation[name] === stated[name]) continue;
    throw new EngineRefused(
      `batch ${position} hands the state over from engine ${shortHash(stated.from)} to ` +
        `${shortHash(stated.to)} with ${name} ${stated[name]}, replay comes to ${activation[name]}`,
    );
  }
  takeEngine(state, engineHash, handed);
}
