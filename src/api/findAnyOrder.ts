// One order of an account, alive or ended, by either id, and what it means when there is none
// (ORD-2): -2011 for an order that the engine no longer holds, -2013 for one that never was.

import type { Account } from '../engine/account.ts';
import type { OrderReference } from '../engine/command.ts';
import type { Market } from '../engine/market.ts';
import type { Order } from '../engine/order.ts';
import { findOrder } from '../engine/views/findOrder.ts';
import type { Deployment } from './deployment.ts';
import type { Refusal } from './refusal.ts';

export type OrderQuery = {
  readonly account: Account;
  readonly reference: OrderReference;
  /** undefined: on whatever market. */
  readonly market: Market | undefined;
};

/** An order that has ended, while the view of ended orders remembers it. */
export function findEnded(
  { findEndedOrder }: Deployment,
  { account, reference, market }: OrderQuery,
): Readonly<Order> | undefined {
  const order = findEndedOrder(account.id, reference);
  if (order === undefined) return undefined;
  if (market !== undefined && order.market !== market.id) return undefined;
  if ('id' in reference && order.createdAt !== reference.createdAt) return undefined;
  return order;
}

/** The active order, else the most recent ended one with that id. */
export function findAnyOrder(
  deployment: Deployment,
  query: OrderQuery,
): Readonly<Order> | undefined {
  const { account, reference, market } = query;
  const live = findOrder(deployment.exchange, account, reference, market?.id);
  return live ?? findEnded(deployment, query);
}

/** Why the engine has no such live order: it has ended, or it never existed. */
export function refusalOfMissing(deployment: Deployment, query: OrderQuery): Refusal {
  const ended = findEnded(deployment, query);
  return ended === undefined ? { reason: 'orderUnknown' } : { reason: 'orderEnded' };
}
