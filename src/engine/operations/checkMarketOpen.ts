// Whether a market takes an order now: the stricter of the operator's status and the restriction by
// prices decides (SYM-1, SYM-2). While the breaker stands, orders that rest may open (PRC-3b).

import type { Time } from '../../units/units.ts';
import { ladderOf } from '../book/book.ts';
import { bestLive, crosses } from '../book/sweep.ts';
import { type Market, restrictionOf } from '../market.ts';
import type { Order } from '../order.ts';
import type { Side } from '../orderTypes.ts';
import type { Rejection } from '../rejection.ts';

/** What an order can do: only reduce, open without meeting any order, or open as a taker. */
export type OrderEffect = 'reduces' | 'rests' | 'takes';

/**
 * Why an order is refused: there is no trading, or only orders are allowed that reduce, or also
 * those that rest.
 */
export function checkMarketOpen(
  market: Market,
  now: Time,
  effect: OrderEffect,
): Rejection | undefined {
  if (market.dues.settledAt !== 0) return { reason: 'marketHalted' };
  const restriction = restrictionOf(market, now);
  if (restriction === 'halted') return { reason: 'priceUnavailable' };
  if (market.status === 'HALT') return { reason: 'marketHalted' };
  if (effect === 'reduces') return undefined;
  if (restriction === 'stale') return { reason: 'priceUnavailable' };
  if (market.status === 'CLOSE') return { reason: 'marketReduceOnly' };
  const mayOpen = restriction === 'none' || effect === 'rests';
  return mayOpen ? undefined : { reason: 'marketReduceOnly' };
}

type Quote = Pick<Order, 'side' | 'ticks'>;

/** Whether a LIMIT order would meet any resting order, also one of its own account (ORD-10). */
export function wouldMeet(market: Market, { side, ticks }: Quote): boolean {
  const best = bestLive(ladderOf(market.book, -side as Side));
  return best !== undefined && crosses(side, best.ticks, ticks);
}

/**
 * The effect of a LIMIT order that may rest and can open. The book is asked only while the breaker
 * stands, because only then the answer matters.
 */
export function effectOf(market: Market, now: Time, quote: Quote): OrderEffect {
  return now < market.prices.breakerUntil && !wouldMeet(market, quote) ? 'rests' : 'takes';
}
