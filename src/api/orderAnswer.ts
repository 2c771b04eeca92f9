// Makes the answer from the outcome of an order's command: the record as it is now (ORD-7), or the
// reason, which ORD-2 distinguishes.

import type { Accepted } from '../engine/outcome.ts';
import { marketById, triggerById } from '../engine/views/exchange.ts';
import type { Market, MarketGrid } from '../engine/views/market.ts';
import type { Order } from '../engine/views/order.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import { must } from '../std/assert.ts';
import type { Deployment } from './deployment.ts';
import { findKnownById } from './findAnyOrder.ts';
import { hasFailed, type ShownOrderOrTrigger, type StoredTrigger } from './historyPort.ts';
import type { Answer, Answered } from './operation.ts';
import { type OrderFigures, orderRecordText } from './orderRecord.ts';

type Caller = { readonly id: Order['account'] };

/** The order of an accepted command, or the trigger of the order route that it placed or ended. */
export function orderOf({ order, trigger }: Accepted): ShownOrderOrTrigger {
  return must(order ?? trigger, 'an accepted order command names its order');
}

/** The answer that shows one order, or a trigger of the order route, as it is now. */
export function answerOrder(
  order: OrderFigures | ShownOrderOrTrigger,
  market: MarketGrid,
): Answer & { readonly status: 200 } {
  return { status: 200, text: orderRecordText(order, market) };
}

/**
 * Applies `show` to the order, or to the order that the request repeats (ID-3). `show` gets what
 * the engine holds at once, and what memory has forgotten when history has answered.
 */
export function answerAccepted(
  deployment: Deployment,
  account: Caller,
  outcome: Accepted,
  show: (order: ShownOrderOrTrigger) => Answer,
): Answered {
  if (outcome.repeated === undefined) return show(orderOf(outcome));
  const { id } = outcome.repeated;
  const known = findKnownById(deployment, account, id);
  if (known !== undefined) return show(known);
  return deployment.history
    .orderById({ id })
    .then((found) => (hasFailed(found) ? found : show(must(found, 'it was accepted'))));
}

/** The same for a command of the algo route. */
export function answerAcceptedTrigger(
  { exchange, findEndedTrigger, history }: Deployment,
  { id: account }: Caller,
  { trigger, repeated }: Accepted,
  show: (trigger: Readonly<Trigger> | StoredTrigger) => Answered,
): Answered {
  if (trigger !== undefined) return show(trigger);
  const { id } = must(repeated, 'an accepted trigger command names its trigger');
  const known = triggerById(exchange, id) ?? findEndedTrigger(account, { id });
  if (known !== undefined) return show(known);
  return history
    .triggerById({ account, id })
    .then((found) => (hasFailed(found) ? found : show(must(found, 'it was accepted'))));
}

/** The market of an order. */
export function marketOf(
  { exchange }: Pick<Deployment, 'exchange'>,
  order: Pick<Order, 'market'>,
): Market {
  return must(marketById(exchange, order.market), 'every order is on a market');
}
