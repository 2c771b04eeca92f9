// The holders of the positions of a market (NAT-2f): how many accounts are long and short, and the
// same for the fifth of accounts with the largest positions. Counting looks at every position, so a
// result is reused for some seconds.

import { insuranceAccount } from '../engine/marginModes.ts';
import { accountById, type Exchange, marketById } from '../engine/views/exchange.ts';
import { holdersOf, type Position } from '../engine/views/position.ts';
import type { MarketId, Time } from '../units/units.ts';

export type SideCounts = { readonly long: number; readonly short: number };

export type LongShort = {
  readonly market: MarketId;
  readonly time: Time;
  readonly accounts: SideCounts;
  readonly topAccounts: SideCounts;
  /** Sums of lots. */
  readonly topLots: SideCounts;
};

/** The last count of each market that was requested. */
export type LongShortCounts = Map<MarketId, LongShort>;

/** How long a count is reused, by the time of the batches. */
const servedMs = 5000;
const fifths = 5;

/**
 * There is none for a market whose listing the archivist has not seen yet. Cost: 40 ms for 100,000
 * positions, at most once in five seconds and market.
 */
export function longShortOf(
  exchange: Exchange,
  counts: LongShortCounts,
  market: MarketId,
): LongShort {
  const last = counts.get(market);
  if (last !== undefined && exchange.time - last.time < servedMs) return last;
  const counted = countSides(exchange, market);
  counts.set(market, counted);
  return counted;
}

/** Positions of one market are worth what they are large: lots rank as USD does. */
function countSides(exchange: Exchange, market: MarketId): LongShort {
  const listed = marketById(exchange, market);
  const holders = listed === undefined ? [] : holdersOf(listed);
  const counted = holders.filter(
    ({ account }) => account !== insuranceAccount && !accountById(exchange, account)!.house,
  );
  const bySize = [...counted].sort(
    (a, b) => Math.abs(b.lots) - Math.abs(a.lots) || a.account - b.account,
  );
  const top = bySize.slice(0, Math.ceil(bySize.length / fifths));
  return {
    market,
    time: exchange.time,
    accounts: sumOf(counted, () => 1),
    topAccounts: sumOf(top, () => 1),
    topLots: sumOf(top, ({ lots }) => Math.abs(lots)),
  };
}

function sumOf(
  positions: readonly Position[],
  amountOf: (position: Position) => number,
): SideCounts {
  let long = 0;
  let short = 0;
  for (const position of positions) {
    if (position.lots > 0) long += amountOf(position);
    else short += amountOf(position);
  }
  return { long, short };
}
