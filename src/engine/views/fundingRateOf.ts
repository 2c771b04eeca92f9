// The funding rate and its times (FUND-1, FUND-2). operations/settleFunding.ts pays.

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Rate, Time } from '../../units/units.ts';
import type { Market } from './market.ts';

/** The rate of the interval in progress: clamp(factor × (long − short) / total, floor, cap). */
export function fundingRateOf(market: Market): Rate {
  const { longLots, shortLots } = market.figures;
  const total = longLots + shortLots;
  if (total === 0) return 0 as Rate;
  const { fundingFactor, maxFundingRate, minFundingRate } = market.terms;
  const raw = mulDivHalfEven(fundingFactor, longLots - shortLots, total);
  return Math.min(Math.max(raw, minFundingRate), maxFundingRate) as Rate;
}

/** rate / hours, half to even: longs see its negative, shorts see the rate itself (FUND-4). */
export function hourlyFundingRate(market: Market): Rate {
  return mulDivHalfEven(fundingRateOf(market), 1, market.terms.fundingIntervalHours) as Rate;
}

/** The next UTC multiple of the funding interval after `now`. */
export function nextFundingTime(market: Market, now: Time): Time {
  const interval = market.terms.fundingIntervalHours * 3_600_000;
  return ((Math.floor(now / interval) + 1) * interval) as Time;
}
