// A source's price as whole ticks of a market (UNIT-1): exact, half to even, without floats.

import type { Grid } from '../engine/marketTerms.ts';
import { parseDecimal } from '../units/decimal.ts';
import type { Ticks } from '../units/units.ts';

/** The engine's bound on every price (`ticksMax`); the index publisher never sends a higher one. */
export const indexTicksMax = 1_000_000_000;

/**
 * The price of `text` in ticks of `tick`, half to even. undefined when the text is not a decimal,
 * or when the rounded price is not above 0 or is beyond `indexTicksMax`.
 *
 * ticks = digits × 10^-scale / (step × 10^-decimals)
 */
export function roundToTicks(text: string, tick: Grid): Ticks | undefined {
  const price = parseDecimal(text);
  if (price === undefined || price.negative) return undefined;
  const shift = tick.decimals - price.scale;
  const numerator = price.digits * 10n ** BigInt(Math.max(0, shift));
  const denominator = BigInt(tick.step) * 10n ** BigInt(Math.max(0, -shift));
  const floor = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const up = twice > denominator || (twice === denominator && floor % 2n === 1n);
  const ticks = up ? floor + 1n : floor;
  if (ticks <= 0n || ticks > BigInt(indexTicksMax)) return undefined;
  return Number(ticks) as Ticks;
}
