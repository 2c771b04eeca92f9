// Equity and maintenance margin. Everything counts at the last accepted mark. The guard that reads
// them stands in fillPasses.ts (MAR-4).

import { type Grain, notionalOf, shareUp } from '../../units/notional.ts';
import type { Lots, MarketId, Money, Ticks } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../order.ts';
import type { Position } from '../position.ts';

/** Unrealised PnL of a position at the mark: lots × mark − entry notional. */
export function unrealizedOf(market: Market, position: Position): Money {
  if (position.lots === 0) return 0 as Money;
  const value = notionalOf(market.prices.mark, position.lots, market.grain);
  return (value - position.entry) as Money;
}

/** |lots| × mark. */
export function notionalAtMark(market: Market, position: Position): Money {
  return notionalOf(market.prices.mark, Math.abs(position.lots) as Lots, market.grain);
}

/** Maintenance margin of a quantity: |lots| × mark × maintenance rate, rounded up (MAR-8). */
export function maintenanceOfLots(market: Market, lots: Lots): Money {
  if (lots === 0) return 0 as Money;
  const size = Math.abs(lots) as Lots;
  const notional = notionalOf(market.prices.mark, size, market.grain);
  return shareUp(notional, market.terms.maintenanceMarginRate);
}

/** Equity: balance plus unrealised PnL of all positions. Cost: the account's markets. */
export function equityOf(exchange: Exchange, account: Account): Money {
  let equity: number = balanceOf(account);
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    equity += unrealizedOf(exchange.markets[position.market]!, position);
  }
  return equity as Money;
}

/** Σ maintenance margin. */
export function maintenanceOf(exchange: Exchange, account: Account): Money {
  let maintenance = 0;
  for (const position of account.positions) {
    if (position === undefined) continue;
    maintenance += maintenanceOfLots(exchange.markets[position.market]!, position.lots);
  }
  return maintenance as Money;
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

/**
 * Equity − Σ maintenance margin in one pass, with `lots` instead of what the account has in
 * `market`; the equity is that of the present positions.
 */
export function marginSurplus(
  exchange: Exchange,
  account: Account,
  market: MarketId,
  lots: Lots,
): Money {
  let surplus = balanceOf(account) - maintenanceOfLots(exchange.markets[market]!, lots);
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    const { mark } = exchange.markets[position.market]!.prices;
    const { grain, terms } = exchange.markets[position.market]!;
    const value = notionalOf(mark, position.lots, grain);
    surplus += value - position.entry;
    if (position.market === market) continue;
    surplus -= shareUp(Math.abs(value) as Money, terms.maintenanceMarginRate);
  }
  return surplus as Money;
}
