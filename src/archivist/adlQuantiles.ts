// How near each position of an account is to deleveraging: its fifth in the ranking of LIQ-4 of its
// side of its market (LIQ-7). A ranking looks at a whole side, so it is reused for a second.

import type { Side } from '../engine/orderTypes.ts';
import { accountById, type Exchange, marketById } from '../engine/views/exchange.ts';
import type { Market } from '../engine/views/market.ts';
import { positionsOf, rankPositions } from '../engine/views/position.ts';
import type { AccountId, MarketId, Time } from '../units/units.ts';

/** Quantile 4 is deleveraged first, 0 last. */
export type AdlQuantile = { readonly market: MarketId; readonly quantile: number };

type Ranking = { readonly at: Time; readonly quantiles: ReadonlyMap<AccountId, number> };

/** The last ranking of each side of each market that was requested. */
export type AdlRankings = Map<number, Ranking>;

/** How long a ranking is reused, by the time of the batches. */
const rankingMs = 1000;
const fifths = 5;

/**
 * The quantile of each open position of the account, by market; empty for an unknown account. A
 * position that was opened after the ranking counts as the last. Cost: once a second and side, the
 * ranking of that side.
 */
export function adlQuantilesOf(
  exchange: Exchange,
  rankings: AdlRankings,
  account: AccountId,
): readonly AdlQuantile[] {
  const found: AdlQuantile[] = [];
  const holder = accountById(exchange, account);
  for (const position of holder === undefined ? [] : positionsOf(holder)) {
    if (position === undefined || position.lots === 0) continue;
    const side: Side = position.lots > 0 ? 1 : -1;
    const market = marketById(exchange, position.market)!;
    const { quantiles } = rankingOf(exchange, rankings, market, side);
    found.push({ market: market.id, quantile: quantiles.get(account) ?? 0 });
  }
  return found;
}

function rankingOf(exchange: Exchange, rankings: AdlRankings, market: Market, side: Side): Ranking {
  const key = 2 * market.id + (side > 0 ? 1 : 0);
  const last = rankings.get(key);
  if (last !== undefined && exchange.time - last.at < rankingMs) return last;
  const ranking = { at: exchange.time, quantiles: rankSide(exchange, market, side) };
  rankings.set(key, ranking);
  return ranking;
}

/** The position at place i (from 0) of n has the quantile 4 − floor(5 i / n). */
function rankSide(exchange: Exchange, market: Market, side: Side): Map<AccountId, number> {
  const ranked = rankPositions(exchange, market, side);
  const quantiles = new Map<AccountId, number>();
  for (const [place, { account }] of ranked.entries()) {
    quantiles.set(account, fifths - 1 - Math.floor((fifths * place) / ranked.length));
  }
  return quantiles;
}
