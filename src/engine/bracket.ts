// The brackets of a market's maintenance rates (MAR-10). What a position keeps of them stands in
// clearing/maintenance.ts.

import type { Money, Rate } from '../units/units.ts';

/**
 * A part of a side's open interest, from the bound of the bracket before, or 0, up to `upTo`. What
 * opens there has this marginal maintenance rate.
 */
export type Bracket = { readonly upTo: Money; readonly rate: Rate };

/** The brackets of a market without a table: one rate up to the cap. */
export function oneBracket(rate: Rate, cap: Money): readonly Bracket[] {
  return [{ upTo: cap, rate }];
}

/** The same bounds, every rate changed by this amount. */
export function shiftBrackets(brackets: readonly Bracket[], by: number): readonly Bracket[] {
  return brackets.map(({ upTo, rate }) => ({ upTo, rate: (rate + by) as Rate }));
}
