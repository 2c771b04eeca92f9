// The fields of the commands that place, change and cancel triggers, at fixed places like those of
// orders (orderCommandCodec.ts).

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  integerAt,
  readInteger,
  readText,
  reserveBytes,
  takeBytes,
  writeInteger,
  writeText,
} from '../../std/bytes.ts';
import type { AccountId, Lots, Rate, Ticks, Time } from '../../units/units.ts';
import type { CancelAllTriggers, CancelTrigger, ModifyTrigger, PlaceTrigger } from '../command.ts';
import { buy, selfTradeModes, sell, timesInForce, workingTypes } from '../orderTypes.ts';
import { triggerRoutes, triggerTypes } from '../triggerTypes.ts';
import {
  decodeEnd,
  decodePlace,
  decodeReference,
  encodeEnd,
  encodePlace,
  encodeReference,
  getMarket,
  setAccount,
  setInteger,
  setMarket,
} from './commandFields.ts';
import { decodeAttached, encodeAttached } from './encodeLegs.ts';
import { readOptionalEnumeration, writeEnumeration } from './enumeration.ts';

// placeTrigger: 0 account u32 · 4 market u16 · 6 flags u16 · 8 lots · 16 ticks · 24 stop ticks ·
// 32 callback rate · 40 activation ticks · 48 good till date (f64 each), then texts: client order
// id and, when its flag is set, idempotency key and request, then the terms of the legs behind a
// flag.
const placeBytes = 56;
const sellFlag = 1;
const algoFlag = 2;
const timeInForceShift = 2; // two bits
const reduceOnlyFlag = 16;
const selfTradeShift = 5; // three bits: 0 for the market's default, else 1 + its place
const markPriceFlag = 256;
const priceProtectFlag = 512;
const closePositionFlag = 1024;
const typeShift = 11; // three bits
const idempotencyFlag = 16_384;
const attachedFlag = 32_768;
const placeFlagsMax = 65_535;

function placeFlags(command: PlaceTrigger): number {
  const route = triggerRoutes.indexOf(command.route);
  const type = triggerTypes.indexOf(command.type);
  const timeInForce = timesInForce.indexOf(command.timeInForce);
  const working = workingTypes.indexOf(command.workingType);
  const mode = command.selfTradeMode;
  const selfTrade = mode === undefined ? 0 : 1 + selfTradeModes.indexOf(mode);
  assert(command.side === buy || command.side === sell, 'a trigger buys or sells');
  assert(route >= 0 && type >= 0, 'a trigger has a known route and type');
  assert(timeInForce >= 0 && working >= 0, 'a trigger has known enumerations');
  assert(selfTrade > 0 || mode === undefined, 'a trigger has a known self-trade mode');
  let flags = (timeInForce << timeInForceShift) | (selfTrade << selfTradeShift);
  flags |= type << typeShift;
  if (command.side === sell) flags |= sellFlag;
  if (route === 1) flags |= algoFlag;
  if (command.reduceOnly) flags |= reduceOnlyFlag;
  if (working === 1) flags |= markPriceFlag;
  if (command.priceProtect) flags |= priceProtectFlag;
  if (command.closePosition) flags |= closePositionFlag;
  if (command.attached !== undefined) flags |= attachedFlag;
  const idempotent = command.idempotencyKey !== '' || command.idempotencyRequest !== '';
  return idempotent ? flags | idempotencyFlag : flags;
}

export function encodePlaceTrigger(writer: ByteWriter, command: PlaceTrigger): void {
  const flags = placeFlags(command);
  const at = reserveBytes(writer, placeBytes);
  const { view } = writer;
  setAccount(view, at, command.account);
  setMarket(view, at + 4, command.market);
  view.setUint16(at + 6, flags, true);
  setInteger(view, at + 8, command.lots);
  setInteger(view, at + 16, command.ticks);
  setInteger(view, at + 24, command.stopTicks);
  setInteger(view, at + 32, command.callbackRate);
  setInteger(view, at + 40, command.activationTicks);
  setInteger(view, at + 48, command.goodTillDate);
  writeText(writer, command.clientOrderId);
  if (flags & idempotencyFlag) {
    writeText(writer, command.idempotencyKey);
    writeText(writer, command.idempotencyRequest);
  }
  if (command.attached !== undefined) encodeAttached(writer, command.attached);
}

export function decodePlaceTrigger(reader: ByteReader): PlaceTrigger {
  const at = takeBytes(reader, placeBytes);
  const { view } = reader;
  const flags = view.getUint16(at + 6, true);
  const selfTrade = (flags >> selfTradeShift) & 7;
  const type = triggerTypes[(flags >> typeShift) & 7];
  assert(flags <= placeFlagsMax && type !== undefined, 'a trigger has unknown flags');
  assert(selfTrade <= selfTradeModes.length, 'a trigger has an unknown self-trade mode');
  const clientOrderId = readText(reader);
  const idempotent = (flags & idempotencyFlag) !== 0;
  return {
    kind: 'placeTrigger',
    account: view.getUint32(at, true) as AccountId,
    market: getMarket(view, at + 4),
    route: flags & algoFlag ? 'algo' : 'order',
    side: flags & sellFlag ? sell : buy,
    type,
    timeInForce: timesInForce[(flags >> timeInForceShift) & 3]!,
    lots: integerAt(view, at + 8) as Lots,
    ticks: integerAt(view, at + 16) as Ticks,
    stopTicks: integerAt(view, at + 24) as Ticks,
    callbackRate: integerAt(view, at + 32) as Rate,
    activationTicks: integerAt(view, at + 40) as Ticks,
    goodTillDate: integerAt(view, at + 48) as Time,
    reduceOnly: (flags & reduceOnlyFlag) !== 0,
    closePosition: (flags & closePositionFlag) !== 0,
    selfTradeMode: selfTrade === 0 ? undefined : selfTradeModes[selfTrade - 1]!,
    workingType: flags & markPriceFlag ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    priceProtect: (flags & priceProtectFlag) !== 0,
    clientOrderId,
    idempotencyKey: idempotent ? readText(reader) : '',
    idempotencyRequest: idempotent ? readText(reader) : '',
    attached: flags & attachedFlag ? decodeAttached(reader) : undefined,
  };
}

export function encodeCancelTrigger(writer: ByteWriter, command: CancelTrigger): void {
  encodeEnd(writer, command);
}

export function decodeCancelTrigger(reader: ByteReader): CancelTrigger {
  const { account, market, order } = decodeEnd(reader);
  return { kind: 'cancelTrigger', account, market, order };
}

// cancelAllTriggers: the place (commandFields.ts), then the route u8.

export function encodeCancelAllTriggers(writer: ByteWriter, command: CancelAllTriggers): void {
  encodePlace(writer, command);
  writeEnumeration(writer, triggerRoutes, command.route);
}

export function decodeCancelAllTriggers(reader: ByteReader): CancelAllTriggers {
  const { account, market } = decodePlace(reader);
  const route = readOptionalEnumeration(reader, triggerRoutes);
  return { kind: 'cancelAllTriggers', account, market, route };
}

// modifyTrigger: 0 account u32 · 4 market u16 · 6 flags u8, then the terms whose flags are set (f64
// each), then the reference.
const modifyBytes = 7;
const byClientIdFlag = 1;
const modifyFlagsMax = 31;
/** In the order of their flags, from the second bit on. */
const modifiedTerms = ['lots', 'ticks', 'stopTicks', 'callbackRate'] as const;

export function encodeModifyTrigger(writer: ByteWriter, command: ModifyTrigger): void {
  const at = reserveBytes(writer, modifyBytes);
  setAccount(writer.view, at, command.account);
  setMarket(writer.view, at + 4, command.market);
  let flags = 'clientOrderId' in command.order ? byClientIdFlag : 0;
  for (const [place, name] of modifiedTerms.entries()) {
    const term = command[name];
    if (term === undefined) continue;
    flags |= 2 << place;
    writeInteger(writer, term);
  }
  writer.view.setUint8(at + 6, flags);
  encodeReference(writer, command.order);
}

export function decodeModifyTrigger(reader: ByteReader): ModifyTrigger {
  const at = takeBytes(reader, modifyBytes);
  const { view } = reader;
  const flags = view.getUint8(at + 6);
  assert(flags <= modifyFlagsMax, 'a change of a trigger has unknown flags');
  const [lots, ticks, stopTicks, callbackRate] = modifiedTerms.map((_, place) =>
    flags & (2 << place) ? readInteger(reader) : undefined,
  );
  return {
    kind: 'modifyTrigger',
    account: view.getUint32(at, true) as AccountId,
    market: getMarket(view, at + 4),
    order: decodeReference(reader, (flags & byClientIdFlag) !== 0),
    lots: lots as Lots | undefined,
    ticks: ticks as Ticks | undefined,
    stopTicks: stopTicks as Ticks | undefined,
    callbackRate: callbackRate as Rate | undefined,
  };
}
