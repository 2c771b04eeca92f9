// The pure half of the house market maker, by properties: what it wants in the book, how it gets
// there, and its count of the rate limits.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demoLadder } from '../../src/maker/marketMaker.ts';
import { type LadderInput, type Quote, quoteLadder, takeOf } from '../../src/maker/quoteLadder.ts';
import { createRateBudget } from '../../src/maker/rateBudget.ts';
import { reconcileQuotes, type StandingQuote } from '../../src/maker/reconcileQuotes.ts';
import { type Lots, type Money, type Rate, type Ticks, usdt } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';
import { selfCrossed } from './selfCrossed.ts';

const sideOf = (quotes: readonly Quote[], side: string): Quote[] =>
  quotes.filter((quote) => quote.side === side);
const lotsOf = (quotes: readonly { readonly lots: number }[]): number =>
  quotes.reduce((sum, { lots }) => sum + lots, 0);

const ladderInputs: fc.Arbitrary<LadderInput> = fc.record({
  index: fc
    .oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000_000_000 }))
    .map((ticks) => ticks as Ticks),
  inventory: fc.integer({ min: -2_000_000, max: 2_000_000 }).map((lots) => lots as Lots),
  grain: fc.constantFrom(1, 100, 10_000),
  notionalMin: fc.constantFrom(0, 5 * usdt).map((money) => money as Money),
  parameters: fc.record({
    levels: fc.integer({ min: 0, max: 12 }),
    halfSpread: fc.integer({ min: 1, max: 60_000_000 }).map((rate) => rate as Rate),
    step: fc.integer({ min: 0, max: 10_000_000 }).map((rate) => rate as Rate),
    widening: fc.integer({ min: 0, max: 1_000_000 }).map((rate) => rate as Rate),
    takeMax: fc.integer({ min: 0, max: 50_000 }).map((dollars) => (dollars * usdt) as Money),
    size: fc.integer({ min: 0, max: 20_000 }).map((dollars) => (dollars * usdt) as Money),
    inventoryMax: fc.integer({ min: 0, max: 100_000 }).map((dollars) => (dollars * usdt) as Money),
    skew: fc.integer({ min: 0, max: 50_000_000 }).map((rate) => rate as Rate),
  }),
});

describe('ladder', () => {
  test('never crosses itself and keeps the grid, the sizes and the bound of the inventory', () => {
    fc.assert(
      fc.property(ladderInputs, (input) => {
        const { index, inventory, grain, notionalMin, parameters } = input;
        const quotes = quoteLadder(input);
        expectSame(selfCrossed(quotes), false);
        for (const { ticks, lots } of quotes) {
          expectSame(Number.isSafeInteger(ticks) && ticks >= 1 && ticks <= 1_000_000_000, true);
          expectSame(Number.isSafeInteger(lots) && lots >= 1, true);
          expect(ticks * lots * grain).toBeLessThanOrEqual(parameters.size);
          expect(ticks * lots * grain).toBeGreaterThanOrEqual(notionalMin);
        }
        const bound = Math.floor(parameters.inventoryMax / (index * grain));
        const [bids, asks] = [sideOf(quotes, 'BUY'), sideOf(quotes, 'SELL')];
        expect(bids.length).toBeLessThanOrEqual(parameters.levels);
        expect(asks.length).toBeLessThanOrEqual(parameters.levels);
        if (bids.length > 0) expect(inventory + lotsOf(bids)).toBeLessThanOrEqual(bound);
        if (asks.length > 0) expect(inventory - lotsOf(asks)).toBeGreaterThanOrEqual(-bound);
        for (const side of [bids, asks]) {
          expectSame(new Set(side.map(({ ticks }) => ticks)).size, side.length);
        }
      }),
      { numRuns: 3000, seed: 11 },
    );
  });

  const demo = (inventory: number): readonly Quote[] =>
    quoteLadder({
      index: 1_150_000 as Ticks,
      inventory: inventory as Lots,
      grain: 100,
      notionalMin: (5 * usdt) as Money,
      parameters: demoLadder,
    });

  test('the demo ladder of BTCUSDT equals one computed by hand', () => {
    const texts = demo(0).map(({ side, ticks, lots }) => `${side} ${lots} at ${ticks}`);
    expect(texts).toHaveLength(40);
    // 3, 6, 9.75, 14.25, 19.5 … 188.25 basis points.
    expectSame(texts.slice(0, 5), [
      'BUY 43 at 1149655',
      'BUY 43 at 1149310',
      'BUY 43 at 1148878',
      'BUY 43 at 1148361',
      'BUY 43 at 1147757',
    ]);
    expectSame(texts.slice(19, 25), [
      'BUY 44 at 1128351',
      'SELL 43 at 1150345',
      'SELL 43 at 1150690',
      'SELL 43 at 1151122',
      'SELL 43 at 1151639',
      'SELL 43 at 1152243',
    ]);
    expect(texts.at(-1)).toBe('SELL 42 at 1171649');
  });

  test('a long position moves all quotes down, a short one up', () => {
    const flat = demo(0);
    const long = demo(200);
    const short = demo(-200);
    for (const [i, quote] of long.entries()) expect(quote.ticks).toBeLessThan(flat[i]!.ticks);
    for (const [i, quote] of short.entries()) expect(quote.ticks).toBeGreaterThan(flat[i]!.ticks);
  });

  test('at its bound it quotes only on the reducing side', () => {
    expect(sideOf(demo(2608), 'BUY')).toEqual([]);
    expect(sideOf(demo(2608), 'SELL')).toHaveLength(20);
    expect(sideOf(demo(-9999), 'SELL')).toEqual([]);
    expect(sideOf(demo(-9999), 'BUY')).toHaveLength(20);
  });

  test('no wanted quote would match the quotes of others', () => {
    fc.assert(
      fc.property(ladderInputs, fc.integer({ min: 1, max: 1_000_000_000 }), (input, ticks) => {
        const others = { bid: ticks as Ticks, ask: (ticks + 1) as Ticks };
        for (const { side, ticks: own } of quoteLadder({ ...input, others })) {
          if (side === 'SELL') expect(own).toBeGreaterThan(others.bid);
          else expect(own).toBeLessThan(others.ask);
        }
      }),
      { numRuns: 2000, seed: 13 },
    );
  });

  test('it takes only orders beyond its fair price, within its bounds', () => {
    fc.assert(
      fc.property(ladderInputs, fc.integer({ min: -500, max: 500 }), (input, away) => {
        const { index, inventory, grain, parameters } = input;
        const bid = Math.max(0, index + away) as Ticks;
        const own = quoteLadder(input);
        const take = takeOf({ ...input, others: { bid, ask: 0 as Ticks } }, own);
        if (take === undefined) return;
        const asks = sideOf(own, 'SELL');
        if (asks.length > 0) expect(take.ticks).toBe(asks[0]!.ticks);
        expect(take.side).toBe('SELL');
        expect(bid).toBeGreaterThanOrEqual(take.ticks);
        expect(take.ticks * take.lots * grain).toBeLessThanOrEqual(parameters.takeMax);
        const bound = Math.floor(parameters.inventoryMax / (index * grain));
        expect(inventory - take.lots - lotsOf(asks)).toBeGreaterThanOrEqual(-bound);
      }),
      { numRuns: 3000, seed: 17 },
    );
  });
});

const quote = (side: 'BUY' | 'SELL', ticks: number, lots: number): Quote => ({
  side,
  ticks: ticks as Ticks,
  lots: lots as Lots,
});
const standing = (id: number, one: Quote, filled = 0): StandingQuote => ({
  ...one,
  orderId: `id-${id}`,
  filled: filled as Lots,
});

describe('reconciliation', () => {
  test('a near quote with enough open lots stays, a too small or too large one is amended', () => {
    const wanted = [quote('BUY', 100, 10)];
    const plan = (ticks: number, lots: number, filled = 0) =>
      reconcileQuotes(wanted, [standing(1, quote('BUY', ticks, lots), filled)], 2);
    const nothing = { cancels: [], amends: [], places: [] };
    expect(plan(100, 10)).toEqual(nothing);
    expect(plan(98, 5)).toEqual(nothing);
    expect(plan(102, 10)).toEqual(nothing);
    expect(plan(100, 4, 6).amends).toEqual([{ orderId: 'id-1', ...quote('BUY', 100, 16) }]);
    expect(plan(101, 11).amends).toEqual([{ orderId: 'id-1', ...quote('BUY', 100, 10) }]);
  });

  test('a move away from the market amends; a move towards it cancels and places', () => {
    const bid = [standing(1, quote('BUY', 100, 10))];
    const ask = [standing(2, quote('SELL', 100, 10))];
    expect(reconcileQuotes([quote('BUY', 90, 10)], bid, 0).amends).toHaveLength(1);
    expect(reconcileQuotes([quote('SELL', 110, 10)], ask, 0).amends).toHaveLength(1);
    for (const [wanted, present] of [
      [quote('BUY', 101, 10), bid],
      [quote('SELL', 99, 10), ask],
    ] as const) {
      const plan = reconcileQuotes([wanted], present, 0);
      expect(plan).toEqual({ cancels: present, amends: [], places: [wanted] });
    }
  });

  test('a whole side that moves away is amended order by order, and nothing is placed', () => {
    const present = [100, 99, 98].map((ticks, i) => standing(i, quote('BUY', ticks, 5)));
    const wanted = [97, 96, 95].map((ticks) => quote('BUY', ticks, 5));
    const plan = reconcileQuotes(wanted, present, 0);
    expect([plan.cancels.length, plan.amends.length, plan.places.length]).toEqual([0, 3, 0]);
  });

  test('from any resting quotes the plan leads to the wanted ones and never crosses itself', () => {
    const prices = fc.integer({ min: 60, max: 140 });
    const some = fc.array(
      fc.record({
        side: fc.constantFrom('BUY' as const, 'SELL' as const),
        distance: fc.integer({ min: 0, max: 30 }),
        lots: fc.integer({ min: 1, max: 20 }),
        filled: fc.integer({ min: 0, max: 5 }),
      }),
      { maxLength: 12 },
    );
    const around =
      (centre: number, gap: number) =>
      (one: { side: 'BUY' | 'SELL'; distance: number; lots: number }) =>
        quote(
          one.side,
          one.side === 'BUY' ? centre - gap - one.distance : centre + gap + one.distance,
          one.lots,
        );
    fc.assert(
      fc.property(
        prices,
        some,
        prices,
        some,
        fc.integer({ min: 0, max: 3 }),
        (a, from, b, to, tolerance) => {
          const present = from.map((one, i) => standing(i, around(a, 1)(one), one.filled));
          const wanted = to.map(around(b, 4));
          const plan = reconcileQuotes(wanted, present, tolerance);
          const book = new Map(present.map((order) => [order.orderId, order]));
          for (const { orderId } of plan.cancels) expect(book.delete(orderId)).toBe(true);
          for (const { orderId, ticks, lots } of plan.amends) {
            const order = book.get(orderId)!;
            expect(order.side === 'BUY' ? ticks <= order.ticks : ticks >= order.ticks).toBe(true);
            book.set(orderId, { ...order, ticks, lots: (lots - order.filled) as Lots });
            expect(selfCrossed([...book.values()])).toBe(false);
          }
          const after: Quote[] = [...book.values(), ...plan.places];
          expect(selfCrossed(after)).toBe(false);
          for (const side of ['BUY', 'SELL']) {
            expect(sideOf(after, side).length).toBe(sideOf(wanted, side).length);
            expect(lotsOf(sideOf(after, side))).toBeLessThanOrEqual(lotsOf(sideOf(wanted, side)));
          }
        },
      ),
      { numRuns: 3000, seed: 12 },
    );
  });
});

test('a rate budget counts in windows aligned to the clock and uses the higher count', () => {
  const time = createVirtualTime(1_760_000_005_000);
  const budget = createRateBudget(time.clock, [
    { milliseconds: 10_000, max: 3 },
    { milliseconds: 60_000, max: 5 },
  ]);
  const takes = (count: number): boolean[] => Array.from({ length: count }, () => budget.take(1));
  expect(takes(4)).toEqual([true, true, true, false]);
  time.advance(4999);
  expect(budget.take(1)).toBe(false);
  time.advance(1);
  expect(takes(3)).toEqual([true, true, false]);
  time.advance(60_000);
  budget.observe(10_000, 2);
  expect(takes(2)).toEqual([true, false]);
  time.advance(10_000);
  budget.exhaust();
  expect(budget.take(1)).toBe(false);
});
