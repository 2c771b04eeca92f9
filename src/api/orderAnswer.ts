// From the outcome of an order's command to its answer: the record as it stands now (ORD-7), or
// the reason, told apart as ORD-2 says.

import type { Market } from '../engine/market.ts';
import type { Order } from '../engine/order.ts';
import type { Accepted } from '../engine/outcome.ts';
import { must } from '../std/assert.ts';
import type { Deployment } from './deployment.ts';
import type { Refusal } from './refusal.ts';

/**
 * The order of an accepted command, or of the request that it repeats (ID-3). A repeated order
 * that the view of ended orders has forgotten is `orderEnded`.
 */
export function acceptedOrder(
  { exchange, findEndedOrder }: Deployment,
  account: { readonly id: Order['account'] },
  { order, repeatedOrder }: Accepted,
): Readonly<Order> | Refusal {
  if (order !== undefined) return order;
  const { id } = must(repeatedOrder, 'an accepted order command names its order');
  return exchange.orders.get(id) ?? findEndedOrder(account.id, { id }) ?? { reason: 'orderEnded' };
}

/** The market of an order. */
export function marketOf({ exchange }: Deployment, order: Readonly<Order>): Market {
  return must(exchange.markets[order.market], 'every order is on a market');
}
