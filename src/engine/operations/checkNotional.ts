// The bounds on the notional of orders and triggers (ORD-11, ORD-11a).

import { notionalOf, notionalWithin } from '../../units/notional.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import { notionalMax } from '../limits.ts';
import type { Market } from '../market.ts';
import type { Rejection } from '../rejection.ts';

/** The market's bounds on notional; LIMIT counts at its price, MARKET (0) at the mark (ORD-11). */
export function checkNotional(market: Market, ticks: Ticks, lots: Lots): Rejection | undefined {
  const { minOrderSize, maxOrderSize } = market.terms;
  const price = ticks > 0 ? ticks : market.prices.mark;
  if (!notionalWithin(price, lots, market.grain, maxOrderSize)) {
    return { reason: 'notionalAboveMax', max: maxOrderSize };
  }
  if (notionalOf(price, lots, market.grain) < minOrderSize) {
    return { reason: 'notionalBelowMin', min: minOrderSize };
  }
  return checkSafeNotional(market, ticks, lots);
}

/**
 * Whatever the market's bounds, an order's notional must be a safe integer (UNIT-1): at its price,
 * and at the mark, by which its loss and its maintenance margin are judged.
 */
export function checkSafeNotional(market: Market, ticks: Ticks, lots: Lots): Rejection | undefined {
  const price = Math.max(ticks, market.prices.mark) as Ticks;
  if (notionalWithin(price, lots, market.grain, notionalMax)) return undefined;
  return { reason: 'notionalAboveMax', max: notionalMax };
}
