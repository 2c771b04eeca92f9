// Mixes an order into a running hash: every field that is state, none of the transient links.
// Shared by the hash of events and the hash of the state.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { orderFlags, sellFlag } from '../codec/orderFlags.ts';
import type { Order } from '../order.ts';

export function hashOrder(hash: Hash, order: Readonly<Order>): void {
  // The bit of the side says here that the order buys.
  hashPair(hash, orderFlags(order) ^ sellFlag, order.market);
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
