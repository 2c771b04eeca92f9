// What a person typed or pasted into a field, as whole steps of its grid.

import type { Grid } from '../../client/grid.ts';
import { parseDecimal } from '../../units/decimal.ts';

export type Typed =
  | { readonly kind: 'empty' }
  | { readonly kind: 'steps'; readonly steps: bigint }
  /** Not a decimal above zero. */
  | { readonly kind: 'malformed' }
  /** A comma that may separate thousands or decimals. */
  | { readonly kind: 'ambiguous' }
  /** Between two steps of the grid. */
  | { readonly kind: 'offGrid' }
  | { readonly kind: 'tooLarge' };

/** What the exchange counts with: safe integers. */
const stepsMax = BigInt(Number.MAX_SAFE_INTEGER);
const typedLengthMax = 40;
/** A field holds one sign more than is read: what the browser has cut off is then refused, too. */
export const fieldLengthMax = typedLengthMax + 1;
const grouped = /^\d{1,3}(?:,\d{3})+(?=\.\d*$)/;
/** One kind of sign between groups of three digits; browsers paste a line break as a space. */
const spaced = /^\d{1,3}([ \u00a0\u2009\u202f_'])\d{3}(?:\1\d{3})*(?=[.,]|$)/;

/**
 * What a person typed or pasted, as whole steps. Spaces may stand at the ends and between
 * thousands, nowhere else: two pasted cells are no number. `1,234.5` has a separator of thousands,
 * `1,5` a decimal comma; `1,234` can mean both and is not guessed.
 */
export function readTyped(typed: string, { decimals, step }: Grid): Typed {
  const plain = typed.trim().replace(spaced, (whole) => whole.replace(/\D/g, ''));
  if (plain === '') return { kind: 'empty' };
  if (typed.length > typedLengthMax) return { kind: 'malformed' };
  if (/^[1-9]\d{0,2}(?:,\d{3})+$/.test(plain)) return { kind: 'ambiguous' };
  const text = grouped.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.');
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(text)) return { kind: 'malformed' };
  const decimal = parseDecimal(text);
  if (decimal === undefined || decimal.digits === 0n) return { kind: 'malformed' };
  const { digits, scale } = decimal;
  const common = Math.max(scale, decimals);
  const value = digits * 10n ** BigInt(common - scale);
  const unit = BigInt(step) * 10n ** BigInt(common - decimals);
  if (value % unit !== 0n) return { kind: 'offGrid' };
  const steps = value / unit;
  return steps > stepsMax ? { kind: 'tooLarge' } : { kind: 'steps', steps };
}
