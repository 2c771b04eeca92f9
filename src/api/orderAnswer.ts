// From the outcome of an order's command to its answer: the record as it stands now (ORD-7), or
// the reason, told apart as ORD-2 says.

import type { Market } from '../engine/market.ts';
import type { Order } from '../engine/order.ts';
import type { Accepted } from '../engine/outcome.ts';
import type { Trigger } from '../engine/trigger.ts';
import { must } from '../std/assert.ts';
import type { Deployment } from './deployment.ts';
import { findOrderById, type ShownOrder } from './findAnyOrder.ts';
import type { Refusal } from './refusal.ts';

/** The order of an accepted command, or the trigger of the order route that it placed or ended. */
export function orderOf({ order, trigger }: Accepted): ShownOrder {
  return must(order ?? trigger, 'an accepted order command names its order');
}

/**
 * The same, or what the request repeats (ID-3). A repeated order that the views of what has ended
 * have forgotten is `orderEnded`.
 */
export function acceptedOrder(
  deployment: Deployment,
  account: { readonly id: Order['account'] },
  outcome: Accepted,
): ShownOrder | Refusal {
  if (outcome.repeated === undefined) return orderOf(outcome);
  const order = findOrderById(deployment, account, outcome.repeated.id);
  return order ?? { reason: 'orderEnded' };
}

/** The trigger of an accepted command of the algo route, or what the request repeats (ID-3). */
export function acceptedTrigger(
  { exchange, findEndedTrigger }: Deployment,
  account: { readonly id: Trigger['account'] },
  { trigger, repeated }: Accepted,
): Readonly<Trigger> | Refusal {
  if (trigger !== undefined) return trigger;
  const { id } = must(repeated, 'an accepted trigger command names its trigger');
  const known = exchange.triggers.get(id) ?? findEndedTrigger(account.id, { id });
  return known ?? { reason: 'orderEnded' };
}

/** The market of an order. */
export function marketOf({ exchange }: Deployment, order: Pick<Order, 'market'>): Market {
  return must(exchange.markets[order.market], 'every order is on a market');
}
