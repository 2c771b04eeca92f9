// The side, the flags and the enumerations of a trigger as the bits of one integer, except its
// status, which record and hash have in different places.

import { selfTradeModes, timesInForce, workingTypes } from '../orderTypes.ts';
import type { Trigger } from '../trigger.ts';
import { triggerRoutes, triggerTypes } from '../triggerTypes.ts';
import { enumerationAt, enumerationIndex } from './enumeration.ts';

/** Set for a trigger that sells. */
export const sellFlag = 1;
const reduceOnlyFlag = 2;
const priceProtectFlag = 4;
const closePositionFlag = 8;
const routeShift = 4; // two bits
const typeShift = 6; // four bits, like all that follow
const timeInForceShift = 10;
const selfTradeShift = 14;
const workingShift = 18;

type Flagged = Pick<
  Trigger,
  | 'side'
  | 'reduceOnly'
  | 'priceProtect'
  | 'closePosition'
  | 'route'
  | 'type'
  | 'timeInForce'
  | 'selfTradeMode'
  | 'workingType'
>;

export function triggerFlags(trigger: Readonly<Flagged>): number {
  return (
    (trigger.side === 1 ? 0 : sellFlag) |
    (trigger.reduceOnly ? reduceOnlyFlag : 0) |
    (trigger.priceProtect ? priceProtectFlag : 0) |
    (trigger.closePosition ? closePositionFlag : 0) |
    (enumerationIndex(triggerRoutes, trigger.route) << routeShift) |
    (enumerationIndex(triggerTypes, trigger.type) << typeShift) |
    (enumerationIndex(timesInForce, trigger.timeInForce) << timeInForceShift) |
    (enumerationIndex(selfTradeModes, trigger.selfTradeMode) << selfTradeShift) |
    (enumerationIndex(workingTypes, trigger.workingType) << workingShift)
  );
}

/** The input of `triggerFlags` again; other bits are ignored. Faults on a place outside a list. */
export function readTriggerFlags(flags: number): Flagged {
  return {
    side: flags & sellFlag ? -1 : 1,
    reduceOnly: (flags & reduceOnlyFlag) !== 0,
    priceProtect: (flags & priceProtectFlag) !== 0,
    closePosition: (flags & closePositionFlag) !== 0,
    route: enumerationAt(triggerRoutes, (flags >> routeShift) & 3),
    type: enumerationAt(triggerTypes, (flags >> typeShift) & 15),
    timeInForce: enumerationAt(timesInForce, (flags >> timeInForceShift) & 15),
    selfTradeMode: enumerationAt(selfTradeModes, (flags >> selfTradeShift) & 15),
    workingType: enumerationAt(workingTypes, (flags >> workingShift) & 15),
  };
}
