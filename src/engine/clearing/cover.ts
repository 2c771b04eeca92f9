// Cover and freezes of an account's resting orders (MAR-1), and the cutting of reduce-only orders
// to the position (ORD-6). Both follow every change of a position or its orders.

import { freezeUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { endOrder } from '../endOrder.ts';
import type { Exchange } from '../exchange.ts';
import type { Order } from '../order.ts';
import { buy, type Side, sell } from '../orderTypes.ts';
import { oldestOf, type Position } from '../position.ts';
import { reduceOrder } from '../reduceOrder.ts';
import { touchOrder, touchPosition } from '../undo.ts';
import { workOf } from '../work.ts';
import { heldBy, hold, release } from './hold.ts';

/**
 * Whether an order of a queue rests and is live: a dead order, or one that is being modified, does
 * not.
 */
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

/** Whether orders of this side would close the position. */
function closes({ lots }: Position, side: Side): boolean {
  return side > 0 ? lots < 0 : lots > 0;
}

/**
 * The cover that the opposite position has left after the resting orders of a side took their
 * share.
 */
export function coverLeft(position: Position, side: Side): Lots {
  if (!closes(position, side)) return 0 as Lots;
  return (Math.abs(position.lots) - position.covered) as Lots;
}

/**
 * The cover of a resting order if it became the newest of its queue: what the other orders leave
 * (MAR-1). Cost: the account's orders on that side.
 */
export function coverAsNewest(position: Position, newest: Order): Lots {
  if (!closes(position, newest.side)) return 0 as Lots;
  let left = Math.abs(position.lots);
  for (
    let order = oldestOf(position, newest.side);
    order !== null && left > 0;
    order = order.newer
  ) {
    if (order !== newest && rests(order) && !order.reduceOnly) left -= order.open;
  }
  return Math.max(left, 0) as Lots;
}

/**
 * Distributes the position's cover over one queue again, oldest priority first. Freed freezes
 * return at once. Then each order's missing freeze is frozen. The oldest order for which that fails
 * is cancelled (MARGIN), and the cover is distributed again. Gives the covered lots. Cost: the
 * orders that are or become covered, typically a handful.
 */
function dealQueue(exchange: Exchange, account: Account, position: Position, side: Side): number {
  // An order whose freeze is missing may still miss it in the next round, if its cover is
  // unchanged.
  let short = false;
  for (;;) {
    const size = closes(position, side) ? Math.abs(position.lots) : 0;
    let left: number = size;
    for (let order = oldestOf(position, side); order !== null; order = order.newer) {
      exchange.work += workOf.looked;
      if (!rests(order) || order.reduceOnly) continue;
      // The covered orders are the oldest of the queue: after the last of them nothing changes.
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
      if (due > held) short = true;
    }
    if (!short) return size - left;
    const failed = freezeShortfalls(exchange, account, oldestOf(position, side));
    if (failed === undefined) return size - left;
    endOrder(exchange, failed, { status: 'CANCELED', reason: 'MARGIN' });
  }
}

/**
 * Freezes the missing freezes of resting orders, oldest first. Gives the first order for which it
 * fails, or undefined.
 */
function freezeShortfalls(
  exchange: Exchange,
  account: Account,
  oldest: Order | null,
): Order | undefined {
  for (let order = oldest; order !== null; order = order.newer) {
    exchange.work += workOf.looked;
    if (!rests(order) || order.reduceOnly) continue;
    const shortfall = restingFreeze(exchange, order, order.cover) - heldBy(order);
    if (shortfall > 0 && !hold(exchange, account, order, shortfall)) return order;
  }
  return undefined;
}

/**
 * Distributes cover over both sides of a market for an account (MAR-1). The closing side comes
 * first: when a position has changed sides, its new cover frees money that the other side then
 * needs.
 */
export function dealCover(exchange: Exchange, account: Account, position: Position): void {
  if (position.orderCount === 0) return;
  const closing = position.lots > 0 ? sell : buy;
  const other = -closing as Side;
  const covered = dealQueue(exchange, account, position, closing);
  // The rest of the covered lots is on the side that was the closing one before the position
  // changed sides.
  if (position.covered !== covered) dealQueue(exchange, account, position, other);
}

/** Cuts each reduce-only order to the position; cancels those with nothing to reduce. */
export function cutReduceOnly(exchange: Exchange, position: Position): void {
  if (position.reduceOnlyCount === 0) return;
  cutQueue(exchange, position.oldestBuy, Math.max(-position.lots, 0));
  cutQueue(exchange, position.oldestSell, Math.max(position.lots, 0));
}

function cutQueue(exchange: Exchange, oldest: Order | null, size: number): void {
  for (let order = oldest; order !== null; order = order.newer) {
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
