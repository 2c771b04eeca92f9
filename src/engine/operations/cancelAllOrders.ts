// Ends all orders of an account on a market, or on all, on its request or because the countdown ran
// out (ORD-13), and the triggers that were placed as orders (TRG-2). Cancels are allowed in every
// status of the market.

import type { MarketId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { rests } from '../clearing/cover.ts';
import type { CancelAllOrders } from '../command.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import type { Exchange } from '../exchange.ts';
import type { Order } from '../order.ts';
import type { CancelReason } from '../orderTypes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Position } from '../position.ts';
import { cancelTriggersOf } from './cancelTrigger.ts';

export function cancelAllOrders(exchange: Exchange, command: CancelAllOrders): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const { market } = command;
  const isKnown = market === undefined || exchange.markets[market] !== undefined;
  if (!isKnown) return rejected({ reason: 'marketUnknown' });
  // From here cancelAllOrders must succeed.
  exchange.committed = true;
  const cancelled =
    market === undefined
      ? cancelOnAll(exchange, account)
      : cancelEverything(exchange, account, market, 'USER');
  return { kind: 'accepted', cancelled };
}

/** By market, in the order of listing. Cost: the account's markets, and what ends. */
function cancelOnAll(exchange: Exchange, account: Account): number {
  let cancelled = 0;
  for (const { id } of exchange.markets) {
    cancelled += cancelEverything(exchange, account, id, 'USER');
  }
  return cancelled;
}

/** Ends an account's orders on a market, then its waiting triggers of the order route. */
export function cancelEverything(
  exchange: Exchange,
  account: Account,
  market: MarketId,
  reason: CancelReason,
): number {
  const position = account.positions[market];
  const orders = position === undefined ? 0 : cancelQueues(exchange, position, reason);
  return orders + cancelTriggersOf(exchange, account, market, 'order');
}

/**
 * Ends every resting order of an account on a market, or those that `ends` names, oldest first,
 * buys before sells. When some stay, the caller distributes the cover again.
 */
export function cancelQueues(
  exchange: Exchange,
  position: Position,
  reason: CancelReason,
  ends?: (order: Order) => boolean,
): number {
  let count = 0;
  for (const oldest of [position.oldestBuy, position.oldestSell]) {
    for (let order = oldest; order !== null; order = order.newer) {
      if (!rests(order) || ends?.(order) === false) continue;
      endOrder(exchange, order, { status: 'CANCELED', reason });
      count += 1;
    }
  }
  flushEnded(exchange);
  return count;
}
