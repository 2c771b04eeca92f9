// The live orders of all accounts, oldest priority first: the order in which snapshots list them.

import { directValues } from '../std/directMap.ts';
import type { Exchange } from './exchange.ts';
import type { Order } from './order.ts';

/**
 * Cost: the orders, and sorting them. Nearly all stand by their priority before, because only an
 * order that was modified or came from a trigger has another one than its number.
 */
export function ordersByPriority({ orders }: Exchange): Order[] {
  return directValues(orders).toSorted((one, other) => one.priority - other.priority);
}
