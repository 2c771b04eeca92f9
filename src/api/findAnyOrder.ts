// Finds one order of an account by either id, whether it waits, is active or has ended. When there
// is none, it finds the reason (ORD-2): -2011 for an order that the engine does not hold any
// more, -2013 for one that never existed. The search goes through the state, then the views of
// ended orders, then history, and last the positions closed outside the book. A trigger of the
// order route is an order here; one of the algo route is not (TRG-2).

import type { OrderReference } from '../engine/command.ts';
import type { Account } from '../engine/views/account.ts';
import { orderById, triggerById } from '../engine/views/exchange.ts';
import type { Market } from '../engine/views/market.ts';
import { findOrder } from '../engine/views/order.ts';
import { findTrigger, type Trigger, waits } from '../engine/views/trigger.ts';
import type { OrderId } from '../units/units.ts';
import type { Deployment } from './deployment.ts';
import { forcedOrder } from './forcedOrder.ts';
import { type HistoryFailure, hasFailed, type ShownOrderOrTrigger } from './historyPort.ts';
import type { Refusal } from './refusal.ts';

export type OrderQuery = {
  readonly account: Account;
  readonly reference: OrderReference;
  /** undefined: on any market. */
  readonly market: Market | undefined;
};

/** The active order, or the waiting trigger of the order route. */
export function findActive(
  { exchange }: Deployment,
  { account, reference, market }: OrderQuery,
): ShownOrderOrTrigger | undefined {
  const live = findOrder(exchange, account, reference, market?.id);
  if (live !== undefined) return live;
  const trigger = findTrigger(exchange, account, reference, market?.id);
  const waiting = trigger !== undefined && trigger.route === 'order' && waits(trigger);
  return waiting ? trigger : undefined;
}

/** An ended order, while the views of ended orders remember it. */
function findRemembered(
  deployment: Deployment,
  query: OrderQuery,
): ShownOrderOrTrigger | undefined {
  const { account, reference } = query;
  const order = deployment.findEndedOrder(account.id, reference);
  const trigger = deployment.findEndedTrigger(account.id, reference);
  const candidates: ShownOrderOrTrigger[] = [];
  if (order !== undefined && fits(order, query)) candidates.push(order);
  if (trigger !== undefined && fits(trigger, query) && endedUnfired(trigger)) {
    candidates.push(trigger);
  }
  return candidates.reduce<ShownOrderOrTrigger | undefined>(
    (latest, each) => (latest === undefined || isLater(each, latest) ? each : latest),
    undefined,
  );
}

async function findInHistory(
  { history }: Deployment,
  query: OrderQuery,
): Promise<ShownOrderOrTrigger | undefined | HistoryFailure> {
  const { account, reference, market } = query;
  const found =
    'id' in reference
      ? await history.orderById({ id: reference.id })
      : await history.orderByClientId({ ...reference, account: account.id, market: market?.id });
  if (hasFailed(found)) return found;
  return found?.account === account.id && fits(found, query) ? found : undefined;
}

/** A takeover or a deleveraging. Both of its sides share its number (LIQ-3, LIQ-4). */
async function findForced(
  { forceOrdersOf }: Deployment,
  { account, reference, market }: OrderQuery,
): Promise<ShownOrderOrTrigger | undefined | HistoryFailure> {
  if (!('id' in reference)) return undefined;
  const { id, createdAt } = reference;
  const there = { market: market?.id, from: reference, endTime: createdAt, limit: 1 };
  const rows = await forceOrdersOf(account.id, there);
  if (hasFailed(rows)) return rows;
  const [row] = rows;
  return row?.id === id ? forcedOrder(row) : undefined;
}

function fits(shown: ShownOrderOrTrigger, { reference, market }: OrderQuery): boolean {
  if (market !== undefined && shown.market !== market.id) return false;
  return !('id' in reference) || shown.createdAt === reference.createdAt;
}

/**
 * A trigger of the order route that ended without an order. A trigger that has fired shows its
 * order instead.
 */
function endedUnfired({ route, status }: Readonly<Trigger>): boolean {
  return route === 'order' && status !== 'FINISHED' && status !== 'TRIGGERED';
}

function isLater(a: ShownOrderOrTrigger, b: ShownOrderOrTrigger): boolean {
  return a.updatedAt > b.updatedAt || (a.updatedAt === b.updatedAt && a.id > b.id);
}

/** An order that memory does not have. */
async function findForgotten(
  deployment: Deployment,
  query: OrderQuery,
): Promise<ShownOrderOrTrigger | undefined | HistoryFailure> {
  return (await findInHistory(deployment, query)) ?? findForced(deployment, query);
}

/** The active order, else the most recent ended one with that id. */
export async function findAnyOrder(
  deployment: Deployment,
  query: OrderQuery,
): Promise<ShownOrderOrTrigger | undefined | HistoryFailure> {
  const known = findActive(deployment, query) ?? findRemembered(deployment, query);
  return known ?? findForgotten(deployment, query);
}

/**
 * The order of this number, if memory has it. The number must come from the account's own request,
 * because the owner of an order that is not over is not compared.
 */
export function findKnownById(
  deployment: Deployment,
  { id: account }: Pick<Account, 'id'>,
  id: OrderId,
): ShownOrderOrTrigger | undefined {
  const { exchange } = deployment;
  const live = orderById(exchange, id);
  if (live !== undefined) return live;
  const trigger = triggerById(exchange, id);
  if (trigger !== undefined && waits(trigger)) return trigger;
  const ended = deployment.findEndedOrder(account, { id });
  if (ended !== undefined) return ended;
  const unfired = deployment.findEndedTrigger(account, { id });
  return unfired !== undefined && endedUnfired(unfired) ? unfired : undefined;
}

/**
 * Why the engine has no such active order: it has ended, or it never existed. Nothing was done in
 * either case, so the order counts as unknown when history does not answer.
 */
export async function refusalOfMissing(
  deployment: Deployment,
  query: OrderQuery,
): Promise<Refusal> {
  const ended = findRemembered(deployment, query) ?? (await findForgotten(deployment, query));
  const unknown = ended === undefined || hasFailed(ended);
  return { reason: unknown ? 'orderUnknown' : 'orderEnded' };
}
