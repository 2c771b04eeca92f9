// What a gap of the price may cost beyond the equity of positions (MAR-10c). Tables of brackets are
// derived with it (OPS-7), the gap hole stays below it (OPS-8), and the simulation of attackers
// admits no more.

import { type Money, type Rate, rateOne } from '../../units/units.ts';
import type { Bracket } from '../bracket.ts';
import { waitingPart } from '../clearing/bankruptcy.ts';

/** The unit of `lossOf`: so many are the whole notional. */
export const lossOne = BigInt(waitingPart.of) * BigInt(rateOne);

/**
 * What a gap takes of a notional beyond its equity, at a maintenance rate:
 * max(0, gap − 2 / 3 × rate). A liquidation leaves two thirds of the maintenance margin at least
 * (LIQ-3, LIQ-4).
 */
export function lossOf(gap: Rate, rate: Rate): bigint {
  return BigInt(Math.max(0, waitingPart.of * gap - waitingPart.parts * rate));
}

/** The same as a rate, rounded up. */
export function lossRateUp(gap: Rate, rate: Rate): Rate {
  return Math.ceil(Number(lossOf(gap, rate)) / waitingPart.of) as Rate;
}

/**
 * The hole of a table: what a gap costs at most where one side has this open interest, at the
 * prices of its openings: Σ max(0, gap − 2 / 3 × rate) × width, rounded up.
 */
export function holeOfTable(brackets: readonly Bracket[], gap: Rate, interest: Money): Money {
  let hole = 0n;
  let floor = 0n;
  for (const { upTo, rate } of brackets) {
    const end = BigInt(Math.min(upTo, interest));
    if (end <= floor) break;
    hole += (end - floor) * lossOf(gap, rate);
    floor = end;
  }
  return Number((hole + lossOne - 1n) / lossOne) as Money;
}
