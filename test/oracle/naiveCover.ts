// MAR-1 and ORD-6 after a change: reduce-only orders are cut to the position, cover is dealt again,
// freezes follow it.

import { least, sizeOf } from './exact.ts';
import { endOrder } from './naiveDebit.ts';
import { freezeFor, marketOf } from './naiveFigures.ts';
import type { NaiveOrder, NaiveState } from './naiveState.ts';

/** The account's orders of a market, oldest first. */
function queueOf(state: NaiveState, account: number, market: number): NaiveOrder[] {
  return state.orders.filter((order) => order.account === account && order.market === market);
}

/**
 * ORD-6: each reduce-only order is cut to the position; without an opposite one it is cancelled.
 */
export function cutReduceOnly(state: NaiveState, account: number, market: number): void {
  const { lots } = state.accounts[account]!.positions[market]!;
  for (const order of queueOf(state, account, market)) {
    if (!order.reduceOnly || order.open === 0n) continue;
    if (lots * order.side >= 0n) endOrder(state, order, 'REDUCE_ONLY');
    else order.open = least(order.open, sizeOf(lots));
  }
}

/** The cover of every order by the present position: oldest first, each unit once. */
function deal(state: NaiveState, account: number, market: number): void {
  const { lots } = state.accounts[account]!.positions[market]!;
  let left = sizeOf(lots);
  for (const order of queueOf(state, account, market)) {
    const closes = lots * order.side < 0n && !order.reduceOnly;
    order.cover = closes ? least(order.open, left) : 0n;
    left -= order.cover;
  }
}

/**
 * Cover is assigned; freed freezes return; then each resting order freezes its missing amount,
 * oldest first. The oldest that cannot is cancelled, and everything is assigned again. The incoming
 * order's freeze is that of its tentative execution and stays.
 */
export function dealCover(state: NaiveState, account: number, market: number): void {
  const owner = state.accounts[account]!;
  for (;;) {
    deal(state, account, market);
    const queue = queueOf(state, account, market).filter(({ resting }) => resting);
    const due = queue.map((order) => {
      if (order.reduceOnly) return 0n;
      const opening = order.open - order.cover;
      return freezeFor(marketOf(state, market), opening, order.ticks, order.leverage);
    });
    queue.forEach((order, at) => {
      if (order.freeze <= due[at]!) return;
      owner.available += order.freeze - due[at]!;
      order.freeze = due[at]!;
    });
    const failing = queue.find((order, at) => {
      const shortfall = due[at]! - order.freeze;
      if (shortfall > owner.available) return true;
      owner.available -= shortfall;
      order.freeze = due[at]!;
      return false;
    });
    if (failing === undefined) return;
    endOrder(state, failing, 'MARGIN');
  }
}

/** Ends an order and deals its cover again at once (MAR-1b). */
export function cancel(state: NaiveState, order: NaiveOrder, reason: string): void {
  endOrder(state, order, reason);
  dealCover(state, order.account, order.market);
}
