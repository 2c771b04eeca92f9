// What the attackers hold in one market, and the funding that belongs to the time in which they held
// it: the mean of their position times the rate of the mean imbalance, both over the interval. The
// difference to what they were paid at the boundary is no reward for a risk that they bore.

import type { Exchange } from '../../src/engine/exchange.ts';
import type { FundingSettled } from '../../src/engine/riskEvent.ts';
import { type AccountId, type MarketId, rateOne } from '../../src/units/units.ts';

export type Exposure = {
  readonly market: MarketId;
  readonly grain: number;
  mark: number;
  /** Signed lots of all attackers together. */
  own: number;
  /** Signed lots by account. */
  readonly positions: number[];
  /** Lots of each side, without internal accounts (FUND-1). */
  long: number;
  short: number;
  /** When the interval began, and until when the sums below count. */
  from: number;
  until: number;
  /** Σ own × ms and Σ (long − short) / (long + short) × ms. */
  ownMs: number;
  imbalanceMs: number;
};

export function createExposure(exchange: Exchange, market: MarketId): Exposure {
  return {
    market,
    grain: exchange.markets[market]!.grain,
    mark: 0,
    own: 0,
    positions: [],
    long: 0,
    short: 0,
    from: exchange.time,
    until: exchange.time,
    ownMs: 0,
    imbalanceMs: 0,
  };
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
  advance(exposure, exchange.time);
  const before = exposure.positions[account] ?? 0;
  exposure.positions[account] = position;
  if (isAttacker) exposure.own += position - before;
  if (exchange.accounts[account]!.house) return;
  exposure.long += Math.max(position, 0) - Math.max(before, 0);
  exposure.short += Math.max(-position, 0) - Math.max(-before, 0);
}

function advance(exposure: Exposure, now: number): void {
  const elapsedMs = now - exposure.until;
  if (elapsedMs <= 0) return;
  exposure.ownMs += exposure.own * elapsedMs;
  exposure.imbalanceMs += imbalanceOf(exposure) * elapsedMs;
  exposure.until = now;
}

function imbalanceOf({ long, short }: Exposure): number {
  return long + short === 0 ? 0 : (long - short) / (long + short);
}

/**
 * What the attackers receive for their mean position, in whole units; the next interval begins.
 * `− mean position × mark × clamp(factor × mean imbalance)`, 0 at a boundary of rate 0.
 */
export function bookFundingShare(
  exposure: Exposure,
  exchange: Exchange,
  { rate, mark }: FundingSettled,
): number {
  advance(exposure, exchange.time);
  const elapsedMs = exposure.until - exposure.from;
  const { terms } = exchange.markets[exposure.market]!;
  const imbalance = elapsedMs === 0 ? imbalanceOf(exposure) : exposure.imbalanceMs / elapsedMs;
  const own = elapsedMs === 0 ? exposure.own : exposure.ownMs / elapsedMs;
  const raw = terms.fundingFactor * imbalance;
  const fair = Math.min(Math.max(raw, terms.minFundingRate), terms.maxFundingRate);
  exposure.from = exposure.until;
  exposure.ownMs = 0;
  exposure.imbalanceMs = 0;
  if (rate === 0 && fair === 0) return 0;
  return Math.round((-own * mark * exposure.grain * fair) / rateOne);
}
