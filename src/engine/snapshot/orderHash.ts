// Mixes every field of an order's state into a running hash, without the transient links. The
// hashes of events and of the state share it.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { orderFlags, sellFlag } from '../codec/orderFlags.ts';
import type { Order } from '../order.ts';
import type { Legs } from '../pair.ts';

export function hashOrder(hash: Hash, order: Readonly<Order>): void {
  // Here the bit of the side means that the order buys.
  hashPair(hash, orderFlags(order) ^ sellFlag, order.market);
  hashNumber(hash, order.id);
  hashPair(hash, order.account, order.leverage);
  hashNumber(hash, order.createdAt);
  hashNumber(hash, order.updatedAt);
  // Prices are at most ticksMax, so two of them fit into one step.
  hashPair(hash, order.ticks, order.markAtCreation);
  hashNumber(hash, order.lots);
  hashNumber(hash, order.open);
  hashNumber(hash, order.filled);
  hashNumber(hash, order.filledNotional);
  hashNumber(hash, order.cover);
  hashNumber(hash, order.freeze);
  hashNumber(hash, order.uncovered);
  hashNumber(hash, order.priority);
  // The trigger's own fields are hashed while it waits and at its end.
  hashNumber(hash, order.trigger === null ? 0 : order.trigger.id);
  hashText(hash, order.clientOrderId);
  if (order.legs !== null) hashLegs(hash, order.legs);
}

export function hashLegs(hash: Hash, { takeProfit, stopLoss }: Readonly<Legs>): void {
  hashNumber(hash, takeProfit);
  hashNumber(hash, stopLoss);
}
