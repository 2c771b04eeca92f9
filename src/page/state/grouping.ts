// Decimals for people: separators of thousands, signs, few digits.

import { plainText, scaledOf } from './grid.ts';

/** For people: separators of thousands in the whole part. */
export function grouping(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const shown = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? shown : `${shown}.${fraction}`;
}

/** For people: a text of the wire with exactly `decimals` decimals, cut and not rounded. */
export const cut = (text: string, decimals: number): string =>
  grouping(plainText(scaledOf(text, decimals), decimals));

/** The same with a sign where it is above zero: of profits and changes. */
export function signed(value: bigint, decimals: number): string {
  return `${value > 0n ? '+' : ''}${grouping(plainText(value, decimals))}`;
}

/** Drops zeros at the end of the fraction. */
export const trimmed = (text: string): string =>
  text.includes('.') ? text.replace(/\.?0+$/, '') : text;

/** Large amounts in few signs: 12.3K, 4.56M, 1.20B. */
export function compact(text: string): string {
  const whole = scaledOf(text, 0);
  const size = whole < 0n ? -whole : whole;
  for (const [unit, letter] of largeUnits) {
    if (size >= unit) {
      const hundredths = (whole * 100n) / unit;
      return `${grouping(plainText(hundredths, 2))}${letter}`;
    }
  }
  return cut(text, 2);
}

const largeUnits = [
  [1_000_000_000n, 'B'],
  [1_000_000n, 'M'],
  [1_000n, 'K'],
] as const;

/** Rates have eight decimals, so percents have six. */
const rateDecimals = 8;
const percentDecimals = 6;

/** The same with exactly two decimals, cut: of ratios. */
export const ratioPercent = (ratio: string): string =>
  `${cut(plainText(scaledOf(ratio, rateDecimals), percentDecimals), 2)}%`;

/** A rate of the wire as percent: `0.0005` is 0.05%. */
export const percentOf = (rate: string): string =>
  `${trimmed(plainText(scaledOf(rate, rateDecimals), percentDecimals))}%`;
