// The funding rate and its times (FUND-1b, FUND-2). operations/settleFunding.ts pays.

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import { type Rate, rateOne, type Time } from '../../units/units.ts';
import { imbalanceOf, imbalanceUntil } from '../clearing/imbalance.ts';
import type { Market } from './market.ts';

/**
 * The rate of the interval so far (FUND-1b):
 *   clamp(factor × Σ imbalance × time / Σ time with open interest, floor, cap), half to even.
 * Before any such time has passed the imbalance of the moment counts. `until` is the time of the
 * present batch, or the boundary that ends the interval.
 */
export function fundingRateOf({ terms, figures }: Market, until: Time): Rate {
  const { fundingFactor, maxFundingRate, minFundingRate } = terms;
  const { sum, ms } = imbalanceUntil(figures, until);
  const raw =
    ms === 0
      ? mulDivHalfEven(fundingFactor, imbalanceOf(figures), rateOne)
      : mulDivHalfEven(fundingFactor, sum, rateOne * ms);
  return Math.min(Math.max(raw, minFundingRate), maxFundingRate) as Rate;
}

/** rate / hours, half to even: longs see its negative, shorts see the rate itself (FUND-4). */
export function hourlyFundingRate(market: Market, now: Time): Rate {
  const { fundingIntervalHours } = market.terms;
  return mulDivHalfEven(fundingRateOf(market, now), 1, fundingIntervalHours) as Rate;
}

/** The next UTC multiple of the funding interval after `now`. */
export function nextFundingTime(market: Market, now: Time): Time {
  const interval = market.terms.fundingIntervalHours * 3_600_000;
  return ((Math.floor(now / interval) + 1) * interval) as Time;
}
