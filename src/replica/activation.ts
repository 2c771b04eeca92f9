// How one engine follows another in the log. The first batch of an engine is its activation: no
// command, but a record of both engines and of the state's hashes on either side. Between two
// batches the state goes over: out of the old engine as the sections of a snapshot, migrated, and
// into the new one. Every replica does it there, and compares.

import type { Engine } from '../engine/engine.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { LogBatch } from '../log/log.ts';
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

/** As the log and `inspect` tell it. */
export type Activation = {
  /** The engine up to here, and the one from here on. */
  readonly from: string;
  readonly to: string;
  /** Of the state that the old engine leaves, by the old engine. */
  readonly stateHashBefore: string;
  readonly priceHashBefore: string;
  /** Of the state that the new engine begins with, by the new engine. */
  readonly stateHashAfter: string;
  readonly priceHashAfter: string;
};

const version = 1;
/** Where a command has its kind: no engine has this one, so none takes it for a command. */
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

/** undefined: the batch is none. Faults on one that cannot be read. */
export function readActivation({ commands }: LogBatch): Activation | undefined {
  if (commands.length < 4 || commands.readUInt32LE(0) !== mark) return undefined;
  const reader = createByteReader(commands, 4);
  assert(readUint32(reader) === version, 'an activation of another release');
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

/** What the activation of `to` says of the state, and the state as `to` goes on with it. */
export function handOver(
  state: Readonly<ReplicaState>,
  to: string,
): { readonly activation: Activation; readonly exchange: Exchange } {
  const { engine: source, exchange: before } = state;
  const from = engineHashOf(state);
  const target = state.engines.of(to);
  const exchange = migrated(state, target, `engine ${shortHash(to)} cannot follow ${from}`);
  const activation = {
    from,
    to,
    stateHashBefore: source.stateHash(before),
    priceHashBefore: source.priceHash(before),
    stateHashAfter: target.stateHash(exchange),
    priceHashAfter: target.priceHash(exchange),
  };
  return { activation, exchange };
}

function migrated(
  { engine: source, exchange }: Readonly<ReplicaState>,
  target: Engine,
  refusal: string,
): Exchange {
  const sections: Buffer[] = [];
  source.encodeSnapshot(exchange, (section) => sections.push(section));
  try {
    return target.decodeSnapshot(target.migrateSnapshot(sections, source.snapshotFormat));
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new EngineRefused(`${refusal}: ${error.message}`);
  }
}

/** The state's engine and exchange are now `to`'s; the batch after the state is its activation. */
export function takeEngine(state: ReplicaState, to: string, exchange: Exchange): void {
  state.ran = [...state.ran, { hash: to, from: state.position + 1 }];
  state.engine = state.engines.of(to);
  state.exchange = exchange;
  state.position += 1;
  state.commands += 1;
}

/**
 * Applies the first batch of another engine than the state's. Throws `EngineRefused` unless it is
 * an activation, and replay comes to the hashes that it names.
 */
export function applyActivation(state: ReplicaState, batch: LogBatch): void {
  const told = readActivation(batch);
  const { position, engineHash } = batch;
  if (told === undefined || told.to !== engineHash || told.from !== engineHashOf(state)) {
    throw new EngineRefused(
      `batch ${position} is the first of engine ${shortHash(engineHash)} after ` +
        `${shortHash(engineHashOf(state))}, and not its activation`,
    );
  }
  const { activation, exchange } = handOver(state, engineHash);
  for (const name of [
    'stateHashBefore',
    'priceHashBefore',
    'stateHashAfter',
    'priceHashAfter',
  ] as const) {
    if (activation[name] === told[name]) continue;
    throw new EngineRefused(
      `batch ${position} hands the state over from engine ${shortHash(told.from)} to ` +
        `${shortHash(told.to)} with ${name} ${told[name]}, replay comes to ${activation[name]}`,
    );
  }
  takeEngine(state, engineHash, exchange);
}
