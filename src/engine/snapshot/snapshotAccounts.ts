// Accounts in a snapshot: balances, volumes, positions, idempotency keys, API keys, referral. Their
// triggers and live orders have sections of their own (snapshot.ts).

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readFlag,
  readInteger,
  readText,
  readUint16,
  readUint32,
  writeByte,
  writeFlag,
  writeInteger,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import {
  type AccountId,
  type Lots,
  type MarketId,
  type Money,
  type OrderId,
  rateOne,
  type Time,
} from '../../units/units.ts';
import {
  type Account,
  type ApiKey,
  createAccount,
  type Idempotency,
  positionIn,
  type Volume,
} from '../account.ts';
import { readEnumeration, writeEnumeration } from '../codec/enumeration.ts';
import { apiKeyStatuses, marginModes, rateTiers } from '../marginModes.ts';
import type { Position } from '../position.ts';
import { createReferral, type Referral } from '../referral.ts';
import type { Session } from '../session.ts';
import { isBlankPosition } from './isBlankPosition.ts';

const one = BigInt(rateOne);

/** The kind of result of an idempotency key; the place is the number on the disk: append only. */
export const idempotencyKinds = [
  'order',
  'trigger',
  'withdrawal',
] as const satisfies readonly Idempotency['kind'][];

export function encodeAccount(writer: ByteWriter, account: Account): void {
  const isListed = account.guestSlot >= 0 === account.guestSince > 0;
  assert(isListed, 'a guest is written with the guests');
  writeUint32(writer, account.id);
  writeText(writer, account.address);
  writeInteger(writer, account.createdAt);
  writeInteger(writer, account.available);
  writeInteger(writer, account.freezes);
  writeInteger(writer, account.collateral);
  writeEnumeration(writer, marginModes, account.marginMode);
  writeInteger(writer, account.uncovered);
  writeFlag(writer, account.flagged);
  writeInteger(writer, account.steppedAt);
  writeFlag(writer, account.house);
  writeInteger(writer, account.feeTier);
  encodeVolume(writer, account.volume);
  writeInteger(writer, account.updatedAt);
  const kept: Position[] = [];
  for (const position of account.positions) {
    if (position !== undefined && !isBlankPosition(position)) kept.push(position);
  }
  writeUint16(writer, kept.length);
  for (const position of kept) encodePosition(writer, position);
  writeUint32(writer, account.idempotency.size);
  for (const [key, { request, kind, order, time }] of account.idempotency) {
    writeText(writer, key);
    writeText(writer, request);
    writeEnumeration(writer, idempotencyKinds, kind);
    writeInteger(writer, order);
    writeInteger(writer, time);
  }
  writeUint16(writer, account.apiKeys.length);
  for (const key of account.apiKeys) encodeApiKey(writer, key);
  writeFlag(writer, account.traded);
  encodeReferral(writer, account.referral);
  encodeSessions(writer, account.sessions);
}

export function decodeAccount(reader: ByteReader): Account {
  const id = readUint32(reader) as AccountId;
  const address = readText(reader);
  const account = createAccount(id, address, readInteger(reader) as Time);
  account.available = readInteger(reader) as Money;
  account.freezes = readInteger(reader) as Money;
  account.collateral = readInteger(reader) as Money;
  account.marginMode = readEnumeration(reader, marginModes);
  account.uncovered = readInteger(reader) as Money;
  account.flagged = readFlag(reader);
  account.steppedAt = readInteger(reader) as Time;
  account.house = readFlag(reader);
  account.feeTier = readInteger(reader);
  decodeVolume(reader, account.volume);
  account.updatedAt = readInteger(reader) as Time;
  const positions = readUint16(reader);
  for (let i = 0; i < positions; i += 1) decodePosition(reader, account);
  const remembered = readUint32(reader);
  for (let i = 0; i < remembered; i += 1) {
    const key = readText(reader);
    const request = readText(reader);
    const kind = readEnumeration(reader, idempotencyKinds);
    const order = readInteger(reader) as OrderId;
    account.idempotency.set(key, { request, kind, order, time: readInteger(reader) as Time });
  }
  assert(account.idempotency.size === remembered, 'an idempotency key comes twice');
  const keys = readUint16(reader);
  for (let i = 0; i < keys; i += 1) account.apiKeys.push(decodeApiKey(reader, id));
  account.traded = readFlag(reader);
  account.referral = decodeReferral(reader);
  decodeSessions(reader, account);
  return account;
}

function encodeReferral(writer: ByteWriter, referral: Referral | null): void {
  writeFlag(writer, referral !== null);
  if (referral === null) return;
  writeText(writer, referral.code);
  writeUint32(writer, referral.referrer);
  writeInteger(writer, referral.accrued);
  writeInteger(writer, referral.claimed);
  writeInteger(writer, referral.day);
  writeInteger(writer, referral.today);
}

/** Without its referees, which are counted when all accounts have been read. */
function decodeReferral(reader: ByteReader): Referral | null {
  if (!readFlag(reader)) return null;
  const referral = createReferral();
  referral.code = readText(reader);
  referral.referrer = readUint32(reader) as AccountId;
  referral.accrued = readInteger(reader) as Money;
  referral.claimed = readInteger(reader) as Money;
  referral.day = readInteger(reader);
  referral.today = readInteger(reader) as Money;
  return referral;
}

function encodeSessions(writer: ByteWriter, sessions: readonly Session[]): void {
  writeUint16(writer, sessions.length);
  for (const { id, createdAt, expiresAt, client, agent } of sessions) {
    for (const integer of [id, createdAt, expiresAt]) writeInteger(writer, integer);
    writeText(writer, client);
    writeText(writer, agent);
  }
}

function decodeSessions(reader: ByteReader, { sessions }: Account): void {
  const count = readUint16(reader);
  for (let i = 0; i < count; i += 1) {
    const id = readInteger(reader) as OrderId;
    const createdAt = readInteger(reader) as Time;
    const expiresAt = readInteger(reader) as Time;
    const client = readText(reader);
    sessions.push({ id, createdAt, expiresAt, client, agent: readText(reader) });
  }
}

function encodeVolume(writer: ByteWriter, volume: Volume): void {
  writeInteger(writer, volume.day);
  writeInteger(writer, volume.today);
  writeInteger(writer, volume.tier);
  writeByte(writer, volume.past.length);
  for (const money of volume.past) writeInteger(writer, money);
}

function decodeVolume(reader: ByteReader, volume: Volume): void {
  volume.day = readInteger(reader);
  volume.today = readInteger(reader) as Money;
  volume.tier = readInteger(reader);
  const past: Money[] = [];
  for (let left = readByte(reader); left > 0; left -= 1) past.push(readInteger(reader) as Money);
  volume.past = past;
}

// Triggers that close the whole position are counted again from the triggers.

function encodePosition(writer: ByteWriter, position: Position): void {
  writeUint16(writer, position.market);
  writeInteger(writer, position.leverage);
  writeInteger(writer, position.lots);
  writeInteger(writer, position.entry);
  writeInteger(writer, position.collateral);
  writeInteger(writer, position.uncovered);
  writeFlag(writer, position.flagged);
  writeInteger(writer, position.steppedAt);
  writeInteger(writer, position.updatedAt);
  writeInteger(writer, position.countdown);
  encodeSurcharge(writer, position.surcharge);
}

function decodePosition(reader: ByteReader, account: Account): void {
  const market = readUint16(reader) as MarketId;
  assert(account.positions[market] === undefined, 'a position comes twice');
  const position = positionIn(account, market);
  position.leverage = readInteger(reader);
  position.lots = readInteger(reader) as Lots;
  position.entry = readInteger(reader) as Money;
  position.collateral = readInteger(reader) as Money;
  position.uncovered = readInteger(reader) as Money;
  position.flagged = readFlag(reader);
  position.steppedAt = readInteger(reader) as Time;
  position.updatedAt = readInteger(reader) as Time;
  position.countdown = readInteger(reader);
  position.surcharge = decodeSurcharge(reader);
}

// A surcharge is whole lots and the rest in 1e-8 lots.

function encodeSurcharge(writer: ByteWriter, surcharge: bigint): void {
  writeInteger(writer, Number(surcharge / one));
  writeInteger(writer, Number(surcharge % one));
}

function decodeSurcharge(reader: ByteReader): bigint {
  const lots = readInteger(reader);
  return BigInt(lots) * one + BigInt(readInteger(reader));
}

function encodeApiKey(writer: ByteWriter, key: ApiKey): void {
  writeInteger(writer, key.id);
  writeText(writer, key.apiKey);
  writeInteger(writer, key.createdAt);
  writeEnumeration(writer, apiKeyStatuses, key.status);
  writeEnumeration(writer, rateTiers, key.rateTier);
  writeText(writer, key.profile);
}

function decodeApiKey(reader: ByteReader, account: AccountId): ApiKey {
  const id = readInteger(reader) as OrderId;
  const apiKey = readText(reader);
  const createdAt = readInteger(reader) as Time;
  const status = readEnumeration(reader, apiKeyStatuses);
  const rateTier = readEnumeration(reader, rateTiers);
  return { id, account, apiKey, createdAt, status, rateTier, profile: readText(reader) };
}
