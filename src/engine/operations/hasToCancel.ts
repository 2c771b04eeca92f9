// Whether an account has something on a market, or on any, that a countdown (ORD-13b) or the end of
// a connection (COD-3) would end, or a position for whose orders it may be.

import type { MarketId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { openTriggersOf } from '../openTriggersOf.ts';

/** An open order, a waiting trigger or a position on the market, or without one on any. */
export function hasToCancel(account: Account, market?: MarketId): boolean {
  const { positions, waitingTriggers } = account;
  const looked = market === undefined ? positions : [positions[market]];
  const isHeld = looked.some((position) => {
    return position !== undefined && (position.orderCount > 0 || position.lots !== 0);
  });
  return isHeld || (waitingTriggers > 0 && openTriggersOf(account, market).length > 0);
}
