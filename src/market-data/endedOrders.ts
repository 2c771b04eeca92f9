// The last ended orders, so that a query finds them and a cancel can tell "no longer held" from
// "never existed" (ORD-2) until history answers. Bounded; part of the archivist's snapshot.

import { parseGeneratedClientOrderId } from '../engine/clientOrderId.ts';
import { endedOrdersMax } from '../engine/limits.ts';
import type { Order } from '../engine/order.ts';
import type { AccountId, OrderId } from '../units/units.ts';

export type EndedOrders = {
  /** In the order in which they ended, the oldest first. */
  readonly byId: Map<OrderId, Readonly<Order>>;
  /** The latest by account and client order id, for ids that clients gave. */
  readonly byClientOrderId: Map<string, OrderId>;
  readonly max: number;
  /**
   * The same orders' ids as a ring: a map that always loses its first entry would step over all
   * it ever lost to find the next.
   */
  readonly ring: OrderId[];
  /** Where the ring's oldest stands once it is full. */
  oldest: number;
};

export function createEndedOrders(max: number = endedOrdersMax): EndedOrders {
  return { byId: new Map(), byClientOrderId: new Map(), max, ring: [], oldest: 0 };
}

const clientKey = (account: AccountId, clientOrderId: string): string =>
  `${account}:${clientOrderId}`;

/** Remembers an order that has ended, forgetting the oldest beyond the bound. */
export function rememberEndedOrder(ended: EndedOrders, order: Readonly<Order>): void {
  if (ended.ring.length < ended.max) ended.ring.push(order.id);
  else replaceOldest(ended, order.id);
  ended.byId.set(order.id, order);
  if (order.clientOrderId === '') return;
  ended.byClientOrderId.set(clientKey(order.account, order.clientOrderId), order.id);
}

function replaceOldest(ended: EndedOrders, id: OrderId): void {
  const { ring, byId, byClientOrderId } = ended;
  const order = byId.get(ring[ended.oldest]!)!;
  ring[ended.oldest] = id;
  ended.oldest = (ended.oldest + 1) % ended.max;
  byId.delete(order.id);
  if (order.clientOrderId === '') return;
  const key = clientKey(order.account, order.clientOrderId);
  if (byClientOrderId.get(key) === order.id) byClientOrderId.delete(key);
}

export function findEndedOrder(
  ended: EndedOrders,
  account: AccountId,
  reference: { readonly id: OrderId } | { readonly clientOrderId: string },
): Readonly<Order> | undefined {
  const id = 'id' in reference ? reference.id : idOf(ended, account, reference.clientOrderId);
  if (id === undefined) return undefined;
  const order = ended.byId.get(id);
  return order !== undefined && order.account === account ? order : undefined;
}

// An id that was never given is derived from the order's number, and the number is in it.
function idOf(
  { byId, byClientOrderId }: EndedOrders,
  account: AccountId,
  clientOrderId: string,
): OrderId | undefined {
  const given = byClientOrderId.get(clientKey(account, clientOrderId));
  if (given !== undefined) return given;
  const id = parseGeneratedClientOrderId(clientOrderId);
  return id !== undefined && byId.get(id)?.clientOrderId === '' ? id : undefined;
}
