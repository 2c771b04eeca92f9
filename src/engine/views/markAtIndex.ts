// The direct results of an index for a market: the mark and the premium (PRC-1), and whether the
// figures of its positions stay safe integers (UNIT-1). The tick that takes the index uses it, and
// the operator's surface uses it before. Writes nothing.

import { assert } from '../../std/assert.ts';
import { notionalWithin } from '../../units/notional.ts';
import type { Lots, Money, Ticks, Time } from '../../units/units.ts';
import { bestLive } from '../book/sweep.ts';
import { holdersOf } from '../clearing/liquidationIndex.ts';
import { moneyMax } from '../limits.ts';
import type { IndexMinute, Market } from '../market.ts';
import { markPrice, type Quotes, stepPremium } from '../pricing/markPrice.ts';
import { indexMovedToSettlement, minutesUntil, movedToSettlement } from '../settlementTicks.ts';

export type PricesAtIndex = {
  readonly premium: number;
  /** By PRC-1 alone: what the breaker watches. */
  readonly bookMark: Ticks;
  /** The mark, and the index to compare it with (LIQ-1): both moved before a delivery (SYM-2c). */
  readonly mark: Ticks;
  readonly movedIndex: Ticks;
  readonly indexMinutes: readonly IndexMinute[];
};

/** What an index would make of a market now; writes nothing. */
export function markAtIndex(market: Market, index: Ticks, now: Time): PricesAtIndex {
  const { prices, terms, figures } = market;
  const quotes = quotesOf(market);
  // Since 1970 at the first index, when no order rests yet and the premium makes no step.
  const elapsedMs = now - prices.premiumAt;
  assert(elapsedMs >= 0, 'time does not run backwards');
  const premium =
    quotes === undefined
      ? prices.premium
      : stepPremium(prices.premium, { index, quotes, elapsedMs });
  const { lastRegular } = figures;
  const bookMark = markPrice({ index, premium, quotes, lastRegular, clamp: terms.markClamp });
  const indexMinutes = minutesUntil(market, now);
  const next = { ...market, prices: { ...prices, index, indexAt: now }, indexMinutes };
  const mark = movedToSettlement(next, bookMark);
  return { premium, bookMark, mark, movedIndex: indexMovedToSettlement(next), indexMinutes };
}

function quotesOf(market: Market): Quotes | undefined {
  const bid: Ticks | undefined = bestLive(market.book.bids)?.ticks;
  const ask: Ticks | undefined = bestLive(market.book.asks)?.ticks;
  return bid === undefined || ask === undefined ? undefined : { bid, ask };
}

/**
 * Whether every figure of the market's positions stays a safe integer at this index, from any
 * source (UNIT-1): Σ |lots| × index, where the mark is less than twice the index. Only a jump can
 * fail: positions are liquidated during a slow move. Cost: after a jump, the positions.
 */
export function staysCountable(market: Market, index: Ticks): boolean {
  if (index * 10 <= market.prices.index * 11) return true;
  const lots = holdersOf(market).reduce((sum, position) => sum + Math.abs(position.lots), 0);
  return notionalWithin(index, lots as Lots, market.grain, (moneyMax / 2) as Money);
}
