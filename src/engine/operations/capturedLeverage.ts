// The leverage that an order captures when it is placed or modified (MAR-5).

import type { Time } from '../../units/units.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { leverageOf } from '../views/leverageOf.ts';

/** The highest leverage at which an order may open while the breaker stands (PRC-3b). */
const breakerLeverageMax = 10;

/** The leverage setting; while the breaker stands at most 10. */
export function capturedLeverage(market: Market, position: Position, now: Time): number {
  const standing = leverageOf(market, position);
  return now < market.prices.breakerUntil ? Math.min(standing, breakerLeverageMax) : standing;
}
