// How far from the mark an order may trade or be priced.

import { mulDivCeil, mulDivFloor } from '../../units/mulDiv.ts';
import { type Rate, rateOne, type Ticks } from '../../units/units.ts';
import type { Side } from '../orderTypes.ts';

/**
 * The worst price within a rate of the mark, rounded towards the mark:
 *   BUY mark × (1 + rate) down to a tick, SELL mark × (1 − rate) up to a tick.
 */
export function markBound(mark: Ticks, side: Side, rate: Rate): Ticks {
  const factor = rateOne + side * rate;
  return (
    side > 0 ? mulDivFloor(mark, factor, rateOne) : mulDivCeil(mark, factor, rateOne)
  ) as Ticks;
}
