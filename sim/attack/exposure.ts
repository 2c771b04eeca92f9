// What the attackers hold in one market, and the funding that belongs to the time in which they
// held it: the integral of their position times the rate of each moment. The difference to what
// they were paid at the boundary is no reward for a risk that they bore.

import type { Exchange } from '../../src/engine/exchange.ts';
import type { FundingSettled } from '../../src/engine/riskEvent.ts';
import { type AccountId, type MarketId, rateOne } from '../../src/units/units.ts';

export type Exposure = {
  readonly market: MarketId;
  readonly grain: number;
  mark: number;
  /** The lowest mark so far. */
  lowest: number;
  /** Signed lots of all attackers together. */
  own: number;
  /** Signed lots by account. */
  readonly positions: number[];
  /** Lots of each side, without internal accounts (FUND-1). */
  long: number;
  short: number;
  /** Until when the sums below count. */
  until: number;
  /** Σ own × rate × ms of the interval so far. */
  carry: number;
  /** The same of the interval that the last boundary ended, until it is settled. */
  ended: { readonly carry: number; readonly boundary: number };
};

export function createExposure(exchange: Exchange, market: MarketId): Exposure {
  return {
    market,
    grain: exchange.markets[market]!.grain,
    mark: 0,
    lowest: 0,
    own: 0,
    positions: [],
    long: 0,
    short: 0,
    until: exchange.time,
    carry: 0,
    ended: { carry: 0, boundary: 0 },
  };
}

export function noteMark(exposure: Exposure, mark: number): void {
  exposure.mark = mark;
  exposure.lowest = exposure.lowest === 0 ? mark : Math.min(exposure.lowest, mark);
}

type Held = {
  readonly account: AccountId;
  /** The position after the event. */
  readonly position: number;
  readonly isAttacker: boolean;
};

/** Takes a new position of an account. */
export function noteExposure(
  exposure: Exposure,
  exchange: Exchange,
  { account, position, isAttacker }: Held,
): void {
  advance(exposure, exchange);
  const before = exposure.positions[account] ?? 0;
  exposure.positions[account] = position;
  if (isAttacker) exposure.own += position - before;
  if (exchange.accounts[account]!.house) return;
  exposure.long += Math.max(position, 0) - Math.max(before, 0);
  exposure.short += Math.max(-position, 0) - Math.max(-before, 0);
}

/** Up to now; every boundary on the way ends an interval. */
function advance(exposure: Exposure, exchange: Exchange): void {
  const interval = intervalOf(exposure, exchange);
  while (exposure.until < exchange.time) {
    const { until, own } = exposure;
    const boundary = (Math.floor(until / interval) + 1) * interval;
    const to = Math.min(exchange.time, boundary);
    exposure.carry += own * rateNow(exposure, exchange) * (to - until);
    exposure.until = to;
    if (to !== boundary) continue;
    exposure.ended = { carry: exposure.carry, boundary };
    exposure.carry = 0;
  }
}

const intervalOf = ({ market }: Exposure, { markets }: Exchange): number =>
  markets[market]!.terms.fundingIntervalHours * 3_600_000;

/** clamp(factor × (long − short) / (long + short)) */
function rateNow({ market, long, short }: Exposure, exchange: Exchange): number {
  const { fundingFactor, minFundingRate, maxFundingRate } = exchange.markets[market]!.terms;
  const imbalance = long + short === 0 ? 0 : (long - short) / (long + short);
  return Math.min(Math.max(fundingFactor * imbalance, minFundingRate), maxFundingRate);
}

/**
 * What the attackers receive for what they held in the interval that is settled, in whole units:
 * `− Σ position × rate × ms / the interval's length × mark` (FUND-1c); of an interval that a
 * delivery cuts short, up to then. A boundary that was missed pays nothing.
 */
export function bookFundingShare(
  exposure: Exposure,
  exchange: Exchange,
  { mark, boundary }: FundingSettled,
): number {
  advance(exposure, exchange);
  let carry = 0;
  if (boundary === exposure.ended.boundary) {
    ({ carry } = exposure.ended);
    exposure.ended = { carry: 0, boundary: 0 };
  } else if (boundary === exchange.time) {
    ({ carry } = exposure);
    exposure.carry = 0;
  }
  const mean = carry / intervalOf(exposure, exchange);
  return Math.round((-mean * mark * exposure.grain) / rateOne);
}
