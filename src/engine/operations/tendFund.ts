// The insurance fund's own positions (LIQ-3, LIQ-6). A fund without equity is deleveraged, a fund
// with more positions than money is reduced, and every tick unwinds a little through the book.

import type { Lots, Ticks } from '../../units/units.ts';
import { ladderOf } from '../book/book.ts';
import { lotsWithin } from '../book/depth.ts';
import { bankruptcyTicks } from '../clearing/bankruptcy.ts';
import { type Deleveraging, deleverage, reduceFund } from '../clearing/deleverage.ts';
import { fundMeans, fundOf } from '../clearing/insurance.ts';
import { maintenanceMargin } from '../clearing/maintenance.ts';
import { notionalAtMark } from '../clearing/margin.ts';
import { marginStatusOf, positionsOf } from '../clearing/marginStatus.ts';
import { flushEnded } from '../endOrder.ts';
import type { Exchange } from '../exchange.ts';
import { isMarketLive, type Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { boundedTicks, closeByBook } from './closeByBook.ts';

/** A step of unwinding takes at most this part of the visible depth. */
const depthPart = 10;

/** `ticked`: the live markets in which a step of unwinding is due. */
export function tendFund(
  exchange: Exchange,
  deleveraging: Deleveraging,
  ticked: readonly Market[],
): void {
  if (positionsOf(fundSubject(exchange)).length === 0) return;
  deleverageFund(exchange, deleveraging);
  shrinkFund(exchange, deleveraging);
  for (const market of ticked) unwind(exchange, market);
  // Counterparties may have lost orders with their positions.
  flushEnded(exchange);
}

const fundSubject = (exchange: Exchange) => ({ account: fundOf(exchange), position: undefined });

/** The fund's positions that can be closed now: by `measure` the largest first, then by market. */
function livePositions(
  exchange: Exchange,
  measure: (market: Market, position: Position) => number,
): Position[] {
  const sizeOf = (position: Position): number =>
    measure(exchange.markets[position.market]!, position);
  const live = positionsOf(fundSubject(exchange)).filter(({ market }) =>
    isMarketLive(exchange.markets[market]!, exchange.time),
  );
  return live.sort((a, b) => sizeOf(b) - sizeOf(a));
}

/** A fund with equity ≤ 0 is deleveraged at its own bankruptcy price (LIQ-3). */
function deleverageFund(exchange: Exchange, deleveraging: Deleveraging): void {
  const subject = fundSubject(exchange);
  for (const position of livePositions(exchange, maintenanceMargin)) {
    const marginStatus = marginStatusOf(exchange, subject);
    if (marginStatus.equity > 0) return;
    const market = exchange.markets[position.market]!;
    const ticks = bankruptcyTicks(exchange, subject, position, marginStatus);
    const cause = 'deleveraging' as const;
    const closing = { exchange, deleveraging, market, position, cause, marginStatus };
    deleverage(closing, Math.abs(position.lots) as Lots, ticks);
  }
}

/** Net notional above the fund's means is closed at the mark (LIQ-6). */
function shrinkFund(exchange: Exchange, deleveraging: Deleveraging): void {
  for (const position of livePositions(exchange, notionalAtMark)) {
    let notional = 0;
    for (const each of positionsOf(fundSubject(exchange))) {
      notional += notionalAtMark(exchange.markets[each.market]!, each);
    }
    const excess = notional - fundMeans(exchange);
    if (excess <= 0) return;
    const market = exchange.markets[position.market]!;
    const perLot = market.prices.mark * market.grain;
    const lots = Math.min(Math.abs(position.lots), Math.ceil(excess / perLot)) as Lots;
    const cause = 'fund_reduction' as const;
    const marginStatus = marginStatusOf(exchange, fundSubject(exchange));
    const closing = { exchange, deleveraging, market, position, cause, marginStatus };
    reduceFund(closing, lots);
  }
}

/** A reduce-only IOC within the base taker fee of the mark, a tenth of the depth there (LIQ-6). */
function unwind(exchange: Exchange, market: Market): void {
  const position = fundOf(exchange).positions[market.id];
  if (position === undefined || position.lots === 0) return;
  const side = (position.lots > 0 ? -1 : 1) as Side;
  const rate = market.terms.takerFee;
  const ticks = (side > 0 ? Number.MAX_SAFE_INTEGER : 1) as Ticks;
  const limit = boundedTicks(market, side, { ticks, rate });
  const enough = (Math.abs(position.lots) * depthPart) as Lots;
  const depth = lotsWithin(ladderOf(market.book, -side as Side), limit, enough).lots;
  const lots = Math.min(Math.abs(position.lots), Math.floor(depth / depthPart)) as Lots;
  if (lots > 0) closeByBook(exchange, position, { lots, limit, origin: 'unwinding' });
}
