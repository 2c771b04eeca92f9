// Where a trailing trigger fires (TRG-4): at the mark that has returned from its extreme by the
// callback. trailingSide.ts makes it follow the mark.

import { mulDivCeil, mulDivFloor } from '../../units/mulDiv.ts';
import { rateOne, type Ticks } from '../../units/units.ts';
import type { Side } from '../orderTypes.ts';
import { extremeOf, type Trigger } from '../trigger.ts';

type Trailing = Pick<Trigger, 'side' | 'callbackRate' | 'extreme'>;

/**
 * The mark at which it fires, 0 before its activation. SELL fires at mark ≤ extreme × (1 −
 * callback), BUY at mark ≥ extreme × (1 + callback). Marks are whole, so rounding the bound away
 * from the extreme makes the comparison exact.
 */
export function trailingStop({ side, extreme, callbackRate }: Trailing): Ticks {
  if (extreme === 0) return 0 as Ticks;
  const stop =
    side > 0
      ? mulDivCeil(extreme, rateOne + callbackRate, rateOne)
      : mulDivFloor(extreme, rateOne - callbackRate, rateOne);
  return stop as Ticks;
}

/** Whether the mark has returned as far as the stop. */
export function hasTurned(side: Side, stop: Ticks, mark: Ticks): boolean {
  return side > 0 ? mark >= stop : mark <= stop;
}

/** Higher for a better extreme: of a SELL the extreme is the highest mark, of a BUY the lowest. */
export function rankOf(side: Side, ticks: Ticks): number {
  return -side * ticks;
}

/** The price at which a trigger would fire now; 0 for a trailing one before its activation. */
export function presentStop(trigger: Readonly<Trigger>): Ticks {
  if (trigger.stopTicks !== 0) return trigger.stopTicks;
  const { side, callbackRate } = trigger;
  return trailingStop({ side, extreme: extremeOf(trigger), callbackRate });
}
