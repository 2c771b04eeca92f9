// Cover and freezes of an account's resting orders (MAR-1), and the cutting of reduce-only orders
// to the position (ORD-6). Both follow every change of position or orders.

import { freezeUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { endOrder } from '../endOrder.ts';
import type { Exchange } from '../exchange.ts';
import type { Order } from '../order.ts';
import type { OrderQueue, Position } from '../position.ts';
import { reduceOrder } from '../reduceOrder.ts';
import { touchOrder, touchPosition } from '../undo.ts';
import { workOf } from '../work.ts';
import { heldBy, hold, release } from './hold.ts';

/** Whether an order of a queue rests and lives: a dead one, or one being modified, does not. */
export function rests(order: Order): boolean {
  return order.open > 0 && order.level !== null;
}

/** What a resting order must hold: opening × price / leverage × 1.005, rounded up (MAR-1). */
export function restingFreeze(exchange: Exchange, order: Order, cover: Lots): Money {
  const opening = (order.open - cover) as Lots;
  if (order.reduceOnly || opening === 0) return 0 as Money;
  const { grain } = exchange.markets[order.market]!;
  return freezeUp(notionalOf(order.ticks, opening, grain), order.leverage);
}

/** The queue whose orders would close the position; undefined when it is flat. */
export function closingQueue(position: Position): OrderQueue | undefined {
  if (position.lots === 0) return undefined;
  return position.lots > 0 ? position.sells : position.buys;
}

/** What the opposite position still covers after the queue's resting orders took their share. */
export function coverLeft(position: Position, queue: OrderQueue): Lots {
  if (closingQueue(position) !== queue) return 0 as Lots;
  return (Math.abs(position.lots) - position.covered) as Lots;
}

/**
 * What the opposite position would cover of a resting order if it became the newest of its queue:
 * what the others leave (MAR-1). Cost: the account's orders on that side.
 */
export function coverAsNewest(position: Position, queue: OrderQueue, newest: Order): Lots {
  if (closingQueue(position) !== queue) return 0 as Lots;
  let left = Math.abs(position.lots);
  for (let order = queue.oldest; order !== null && left > 0; order = order.newer) {
    if (order !== newest && rests(order) && !order.reduceOnly) left -= order.open;
  }
  return Math.max(left, 0) as Lots;
}

/**
 * Deals the position's cover anew over one queue, oldest priority first. Freed freezes return at
 * once; then what each order lacks is frozen, and the oldest that cannot be is cancelled (MARGIN)
 * and the cover dealt again. Gives the lots that it covers. Cost: the orders that are or become
 * covered, typically a handful.
 */
function dealQueue(
  exchange: Exchange,
  account: Account,
  position: Position,
  queue: OrderQueue,
): number {
  // Once an order lacks a freeze it may still do so in the next round, where its cover stands.
  let lacking = false;
  for (;;) {
    const size = closingQueue(position) === queue ? Math.abs(position.lots) : 0;
    let left: number = size;
    for (let order = queue.oldest; order !== null; order = order.newer) {
      exchange.work += workOf.looked;
      if (!rests(order) || order.reduceOnly) continue;
      // The covered orders are the queue's oldest: behind the last of them nothing changes.
      if (left === 0 && order.cover === 0) break;
      const cover = Math.min(order.open, left) as Lots;
      left -= cover;
      const due = restingFreeze(exchange, order, cover);
      const held = heldBy(order);
      if (cover === order.cover && due === held) continue;
      touchOrder(exchange.undo, order);
      touchPosition(exchange.undo, position);
      position.covered = (position.covered + cover - order.cover) as Lots;
      order.cover = cover;
      if (due < held) release(exchange, account, order, held - due);
      if (due > held) lacking = true;
    }
    if (!lacking) return size - left;
    const failed = freezeLacking(exchange, account, queue);
    if (failed === undefined) return size - left;
    endOrder(exchange, failed, { status: 'CANCELED', reason: 'MARGIN' });
  }
}

/** Freezes what resting orders lack, oldest first; the first that cannot be frozen, or undefined. */
function freezeLacking(exchange: Exchange, account: Account, queue: OrderQueue): Order | undefined {
  for (let order = queue.oldest; order !== null; order = order.newer) {
    exchange.work += workOf.looked;
    if (!rests(order) || order.reduceOnly) continue;
    const lack = restingFreeze(exchange, order, order.cover) - heldBy(order);
    if (lack > 0 && !hold(exchange, account, order, lack)) return order;
  }
  return undefined;
}

/**
 * Deals cover over both sides of a market for an account (MAR-1). The closing side comes first:
 * when a position has turned, what its new cover frees serves what the other side then lacks.
 */
export function dealCover(exchange: Exchange, account: Account, position: Position): void {
  if (position.orderCount === 0) return;
  const { buys, sells } = position;
  const closing = position.lots > 0 ? sells : buys;
  const other = closing === sells ? buys : sells;
  const covered = dealQueue(exchange, account, position, closing);
  // What is covered beyond that is on the side that was the closing one before a turn.
  if (position.covered !== covered) dealQueue(exchange, account, position, other);
}

/** Cuts each reduce-only order to the position; cancels those that have nothing to reduce. */
export function cutReduceOnly(exchange: Exchange, position: Position): void {
  if (position.reduceOnlyCount === 0) return;
  cutQueue(exchange, position.buys, Math.max(-position.lots, 0));
  cutQueue(exchange, position.sells, Math.max(position.lots, 0));
}

function cutQueue(exchange: Exchange, queue: OrderQueue, size: number): void {
  for (let order = queue.oldest; order !== null; order = order.newer) {
    exchange.work += workOf.looked;
    if (!rests(order) || !order.reduceOnly || order.open <= size) continue;
    if (size === 0) {
      endOrder(exchange, order, { status: 'CANCELED', reason: 'REDUCE_ONLY' });
      continue;
    }
    const excess = (order.open - size) as Lots;
    reduceOrder(exchange.undo, order, excess);
    order.lots = (order.lots - excess) as Lots;
    order.updatedAt = exchange.time;
    const { id, account, market, lots } = order;
    exchange.events.push({ kind: 'orderCut', id, account, market, lots });
  }
}
