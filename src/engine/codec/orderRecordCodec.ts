// An order as bytes, live or ended, for snapshots: all of its state, none of the transient links.
//
//   0 flags u32 (below) · 4 account u32 · 8 market u16 · 10 the integers, f64 each · then a text ·
//   then, when it came from a trigger: of a live order the trigger's id f64, of an ended one the
//   trigger as a record of its own (triggerCodec.ts), for nothing else holds it any more

import { assert, must } from '../../std/assert.ts';
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
import type { AccountId, Lots, MarketId, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import {
  cancelReasons,
  type Order,
  orderOrigins,
  orderStatuses,
  orderTypes,
  selfTradeModes,
  timesInForce,
  workingTypes,
} from '../order.ts';
import type { Trigger } from '../trigger.ts';
import { enumerationIndex } from './enumeration.ts';
import { decodeTrigger, encodeTrigger } from './triggerCodec.ts';

const sellFlag = 1;
const reduceOnlyFlag = 2;
const priceProtectFlag = 4;
const typeShift = 3;
const timeInForceShift = 6;
const selfTradeShift = 10;
const workingShift = 14;
const statusShift = 17;
const reasonShift = 22;
const originShift = 28;
const triggerFlag = 2 ** 30;
const flagsMax = 2 ** 31 - 1;
const integersAt = 10;
const integerCount = 14;
const recordBytes = integersAt + 8 * integerCount;

function packFlags(order: Readonly<Order>): number {
  return (
    (order.side === 1 ? 0 : sellFlag) |
    (order.reduceOnly ? reduceOnlyFlag : 0) |
    (order.priceProtect ? priceProtectFlag : 0) |
    (enumerationIndex(orderTypes, order.type) << typeShift) |
    (enumerationIndex(timesInForce, order.timeInForce) << timeInForceShift) |
    (enumerationIndex(selfTradeModes, order.selfTradeMode) << selfTradeShift) |
    (enumerationIndex(workingTypes, order.workingType) << workingShift) |
    (enumerationIndex(orderStatuses, order.status) << statusShift) |
    (enumerationIndex(cancelReasons, order.cancelReason) << reasonShift) |
    (enumerationIndex(orderOrigins, order.origin) << originShift) |
    (order.trigger === null ? 0 : triggerFlag)
  );
}

function unpack<T extends string>(list: readonly T[], shifted: number, mask: number): T {
  const value = list[shifted & mask];
  assert(value !== undefined, `an order record names no place of ${list.join(', ')}`);
  return value;
}

export function encodeOrderRecord(writer: ByteWriter, order: Readonly<Order>): void {
  const at = reserveBytes(writer, recordBytes);
  const { view } = writer;
  view.setUint32(at, packFlags(order), true);
  view.setUint32(at + 4, order.account, true);
  view.setUint16(at + 8, order.market, true);
  let place = at + integersAt;
  const put = (value: number): void => {
    assert(Number.isSafeInteger(value), 'an order holds safe integers');
    view.setFloat64(place, value, true);
    place += 8;
  };
  put(order.id);
  put(order.createdAt);
  put(order.markAtCreation);
  put(order.ticks);
  put(order.lots);
  put(order.leverage);
  put(order.updatedAt);
  put(order.open);
  put(order.filled);
  put(order.filledNotional);
  put(order.cover);
  put(order.freeze);
  put(order.priority);
  put(order.uncovered);
  writeText(writer, order.clientOrderId);
  if (order.trigger === null) return;
  if (order.open > 0) writeInteger(writer, order.trigger.id);
  else encodeTrigger(writer, order.trigger);
}

/**
 * The order with blank links: it rests nowhere yet. A live order's trigger is one of `triggers`.
 * Faults on what cannot be an order.
 */
export function decodeOrderRecord(
  reader: ByteReader,
  triggers?: ReadonlyMap<OrderId, Trigger>,
): Order {
  const at = takeBytes(reader, recordBytes);
  const { view } = reader;
  const flags = view.getUint32(at, true);
  assert(flags <= flagsMax, 'an order record has unknown flags');
  const first = at + integersAt;
  const open = integerAt(view, first + 56) as Lots;
  const clientOrderId = readText(reader);
  const trigger = flags & triggerFlag ? decodeTriggerOf(reader, open, triggers) : null;
  return {
    level: null,
    previous: null,
    next: null,
    older: null,
    newer: null,
    open,
    id: integerAt(view, first) as OrderId,
    account: view.getUint32(at + 4, true) as AccountId,
    market: view.getUint16(at + 8, true) as MarketId,
    side: flags & sellFlag ? -1 : 1,
    type: unpack(orderTypes, flags >> typeShift, 7),
    timeInForce: unpack(timesInForce, flags >> timeInForceShift, 15),
    reduceOnly: (flags & reduceOnlyFlag) !== 0,
    selfTradeMode: unpack(selfTradeModes, flags >> selfTradeShift, 15),
    workingType: unpack(workingTypes, flags >> workingShift, 7),
    priceProtect: (flags & priceProtectFlag) !== 0,
    origin: unpack(orderOrigins, flags >> originShift, 3),
    trigger,
    clientOrderId,
    createdAt: integerAt(view, first + 8) as Time,
    markAtCreation: integerAt(view, first + 16) as Ticks,
    ticks: integerAt(view, first + 24) as Ticks,
    lots: integerAt(view, first + 32) as Lots,
    leverage: integerAt(view, first + 40),
    status: unpack(orderStatuses, flags >> statusShift, 31),
    cancelReason: unpack(cancelReasons, flags >> reasonShift, 63),
    updatedAt: integerAt(view, first + 48) as Time,
    filled: integerAt(view, first + 64) as Lots,
    filledNotional: integerAt(view, first + 72) as Money,
    cover: integerAt(view, first + 80) as Lots,
    freeze: integerAt(view, first + 88) as Money,
    uncovered: integerAt(view, first + 104) as Money,
    priority: integerAt(view, first + 96),
    epoch: 0,
  };
}

function decodeTriggerOf(
  reader: ByteReader,
  open: Lots,
  triggers: ReadonlyMap<OrderId, Trigger> | undefined,
): Trigger {
  if (open === 0) return decodeTrigger(reader);
  return must(triggers?.get(readInteger(reader) as OrderId), 'a live order has its trigger');
}
