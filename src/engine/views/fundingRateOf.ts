// The funding rate and its times (FUND-1b, FUND-2). operations/settleFunding.ts pays.

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Rate, Time } from '../../units/units.ts';
import { fundingUntil, presentRate } from '../clearing/accrueFunding.ts';
import type { Market } from './market.ts';

/**
 * The rate of the interval so far (FUND-1b): Σ rate × time / Σ time with open interest, half to even.
 * Before any such time has passed it is the rate of the moment. `until` is the time of the present
 * batch.
 */
export function fundingRateOf(market: Market, until: Time): Rate {
  const { sum, ms } = fundingUntil(market, until);
  return ms === 0 ? presentRate(market) : (mulDivHalfEven(sum, 1, ms) as Rate);
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
