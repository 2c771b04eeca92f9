// Counts, by market, of the events that alarm an operator, since the log began, and the number of
// accounts and isolated positions in liquidation. Part of the archivist's snapshot.

import type { MarketId } from '../units/units.ts';

export type MarketCounts = {
  /** Indexes that the gate refused (PRC-2). */
  indexRefusals: number;
  /** Times the breaker tripped (PRC-3). */
  breakerTrips: number;
  /** Liquidation orders (LIQ-1). */
  liquidations: number;
  /** Parts of positions that the fund took over (LIQ-3). */
  takeovers: number;
  /** Fills of one position against another, including those that reduce the fund (LIQ-4, LIQ-6). */
  deleveragings: number;
};

export type RiskCounts = {
  /** By market number. */
  readonly markets: MarketCounts[];
  /** Accounts and isolated positions that are flagged (LIQ-1). */
  flagged: number;
};

export function createRiskCounts(): RiskCounts {
  return { markets: [], flagged: 0 };
}

/** The counts of a market, all 0 when there are none yet. */
export function countsOf({ markets }: RiskCounts, market: MarketId): MarketCounts {
  while (markets.length <= market) {
    markets.push({
      indexRefusals: 0,
      breakerTrips: 0,
      liquidations: 0,
      takeovers: 0,
      deleveragings: 0,
    });
  }
  return markets[market]!;
}
