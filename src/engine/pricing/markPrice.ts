// The mark price and the moving premium behind it (PRC-1). Only the book's middle and a median use
// the book, so that no single trade moves the mark far. Trades of a liquidation are not used.

import { mulDivCeil, mulDivFloor, mulDivHalfEven } from '../../units/mulDiv.ts';
import { type Rate, rateOne, type Ticks } from '../../units/units.ts';

/** The premium is stored in millionths of a tick. */
export const premiumScale = 1_000_000;
const premiumWindowMs = 150_000;

export type Quotes = { readonly bid: Ticks; readonly ask: Ticks };

/**
 * One step of the premium's moving average: e += (x − e) × dt / (150 s + dt), half to even, where
 * x = mid − index in millionths of a tick.
 */
export function stepPremium(
  premium: number,
  step: { readonly index: Ticks; readonly quotes: Quotes; readonly elapsedMs: number },
): number {
  const { index, quotes, elapsedMs } = step;
  const target = (quotes.bid + quotes.ask) * (premiumScale / 2) - index * premiumScale;
  return premium + mulDivHalfEven(target - premium, elapsedMs, premiumWindowMs + elapsedMs);
}

/**
 *   mark = median(index, index + premium, median(best bid, best ask, last trade)),
 * clamped to index × (1 ± clamp), and at least one tick; when a side of the book is empty, index +
 * premium, clamped. Whole ticks, half to even. The last trade is the last one that was no
 * liquidation; before the first such trade the middle of the book replaces it.
 */
export function markPrice(terms: {
  readonly index: Ticks;
  readonly premium: number;
  readonly quotes: Quotes | undefined;
  readonly lastRegular: Ticks;
  readonly clamp: Rate;
}): Ticks {
  const { index, premium, quotes, lastRegular, clamp } = terms;
  const carried = index * premiumScale + premium;
  let mark = carried;
  if (quotes !== undefined) {
    const { bid, ask } = quotes;
    const middle = (bid + ask) * (premiumScale / 2);
    const traded = lastRegular === 0 ? middle : lastRegular * premiumScale;
    const book = median(bid * premiumScale, ask * premiumScale, traded);
    mark = median(index * premiumScale, carried, book);
  }
  const rounded = mulDivHalfEven(mark, 1, premiumScale);
  const low = mulDivCeil(index, rateOne - clamp, rateOne);
  const high = mulDivFloor(index, rateOne + clamp, rateOne);
  return Math.min(Math.max(rounded, low), high) as Ticks;
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
