// A trigger as bytes, waiting, with a live order or ended, for snapshots: every field of it.
//
//   0 flags u32 (triggerFlags.ts, then the status) · 4 account u32 · 8 market u16 ·
//   10 the integers, f64 each · then the texts: client order id, failure · then the priority f64 of
//   a trigger that was changed, of others it is the id · then of a leg its pair, and of a parent
//   its legs (encodeLegs.ts)

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
import type { AccountId, Lots, MarketId, OrderId, Rate, Ticks, Time } from '../../units/units.ts';
import { extremeOf, type Trigger } from '../trigger.ts';
import { triggerStatuses } from '../triggerTypes.ts';
import { decodeLegs, decodePairName, encodeLegs, encodePairName } from './encodeLegs.ts';
import { enumerationAt, enumerationIndex } from './enumeration.ts';
import { readTriggerFlags, triggerFlags } from './triggerFlags.ts';

const statusShift = 22; // four bits
const changedFlag = 2 ** 26;
const legFlag = 2 ** 27;
const parentFlag = 2 ** 28;
const flagsMax = 2 ** 29 - 1;
const integersAt = 10;
const integerCount = 13;
const recordBytes = integersAt + 8 * integerCount;

export function encodeTrigger(writer: ByteWriter, trigger: Readonly<Trigger>): void {
  const at = reserveBytes(writer, recordBytes);
  const { view } = writer;
  const status = enumerationIndex(triggerStatuses, trigger.status) << statusShift;
  const { pair, legs } = trigger;
  const changed = trigger.priority === trigger.id ? 0 : changedFlag;
  const attached = (pair === null ? 0 : legFlag) | (legs === null ? 0 : parentFlag);
  view.setUint32(at, triggerFlags(trigger) | status | changed | attached, true);
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
  if (changed !== 0) writeInteger(writer, trigger.priority);
  if (pair !== null) encodePairName(writer, pair);
  if (legs !== null) encodeLegs(writer, legs);
}

/** The trigger; it is in no structure yet. Faults on what cannot be a trigger. */
export function decodeTrigger(reader: ByteReader): Trigger {
  const at = takeBytes(reader, recordBytes);
  const { view } = reader;
  const flags = view.getUint32(at, true);
  assert(flags <= flagsMax, 'a trigger record has unknown flags');
  const first = at + integersAt;
  const id = integerAt(view, first) as OrderId;
  const clientOrderId = readText(reader);
  const failure = readText(reader);
  const priority = flags & changedFlag ? readInteger(reader) : id;
  const pair = flags & legFlag ? decodePairName(reader) : null;
  const legs = flags & parentFlag ? decodeLegs(reader) : null;
  const flagged = readTriggerFlags(flags);
  // The fields have the order of a new trigger, so that both have the same shape for the compiler.
  return {
    id,
    account: view.getUint32(at + 4, true) as AccountId,
    market: view.getUint16(at + 8, true) as MarketId,
    route: flagged.route,
    side: flagged.side,
    type: flagged.type,
    timeInForce: flagged.timeInForce,
    lots: integerAt(view, first + 8) as Lots,
    ticks: integerAt(view, first + 16) as Ticks,
    reduceOnly: flagged.reduceOnly,
    closePosition: flagged.closePosition,
    selfTradeMode: flagged.selfTradeMode,
    workingType: flagged.workingType,
    priceProtect: flagged.priceProtect,
    clientOrderId,
    goodTillDate: integerAt(view, first + 32) as Time,
    createdAt: integerAt(view, first + 40) as Time,
    markAtCreation: integerAt(view, first + 48) as Ticks,
    pair,
    legs,
    callbackRate: integerAt(view, first + 56) as Rate,
    activationTicks: integerAt(view, first + 64) as Ticks,
    stopTicks: integerAt(view, first + 24) as Ticks,
    extreme: integerAt(view, first + 72) as Ticks,
    block: null,
    status: enumerationAt(triggerStatuses, (flags >> statusShift) & 15),
    failure,
    triggeredAt: integerAt(view, first + 80) as Time,
    order: integerAt(view, first + 88) as OrderId,
    updatedAt: integerAt(view, first + 96) as Time,
    priority,
  };
}
