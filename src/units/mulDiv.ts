// Products and quotients of safe integers without losing a unit. The fast path stays in doubles
// while the product is below 2^53, where doubles are exact; beyond it bigint takes over.

import { assert } from '../std/assert.ts';

const productMax = Number.MAX_SAFE_INTEGER;

function narrowed(value: bigint): number {
  const number = Number(value);
  assert(Number.isSafeInteger(number), 'a quotient is beyond the safe integers');
  return number;
}

/** floor(a × b / c), towards minus infinity. Takes safe integers, c > 0. */
export function mulDivFloor(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b;
  if (product <= productMax && product >= -productMax) {
    const remainder = product % c;
    return (product - remainder) / c - (remainder < 0 ? 1 : 0);
  }
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = wide / divisor;
  return narrowed(wide % divisor < 0n ? quotient - 1n : quotient);
}

/** ceil(a × b / c), towards plus infinity. Takes safe integers, c > 0. */
export function mulDivCeil(a: number, b: number, c: number): number {
  assert(c > 0, 'mulDiv divides by a positive number');
  const product = a * b;
  if (product <= productMax && product >= -productMax) {
    const remainder = product % c;
    return (product - remainder) / c + (remainder > 0 ? 1 : 0);
  }
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = wide / divisor;
  return narrowed(wide % divisor > 0n ? quotient + 1n : quotient);
}

/** a × b / c rounded half to even. Takes safe integers, c > 0. */
export function mulDivHalfEven(a: number, b: number, c: number): number {
  const floor = mulDivFloor(a, b, c);
  // 2 × remainder against c decides; the remainder is below c, so bigint is exact and rare.
  const product = a * b;
  if (product <= productMax && product >= -productMax) {
    const remainder = product - floor * c;
    const twice = remainder * 2;
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
