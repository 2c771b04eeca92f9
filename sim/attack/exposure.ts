// What the attackers hold in one market, and the funding that belongs to the time in which they held
// it: the integral of their position times the rate of each moment. The difference to what they were
// paid at the boundary is no reward for a risk that they bore.

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
  /** When the interval began, and until when the sum below counts. */
  from: number;
  until: number;
  /** Σ own × rate × ms. */
  carryMs: number;
  /** Of the last interval that ended, whose boundary waits for a price (FUND-3). */
  ended: { readonly carryMs: number; readonly ms: number } | undefined;
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
    from: exchange.time,
    until: exchange.time,
    carryMs: 0,
    ended: undefined,
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

/** Up to the present. An interval ends at its boundary, also when no price settles it until later. */
function advance(exposure: Exposure, exchange: Exchange): void {
  const { fundingIntervalHours } = exchange.markets[exposure.market]!.terms;
  const intervalMs = fundingIntervalHours * 3_600_000;
  const boundary = exchange.time - (exchange.time % intervalMs);
  if (exposure.until < boundary) {
    countUntil(exposure, exchange, boundary);
    exposure.ended = { carryMs: exposure.carryMs, ms: boundary - exposure.from };
    exposure.from = boundary;
    exposure.carryMs = 0;
  }
  countUntil(exposure, exchange, exchange.time);
}

function countUntil(exposure: Exposure, exchange: Exchange, time: number): void {
  const elapsedMs = time - exposure.until;
  if (elapsedMs <= 0) return;
  exposure.carryMs += exposure.own * rateNow(exposure, exchange) * elapsedMs;
  exposure.until = time;
}

/** clamp(factor × (long − short) / (long + short)) */
function rateNow({ market, long, short }: Exposure, exchange: Exchange): number {
  const { fundingFactor, minFundingRate, maxFundingRate } = exchange.markets[market]!.terms;
  const imbalance = long + short === 0 ? 0 : (long - short) / (long + short);
  return Math.min(Math.max(fundingFactor * imbalance, minFundingRate), maxFundingRate);
}

/**
 * What the attackers receive for what they held in the interval that its boundary has ended, in
 * whole units. `− Σ position × rate × time / interval × mark`
 */
export function bookFundingShare(
  exposure: Exposure,
  exchange: Exchange,
  { mark }: FundingSettled,
): number {
  advance(exposure, exchange);
  // Settled by hand, the interval so far counts, and goes on (OPS-1).
  const soFar = { carryMs: exposure.carryMs, ms: exposure.until - exposure.from };
  const { carryMs, ms } = exposure.ended ?? soFar;
  exposure.ended = undefined;
  const mean = ms === 0 ? 0 : carryMs / ms;
  return Math.round((-mean * mark * exposure.grain) / rateOne);
}
