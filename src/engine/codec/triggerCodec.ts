// A trigger as bytes, waiting, with a live order or ended, for snapshots: every field of it.
//
//   0 flags u32 (below) · 4 account u32 · 8 market u16 · 10 the integers, f64 each · then the texts:
//   client order id, failure

import { assert } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  integerAt,
  readText,
  reserveBytes,
  takeBytes,
  writeText,
} from '../../std/bytes.ts';
import type { AccountId, Lots, MarketId, OrderId, Rate, Ticks, Time } from '../../units/units.ts';
import { selfTradeModes, timesInForce, workingTypes } from '../order.ts';
import {
  extremeOf,
  type Trigger,
  triggerRoutes,
  triggerStatuses,
  triggerTypes,
} from '../trigger.ts';
import { enumerationIndex } from './enumeration.ts';

const sellFlag = 1;
const reduceOnlyFlag = 2;
const priceProtectFlag = 4;
const closePositionFlag = 8;
const routeShift = 4; // two bits
const typeShift = 6; // four bits, as all that follow
const timeInForceShift = 10;
const selfTradeShift = 14;
const workingShift = 18;
const statusShift = 22;
const flagsMax = 2 ** 26 - 1;
const integersAt = 10;
const integerCount = 13;
const recordBytes = integersAt + 8 * integerCount;

function packFlags(trigger: Readonly<Trigger>): number {
  return (
    (trigger.side === 1 ? 0 : sellFlag) |
    (trigger.reduceOnly ? reduceOnlyFlag : 0) |
    (trigger.priceProtect ? priceProtectFlag : 0) |
    (trigger.closePosition ? closePositionFlag : 0) |
    (enumerationIndex(triggerRoutes, trigger.route) << routeShift) |
    (enumerationIndex(triggerTypes, trigger.type) << typeShift) |
    (enumerationIndex(timesInForce, trigger.timeInForce) << timeInForceShift) |
    (enumerationIndex(selfTradeModes, trigger.selfTradeMode) << selfTradeShift) |
    (enumerationIndex(workingTypes, trigger.workingType) << workingShift) |
    (enumerationIndex(triggerStatuses, trigger.status) << statusShift)
  );
}

function unpack<T extends string>(list: readonly T[], shifted: number, mask: number): T {
  const value = list[shifted & mask];
  assert(value !== undefined, `a trigger record names no place of ${list.join(', ')}`);
  return value;
}

export function encodeTrigger(writer: ByteWriter, trigger: Readonly<Trigger>): void {
  const at = reserveBytes(writer, recordBytes);
  const { view } = writer;
  view.setUint32(at, packFlags(trigger), true);
  view.setUint32(at + 4, trigger.account, true);
  view.setUint16(at + 8, trigger.market, true);
  let place = at + integersAt;
  const put = (value: number): void => {
    assert(Number.isSafeInteger(value), 'a trigger holds safe integers');
    view.setFloat64(place, value, true);
    place += 8;
  };
  put(trigger.id);
  put(trigger.lots);
  put(trigger.ticks);
  put(trigger.stopTicks);
  put(trigger.goodTillDate);
  put(trigger.createdAt);
  put(trigger.markAtCreation);
  put(trigger.callbackRate);
  put(trigger.activationTicks);
  put(extremeOf(trigger));
  put(trigger.triggeredAt);
  put(trigger.order);
  put(trigger.updatedAt);
  writeText(writer, trigger.clientOrderId);
  writeText(writer, trigger.failure);
}

/** The trigger; it stands in no structure yet. Faults on what cannot be a trigger. */
export function decodeTrigger(reader: ByteReader): Trigger {
  const at = takeBytes(reader, recordBytes);
  const { view } = reader;
  const flags = view.getUint32(at, true);
  assert(flags <= flagsMax, 'a trigger record has unknown flags');
  const first = at + integersAt;
  const clientOrderId = readText(reader);
  return {
    id: integerAt(view, first) as OrderId,
    account: view.getUint32(at + 4, true) as AccountId,
    market: view.getUint16(at + 8, true) as MarketId,
    route: unpack(triggerRoutes, flags >> routeShift, 3),
    side: flags & sellFlag ? -1 : 1,
    type: unpack(triggerTypes, flags >> typeShift, 15),
    timeInForce: unpack(timesInForce, flags >> timeInForceShift, 15),
    lots: integerAt(view, first + 8) as Lots,
    ticks: integerAt(view, first + 16) as Ticks,
    reduceOnly: (flags & reduceOnlyFlag) !== 0,
    closePosition: (flags & closePositionFlag) !== 0,
    selfTradeMode: unpack(selfTradeModes, flags >> selfTradeShift, 15),
    workingType: unpack(workingTypes, flags >> workingShift, 15),
    priceProtect: (flags & priceProtectFlag) !== 0,
    clientOrderId,
    goodTillDate: integerAt(view, first + 32) as Time,
    createdAt: integerAt(view, first + 40) as Time,
    markAtCreation: integerAt(view, first + 48) as Ticks,
    callbackRate: integerAt(view, first + 56) as Rate,
    activationTicks: integerAt(view, first + 64) as Ticks,
    stopTicks: integerAt(view, first + 24) as Ticks,
    extreme: integerAt(view, first + 72) as Ticks,
    block: null,
    status: unpack(triggerStatuses, flags >> statusShift, 15),
    failure: readText(reader),
    triggeredAt: integerAt(view, first + 80) as Time,
    order: integerAt(view, first + 88) as OrderId,
    updatedAt: integerAt(view, first + 96) as Time,
  };
}
