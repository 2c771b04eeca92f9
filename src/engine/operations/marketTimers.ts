// The timers of a market: its funding boundaries (FUND-3) and its delivery (SYM-2). They only mark
// what is due; the next accepted index carries it out (indexTick.ts), because both need a price. A
// market has at most one timer of each kind, and there is always room for it.

import { assert } from '../../std/assert.ts';
import type { AccountId, Time } from '../../units/units.ts';
import { endInterval } from '../clearing/accrueFunding.ts';
import { drawNumber, type Exchange, type Timer } from '../exchange.ts';
import { deliveryOf, type Market } from '../market.ts';
import { cancelTimer, schedule } from '../timers.ts';
import { nextFundingTime } from '../views/fundingRateOf.ts';
import { recordFunding } from './settleFunding.ts';

/** Starts the timers of a new market. */
export function startMarketTimers(exchange: Exchange, market: Market): void {
  scheduleFunding(exchange, market);
  scheduleDelivery(exchange, market);
}

/**
 * Waits for the next boundary: the next UTC multiple of the interval. Replaces the timer before.
 */
export function scheduleFunding(exchange: Exchange, market: Market): void {
  const boundary = nextFundingTime(market, exchange.time);
  cancelTimer(exchange, market.dues.fundingTimer);
  market.dues.fundingTimer = start(exchange, market, 'funding', boundary);
  market.dues.fundingEnd = boundary;
}

/**
 * A boundary has come and ends its interval (FUND-1b, FUND-1c). It is due until an index
 * comes. A boundary that was still due is missed and
 * recorded at rate 0. So is the present one while the market is halted (FUND-3). The next timer is
 * for the boundary after this one, even when that time has passed too: after a pause the boundaries
 * come one by one.
 */
export function onFundingTimer(exchange: Exchange, timer: Timer): void {
  const market = exchange.markets[timer.market]!;
  const { dues } = market;
  assert(dues.fundingTimer === timer.id, 'a market waits for its boundary');
  dues.fundingTimer = 0;
  const boundary = timer.time;
  const missed = dues.funding;
  // A settled market has no positions, and will not get any.
  const isDue = dues.settledAt === 0 && market.status !== 'HALT';
  endInterval(exchange, market, { boundary, isDue });
  if (dues.settledAt !== 0) return;
  if (missed !== 0) recordFunding(exchange, market, missed);
  if (!isDue) recordFunding(exchange, market, boundary);
  dues.fundingEnd = nextFundingTime(market, boundary);
  dues.fundingTimer = start(exchange, market, 'funding', dues.fundingEnd);
}

/** Waits for the delivery when there is one. Replaces the timer before. */
export function scheduleDelivery(exchange: Exchange, market: Market): void {
  const { dues } = market;
  const time = deliveryOf(market);
  dues.delivery = false;
  cancelTimer(exchange, dues.deliveryTimer);
  dues.deliveryTimer = time === 0 ? 0 : start(exchange, market, 'delivery', time);
}

/** The delivery time has come: the next accepted index settles the market. */
export function onDeliveryTimer(exchange: Exchange, timer: Timer): void {
  const market = exchange.markets[timer.market]!;
  const { dues } = market;
  assert(dues.deliveryTimer === timer.id, 'a market waits for its delivery');
  dues.deliveryTimer = 0;
  dues.delivery = deliveryOf(market) === timer.time;
}

/** Adds a timer of the market and gives its number. */
function start(
  exchange: Exchange,
  market: Market,
  kind: 'funding' | 'delivery',
  time: Time,
): number {
  const id = drawNumber(exchange);
  const owner = { account: 0 as AccountId, market: market.id };
  schedule(exchange, { time, id, kind, ...owner, nonce: '' });
  return id;
}
