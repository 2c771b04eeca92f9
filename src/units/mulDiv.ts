// Exact products and quotients of safe integers. The fast path uses doubles while the product is
// below 2^52, where it is exact; above it, bigint. The code avoids the remainder operator on
// doubles, because it costs ten times a division.

import { assert } from '../std/assert.ts';

const productMax = 2 ** 52;

function narrowed(value: bigint): number {
  const number = Number(value);
  assert(Number.isSafeInteger(number), 'a quotient is beyond the safe integers');
  return number;
}

/**
 * floor(product / c) of a narrow product. A quotient that is not whole is at least 1 / c away from
 * the next whole number. Rounding moves it by at most 2^52 / c × 2^-53, which is half of that.
 */
const floorOf = (product: number, c: number): number => Math.floor(product / c);

const isNarrow = (product: number): boolean => product <= productMax && product >= -productMax;

/** floor(a × b / c), towards minus infinity. Takes safe integers, c > 0. */
export function mulDivFloor(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b + 0; // never minus zero
  if (isNarrow(product)) return floorOf(product, c);
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = wide / divisor;
  return narrowed(wide % divisor < 0n ? quotient - 1n : quotient);
}

/** ceil(a × b / c), towards plus infinity. Takes safe integers, c > 0. */
export function mulDivCeil(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b + 0; // never minus zero
  if (isNarrow(product)) {
    const floor = floorOf(product, c);
    return floor * c === product ? floor : floor + 1;
  }
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = wide / divisor;
  return narrowed(wide % divisor > 0n ? quotient + 1n : quotient);
}

/** a × b / c rounded half to even. Takes safe integers, c > 0. */
export function mulDivHalfEven(a: number, b: number, c: number): number {
  const floor = mulDivFloor(a, b, c);
  const product = a * b;
  if (isNarrow(product)) {
    const twice = (product - floor * c) * 2;
    if (twice < c) return floor;
    if (twice > c) return floor + 1;
    return floor % 2 === 0 ? floor : floor + 1;
  }
  const twice = 2n * (BigInt(a) * BigInt(b) - BigInt(floor) * BigInt(c));
  const divisor = BigInt(c);
  if (twice < divisor) return floor;
  if (twice > divisor) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Whether a × b ≥ c × d, exactly. Takes safe integers. */
export function isProductAtLeast(a: number, b: number, c: number, d: number): boolean {
  const left = a * b;
  const right = c * d;
  if (isNarrow(left) && isNarrow(right)) return left >= right;
  return BigInt(a) * BigInt(b) >= BigInt(c) * BigInt(d);
}
