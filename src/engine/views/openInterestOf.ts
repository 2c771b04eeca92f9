// Open interest per side (FUND-1).

import type { Lots, Money } from '../../units/units.ts';
import { sideOpenInterest } from '../clearing/openInterest.ts';
import { buy, sell } from '../orderTypes.ts';
import type { Market } from './market.ts';
import { stateOf } from './stateOf.ts';

export type OpenInterest = {
  readonly longLots: Lots;
  readonly shortLots: Lots;
  /** At the mark. */
  readonly longNotional: Money;
  readonly shortNotional: Money;
};

export function openInterestOf(market: Market): OpenInterest {
  const state = stateOf.market(market);
  return {
    longLots: market.figures.longLots,
    shortLots: market.figures.shortLots,
    longNotional: sideOpenInterest(state, buy),
    shortNotional: sideOpenInterest(state, sell),
  };
}
