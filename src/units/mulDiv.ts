// Exact products and quotients of safe integers. A product below 2^52 is exact in a double. A wider
// one is the sum of two doubles, the rounded product and its rounding error (Dekker 1971), and a
// quotient up to 2^50 is estimated and then corrected by its exact remainder. bigint does the rest.
// The code avoids the remainder operator on doubles, because it costs ten times a division.

import { assert } from '../std/assert.ts';

const productMax = 2 ** 52;
/** Up to here divisors and quotients of wide products need no bigint: no sum passes 2^53. */
const wideMax = 2 ** 50;
/** Multiplied by it, a double splits into two halves of 26 bits (Veltkamp 1968). */
const splitter = 2 ** 27 + 1;

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

/** a × b − product, exactly, where product is a × b rounded to a double. */
function productError(a: number, b: number, product: number): number {
  const aScaled = splitter * a;
  const aHigh = aScaled - (aScaled - a);
  const aLow = a - aHigh;
  const bScaled = splitter * b;
  const bHigh = bScaled - (bScaled - b);
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** The remainder that belongs to the last quotient of `wideFloor`: 0 ≤ remainder < c. */
let remainder = 0;

/**
 * floor(a × b / c) of a wide product. The estimate differs by less than 2 from the quotient, so its
 * remainder shows by how much.
 */
function wideFloor(a: number, b: number, c: number, product: number): number {
  let quotient = Math.floor(product / c);
  if (c > wideMax || quotient > wideMax || quotient < -wideMax) return bigFloor(a, b, c);
  const back = quotient * c;
  remainder = product - back + (productError(a, b, product) - productError(quotient, c, back));
  while (remainder < 0) {
    quotient -= 1;
    remainder += c;
  }
  while (remainder >= c) {
    quotient += 1;
    remainder -= c;
  }
  return quotient;
}

function bigFloor(a: number, b: number, c: number): number {
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const below = wide % divisor < 0n ? 1n : 0n;
  const floor = wide / divisor - below;
  remainder = Number(wide - floor * divisor);
  return narrowed(floor);
}

/** floor(a × b / c), towards minus infinity. Takes safe integers, c > 0. */
export function mulDivFloor(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b + 0; // never minus zero
  return isNarrow(product) ? floorOf(product, c) : wideFloor(a, b, c, product);
}

/** ceil(a × b / c), towards plus infinity. Takes safe integers, c > 0. */
export function mulDivCeil(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b + 0; // never minus zero
  if (isNarrow(product)) {
    const floor = floorOf(product, c);
    return floor * c === product ? floor : floor + 1;
  }
  const floor = wideFloor(a, b, c, product);
  if (remainder === 0) return floor;
  assert(floor < Number.MAX_SAFE_INTEGER, 'a quotient is beyond the safe integers');
  return floor + 1;
}

/** a × b / c rounded half to even. Takes safe integers, c > 0. */
export function mulDivHalfEven(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b + 0; // never minus zero
  const narrow = isNarrow(product);
  const floor = narrow ? floorOf(product, c) : wideFloor(a, b, c, product);
  const left = narrow ? product - floor * c : remainder;
  // left against c − left: twice the remainder may pass the safe integers.
  if (left < c - left) return floor;
  if (left > c - left) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Whether a × b ≥ c × d, exactly. Takes safe integers. */
export function isProductAtLeast(a: number, b: number, c: number, d: number): boolean {
  const left = a * b;
  const right = c * d;
  // Rounding keeps the order of different products; equal ones differ by their errors.
  if (left !== right) return left > right;
  return productError(a, b, left) >= productError(c, d, right);
}
