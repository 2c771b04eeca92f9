// How an order ends. It becomes dead at once and gives its freeze back, but it stays in its queues
// until the command is committed. Only flushEnded changes structures, so that a tentative execution
// can be undone.

import { assert, must } from '../std/assert.ts';
import { directDelete } from '../std/directMap.ts';
import type { Lots } from '../units/units.ts';
import { unlinkOrder } from './book/book.ts';
import { heldBy, release } from './clearing/hold.ts';
import { endTrigger } from './endTrigger.ts';
import type { Exchange } from './exchange.ts';
import { type Order, pairIdOf } from './order.ts';
import type { CancelReason, OrderStatus } from './orderTypes.ts';
import { queueUnlink } from './position.ts';
import { reduceOrder } from './reduceOrder.ts';
import { stirPair } from './stirPair.ts';
import { touchPosition } from './undo.ts';
import { workOf } from './work.ts';

/** Ends a live order, or one whose last lot was just filled. Its freeze returns to available. */
export function endOrder(
  exchange: Exchange,
  order: Order,
  end: { readonly status: OrderStatus; readonly reason: CancelReason },
): void {
  assert(order.status === 'NEW' || order.status === 'PARTIALLY_FILLED', 'an order ends once');
  exchange.work += workOf.ended;
  reduceOrder(exchange.undo, order, order.open);
  if (order.level !== null) {
    const position = must(order.position, 'an order that rests has a position');
    touchPosition(exchange.undo, position);
    position.orderCount -= 1;
    position.covered = (position.covered - order.cover) as Lots;
    if (order.reduceOnly) position.reduceOnlyCount -= 1;
  }
  release(exchange, exchange.accounts[order.account]!, order, heldBy(order));
  order.cover = 0 as Lots;
  order.status = end.status;
  order.cancelReason = end.reason;
  order.updatedAt = exchange.time;
  exchange.ended.push(order);
  exchange.events.push({ kind: 'orderEnded', order });
}

/**
 * Removes the dead orders of this command from every structure; their triggers end (TRG-2), and
 * their legs may (ATT-3).
 */
export function flushEnded(exchange: Exchange): void {
  assert(!exchange.undo.active, 'structures do not change during a tentative execution');
  const { ended } = exchange;
  for (let order = ended.pop(); order !== undefined; order = ended.pop()) {
    if (order.trigger !== null) endTrigger(exchange, order.trigger, 'FINISHED');
    if (order.legs !== null) stirPair(exchange, exchange.pairs.get(pairIdOf(order)));
    if (order.level === null) continue;
    const { book } = exchange.markets[order.market]!;
    book.updateId += 1;
    unlinkOrder(book, order);
    order.level = null;
    queueUnlink(order);
    directDelete(exchange.orders, order.id);
    if (order.clientOrderId !== '') {
      exchange.accounts[order.account]!.clientOrderIds.delete(order.clientOrderId);
    }
  }
}
