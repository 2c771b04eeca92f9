// The fields of the frequent commands: placing, cancelling and modifying orders, one by one or in a
// batch. They are at fixed places in a DataView, because every replica decodes every order.
// triggerCommandCodec.ts has the fields of triggers.

import { assert, Fault, unreachable } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  integerAt,
  readByte,
  readText,
  reserveBytes,
  takeBytes,
  writeByte,
  writeText,
} from '../../std/bytes.ts';
import type { AccountId, Lots, Money, Rate, Ticks } from '../../units/units.ts';
import type { Batch, CancelAllOrders, CancelOrder, ModifyOrder, PlaceOrder } from '../command.ts';
import {
  buy,
  orderTypes,
  type SelfTradeMode,
  type Side,
  selfTradeModes,
  sell,
  timesInForce,
  workingTypes,
} from '../orderTypes.ts';
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
import { decodePlaceTrigger, encodePlaceTrigger } from './triggerCommandCodec.ts';

// placeOrder: 0 account u32 · 4 market u16 · 6 flags u16 · 8 lots f64 · 16 ticks f64, then quote
// and max slippage (f64 each) when their flags are set, then texts: client order id and, when its
// flag is set, idempotency key and request, then the terms of the legs behind a flag.
const placeBytes = 24;
const sellFlag = 1;
const marketFlag = 2;
const timeInForceShift = 2; // two bits
const reduceOnlyFlag = 16;
const selfTradeShift = 5; // three bits: 0 for the market's default, else 1 + its place
const markPriceFlag = 256;
const priceProtectFlag = 512;
const quoteFlag = 1024;
const slippageFlag = 2048;
const idempotencyFlag = 4096;
const attachedFlag = 8192;
const placeFlagsMax = 16_383;

function placeFlags(command: PlaceOrder): number {
  const type = orderTypes.indexOf(command.type);
  const timeInForce = timesInForce.indexOf(command.timeInForce);
  const working = workingTypes.indexOf(command.workingType);
  const mode = command.selfTradeMode;
  const selfTrade = mode === undefined ? 0 : 1 + selfTradeModes.indexOf(mode);
  assert(command.side === buy || command.side === sell, 'an order buys or sells');
  assert(type >= 0 && timeInForce >= 0 && working >= 0, 'an order has known enumerations');
  assert(selfTrade > 0 || mode === undefined, 'an order has a known self-trade mode');
  let flags = (timeInForce << timeInForceShift) | (selfTrade << selfTradeShift);
  if (command.side === sell) flags |= sellFlag;
  if (type === 1) flags |= marketFlag;
  if (command.reduceOnly) flags |= reduceOnlyFlag;
  if (working === 1) flags |= markPriceFlag;
  if (command.priceProtect) flags |= priceProtectFlag;
  if (command.quote !== 0) flags |= quoteFlag;
  if (command.maxSlippage !== undefined) flags |= slippageFlag;
  if (command.attached !== undefined) flags |= attachedFlag;
  const idempotent = command.idempotencyKey !== '' || command.idempotencyRequest !== '';
  return idempotent ? flags | idempotencyFlag : flags;
}

export function encodePlaceOrder(writer: ByteWriter, command: PlaceOrder): void {
  const flags = placeFlags(command);
  const optional = (flags & quoteFlag ? 8 : 0) + (flags & slippageFlag ? 8 : 0);
  let at = reserveBytes(writer, placeBytes + optional);
  const { view } = writer;
  setAccount(view, at, command.account);
  setMarket(view, at + 4, command.market);
  view.setUint16(at + 6, flags, true);
  setInteger(view, at + 8, command.lots);
  setInteger(view, at + 16, command.ticks);
  at += placeBytes;
  if (flags & quoteFlag) {
    setInteger(view, at, command.quote);
    at += 8;
  }
  if (flags & slippageFlag) setInteger(view, at, command.maxSlippage!);
  writeText(writer, command.clientOrderId);
  if (flags & idempotencyFlag) {
    writeText(writer, command.idempotencyKey);
    writeText(writer, command.idempotencyRequest);
  }
  if (command.attached !== undefined) encodeAttached(writer, command.attached);
}

export function decodePlaceOrder(reader: ByteReader): PlaceOrder {
  const at = takeBytes(reader, placeBytes);
  const { view } = reader;
  const flags = view.getUint16(at + 6, true);
  const selfTrade = (flags >> selfTradeShift) & 7;
  assert(flags <= placeFlagsMax, 'an order has unknown flags');
  assert(selfTrade <= selfTradeModes.length, 'an order has an unknown self-trade mode');
  const quote = flags & quoteFlag ? integerAt(view, takeBytes(reader, 8)) : 0;
  const slippage = flags & slippageFlag ? integerAt(view, takeBytes(reader, 8)) : undefined;
  const clientOrderId = readText(reader);
  const idempotent = (flags & idempotencyFlag) !== 0;
  return {
    kind: 'placeOrder',
    account: view.getUint32(at, true) as AccountId,
    market: getMarket(view, at + 4),
    side: flags & sellFlag ? sell : buy,
    type: flags & marketFlag ? 'MARKET' : 'LIMIT',
    timeInForce: timesInForce[(flags >> timeInForceShift) & 3]!,
    lots: integerAt(view, at + 8) as Lots,
    quote: quote as Money,
    ticks: integerAt(view, at + 16) as Ticks,
    reduceOnly: (flags & reduceOnlyFlag) !== 0,
    selfTradeMode: selfTrade === 0 ? undefined : (selfTradeModes[selfTrade - 1] as SelfTradeMode),
    workingType: flags & markPriceFlag ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    priceProtect: (flags & priceProtectFlag) !== 0,
    clientOrderId,
    maxSlippage: slippage as Rate | undefined,
    idempotencyKey: idempotent ? readText(reader) : '',
    idempotencyRequest: idempotent ? readText(reader) : '',
    attached: flags & attachedFlag ? decodeAttached(reader) : undefined,
  };
}

// cancelOrder: the end of one order (commandFields.ts).

export function encodeCancelOrder(writer: ByteWriter, command: CancelOrder): void {
  encodeEnd(writer, command);
}

export function decodeCancelOrder(reader: ByteReader): CancelOrder {
  const { account, market, order } = decodeEnd(reader);
  return { kind: 'cancelOrder', account, market, order };
}

// modifyOrder: 0 account u32 · 4 market u16 · 6 flags u8 (by client order id; side in two bits: 0
// none, 1 buy, 2 sell) · 7 lots f64 · 15 ticks f64, then the reference.
const modifyBytes = 23;

const sideCode = (side: Side | undefined): number =>
  side === undefined ? 0 : side === buy ? 1 : 2;

export function encodeModifyOrder(writer: ByteWriter, command: ModifyOrder): void {
  const at = reserveBytes(writer, modifyBytes);
  const { view } = writer;
  setAccount(view, at, command.account);
  setMarket(view, at + 4, command.market);
  const by = 'clientOrderId' in command.order ? 1 : 0;
  view.setUint8(at + 6, by | (sideCode(command.side) << 1));
  setInteger(view, at + 7, command.lots);
  setInteger(view, at + 15, command.ticks);
  encodeReference(writer, command.order);
}

export function decodeModifyOrder(reader: ByteReader): ModifyOrder {
  const at = takeBytes(reader, modifyBytes);
  const { view } = reader;
  const flags = view.getUint8(at + 6);
  assert(flags <= 5, 'a modification has unknown flags');
  return {
    kind: 'modifyOrder',
    account: view.getUint32(at, true) as AccountId,
    market: getMarket(view, at + 4),
    order: decodeReference(reader, (flags & 1) === 1),
    side: flags >> 1 === 0 ? undefined : flags >> 1 === 1 ? buy : sell,
    lots: integerAt(view, at + 7) as Lots,
    ticks: integerAt(view, at + 15) as Ticks,
  };
}

export function encodeCancelAllOrders(writer: ByteWriter, command: CancelAllOrders): void {
  encodePlace(writer, command);
}

export function decodeCancelAllOrders(reader: ByteReader): CancelAllOrders {
  const { account, market } = decodePlace(reader);
  return { kind: 'cancelAllOrders', account, market };
}

// batch: the number of items u8, then each as its kind u8 and its fields.
const placeItem = 1;
const cancelItem = 2;
const modifyItem = 3;
const triggerItem = 4;

export function encodeBatch(writer: ByteWriter, command: Batch): void {
  writeByte(writer, command.items.length);
  for (const item of command.items) {
    if (item.kind === 'placeOrder') {
      writeByte(writer, placeItem);
      encodePlaceOrder(writer, item);
    } else if (item.kind === 'cancelOrder') {
      writeByte(writer, cancelItem);
      encodeCancelOrder(writer, item);
    } else if (item.kind === 'modifyOrder') {
      writeByte(writer, modifyItem);
      encodeModifyOrder(writer, item);
    } else if (item.kind === 'placeTrigger') {
      writeByte(writer, triggerItem);
      encodePlaceTrigger(writer, item);
    } else unreachable(item);
  }
}

export function decodeBatch(reader: ByteReader): Batch {
  const count = readByte(reader);
  const items: Batch['items'][number][] = [];
  for (let i = 0; i < count; i += 1) {
    const kind = readByte(reader);
    if (kind === placeItem) items.push(decodePlaceOrder(reader));
    else if (kind === cancelItem) items.push(decodeCancelOrder(reader));
    else if (kind === modifyItem) items.push(decodeModifyOrder(reader));
    else if (kind === triggerItem) items.push(decodePlaceTrigger(reader));
    else throw new Fault(`no item of a batch has the kind ${kind}`);
  }
  return { kind: 'batch', items };
}
