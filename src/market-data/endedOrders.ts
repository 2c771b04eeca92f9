// The last ended orders, so that a query finds them and a cancel can tell "no longer held" from
// "never existed" (ORD-2) until history answers. Bounded; part of the archivist's snapshot.

import { clientOrderIdOf } from '../engine/clientOrderId.ts';
import { endedOrdersMax } from '../engine/limits.ts';
import type { Order } from '../engine/order.ts';
import type { AccountId, OrderId } from '../units/units.ts';

export type EndedOrders = {
  /** In the order in which they ended, the oldest first. */
  readonly byId: Map<OrderId, Readonly<Order>>;
  /** The latest by account and client order id. */
  readonly byClientOrderId: Map<string, OrderId>;
  readonly max: number;
};

export function createEndedOrders(max: number = endedOrdersMax): EndedOrders {
  return { byId: new Map(), byClientOrderId: new Map(), max };
}

const clientKey = (account: AccountId, clientOrderId: string): string =>
  `${account}:${clientOrderId}`;

/** Remembers an order that has ended, forgetting the oldest beyond the bound. */
export function rememberEndedOrder(ended: EndedOrders, order: Readonly<Order>): void {
  ended.byId.set(order.id, order);
  ended.byClientOrderId.set(clientKey(order.account, clientOrderIdOf(order)), order.id);
  if (ended.byId.size <= ended.max) return;
  const oldest = ended.byId.values().next().value!;
  ended.byId.delete(oldest.id);
  const key = clientKey(oldest.account, clientOrderIdOf(oldest));
  if (ended.byClientOrderId.get(key) === oldest.id) ended.byClientOrderId.delete(key);
}

export function findEndedOrder(
  ended: EndedOrders,
  account: AccountId,
  reference: { readonly id: OrderId } | { readonly clientOrderId: string },
): Readonly<Order> | undefined {
  const id =
    'id' in reference
      ? reference.id
      : ended.byClientOrderId.get(clientKey(account, reference.clientOrderId));
  if (id === undefined) return undefined;
  const order = ended.byId.get(id);
  return order !== undefined && order.account === account ? order : undefined;
}
