// The exchange's own reduce-only IOC: for a liquidation (LIQ-1) and for the fund's unwinding
// (LIQ-6).

import { signOf } from './exact.ts';
import { endOrder, ownOrder } from './naiveDebit.ts';
import type { Fill } from './naiveFillCheck.ts';
import { sweep } from './naiveMatch.ts';
import type { NaiveOrder, NaiveState } from './naiveState.ts';

/** Closes lots of a position on the book up to a limit; gives what was filled. */
export function closeOnBook(
  state: NaiveState,
  account: number,
  market: number,
  lots: bigint,
  limit: bigint,
): Fill[] {
  const order: NaiveOrder = {
    name: ownOrder,
    account,
    market,
    side: -signOf(state.accounts[account]!.positions[market]!.lots),
    ticks: limit,
    reduceOnly: true,
    selfTrade: 'EXPIRE_MAKER',
    leverage: 1n,
    open: lots,
    filled: 0n,
    cover: 0n,
    freeze: 0n,
    resting: false,
    status: 'NEW',
    cancelReason: 'NONE',
  };
  state.orders.push(order);
  const tentative = { cover: 0n, needed: 0n, uncovered: 0n, worst: 0n };
  const fills = sweep(state, { order, limit, own: true, tentative });
  endOrder(state, order, 'LIQUIDATION');
  return fills;
}
