// UNIT-1 and UNIT-3: prices, quantities and rates become money in the direction that a name says.

import { expect, test } from 'vitest';
import { Fault } from '../../src/std/assert.ts';
import {
  freezeUp,
  marginUp,
  notionalOf,
  notionalWithin,
  proRataDown,
  proRataUp,
  shareDown,
  shareUp,
} from '../../src/units/notional.ts';
import type { Lots, Money, Rate, Ticks } from '../../src/units/units.ts';

const max = Number.MAX_SAFE_INTEGER;

test('UNIT-1 a notional is ticks x lots x grain with the sign of the lots; beyond safe integers a fault', () => {
  expect(notionalOf(600_001 as Ticks, 3 as Lots, 100)).toBe(180_000_300);
  expect(notionalOf(600_001 as Ticks, -3 as Lots, 100)).toBe(-180_000_300);
  // 2^53 - 1 = 6361 × 69431 × 20394401.
  const [ticks, lots, grain] = [6361 as Ticks, 69_431 as Lots, 20_394_401];
  expect(notionalOf(ticks, lots, grain)).toBe(max);
  expect(notionalOf(ticks, -lots as Lots, grain)).toBe(-max);
  const half = (2 ** 26) as Lots;
  expect(() => notionalOf(half as number as Ticks, half, 2)).toThrow(Fault);
  expect(() => notionalOf(half as number as Ticks, -half as Lots, 2)).toThrow(Fault);
});

test('UNIT-1 a notional is within its bound up to the last unit', () => {
  const within = (bound: number): boolean =>
    notionalWithin(7 as Ticks, 11 as Lots, 13, bound as Money);
  expect([1000, 1001, 1002].map(within)).toEqual([false, true, true]);
  expect(notionalWithin(max as Ticks, max as Lots, 1, max as Money)).toBe(false);
});

test('UNIT-3 shares, margins, freezes and parts are rounded as their names state', () => {
  const money = 10_000_001 as Money;
  // At 0.05 %: 5000.0005.
  expect(shareUp(money, 50_000 as Rate)).toBe(5001);
  expect(shareUp(money, -50_000 as Rate)).toBe(-5000);
  expect(shareDown(money, 50_000 as Rate)).toBe(5000);
  expect(shareDown(money, -50_000 as Rate)).toBe(-5001);
  // A third is 3333333.66…, with half a per cent more 3350000.335.
  expect(marginUp(money, 3)).toBe(3_333_334);
  expect(marginUp(money, 1)).toBe(money);
  expect(freezeUp(money, 3)).toBe(3_350_001);
  expect(freezeUp(3_000_000 as Money, 3)).toBe(1_005_000);
  expect(proRataUp(money, 2 as Lots, 3 as Lots)).toBe(6_666_668);
  expect(proRataDown(money, 2 as Lots, 3 as Lots)).toBe(6_666_667);
  expect(proRataUp(-money as Money, 2 as Lots, 3 as Lots)).toBe(-6_666_667);
  expect(proRataDown(-money as Money, 2 as Lots, 3 as Lots)).toBe(-6_666_668);
});
