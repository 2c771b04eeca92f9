// Whole-number arithmetic of the oracle. Every amount is a bigint; every rounding has its name.

export const rateOne = 100_000_000n;

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const sizeOf = (a: bigint): bigint => (a < 0n ? -a : a);
export const signOf = (a: bigint): bigint => (a > 0n ? 1n : a < 0n ? -1n : 0n);

/** a / b rounded towards minus infinity; b > 0. */
export function floorDiv(a: bigint, b: bigint): bigint {
  if (b <= 0n) throw new Error('the oracle divides by a positive number');
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** a / b rounded towards plus infinity; b > 0. */
export const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b);

/** a / b rounded to the nearest, a half to the even one; b > 0. */
export function halfEvenDiv(a: bigint, b: bigint): bigint {
  const floor = floorDiv(a, b);
  const twice = 2n * (a - floor * b);
  if (twice < b) return floor;
  if (twice > b) return floor + 1n;
  return floor % 2n === 0n ? floor : floor + 1n;
}

/** The middle one of three. */
export function medianOf(a: bigint, b: bigint, c: bigint): bigint {
  return most(least(a, b), least(most(a, b), c));
}

/** The order of two bigints for `sort`, ascending. */
export const byRising = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
