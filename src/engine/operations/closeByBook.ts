// The exchange itself closes a part of a position through the book, with a reduce-only IOC order of
// the account, bounded by a price (LIQ-1, LIQ-6). The fill check applies to makers as always. The
// taker pays no fee and passes no fill check, because its bound already limits its loss.

import type { Lots, Money, Rate, Ticks } from '../../units/units.ts';
import { ladderOf } from '../book/book.ts';
import { bestLive, crosses, sweep } from '../book/sweep.ts';
import { countVolumes } from '../clearing/fees.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import { createOrder, type Order } from '../order.ts';
import type { OrderOrigin, Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { markBound } from '../pricing/markBound.ts';
import { createSweep, meet } from './meet.ts';

export type Close = {
  readonly lots: Lots;
  readonly limit: Ticks;
  readonly origin: Exclude<OrderOrigin, 'account'>;
};

export type Filled = { readonly lots: Lots; readonly notional: Money };

/** `ticks`, but never beyond mark × (1 ∓ rate), rounded towards the mark. */
export function boundedTicks(
  market: Market,
  side: Side,
  bound: { readonly ticks: Ticks; readonly rate: Rate },
): Ticks {
  const worst = markBound(market.prices.mark, side, bound.rate);
  return (side > 0 ? Math.min(bound.ticks, worst) : Math.max(bound.ticks, worst)) as Ticks;
}

/** Sells a long, buys back a short; gives what was filled. Cost: the orders that it meets. */
export function closeByBook(exchange: Exchange, position: Position, close: Close): Filled {
  const market = exchange.markets[position.market]!;
  const side = (position.lots > 0 ? -1 : 1) as Side;
  const best = bestLive(ladderOf(market.book, -side as Side));
  const nothing = { lots: 0 as Lots, notional: 0 as Money };
  if (best === undefined || !crosses(side, best.ticks, close.limit)) return nothing;
  const order = draftClose(exchange, position, side, close);
  const { id, account, ticks, lots, clientOrderId } = order;
  const placed = { id, account, market: market.id, side, ticks, lots, clientOrderId };
  exchange.events.push({ kind: 'orderPlaced', ...placed });
  const eventCount = exchange.events.length;
  const owner = exchange.accounts[account]!;
  const feeRate = 0 as Rate;
  const swept = createSweep({ exchange, market, account: owner, position, feeRate });
  sweep(market.book, order, close.limit, swept, meet);
  countVolumes(exchange, eventCount);
  if (order.open > 0) endOrder(exchange, order, { status: 'CANCELED', reason: 'LIQUIDATION' });
  if (swept.lots > 0) market.book.updateId += 1;
  flushEnded(exchange);
  return { lots: swept.lots, notional: swept.notional };
}

function draftClose(exchange: Exchange, position: Position, side: Side, close: Close): Order {
  const id = drawNumber(exchange);
  return createOrder({
    id,
    account: position.account,
    market: position.market,
    side,
    type: 'LIMIT',
    timeInForce: 'IOC',
    reduceOnly: true,
    selfTradeMode: 'EXPIRE_MAKER',
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    origin: close.origin,
    trigger: null,
    legs: null,
    clientOrderId: `autoclose-${id}`,
    createdAt: exchange.time,
    markAtCreation: exchange.markets[position.market]!.prices.mark,
    ticks: close.limit,
    lots: close.lots,
    leverage: 1,
    updatedAt: exchange.time,
    priority: id,
  });
}
