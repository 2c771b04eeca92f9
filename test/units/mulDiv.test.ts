// UNIT-3: quotients are exact in the direction their names say, on both paths.

import fc from 'fast-check';
import { test } from 'vitest';
import {
  isProductAtLeast,
  mulDivCeil,
  mulDivFloor,
  mulDivHalfEven,
} from '../../src/units/mulDiv.ts';
import { expectSame } from '../fixtures/expectSame.ts';

const factor = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.maxSafeInteger(),
  fc.integer({ min: 2 ** 50 - 1000, max: 2 ** 50 + 1000 }),
);
/** Around the bound between the exact remainder of two doubles and bigint. */
const border = fc.integer({ min: 2 ** 50 - 1000, max: 2 ** 50 + 1000 });
const divisor = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  border,
);

function floorOf(a: bigint, b: bigint, c: bigint): bigint {
  const quotient = (a * b) / c;
  return (a * b) % c < 0n ? quotient - 1n : quotient;
}

test('UNIT-3 mulDiv agrees with bigint in every direction', () => {
  fc.assert(
    fc.property(factor, factor, divisor, (a, b, c) => {
      const floor = floorOf(BigInt(a), BigInt(b), BigInt(c));
      fc.pre(floor > -(2n ** 53n) + 1n && floor < 2n ** 53n - 2n);
      const exact = floor * BigInt(c) === BigInt(a) * BigInt(b);
      expectSame(mulDivFloor(a, b, c), Number(floor));
      expectSame(mulDivCeil(a, b, c), Number(exact ? floor : floor + 1n));
      const twice = 2n * (BigInt(a) * BigInt(b) - floor * BigInt(c));
      const up = twice > BigInt(c) || (twice === BigInt(c) && floor % 2n !== 0n);
      expectSame(mulDivHalfEven(a, b, c), Number(up ? floor + 1n : floor));
    }),
    { numRuns: 20_000 },
  );
});

test('UNIT-3 mulDiv is exact beyond doubles and never gives minus zero', () => {
  // The product is 2^53 + 1, whose nearest double is 2^53; a third of it is whole.
  const [a, b, third] = [321, 28_059_810_762_433, 3_002_399_751_580_331];
  for (const mulDiv of [mulDivFloor, mulDivCeil, mulDivHalfEven]) {
    expectSame(mulDiv(a, b, 3), third);
    expectSame(mulDiv(-a, b, 3), -third);
    expectSame(mulDiv(-1, 0, 3), 0);
  }
});

test('UNIT-3 mulDiv is exact where a quotient is whole, or one unit of the product away from it', () => {
  const part = fc.integer({ min: 1, max: 2 ** 26 });
  fc.assert(
    fc.property(part, part, part, (a, c, times) => {
      for (const b of [c * times - 1, c * times, c * times + 1]) {
        const floor = floorOf(BigInt(a), BigInt(b), BigInt(c));
        expectSame(mulDivFloor(a, b, c), Number(floor));
        expectSame(mulDivFloor(-a, b, c), Number(floorOf(BigInt(-a), BigInt(b), BigInt(c))));
      }
    }),
    { numRuns: 20_000 },
  );
});

test('UNIT-3 products are compared exactly, also where both round to one double', () => {
  fc.assert(
    fc.property(factor, factor, factor, factor, (a, b, c, d) => {
      const others = [
        [c, d],
        [a, b],
        [a + 1, b - 1],
        [a - 1, b],
      ] as const;
      for (const [e, f] of others) {
        if (!Number.isSafeInteger(e) || !Number.isSafeInteger(f)) continue;
        const atLeast = BigInt(a) * BigInt(b) >= BigInt(e) * BigInt(f);
        expectSame(isProductAtLeast(a, b, e, f), atLeast);
      }
    }),
    { numRuns: 20_000 },
  );
});
