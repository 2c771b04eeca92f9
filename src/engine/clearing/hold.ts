// What an open order holds of its account (MAR-1): a freeze of money and, in unified mode, a
// unified-margin offset (MAR-7). The offset is given back first.

import type { Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Order } from '../order.ts';
import { touchAccount } from '../undo.ts';
import { freeze, unfreeze } from './ledger.ts';
import { unrealizedOf } from './margin.ts';

/** What the order holds, money and offset. */
export function heldBy(order: Order): number {
  return order.freeze + order.uncovered;
}

/** Releases `amount` of what the order holds; gives the part that was money. */
export function release(exchange: Exchange, account: Account, order: Order, amount: number): Money {
  const stoodIn = Math.min(order.uncovered, amount) as Money;
  if (stoodIn > 0) {
    order.uncovered = (order.uncovered - stoodIn) as Money;
    addUncovered(exchange, account, -stoodIn);
  }
  const money = (amount - stoodIn) as Money;
  order.freeze = (order.freeze - money) as Money;
  unfreeze(exchange, account, money);
  return money;
}

/**
 * Makes the order hold `amount` more, from available first. False, without any effect, when it
 * cannot.
 */
export function hold(exchange: Exchange, account: Account, order: Order, amount: number): boolean {
  const stoodIn = Math.max(0, amount - account.available);
  if (stoodIn > standInRoom(exchange, account)) return false;
  const money = (amount - stoodIn) as Money;
  freeze(exchange, account, money);
  order.freeze = (order.freeze + money) as Money;
  if (stoodIn === 0) return true;
  order.uncovered = (order.uncovered + stoodIn) as Money;
  addUncovered(exchange, account, stoodIn);
  return true;
}

/** Changes Σ uncovered of the account. */
export function addUncovered(exchange: Exchange, account: Account, delta: number): void {
  touchAccount(exchange.undo, account);
  account.uncovered = (account.uncovered + delta) as Money;
}

/** Σ positive unrealised PnL less the offsets in use; 0 except in unified mode. */
export function standInRoom(exchange: Exchange, account: Account): number {
  if (account.marginMode !== 'unified') return 0;
  let profit = 0;
  for (const position of account.positions) {
    if (position === undefined) continue;
    profit += Math.max(0, unrealizedOf(exchange.markets[position.market]!, position));
  }
  return Math.max(0, profit - account.uncovered);
}
