// The funding rate that clients see, and its times (FUND-1b, FUND-2). operations/settleFunding.ts
// pays.

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Rate, Time } from '../../units/units.ts';
import { fundingUntil, intervalMs, presentRate } from '../clearing/accrueFunding.ts';
import { deliveryOf } from '../market.ts';
import type { Market } from './market.ts';

/**
 * What the next settlement pays if the present stands (FUND-1b): the rate of the interval so far,
 * and that of the moment for the rest of it, by the length of the interval, half to even. 0 in
 * HALT. `now` is the time of the present batch.
 */
export function fundingRateOf(market: Market, now: Time): Rate {
  if (market.status === 'HALT') return 0 as Rate;
  const delivery = deliveryOf(market);
  const end = Math.min(
    market.dues.fundingEnd,
    delivery === 0 ? Number.POSITIVE_INFINITY : delivery,
  );
  const rest = Math.max(0, end - now);
  const sum = fundingUntil(market, now) + presentRate(market) * rest;
  return mulDivHalfEven(sum, 1, intervalMs(market)) as Rate;
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
