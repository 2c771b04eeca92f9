// An order as bytes, live or ended, for snapshots: all of its state, without the transient links.
//
//   0 flags u32 (orderFlags.ts, and whether it has a trigger) · 4 account u32 · 8 market u16 ·
//   10 the integers, f64 each · then a text ·
//   then, when it came from a trigger: of a live order the trigger's id f64, of an ended one the
//   trigger as a record of its own (triggerCodec.ts), because nothing else holds it any more ·
//   then, when it brought legs itself, their numbers (encodeLegs.ts)

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
import { createOrder, type Order } from '../order.ts';
import type { Trigger } from '../trigger.ts';
import { decodeLegs, encodeLegs } from './encodeLegs.ts';
import { orderFlags, readOrderFlags } from './orderFlags.ts';
import { decodeTrigger, encodeTrigger } from './triggerCodec.ts';

const triggerFlag = 2 ** 30;
const legsFlag = 2 ** 31;
const flagsMax = 2 ** 32 - 1;
const integersAt = 10;
const integerCount = 14;
const recordBytes = integersAt + 8 * integerCount;

export function encodeOrderRecord(writer: ByteWriter, order: Readonly<Order>): void {
  const at = reserveBytes(writer, recordBytes);
  const { view } = writer;
  // A trigger's order has the legs of its trigger.
  const legs = order.trigger === null ? order.legs : null;
  const linked = (order.trigger === null ? 0 : triggerFlag) + (legs === null ? 0 : legsFlag);
  view.setUint32(at, orderFlags(order) + linked, true);
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
  if (legs !== null) encodeLegs(writer, legs);
  if (order.trigger === null) return;
  if (order.open > 0) writeInteger(writer, order.trigger.id);
  else encodeTrigger(writer, order.trigger);
}

/**
 * The order with blank links: it does not rest yet. A live order's trigger is one of `triggers`.
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
  const legs = flags & legsFlag ? decodeLegs(reader) : null;
  const trigger = flags & triggerFlag ? decodeTriggerOf(reader, open, triggers) : null;
  const flagged = readOrderFlags(flags);
  // Field by field: spreading one record into another takes as long as all the rest.
  const order = createOrder({
    side: flagged.side,
    type: flagged.type,
    timeInForce: flagged.timeInForce,
    reduceOnly: flagged.reduceOnly,
    selfTradeMode: flagged.selfTradeMode,
    workingType: flagged.workingType,
    priceProtect: flagged.priceProtect,
    origin: flagged.origin,
    id: integerAt(view, first) as OrderId,
    account: view.getUint32(at + 4, true) as AccountId,
    market: view.getUint16(at + 8, true) as MarketId,
    trigger,
    legs: trigger?.legs ?? legs,
    clientOrderId,
    createdAt: integerAt(view, first + 8) as Time,
    markAtCreation: integerAt(view, first + 16) as Ticks,
    ticks: integerAt(view, first + 24) as Ticks,
    lots: integerAt(view, first + 32) as Lots,
    leverage: integerAt(view, first + 40),
    updatedAt: integerAt(view, first + 48) as Time,
    priority: integerAt(view, first + 96),
  });
  order.status = flagged.status;
  order.cancelReason = flagged.cancelReason;
  order.open = open;
  order.filled = integerAt(view, first + 64) as Lots;
  order.filledNotional = integerAt(view, first + 72) as Money;
  order.cover = integerAt(view, first + 80) as Lots;
  order.freeze = integerAt(view, first + 88) as Money;
  order.uncovered = integerAt(view, first + 104) as Money;
  return order;
}

function decodeTriggerOf(
  reader: ByteReader,
  open: Lots,
  triggers: ReadonlyMap<OrderId, Trigger> | undefined,
): Trigger {
  if (open === 0) return decodeTrigger(reader);
  return must(triggers?.get(readInteger(reader) as OrderId), 'a live order has its trigger');
}
