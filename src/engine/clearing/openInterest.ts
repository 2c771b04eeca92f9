// Open interest per side (FUND-1), its cap (OI-1) and the share of it that one account may hold
// (MAR-11). Internal accounts do not count.

import { mulDivFloor } from '../../units/mulDiv.ts';
import { notionalOf } from '../../units/notional.ts';
import { type Lots, type Money, rateOne } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { touchFigures } from '../undo.ts';
import { advanceFunding } from './accrueFunding.ts';
import type { OpeningLots } from './openingSurcharge.ts';

/** Changes the figures when a counted account's position goes from `before` to `after`. */
export function countOpenInterest(
  exchange: Exchange,
  market: Market,
  change: { readonly before: Lots; readonly after: Lots },
): void {
  const { figures } = market;
  advanceFunding(exchange, market);
  touchFigures(exchange.undo, figures);
  const { before, after } = change;
  figures.longLots = (figures.longLots + Math.max(after, 0) - Math.max(before, 0)) as Lots;
  figures.shortLots = (figures.shortLots + Math.max(-after, 0) - Math.max(-before, 0)) as Lots;
}

/** Side open interest in USD at the mark. */
export function sideOpenInterest(market: Market, side: Side): Money {
  const lots = side > 0 ? market.figures.longLots : market.figures.shortLots;
  return notionalOf(market.prices.mark, lots, market.grain);
}

/** Whether opening `lots` at `ticks` keeps the side within the cap (OI-1). */
export function withinOpenInterestCap(
  market: Market,
  account: Account,
  opening: OpeningLots,
): boolean {
  if (account.house || opening.lots === 0) return true;
  const added = notionalOf(opening.ticks, opening.lots, market.grain);
  return sideOpenInterest(market, opening.side) + added <= market.terms.openInterestCap;
}

/** What one account may hold of a side, in USD (MAR-11): cap × share, rounded down. */
export function positionMax({ terms }: Market): Money {
  return mulDivFloor(terms.openInterestCap, terms.accountShareMax, rateOne) as Money;
}

/** An account's own part of a side's open interest, in USD at the mark. */
export function heldOfSide(market: Market, position: Position, side: Side): Money {
  const lots = Math.max(0, side * position.lots) as Lots;
  return notionalOf(market.prices.mark, lots, market.grain);
}

/** Whether opening `lots` at `ticks` keeps the account within its share of the side (MAR-11). */
export function withinPositionMax(
  market: Market,
  account: Account,
  position: Position,
  { side, lots, ticks }: OpeningLots,
): boolean {
  if (account.house || lots === 0) return true;
  const held = heldOfSide(market, position, side) + notionalOf(ticks, lots, market.grain);
  const { openInterestCap, accountShareMax } = market.terms;
  // A lower bound of the maximum, without the cost of an exact product.
  if (held <= Math.floor(openInterestCap / rateOne) * accountShareMax) return true;
  return held <= positionMax(market);
}
