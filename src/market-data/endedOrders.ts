// The last ended orders, so that a query finds them and a cancel can tell "no longer held" from
// "never existed" (ORD-2) until history answers. Bounded; part of the archivist's snapshot.

import { parseGeneratedClientOrderId } from '../engine/clientOrderId.ts';
import { endedOrdersMax } from '../engine/limits.ts';
import type { Order } from '../engine/order.ts';
import type { AccountId, OrderId } from '../units/units.ts';

export type EndedOrders = {
  readonly max: number;
  /** The orders in a ring, so that the oldest is found without a search. */
  readonly ring: Readonly<Order>[];
  /** Where the ring's oldest stands once it is full. */
  oldest: number;
  /** Made on demand and kept from then on: a replay that nobody asks has none. */
  index: EndedIndex | undefined;
};

type EndedIndex = {
  readonly byId: Map<OrderId, Readonly<Order>>;
  /** The latest by account and client order id, for ids that clients gave. */
  readonly byClientOrderId: Map<string, Readonly<Order>>;
};

export function createEndedOrders(max: number = endedOrdersMax): EndedOrders {
  return { max, ring: [], oldest: 0, index: undefined };
}

/** Remembers an order that has ended, forgetting the oldest beyond the bound. */
export function rememberEndedOrder(ended: EndedOrders, order: Readonly<Order>): void {
  const { ring, index, max } = ended;
  if (ring.length < max) ring.push(order);
  else {
    if (index !== undefined) removeFromIndex(index, ring[ended.oldest]!);
    ring[ended.oldest] = order;
    ended.oldest = (ended.oldest + 1) % max;
  }
  if (index !== undefined) addToIndex(index, order);
}

/** In the order in which they ended, the oldest first. */
export function* endedInOrder(ended: EndedOrders): Generator<Readonly<Order>, void, undefined> {
  const { ring, oldest } = ended;
  for (let i = 0; i < ring.length; i += 1) yield ring[(oldest + i) % ring.length]!;
}

/** An ended order of the account. */
export function findEndedOrder(
  ended: EndedOrders,
  account: AccountId,
  reference: { readonly id: OrderId } | { readonly clientOrderId: string },
): Readonly<Order> | undefined {
  const index = indexEndedOrders(ended);
  const order =
    'id' in reference
      ? index.byId.get(reference.id)
      : findByClientOrderId(index, account, reference.clientOrderId);
  return order !== undefined && order.account === account ? order : undefined;
}

/** An ended order of whatever account. */
export function findEndedOrderById(ended: EndedOrders, id: OrderId): Readonly<Order> | undefined {
  return indexEndedOrders(ended).byId.get(id);
}

// An id that was never given is derived from the order's number, and the number is in it.
function findByClientOrderId(
  { byId, byClientOrderId }: EndedIndex,
  account: AccountId,
  clientOrderId: string,
): Readonly<Order> | undefined {
  const given = byClientOrderId.get(clientKey(account, clientOrderId));
  if (given !== undefined) return given;
  const id = parseGeneratedClientOrderId(clientOrderId);
  const order = id === undefined ? undefined : byId.get(id);
  return order?.clientOrderId === '' ? order : undefined;
}

/** Makes what questions are answered from, unless it is there. Cost: some 20 ms when it is full. */
export function indexEndedOrders(ended: EndedOrders): EndedIndex {
  if (ended.index !== undefined) return ended.index;
  const index: EndedIndex = { byId: new Map(), byClientOrderId: new Map() };
  for (const order of endedInOrder(ended)) addToIndex(index, order);
  ended.index = index;
  return index;
}

const clientKey = (account: AccountId, clientOrderId: string): string =>
  `${account}:${clientOrderId}`;

function addToIndex({ byId, byClientOrderId }: EndedIndex, order: Readonly<Order>): void {
  byId.set(order.id, order);
  if (order.clientOrderId === '') return;
  byClientOrderId.set(clientKey(order.account, order.clientOrderId), order);
}

function removeFromIndex({ byId, byClientOrderId }: EndedIndex, order: Readonly<Order>): void {
  byId.delete(order.id);
  if (order.clientOrderId === '') return;
  const key = clientKey(order.account, order.clientOrderId);
  if (byClientOrderId.get(key) === order) byClientOrderId.delete(key);
}
