// Converts between the texts of tick and lot sizes and the grid of a market (UNIT-1).

import type { Grid } from '../../engine/marketTerms.ts';
import { formatTrimmed, parseDecimal } from '../../units/decimal.ts';
import type { Refusal } from '../refusal.ts';

/**
 * A step above zero: `0.5` gives decimals 1, step 5. The engine checks whether the step is
 * acceptable.
 */
export function readGrid(text: string, name: string): Grid | Refusal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return { reason: 'parameterIllegal', name };
  let { digits, scale } = decimal;
  if (decimal.negative || digits === 0n) return { reason: 'quantityInvalid', name };
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  if (digits > BigInt(Number.MAX_SAFE_INTEGER)) return { reason: 'quantityInvalid', name };
  return { decimals: scale, step: Number(digits) };
}

export function gridText({ decimals, step }: Grid): string {
  return formatTrimmed(step, decimals);
}
