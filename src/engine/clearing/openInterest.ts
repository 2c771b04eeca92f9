// Open interest per side (FUND-1) and its cap (OI-1). Internal accounts do not count.

import { notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import { touchFigures } from '../undo.ts';
import { advanceFunding } from './accrueFunding.ts';

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
  opening: { readonly side: Side; readonly lots: Lots; readonly ticks: Ticks },
): boolean {
  if (account.house || opening.lots === 0) return true;
  const added = notionalOf(opening.ticks, opening.lots, market.grain);
  return sideOpenInterest(market, opening.side) + added <= market.terms.openInterestCap;
}
