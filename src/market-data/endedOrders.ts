// The last ended orders, so that a query finds them and a cancel can distinguish "no longer held"
// from "never existed" (ORD-2) until history answers. Bounded; part of the archivist's snapshot.

import { endedOrdersMax } from '../engine/limits.ts';
import type { Order } from '../engine/views/order.ts';
import type { AccountId, OrderId } from '../units/units.ts';
import {
  createReferenceIndex,
  findByReference,
  type Reference,
  type ReferenceIndex,
} from './referenceIndex.ts';
import { createRowRing, indexOf, type RowRing } from './rowRing.ts';

export type EndedOrders = RowRing<Readonly<Order>, ReferenceIndex<Readonly<Order>>>;

export function createEndedOrders(max: number = endedOrdersMax): EndedOrders {
  return createRowRing(max, createReferenceIndex<Readonly<Order>>);
}

/** An ended order of the account. */
export function findEndedOrder(
  ended: EndedOrders,
  account: AccountId,
  reference: Reference,
): Readonly<Order> | undefined {
  return findByReference(indexOf(ended), account, reference);
}

/** An ended order of any account. */
export function findEndedOrderById(ended: EndedOrders, id: OrderId): Readonly<Order> | undefined {
  return indexOf(ended).byId.get(id);
}
