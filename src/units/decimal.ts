// The one place where decimal text becomes integers and back (UNIT-4): exact, without floating
// point.

import { assert } from '../std/assert.ts';

const plain = /^([+-]?)(\d+)(?:\.(\d*))?$|^([+-]?)\.(\d+)$/;
const exponent = /^([+-]?)(\d+)(?:\.(\d*))?[eE]([+-]?\d{1,4})$/;
const textLengthMax = 64;

export type Decimal = {
  readonly negative: boolean;
  /** The digits without sign and point; value = digits × 10^-scale. */
  readonly digits: bigint;
  readonly scale: number;
};

/** Reads a plain decimal, or the exponent form of a JSON number; undefined when it is neither. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > textLengthMax) return undefined;
  const match = plain.exec(text);
  if (match !== null) {
    const whole = match[2] ?? '';
    const fraction = match[3] ?? match[5] ?? '';
    const negative = (match[1] ?? match[4]) === '-';
    return { negative, digits: BigInt(whole + fraction), scale: fraction.length };
  }
  const scientific = exponent.exec(text);
  if (scientific === null) return undefined;
  const fraction = scientific[3] ?? '';
  const power = Number(scientific[4]);
  if (Math.abs(power) > 40) return undefined;
  const digits = BigInt(scientific[2]! + fraction);
  const scale = fraction.length - power;
  const negative = scientific[1] === '-';
  const zeros = BigInt(Math.max(0, -scale));
  return { negative, digits: digits * 10n ** zeros, scale: Math.max(0, scale) };
}

export type Scaled =
  | { readonly kind: 'exact'; readonly value: number }
  /** The value is between two whole units; `value` is the one nearer to zero. */
  | { readonly kind: 'inexact'; readonly value: number }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'outOfRange' };

/**
 * Reads `text` as a whole number of 10^-decimals / step, for example a price as ticks. A grid with
 * a tick of 0.5 has decimals 1 and step 5.
 */
export function parseScaled(text: string, decimals: number, step = 1): Scaled {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return { kind: 'malformed' };
  const shift = decimals - decimal.scale;
  const divisor = BigInt(step) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const scaled = shift >= 0 ? decimal.digits * 10n ** BigInt(shift) : decimal.digits;
  const quotient = scaled / divisor;
  if (quotient > BigInt(Number.MAX_SAFE_INTEGER)) return { kind: 'outOfRange' };
  const magnitude = Number(quotient);
  const value = decimal.negative && magnitude !== 0 ? -magnitude : magnitude;
  return { kind: scaled % divisor === 0n ? 'exact' : 'inexact', value };
}

/** Plain text of value × 10^-decimals with exactly `decimals` decimals. */
export function formatScaled(value: number | bigint, decimals: number): string {
  assert(
    typeof value === 'bigint' || Number.isSafeInteger(value),
    'only safe integers have an exact text',
  );
  if (decimals === 0) return String(value);
  const sign = value < 0 ? '-' : '';
  const digits = String(value < 0 ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Plain text of value × 10^-decimals without trailing zeros. */
export function formatTrimmed(value: number | bigint, decimals: number): string {
  const text = formatScaled(value, decimals);
  if (decimals === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end -= 1;
  if (text.charCodeAt(end - 1) === 46) end -= 1;
  return text.slice(0, end);
}

/** Plain text of a number of steps of a grid, each step × 10^-decimals, with exactly `decimals`. */
export function formatSteps(
  count: number | bigint,
  { decimals, step }: { readonly decimals: number; readonly step: number },
): string {
  const value = typeof count === 'bigint' ? count * BigInt(step) : count * step;
  return formatScaled(value, decimals);
}

/** numerator / denominator as trimmed text of at most `decimals` decimals, half to even. */
export function formatQuotient(numerator: bigint, denominator: bigint, decimals: number): string {
  assert(denominator > 0n, 'a quotient needs a positive denominator');
  const negative = numerator < 0n;
  const scaled = (negative ? -numerator : numerator) * 10n ** BigInt(decimals);
  let quotient = scaled / denominator;
  const twice = 2n * (scaled % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n;
  const digits = quotient.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = digits.slice(0, point);
  const fraction = digits.slice(point).replace(/0+$/, '');
  const sign = negative && quotient !== 0n ? '-' : '';
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}
