// The last ended orders, so that a query finds them and a cancel can tell "no longer held" from
// "never existed" (ORD-2) until history answers. Bounded; part of the archivist's snapshot.

import { endedOrdersMax } from '../engine/limits.ts';
import type { Order } from '../engine/order.ts';
import type { AccountId, OrderId } from '../units/units.ts';
import {
  createReferenceIndex,
  findByReference,
  type Reference,
  type ReferenceIndex,
} from './referenceIndex.ts';
import { createRowRing, indexOf, type RowRing, rememberRow, rowsInOrder } from './rowRing.ts';

export type EndedOrders = RowRing<Readonly<Order>, ReferenceIndex<Readonly<Order>>>;

export function createEndedOrders(max: number = endedOrdersMax): EndedOrders {
  return createRowRing(max, createReferenceIndex<Readonly<Order>>);
}

/** Remembers an order that has ended, forgetting the oldest beyond the bound. */
export function rememberEndedOrder(ended: EndedOrders, order: Readonly<Order>): void {
  rememberRow(ended, order);
}

/** In the order in which they ended, the oldest first. */
export function endedInOrder(ended: EndedOrders): Generator<Readonly<Order>, void, undefined> {
  return rowsInOrder(ended);
}

/** An ended order of the account. */
export function findEndedOrder(
  ended: EndedOrders,
  account: AccountId,
  reference: Reference,
): Readonly<Order> | undefined {
  return findByReference(indexOf(ended), account, reference);
}

/** An ended order of whatever account. */
export function findEndedOrderById(ended: EndedOrders, id: OrderId): Readonly<Order> | undefined {
  return indexOf(ended).byId.get(id);
}
