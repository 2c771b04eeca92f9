// Mixes a trigger into a running hash, every field of it. Shared by the hash of events and the
// hash of the state.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { enumerationIndex } from '../codec/enumeration.ts';
import { selfTradeModes, timesInForce, workingTypes } from '../order.ts';
import {
  extremeOf,
  type Trigger,
  triggerRoutes,
  triggerStatuses,
  triggerTypes,
} from '../trigger.ts';

/** The enumerations and flags of a trigger as one 32-bit integer. */
function packEnumerations(trigger: Readonly<Trigger>): number {
  return (
    (trigger.side === 1 ? 1 : 0) |
    (trigger.reduceOnly ? 2 : 0) |
    (trigger.priceProtect ? 4 : 0) |
    (trigger.closePosition ? 8 : 0) |
    (enumerationIndex(triggerRoutes, trigger.route) << 4) |
    (enumerationIndex(triggerTypes, trigger.type) << 6) |
    (enumerationIndex(timesInForce, trigger.timeInForce) << 10) |
    (enumerationIndex(selfTradeModes, trigger.selfTradeMode) << 14) |
    (enumerationIndex(workingTypes, trigger.workingType) << 18) |
    (enumerationIndex(triggerStatuses, trigger.status) << 21)
  );
}

export function hashTrigger(hash: Hash, trigger: Readonly<Trigger>): void {
  hashPair(hash, packEnumerations(trigger), trigger.market);
  hashNumber(hash, trigger.id);
  hashNumber(hash, trigger.account);
  hashNumber(hash, trigger.lots);
  hashNumber(hash, trigger.ticks);
  hashNumber(hash, trigger.stopTicks);
  hashNumber(hash, trigger.goodTillDate);
  hashNumber(hash, trigger.createdAt);
  hashNumber(hash, trigger.markAtCreation);
  hashNumber(hash, trigger.callbackRate);
  hashNumber(hash, trigger.activationTicks);
  hashNumber(hash, extremeOf(trigger));
  hashNumber(hash, trigger.triggeredAt);
  hashNumber(hash, trigger.order);
  hashNumber(hash, trigger.updatedAt);
  hashText(hash, trigger.clientOrderId);
  hashText(hash, trigger.failure);
}
