// Mixes an order into a running hash: every field that is state, none of the transient links.
// Shared by the hash of events and the hash of the state.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { enumerationIndex } from '../codec/enumeration.ts';
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

/** The enumerations and flags of an order as one 32-bit integer. */
function packEnumerations(order: Readonly<Order>): number {
  return (
    (order.side === 1 ? 1 : 0) |
    (order.reduceOnly ? 2 : 0) |
    (order.priceProtect ? 4 : 0) |
    (enumerationIndex(orderTypes, order.type) << 3) |
    (enumerationIndex(timesInForce, order.timeInForce) << 6) |
    (enumerationIndex(selfTradeModes, order.selfTradeMode) << 10) |
    (enumerationIndex(workingTypes, order.workingType) << 14) |
    (enumerationIndex(orderStatuses, order.status) << 17) |
    (enumerationIndex(cancelReasons, order.cancelReason) << 22) |
    (enumerationIndex(orderOrigins, order.origin) << 28)
  );
}

export function hashOrder(hash: Hash, order: Readonly<Order>): void {
  hashPair(hash, packEnumerations(order), order.market);
  hashNumber(hash, order.id);
  hashPair(hash, order.account, order.leverage);
  hashNumber(hash, order.createdAt);
  hashNumber(hash, order.updatedAt);
  // Prices are at most ticksMax, so two of them fit one step.
  hashPair(hash, order.ticks, order.markAtCreation);
  hashNumber(hash, order.lots);
  hashNumber(hash, order.open);
  hashNumber(hash, order.filled);
  hashNumber(hash, order.filledNotional);
  hashNumber(hash, order.cover);
  hashNumber(hash, order.freeze);
  hashNumber(hash, order.uncovered);
  hashNumber(hash, order.priority);
  // The trigger's own fields are hashed where it waits and where it ends.
  hashNumber(hash, order.trigger === null ? 0 : order.trigger.id);
  hashText(hash, order.clientOrderId);
}
