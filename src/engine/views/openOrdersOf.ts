// The live orders of an account, of one market or of all, ascending by creation.

import type { MarketId } from '../../units/units.ts';
import { rests } from '../clearing/cover.ts';
import type { Account } from './account.ts';
import type { Order } from './order.ts';
import { stateOf } from './stateOf.ts';

/** Cost: the account's open orders, at most 200 a market (ORD-9). */
export function openOrdersOf(account: Account, market?: MarketId): Order[] {
  const orders: Order[] = [];
  for (const position of stateOf.account(account).positions) {
    if (position === undefined || (market !== undefined && position.market !== market)) continue;
    for (const oldest of [position.oldestBuy, position.oldestSell]) {
      for (let order = oldest; order !== null; order = order.newer) {
        if (rests(order)) orders.push(order);
      }
    }
  }
  return orders.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
}
