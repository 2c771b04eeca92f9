// What is due, in a snapshot: the triggers, their places in rounds (TRG-6), and the settled markets
// whose triggers are still to end (SYM-2b). The sections stand in snapshot.ts.

import { assert } from '../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readFlag,
  readInteger,
  readUint16,
  readUint32,
  writeFlag,
  writeInteger,
  writeUint16,
  writeUint32,
} from '../std/bytes.ts';
import type { AccountId, MarketId } from '../units/units.ts';
import type { Expiring } from './exchange.ts';
import { onlyReduces, type Trigger } from './trigger.ts';
import type { DueQueues, Place, Placed } from './triggers/dueQueue.ts';
import { wavesOf } from './triggers/wave.ts';

/** Those without a place, in their order. */
export function addWaves({ reducing, opening }: DueQueues, due: readonly Trigger[]): void {
  reducing.waves = wavesOf(due.filter(onlyReduces));
  opening.waves = wavesOf(due.filter((trigger) => !onlyReduces(trigger)));
}

export function encodePlaced(writer: ByteWriter, { trigger, round }: Placed): void {
  writeInteger(writer, trigger.id);
  writeInteger(writer, round);
}

export function encodePlace(writer: ByteWriter, { reduces, account, round }: Place): void {
  writeFlag(writer, reduces);
  writeUint32(writer, account);
  writeInteger(writer, round);
}

export function decodePlace(reader: ByteReader): Place {
  const reduces = readFlag(reader);
  const account = readUint32(reader) as AccountId;
  return { reduces, account, round: readInteger(reader) };
}

export function addPlace({ reducing, opening }: DueQueues, place: Place): void {
  const { places } = place.reduces ? reducing : opening;
  assert(!places.has(place.account), 'an account has one last place');
  places.set(place.account, place.round);
}

export function encodeExpiring(writer: ByteWriter, { market, account }: Expiring): void {
  writeUint16(writer, market);
  writeUint32(writer, account);
}

export function decodeExpiring(reader: ByteReader): Expiring {
  const market = readUint16(reader) as MarketId;
  return { market, account: readUint32(reader) as AccountId };
}
