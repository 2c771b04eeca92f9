// Where prices, quantities and rates become money. Every rounding function has its direction in its
// name, and rounds against the account (UNIT-3).

import { assert } from '../std/assert.ts';
import { mulDivCeil, mulDivFloor } from './mulDiv.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from './units.ts';

/**
 * The contract multiplier: the money of one tick of one lot of a market, a whole number (UNIT-1).
 */
export type Grain = number;

/**
 * price × quantity; exact, with the sign of the quantity. A product beyond 2^53 is a fault of the
 * caller.
 */
export function notionalOf(ticks: Ticks, lots: Lots, grain: Grain): Money {
  const value = ticks * lots * grain;
  assert(
    value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER,
    'a notional is beyond the safe integers',
  );
  return value as Money;
}

/**
 * Whether price × quantity is at most `bound`, for factors that may be too large for `notionalOf`.
 */
export function notionalWithin(ticks: Ticks, lots: Lots, grain: Grain, bound: Money): boolean {
  return ticks * lots * grain <= bound;
}

/** money × rate, rounded up: fees, maintenance margin. A negative rate (rebate) rounds up too. */
export function shareUp(money: Money, rate: Rate): Money {
  return mulDivCeil(money, rate, rateOne) as Money;
}

/** money × rate, rounded down: money that an account receives. */
export function shareDown(money: Money, rate: Rate): Money {
  return mulDivFloor(money, rate, rateOne) as Money;
}

/** money / leverage, rounded up: the initial margin of an opening fill (MAR-2). */
export function marginUp(notional: Money, leverage: number): Money {
  return mulDivCeil(notional, 1, leverage) as Money;
}

/** money / leverage × 1.005, rounded up: the freeze of an open order (MAR-1). */
export function freezeUp(notional: Money, leverage: number): Money {
  return mulDivCeil(notional, 1005, leverage * 1000) as Money;
}

/** part / whole of `money`, rounded up (towards plus infinity, also when it is negative). */
export function proRataUp(money: Money, part: Lots, whole: Lots): Money {
  return mulDivCeil(money, part, whole) as Money;
}

/** part / whole of `money`, rounded down. */
export function proRataDown(money: Money, part: Lots, whole: Lots): Money {
  return mulDivFloor(money, part, whole) as Money;
}
