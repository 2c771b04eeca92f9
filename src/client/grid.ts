// The grid of a market's prices or quantities, as copies of books and pages use it.

import { parseDecimal } from '../units/decimal.ts';

/** Each step × 10^-decimals. */
export type Grid = { readonly decimals: number; readonly step: number };

/** The grid of a step as the wire shows it: `0.50` has decimals 2 and step 50. */
export function gridOf(step: string): Grid {
  const decimal = parseDecimal(step);
  return decimal === undefined
    ? { decimals: 0, step: 1 }
    : { decimals: decimal.scale, step: Number(decimal.digits) };
}
