// Initial margin: the equity that an account must have after it has added risk (MAR-9).
// maintenance.ts has what a position needs to stand.

import { mulDivCeil, mulDivFloor } from '../../units/mulDiv.ts';
import { marginUp, notionalOf } from '../../units/notional.ts';
import { type Lots, type Money, rateOne, type Ticks } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { maintenanceAfter, maintenanceMargin } from './maintenance.ts';
import { notionalAtMark, unrealizedOf } from './margin.ts';

/** How many times its maintenance a position needs at least to be added to. */
export const openingMultiple = 2;

/**
 * The initial margin of a position of a cross or unified account: its collateral and its offset
 * (MAR-7), at the mark in place of its entry, rounded up; at least twice its maintenance, because
 * debits may have taken the collateral (BAL-4).
 */
export function initialMargin(market: Market, position: Position): Money {
  if (position.lots === 0) return 0 as Money;
  const least = openingMultiple * maintenanceMargin(market, position);
  return Math.max(capturedMargin(market, position), least) as Money;
}

/** collateral × |lots| × mark / |entry|, rounded up, at most the notional at the mark. */
function capturedMargin(market: Market, position: Position): number {
  const locked = position.collateral + position.uncovered;
  const notional = notionalAtMark(market, position);
  const entry = Math.abs(position.entry);
  return locked < entry ? mulDivCeil(locked, notional, entry) : notional;
}

/**
 * Equity less Σ initial margin of a cross or unified account, the margin of `except` left out. Both
 * sums in one pass, because every order that opens asks. Cost: the account's markets.
 */
export function equityAboveInitial(exchange: Exchange, account: Account, except?: Position): Money {
  let left: number = balanceOf(account);
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    const market = exchange.markets[position.market]!;
    left += unrealizedOf(market, position);
    if (position !== except) left -= initialMargin(market, position);
  }
  return left as Money;
}

/** A part of a fill that opens. */
export type OpeningPart = {
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: Ticks;
  /** The leverage of the order. */
  readonly leverage: number;
};

/** The same with its surcharge (MAR-10). */
export type SurchargedPart = OpeningPart & { readonly surcharge: bigint };

/**
 * The initial margin of a position after a fill whose opening part is given: what its lots have
 * now, unless the fill closes them first, and the opening lots at the mark.
 */
export function initialMarginAfter(
  market: Market,
  position: Position,
  { side, lots, leverage, surcharge }: Omit<SurchargedPart, 'ticks'>,
): Money {
  const turns = side * position.lots < 0;
  const kept = turns || position.lots === 0 ? 0 : capturedMargin(market, position);
  const opened = marginUp(notionalOf(market.prices.mark, lots, market.grain), leverage);
  const change = (side * lots - (turns ? position.lots : 0)) as Lots;
  const least = openingMultiple * maintenanceAfter(market, position, change, surcharge);
  return Math.max(kept + opened, least) as Money;
}

/** Whether a price is no further from the mark than `mark_band`, on the side that loses. */
export function isWithinBand(
  { prices, terms }: Market,
  { side, ticks }: Pick<OpeningPart, 'side' | 'ticks'>,
): boolean {
  return side * (ticks - prices.mark) <= mulDivFloor(prices.mark, terms.markBand, rateOne);
}

/** The initial margin of lots that an isolated position opens: twice their maintenance (MAR-9a). */
export function openingMargin(
  market: Market,
  position: Position,
  { side, lots, surcharge }: Pick<SurchargedPart, 'side' | 'lots' | 'surcharge'>,
): Money {
  const turns = side * position.lots < 0;
  const change = (side * lots - (turns ? position.lots : 0)) as Lots;
  const kept = turns ? 0 : maintenanceMargin(market, position);
  const after = maintenanceAfter(market, position, change, surcharge);
  return (openingMultiple * (after - kept)) as Money;
}

/**
 * What the opening part of an isolated fill takes from available besides its margin: the rest of
 * its initial margin after the loss against the mark, as far as there is money; nothing at a price
 * beyond the band of the mark (MAR-9a).
 */
export function topUp(
  market: Market,
  position: Position,
  part: SurchargedPart,
  money: { readonly margin: number; readonly available: number },
): Money {
  if (!isWithinBand(market, part)) return 0 as Money;
  const { side, lots, ticks } = part;
  const drift = side * notionalOf((market.prices.mark - ticks) as Ticks, lots, market.grain);
  const missing = openingMargin(market, position, part) - money.margin - drift;
  return Math.max(0, Math.min(missing, money.available)) as Money;
}

/** What the account's open orders hold: freezes, and unified-margin offsets (MAR-7). */
export function heldByOrders(account: Account): number {
  let held = account.freezes + account.uncovered;
  if (account.uncovered === 0) return held;
  for (const position of account.positions) held -= position?.uncovered ?? 0;
  return held;
}

/**
 * What an account can use for new orders (MAR-9):
 *   max(0, min(available, equity − Σ initial margin − what open orders hold))
 * An isolated position answers alone: nothing of available stands behind it.
 */
export function availableToOpen(exchange: Exchange, account: Account): Money {
  const { available } = account;
  if (account.marginMode === 'isolated') return available;
  const free = equityAboveInitial(exchange, account) - heldByOrders(account);
  return Math.max(0, Math.min(available, free)) as Money;
}
