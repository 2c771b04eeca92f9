// The leverage setting of an account on a market (MAR-5).

import type { Market } from './market.ts';
import type { Position } from './position.ts';

const leverageDefault = 20;

/** The leverage that was set, else 20, never above the market's present maximum. */
export function leverageOf(market: Market, position: Position | undefined): number {
  const standing =
    position === undefined || position.leverage === 0 ? undefined : position.leverage;
  return Math.min(standing ?? leverageDefault, market.terms.maxLeverage);
}
