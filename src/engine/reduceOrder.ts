// How an order becomes smaller: by a fill, a cut or its end. Only this file lowers the lots of a
// level. Clearing, which does not know the book, reaches its levels through their orders.

import { assert } from '../std/assert.ts';
import type { Lots } from '../units/units.ts';
import type { Order } from './order.ts';
import { touchLevel, touchOrder, type Undo } from './undo.ts';

/** Subtracts `lots` from an order's open lots and, if it rests, from its level. */
export function reduceOrder(undo: Undo, order: Order, lots: Lots): void {
  assert(lots <= order.open, 'an order is reduced by at most what is open');
  touchOrder(undo, order);
  order.open = (order.open - lots) as Lots;
  const { level } = order;
  if (level === null) return;
  touchLevel(undo, level);
  level.lots = (level.lots - lots) as Lots;
}
