// Open interest per side (FUND-1).

import type { Lots, Money } from '../../units/units.ts';
import { sideOpenInterest } from '../clearing/openInterest.ts';
import type { Market } from '../market.ts';
import { buy, sell } from '../orderTypes.ts';

export type OpenInterest = {
  readonly longLots: Lots;
  readonly shortLots: Lots;
  /** At the mark. */
  readonly longNotional: Money;
  readonly shortNotional: Money;
};

export function openInterestOf(market: Market): OpenInterest {
  return {
    longLots: market.figures.longLots,
    shortLots: market.figures.shortLots,
    longNotional: sideOpenInterest(market, buy),
    shortNotional: sideOpenInterest(market, sell),
  };
}
