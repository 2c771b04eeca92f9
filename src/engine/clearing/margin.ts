// Equity, maintenance margin and the guard (MAR-4). Everything counts at the last accepted mark.

import { type Grain, marginUp, notionalOf, shareUp } from '../../units/notional.ts';
import type { Lots, MarketId, Money, Ticks } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { jumpRate, liveAgeMs, type Market } from '../market.ts';
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
 * What a fill that opens, or that closes at a loss, must leave besides maintenance while the index
 * is older than a live one may be or a jump waits: the largest move that the gate would pass next
 * (MAR-4b). Who trades on such a mark may know the next one.
 */
export function jumpMargin(exchange: Exchange, market: Market, lots: Lots): number {
  const { indexAt, pending } = market.prices;
  if (exchange.time - indexAt <= liveAgeMs && pending.length === 0) return 0;
  const notional = notionalOf(market.prices.mark, Math.abs(lots) as Lots, market.grain);
  return shareUp(notional, jumpRate);
}

/** What a loss against such a mark must leave for what remains of the position; else nothing. */
function marginAfterLoss(exchange: Exchange, market: Market, lots: Lots, loss: Money): number {
  const jump = loss === 0 ? 0 : jumpMargin(exchange, market, lots);
  return jump === 0 ? 0 : jump + maintenanceOfLots(market, lots);
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

/** A fill as the guard sees it: before it happens, with the fee it would cost. */
export type FillToJudge = {
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly fee: Money;
  /** The leverage of the order. */
  readonly leverage: number;
};

/**
 * The guard at a fill (MAR-4): equity − loss − fee ≥ Σ maintenance after the fill when it adds
 * exposure; > 0, or ≥ 0 when it leaves the account flat, when it only reduces.
 */
export function fillPasses(
  exchange: Exchange,
  account: Account,
  position: Position,
  fill: FillToJudge,
): boolean {
  const market = exchange.markets[position.market]!;
  if (account.marginMode === 'isolated') return isolatedPasses(exchange, position, market, fill);
  const loss = lossAgainstMark(fill, market.prices.mark, market.grain);
  const cost = loss + fill.fee;
  const lots = (position.lots + fill.side * fill.lots) as Lots;
  if (closingLots(position, fill.side, fill.lots) === fill.lots) {
    const equity = equityOf(exchange, account) - cost;
    if (lots === 0 && flatElsewhere(account, position.market)) return equity >= 0;
    return equity > 0 && equity >= marginAfterLoss(exchange, market, lots, loss);
  }
  const surplus = marginSurplus(exchange, account, position.market, lots);
  return surplus >= cost + jumpMargin(exchange, market, lots);
}

/**
 * Isolated, the position answers alone (MAR-4, MAR-7): what closes leaves collateral + PnL − loss
 * above 0, at least 0 when nothing is left of the position; what opens leaves its collateral + PnL
 * at the mark at or above its maintenance. The fee is available's to pay; what that lacks counts
 * against the position. A flip must pass the first before it comes to the second.
 */
function isolatedPasses(
  exchange: Exchange,
  position: Position,
  market: Market,
  fill: FillToJudge,
): boolean {
  const account = exchange.accounts[position.account]!;
  const { mark } = market.prices;
  const { side, ticks } = fill;
  const closing = closingLots(position, side, fill.lots);
  const opening = (fill.lots - closing) as Lots;
  const fee = Math.max(0, fill.fee - account.available);
  const equity = position.collateral + unrealizedOf(market, position);
  if (closing > 0) {
    const loss = lossAgainstMark({ side, lots: closing, ticks }, mark, market.grain);
    const left = equity - loss - fee;
    const leavesFlat = closing === Math.abs(position.lots);
    if (leavesFlat ? left < 0 : left <= 0) return false;
    const remaining = (position.lots + side * closing) as Lots;
    if (left < marginAfterLoss(exchange, market, remaining, loss)) return false;
  }
  if (opening === 0) return true;
  const margin = marginUp(notionalOf(ticks, opening, market.grain), fill.leverage);
  const drift = side * notionalOf((mark - ticks) as Ticks, opening, market.grain);
  const after = (closing > 0 ? 0 : equity) + margin + drift - fee;
  const lots = (position.lots + side * fill.lots) as Lots;
  return after >= maintenanceOfLots(market, lots) + jumpMargin(exchange, market, lots);
}
