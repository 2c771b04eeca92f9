// Take-profits and stop-losses as bytes (ATT-1): the terms in commands, and what the records of
// parents and legs know of each other.

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readInteger,
  readUint16,
  readUint32,
  writeByte,
  writeInteger,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import type { AccountId, MarketId, OrderId, Ticks, Time } from '../../units/units.ts';
import type { AttachedTerms, LegTerms, SetProtection } from '../command.ts';
import { type Legs, type PairName, pairKinds } from '../pair.ts';
import { readEnumeration, writeEnumeration } from './enumeration.ts';

// The terms of one leg: a byte, and behind `given` stop and limit price.
const kept = 0;
const removed = 1;
const given = 2;

function encodeLeg(writer: ByteWriter, leg: LegTerms | null | undefined): void {
  writeByte(writer, leg === undefined ? kept : leg === null ? removed : given);
  if (!leg) return;
  writeInteger(writer, leg.stopTicks);
  writeInteger(writer, leg.ticks);
}

function decodeLeg(reader: ByteReader): LegTerms | null | undefined {
  const code = readByte(reader);
  assert(code <= given, 'a leg is kept, removed or given');
  if (code === kept) return undefined;
  if (code === removed) return null;
  const stopTicks = readInteger(reader) as Ticks;
  return { stopTicks, ticks: readInteger(reader) as Ticks };
}

export function encodeAttached(writer: ByteWriter, attached: AttachedTerms): void {
  encodeLeg(writer, attached.takeProfit);
  encodeLeg(writer, attached.stopLoss);
}

export function decodeAttached(reader: ByteReader): AttachedTerms {
  const takeProfit = decodeLeg(reader);
  const stopLoss = decodeLeg(reader);
  assert(takeProfit !== null && stopLoss !== null, 'a new parent has no leg to remove');
  return { takeProfit, stopLoss };
}

export function encodeSetProtection(writer: ByteWriter, command: SetProtection): void {
  writeUint32(writer, command.account);
  writeUint16(writer, command.market);
  encodeLeg(writer, command.takeProfit);
  encodeLeg(writer, command.stopLoss);
}

export function decodeSetProtection(reader: ByteReader): SetProtection {
  const account = readUint32(reader) as AccountId;
  const market = readUint16(reader) as MarketId;
  const takeProfit = decodeLeg(reader);
  const stopLoss = decodeLeg(reader);
  return { kind: 'setProtection', account, market, takeProfit, stopLoss };
}

/** What the record of a parent says of its legs. */
export function encodeLegs(writer: ByteWriter, { takeProfit, stopLoss }: Readonly<Legs>): void {
  writeInteger(writer, takeProfit);
  writeInteger(writer, stopLoss);
}

export function decodeLegs(reader: ByteReader): Legs {
  const takeProfit = readInteger(reader) as OrderId;
  return { takeProfit, stopLoss: readInteger(reader) as OrderId };
}

/** What the record of a leg says of its pair. */
export function encodePairName(writer: ByteWriter, { id, createdAt, kind }: PairName): void {
  writeInteger(writer, id);
  writeInteger(writer, createdAt);
  writeEnumeration(writer, pairKinds, kind);
}

export function decodePairName(reader: ByteReader): PairName {
  const id = readInteger(reader) as OrderId;
  const createdAt = readInteger(reader) as Time;
  return { id, createdAt, kind: readEnumeration(reader, pairKinds) };
}
