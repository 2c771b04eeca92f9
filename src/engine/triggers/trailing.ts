// How a trailing trigger follows the mark (TRG-4): from its activation on it keeps the extreme, and
// fires once the mark has come back from it by the callback.

import { mulDivCeil, mulDivFloor } from '../../units/mulDiv.ts';
import { rateOne, type Ticks } from '../../units/units.ts';
import type { Trigger } from '../trigger.ts';

type Trailing = Pick<Trigger, 'side' | 'callbackRate' | 'extreme'>;

/**
 * The mark at which it fires, 0 before its activation. SELL fires at mark ≤ extreme × (1 −
 * callback), BUY at mark ≥ extreme × (1 + callback); marks are whole, so that rounding the bound
 * away from the extreme compares exactly.
 */
export function trailingStop({ side, extreme, callbackRate }: Trailing): Ticks {
  if (extreme === 0) return 0 as Ticks;
  const stop =
    side > 0
      ? mulDivCeil(extreme, rateOne + callbackRate, rateOne)
      : mulDivFloor(extreme, rateOne - callbackRate, rateOne);
  return stop as Ticks;
}

/** Whether the mark has come back far enough. Never so in the tick that activates it. */
export function hasTurned(trailing: Trailing, mark: Ticks): boolean {
  if (trailing.extreme === 0) return false;
  const stop = trailingStop(trailing);
  return trailing.side > 0 ? mark >= stop : mark <= stop;
}

/** Takes in a mark that did not fire it: activates it, or moves the extreme. */
export function followMark(trigger: Trigger, mark: Ticks): void {
  const { side, extreme, activationTicks } = trigger;
  // Of a SELL the extreme is the highest mark and the activation is reached from below.
  const bound = extreme === 0 ? activationTicks : extreme;
  const reached = side > 0 ? mark <= bound : mark >= bound;
  if (reached) trigger.extreme = mark;
}
