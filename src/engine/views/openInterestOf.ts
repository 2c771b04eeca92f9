// Open interest and what follows from it (FUND-1).

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Lots, Money, Rate, Time } from '../../units/units.ts';
import { sideOpenInterest } from '../clearing/openInterest.ts';
import type { Market } from '../market.ts';
import { buy, sell } from '../order.ts';

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

/** The rate of the interval in progress: clamp(factor × (long − short) / total, floor, cap). */
export function fundingRateOf(market: Market): Rate {
  const { longLots, shortLots } = market.figures;
  const total = longLots + shortLots;
  if (total === 0) return 0 as Rate;
  const { fundingFactor, maxFundingRate, minFundingRate } = market.terms;
  const raw = mulDivHalfEven(fundingFactor, longLots - shortLots, total);
  return Math.min(Math.max(raw, minFundingRate), maxFundingRate) as Rate;
}

/** The next UTC multiple of the funding interval after `now`. */
export function nextFundingTime(market: Market, now: Time): Time {
  const interval = market.terms.fundingIntervalHours * 3_600_000;
  return ((Math.floor(now / interval) + 1) * interval) as Time;
}
