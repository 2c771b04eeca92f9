// OPS-7, MAR-10: the table of brackets that an operator is shown. For any fund, gap and cap it
// costs at most a quarter of the fund, and it is a table that a market takes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BracketStep,
  deriveBrackets,
  type TableBounds,
} from '../../src/api/operator/deriveBrackets.ts';
import type { Bracket } from '../../src/engine/bracket.ts';
import { bracketsMax } from '../../src/engine/limits.ts';
import { holeOfTable } from '../../src/engine/views/holeOfTable.ts';
import { type Money, type Rate, rateOne, usdt } from '../../src/units/units.ts';

const percent = rateOne / 100;

const btc: TableBounds = {
  fund: (1_000_000 * usdt) as Money,
  gap: (5 * percent) as Rate,
  cap: (20_000_000 * usdt) as Money,
  maxLeverage: 50,
  baseRate: percent as Rate,
  orderMin: (5 * usdt) as Money,
};

function derivedSteps(bounds: TableBounds): readonly BracketStep[] {
  const derived = deriveBrackets(bounds);
  if (derived.kind !== 'derived') throw new Error(derived.kind);
  return derived.steps;
}

/** Each bracket as leverage, rate in percent and bound in USDT. */
const listed = (bounds: TableBounds): [number, number, number][] =>
  derivedSteps(bounds).map(({ leverage, rate, upTo }) => [leverage, rate / percent, upTo / usdt]);

/** Three times the integral of max(0, gap − 2/3 m(x)) up to the cap in money × rate, by bracket. */
function integral(brackets: readonly Bracket[], gap: Rate, cap: Money): bigint {
  let sum = 0n;
  for (const [i, { upTo, rate }] of brackets.entries()) {
    const from = brackets[i - 1]?.upTo ?? 0;
    const width = Math.min(upTo, cap) - Math.min(from, cap);
    if (2 * rate < 3 * gap) sum += BigInt(width) * BigInt(3 * gap - 2 * rate);
  }
  return sum;
}

/** A whole number from 1 to 10^digits whose order of magnitude is uniform. */
const amount = (digits: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: digits }), fc.double({ min: 1, max: 10, noNaN: true }))
    .map(([power, figure]) => Math.floor(figure * 10 ** power) as Money);

const bounds: fc.Arbitrary<TableBounds> = fc
  .record({
    fund: amount(15),
    gap: fc.integer({ min: 1, max: rateOne / 2 }).map((rate) => rate as Rate),
    cap: amount(15),
    maxLeverage: fc.integer({ min: 1, max: 200 }),
    part: fc.double({ min: 0.01, max: 1, noNaN: true }),
    orderMin: amount(9),
  })
  // A base rate is above 0 and below the initial rate.
  .map(({ part, ...rest }) => {
    const initial = Math.floor(rateOne / rest.maxLeverage);
    const baseRate = Math.max(1, Math.min(initial - 1, Math.floor(initial * part))) as Rate;
    return { ...rest, baseRate };
  });

const options = { seed: 15, numRuns: 3000 };

describe('OPS-7 a table of brackets', () => {
  test('OPS-7 each bracket gets an equal share of what is left, and a bound that is rounded down', () => {
    // 62,500 of 250,000 pay 4.33 % of 1,442,308; 66,000 of 198,000 pay 3.67 % of 1,800,000; 66,000
    // of 132,000 pay 3.33 % of 1,980,000; 98,667 pay 1.67 % of 5,920,000.
    expect(listed(btc)).toEqual([
      [50, 1, 1_200_000],
      [25, 2, 3_000_000],
      [20, 2.5, 4_000_000],
      [10, 5, 8_000_000],
      [5, 10, 20_000_000],
    ]);
    expect(holeOfTable(derivedSteps(btc), btc.gap, btc.cap)).toBe(218_000 * usdt);
  });

  test('OPS-7 the table ends where the rest up to the cap costs no more than is left', () => {
    const fund = (10_000_000 * usdt) as Money;
    expect(listed({ ...btc, fund })).toEqual([[50, 1, 20_000_000]]);
    expect(listed({ ...btc, cap: (6_000_000 * usdt) as Money })).toEqual([
      [50, 1, 1_200_000],
      [25, 2, 6_000_000],
    ]);
  });

  test('OPS-7 a base rate of which two thirds are the gap needs one bracket and no fund', () => {
    const baseRate = (7.5 * percent) as Rate;
    const bounds = { ...btc, fund: 0 as Money, baseRate, maxLeverage: 6 };
    expect(listed(bounds)).toEqual([[6, 7.5, 20_000_000]]);
    // The leverage is that of the terms even where the rate would allow a higher one.
    expect(listed({ ...bounds, maxLeverage: 4 })).toEqual([[4, 7.5, 20_000_000]]);
    const below = { ...bounds, baseRate: (baseRate - 1) as Rate };
    expect(deriveBrackets(below)).toEqual({ kind: 'fundTooSmall', leverage: 5 });
  });

  test('OPS-7 a fund that cannot pay for one smallest order is too small', () => {
    const orderMin = (1_000_000 * usdt) as Money;
    // Four shares of 1,000,000 × 4.33 %, and four times that.
    const enough = { ...btc, orderMin, fund: 693_333_333_334 as Money };
    expect(listed(enough)[0]).toEqual([50, 1, 1_000_000]);
    const short = { ...enough, fund: (enough.fund - 16) as Money };
    expect(deriveBrackets(short)).toEqual({ kind: 'fundTooSmall', leverage: 5 });
    expect(deriveBrackets({ ...btc, fund: 0 as Money }).kind).toBe('fundTooSmall');
  });

  test('OPS-7 no table bears a gap beyond two thirds of the rate at a leverage of 1', () => {
    const third = Math.floor(rateOne / 3) as Rate;
    expect(listed({ ...btc, gap: third }).at(-1)).toEqual([1, 50, 20_000_000]);
    expect(deriveBrackets({ ...btc, gap: (third + 1) as Rate })).toEqual({ kind: 'gapTooLarge' });
  });

  test('OPS-7 the hole is at most a quarter of the fund, for any fund, gap and cap', () => {
    let derived = 0;
    fc.assert(
      fc.property(bounds, (each) => {
        const table = deriveBrackets(each);
        if (table.kind !== 'derived') return;
        derived += 1;
        expect(4n * integral(table.steps, each.gap, each.cap)).toBeLessThanOrEqual(
          3n * BigInt(each.fund) * BigInt(rateOne),
        );
      }),
      options,
    );
    expect(derived).toBeGreaterThan(options.numRuns / 3);
  });

  test('OPS-7 rates and bounds rise, from the base rate and maximum leverage to the cap', () => {
    fc.assert(
      fc.property(bounds, (each) => {
        const table = deriveBrackets(each);
        if (table.kind !== 'derived') return;
        const { steps } = table;
        expect(steps.length).toBeLessThanOrEqual(bracketsMax);
        expect(steps[0]!.rate).toBe(each.baseRate);
        expect(steps.at(-1)!.upTo).toBe(each.cap);
        for (const [i, { floor, upTo, rate, leverage }] of steps.entries()) {
          const before = steps[i - 1] ?? { upTo: 0, rate: 0, leverage: each.maxLeverage };
          expect(floor).toBe(before.upTo);
          expect(upTo).toBeGreaterThan(floor);
          expect(rate).toBeGreaterThan(before.rate);
          expect(leverage).toBeGreaterThanOrEqual(1);
          expect(leverage).toBeLessThanOrEqual(before.leverage);
          if (i === 0) expect(leverage).toBe(each.maxLeverage);
          else if (leverage > 1) expect(2 * leverage * rate).toBeLessThanOrEqual(rateOne);
        }
      }),
      options,
    );
  });

  test('OPS-7 a bound is a figure that people list, and no more than its share pays for', () => {
    fc.assert(
      fc.property(bounds, (each) => {
        const table = deriveBrackets(each);
        if (table.kind !== 'derived') return;
        for (const { upTo, reach, loss, share } of table.steps) {
          expect(loss).toBeLessThanOrEqual(share + 1);
          if (reach === undefined) continue;
          expect(upTo).toBeLessThanOrEqual(reach);
          expect(String(upTo)).toMatch(/^(\d|1[025]0*|[23456]0*|250*|80*)$/);
        }
      }),
      options,
    );
  });
});

describe('OPS-7 the hole of a table', () => {
  test('OPS-7 is the sum over the brackets below the gap, rounded up, up to the cap', () => {
    const table: Bracket[] = [
      { upTo: 100 as Money, rate: percent as Rate },
      { upTo: 300 as Money, rate: (2 * percent) as Rate },
      { upTo: 900 as Money, rate: (10 * percent) as Rate },
    ];
    // 100 × 4 1/3 % + 200 × 3 2/3 % = 11.67; up to 250 only 150 × 3 2/3 %: 9.83; in a gap of 7 %
    // 100 × 6 1/3 % + 200 × 5 2/3 % + 600 × 1/3 % = 19.67.
    expect(holeOfTable(table, (5 * percent) as Rate, 900 as Money)).toBe(12);
    expect(holeOfTable(table, (5 * percent) as Rate, 250 as Money)).toBe(10);
    expect(holeOfTable(table, (7 * percent) as Rate, 900 as Money)).toBe(20);
    expect(holeOfTable(table, ((2 * percent) / 3) as Rate, 900 as Money)).toBe(0);
  });

  test('OPS-7 is the integral for any table, also beyond the cap', () => {
    fc.assert(
      fc.property(bounds, fc.array(amount(15), { minLength: 1, maxLength: 16 }), (each, bound) => {
        const rising = [...new Set(bound)].sort((a, b) => a - b);
        const table = rising.map((upTo, i) => ({ upTo, rate: (each.baseRate * (i + 1)) as Rate }));
        const exact = integral(table, each.gap, each.cap);
        const one = 3n * BigInt(rateOne);
        expect(BigInt(holeOfTable(table, each.gap, each.cap))).toBe((exact + one - 1n) / one);
      }),
      options,
    );
  });
});
