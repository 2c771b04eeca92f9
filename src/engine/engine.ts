// The engine as the rest of the program uses it: everything to replay a log and to keep, hash and
// hand over a state. All replay goes through a value of this type, because an old range of the log
// is run by the engine that wrote it, loaded from its kept sources (replica/keptEngines.ts). The
// trading replica's present engine is used in the same way.

import type { ByteReader, ByteWriter } from '../std/bytes.ts';
import type { Hash } from '../std/hash.ts';
import type { Time } from '../units/units.ts';
import { applyCommand, beginBatch } from './apply.ts';
import { decodeCommand, skipCommand, type TimedCommand } from './codec/commandCodec.ts';
import { decodeOrderRecord, encodeOrderRecord } from './codec/orderRecordCodec.ts';
import { decodeTrigger, encodeTrigger } from './codec/triggerCodec.ts';
import type { Command } from './command.ts';
import type { Event } from './event.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { checkInvariants, type Invariants } from './invariants/invariants.ts';
import type { Outcome } from './outcome.ts';
import { hashEvent } from './snapshot/eventHash.ts';
import { migrateSnapshot } from './snapshot/migrations.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot/snapshot.ts';
import { snapshotFormat } from './snapshot/snapshotHead.ts';
import { priceHash, stateHash } from './snapshot/stateHash.ts';
import type { Order } from './views/order.ts';
import { stateOf } from './views/stateOf.ts';
import type { Trigger } from './views/trigger.ts';

/** The views of replicas hold ended orders and triggers: how a snapshot encodes them. */
export type RecordCodecs = {
  readonly encodeOrderRecord: (writer: ByteWriter, order: Readonly<Order>) => void;
  readonly decodeOrderRecord: (reader: ByteReader) => Order;
  readonly encodeTrigger: (writer: ByteWriter, trigger: Readonly<Trigger>) => void;
  readonly decodeTrigger: (reader: ByteReader) => Trigger;
};

export type Engine = RecordCodecs & {
  /** The version of this type: raised when a member changes or is removed. */
  readonly contract: number;
  /**
   * The version of what readers receive: events, and the records and the exchange that they name.
   * Raised when something that a reader may use changes or is removed, not when something is added.
   */
  readonly events: number;
  /** The version of the sections of a snapshot. */
  readonly snapshotFormat: number;

  readonly createExchange: (chainId: number) => Exchange;
  readonly beginBatch: (exchange: Exchange, time: Time) => void;
  readonly decodeCommand: (reader: ByteReader) => TimedCommand;
  readonly skipCommand: (reader: ByteReader) => void;
  readonly applyCommand: (exchange: Exchange, command: Command, deadline: Time) => Outcome;
  readonly hashEvent: (hash: Hash, event: Event) => void;

  readonly stateHash: (exchange: Exchange) => string;
  readonly priceHash: (exchange: Exchange) => string;
  readonly checkInvariants: (exchange: Exchange) => Invariants;

  readonly encodeSnapshot: (exchange: Exchange, emit: (section: Buffer) => void) => void;
  /** Reads sections of its own format, up to its own last one. */
  readonly decodeSnapshot: (sections: Iterable<Buffer>) => Exchange;
  /** Converts sections of an older format to its own. Faults when no conversion exists. */
  readonly migrateSnapshot: (sections: Iterable<Buffer>, format: number) => Iterable<Buffer>;
};

/** The engine of these sources. */
export const engine: Engine = {
  contract: 1,
  events: 1,
  snapshotFormat,
  createExchange,
  beginBatch,
  decodeCommand,
  skipCommand,
  applyCommand,
  hashEvent,
  stateHash,
  priceHash,
  checkInvariants,
  encodeSnapshot,
  decodeSnapshot,
  migrateSnapshot,
  encodeOrderRecord: (writer, order) => encodeOrderRecord(writer, stateOf.order(order)),
  decodeOrderRecord,
  encodeTrigger: (writer, trigger) => encodeTrigger(writer, stateOf.trigger(trigger)),
  decodeTrigger,
};
