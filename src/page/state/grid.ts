// Prices, quantities and money as whole steps, and their plain texts as the wire has them. They are
// never floating-point numbers here.

import type { Grid } from '../../client/grid.ts';
import { parseDecimal } from '../../units/decimal.ts';

/** A text of the wire as whole 10^-decimals, rounded towards zero; 0 when it is no decimal. */
export function scaledOf(text: string, decimals: number): bigint {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return 0n;
  const shift = decimals - decimal.scale;
  const value =
    shift >= 0 ? decimal.digits * 10n ** BigInt(shift) : decimal.digits / 10n ** BigInt(-shift);
  return decimal.negative ? -value : value;
}

/** Whole steps of a grid, rounded towards zero. */
export const stepsOf = (text: string, { decimals, step }: Grid): bigint =>
  scaledOf(text, decimals) / BigInt(step);

/** Plain text of whole 10^-decimals, with exactly that many decimals: as the wire takes it. */
export function plainText(value: bigint, decimals: number): string {
  const negative = value < 0n;
  const digits = String(negative ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = decimals === 0 ? '' : `.${digits.slice(point)}`;
  return `${negative ? '-' : ''}${digits.slice(0, point)}${fraction}`;
}

/** Plain text of whole steps of a grid. */
export const gridText = (steps: bigint, { decimals, step }: Grid): string =>
  plainText(steps * BigInt(step), decimals);

/** value / 10^-(from - to), rounded towards zero: fewer decimals. */
export const rescaled = (value: bigint, from: number, to: number): bigint =>
  to >= from ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to);
