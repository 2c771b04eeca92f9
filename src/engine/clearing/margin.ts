// Equity and Σ maintenance margin of an account. Only this file sums them up, by default at the
// last accepted marks. maintenance.ts has the maintenance of one position; the fill check in
// fillPasses.ts reads both sums (MAR-4).

import { type Grain, notionalOf } from '../../units/notional.ts';
import type { Lots, MarketId, Money, Ticks, Time } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { maintenanceAt } from './maintenance.ts';

/** Gives the price of a market to use. */
export type PriceOf = (market: Market, now: Time) => Ticks;

export const markOf: PriceOf = (market) => market.prices.mark;

/** Unrealised PnL of a position at a price: lots × price − entry notional. */
export function unrealizedAt(market: Market, position: Position, ticks: Ticks): Money {
  if (position.lots === 0) return 0 as Money;
  return (notionalOf(ticks, position.lots, market.grain) - position.entry) as Money;
}

/** Unrealised PnL of a position at the mark. */
export function unrealizedOf(market: Market, position: Position): Money {
  return unrealizedAt(market, position, market.prices.mark);
}

/** A position's own equity at the mark: its collateral plus unrealised PnL (MAR-7). */
export function ownEquityOf(market: Market, position: Position): Money {
  return (position.collateral + unrealizedOf(market, position)) as Money;
}

/** |lots| × mark. */
export function notionalAtMark(market: Market, position: Position): Money {
  return notionalOf(market.prices.mark, Math.abs(position.lots) as Lots, market.grain);
}

/** Equity: balance plus unrealised PnL of all positions. Cost: the account's markets. */
export function equityOf(exchange: Exchange, account: Account): Money {
  return equityAt(exchange, account, markOf);
}

/** Equity at any prices. */
export function equityAt(exchange: Exchange, account: Account, priceOf: PriceOf): Money {
  let equity: number = balanceOf(account);
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    const market = exchange.markets[position.market]!;
    equity += unrealizedAt(market, position, priceOf(market, exchange.time));
  }
  return equity as Money;
}

/** Σ maintenance margin. */
export function maintenanceOf(exchange: Exchange, account: Account): Money {
  return maintenanceSumAt(exchange, account, markOf);
}

/** Σ maintenance margin at any prices. */
export function maintenanceSumAt(exchange: Exchange, account: Account, priceOf: PriceOf): Money {
  let maintenance = 0;
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    const market = exchange.markets[position.market]!;
    maintenance += maintenanceAt(market, position, priceOf(market, exchange.time));
  }
  return maintenance as Money;
}

/** Equity − Σ maintenance margin. */
export function marginSurplus(exchange: Exchange, account: Account): Money {
  return (equityOf(exchange, account) - maintenanceOf(exchange, account)) as Money;
}

/** Whether the account has no position in any market but `market`. */
export function flatElsewhere(account: Account, market: MarketId): boolean {
  for (const position of account.positions) {
    if (position !== undefined && position.market !== market && position.lots !== 0) return false;
  }
  return true;
}

/** Loss of a fill against the mark: q × max(0, p − m) for BUY, q × max(0, m − p) for SELL. */
export function lossAgainstMark(
  fill: { readonly side: Side; readonly lots: Lots; readonly ticks: Ticks },
  mark: Ticks,
  grain: Grain,
): Money {
  const worse = fill.side * (fill.ticks - mark);
  return worse > 0 ? notionalOf(worse as Ticks, fill.lots, grain) : (0 as Money);
}

/** The lots of a fill that reduce the present position; the rest adds exposure. */
export function closingLots(position: Position, side: Side, lots: Lots): Lots {
  const against = -side * position.lots;
  if (against <= 0) return 0 as Lots;
  return (against < lots ? against : lots) as Lots;
}
