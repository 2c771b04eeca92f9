// The side, the flags and the enumerations of an order as the bits of one integer. Record and hash
// share them, and add other bits of their own.

import type { Order } from '../order.ts';
import {
  cancelReasons,
  orderOrigins,
  orderStatuses,
  orderTypes,
  selfTradeModes,
  timesInForce,
  workingTypes,
} from '../orderTypes.ts';
import { enumerationAt, enumerationIndex } from './enumeration.ts';

/** Set for an order that sells. */
export const sellFlag = 1;
const reduceOnlyFlag = 2;
const priceProtectFlag = 4;
const typeShift = 3;
const timeInForceShift = 6;
const selfTradeShift = 10;
const workingShift = 14;
const statusShift = 17;
const reasonShift = 22;
const originShift = 28; // two bits; records use the two behind them

type Flagged = Pick<
  Order,
  | 'side'
  | 'reduceOnly'
  | 'priceProtect'
  | 'type'
  | 'timeInForce'
  | 'selfTradeMode'
  | 'workingType'
  | 'status'
  | 'cancelReason'
  | 'origin'
>;

export function orderFlags(order: Readonly<Flagged>): number {
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
    (enumerationIndex(orderOrigins, order.origin) << originShift)
  );
}

/** The input of `orderFlags` again; other bits are ignored. Faults on a place outside a list. */
export function readOrderFlags(flags: number): Flagged {
  return {
    side: flags & sellFlag ? -1 : 1,
    reduceOnly: (flags & reduceOnlyFlag) !== 0,
    priceProtect: (flags & priceProtectFlag) !== 0,
    type: enumerationAt(orderTypes, (flags >> typeShift) & 7),
    timeInForce: enumerationAt(timesInForce, (flags >> timeInForceShift) & 15),
    selfTradeMode: enumerationAt(selfTradeModes, (flags >> selfTradeShift) & 15),
    workingType: enumerationAt(workingTypes, (flags >> workingShift) & 7),
    status: enumerationAt(orderStatuses, (flags >> statusShift) & 31),
    cancelReason: enumerationAt(cancelReasons, (flags >> reasonShift) & 63),
    origin: enumerationAt(orderOrigins, (flags >> originShift) & 3),
  };
}
