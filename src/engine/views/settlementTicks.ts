// The price at which a market with a delivery date settles, and before that what it would be now
// (SYM-2).

import { mulDivHalfEven } from '../../units/mulDiv.ts';
import type { Ticks } from '../../units/units.ts';
import type { Market } from '../market.ts';

const hourMinutes = 60;
const minuteMs = 60_000;

/** The mean of the accepted indexes of the hour before the delivery, half to even; else the last. */
export function settlementTicks(market: Market): Ticks {
  const end = market.terms.deliveryTime / minuteMs;
  let sum = 0;
  let count = 0;
  for (const minute of market.indexMinutes) {
    if (minute.minute < end - hourMinutes || minute.minute >= end) continue;
    sum += minute.sum;
    count += minute.count;
  }
  if (count === 0) return market.prices.index;
  return mulDivHalfEven(sum, 1, count) as Ticks;
}
