// The house market maker: its pure half by properties, the whole against a fake exchange that is
// hit, breaks and limits under virtual time.

import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createMarketMaker,
  demoCountdownMs,
  demoLadder,
  demoRefreshMs,
  houseMakerLimits,
  type MakerLimits,
} from '../../src/keeper/marketMaker.ts';
import { type LadderInput, type Quote, quoteLadder } from '../../src/keeper/quoteLadder.ts';
import { createRateBudget } from '../../src/keeper/rateBudget.ts';
import { reconcileQuotes, type StandingQuote } from '../../src/keeper/reconcileQuotes.ts';
import { createPrng } from '../../src/std/prng.ts';
import { type Lots, type Money, type Rate, type Ticks, usdt } from '../../src/units/units.ts';
import { createFakeExchange, type FakeExchange } from './fakeExchange.ts';
import { createVirtualTime } from './virtualTime.ts';

const sideOf = (quotes: readonly Quote[], side: string): Quote[] =>
  quotes.filter((quote) => quote.side === side);
const lotsOf = (quotes: readonly { readonly lots: number }[]): number =>
  quotes.reduce((sum, { lots }) => sum + lots, 0);

/** Whether a bid meets an ask. */
function selfCrossed(quotes: readonly { side: string; ticks: number }[]): boolean {
  const bids = quotes.filter(({ side }) => side === 'BUY').map(({ ticks }) => ticks);
  const asks = quotes.filter(({ side }) => side === 'SELL').map(({ ticks }) => ticks);
  return Math.max(0, ...bids) >= Math.min(Number.POSITIVE_INFINITY, ...asks);
}

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
    size: fc.integer({ min: 0, max: 20_000 }).map((dollars) => (dollars * usdt) as Money),
    inventoryMax: fc.integer({ min: 0, max: 100_000 }).map((dollars) => (dollars * usdt) as Money),
    skew: fc.integer({ min: 0, max: 50_000_000 }).map((rate) => rate as Rate),
  }),
});

describe('ladder', () => {
  test('never crosses itself, is on the grid, within sizes and the bound of the inventory', () => {
    fc.assert(
      fc.property(ladderInputs, (input) => {
        const { index, inventory, grain, notionalMin, parameters } = input;
        const quotes = quoteLadder(input);
        expect(selfCrossed(quotes)).toBe(false);
        for (const { ticks, lots } of quotes) {
          expect(Number.isSafeInteger(ticks) && ticks >= 1 && ticks <= 1_000_000_000).toBe(true);
          expect(Number.isSafeInteger(lots) && lots >= 1).toBe(true);
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
          expect(new Set(side.map(({ ticks }) => ticks)).size).toBe(side.length);
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

  test('the demo ladder of BTCUSDT, by hand', () => {
    expect(demo(0).map(({ side, ticks, lots }) => `${side} ${lots} at ${ticks}`)).toEqual([
      'BUY 43 at 1149655',
      'BUY 43 at 1149310',
      'BUY 43 at 1148965',
      'BUY 43 at 1148620',
      'BUY 43 at 1148275',
      'SELL 43 at 1150345',
      'SELL 43 at 1150690',
      'SELL 43 at 1151035',
      'SELL 43 at 1151380',
      'SELL 43 at 1151725',
    ]);
  });

  test('a long position moves all quotes down, a short one up', () => {
    const flat = demo(0);
    const long = demo(200);
    const short = demo(-200);
    for (const [i, quote] of long.entries()) expect(quote.ticks).toBeLessThan(flat[i]!.ticks);
    for (const [i, quote] of short.entries()) expect(quote.ticks).toBeGreaterThan(flat[i]!.ticks);
  });

  test('at its bound only the side that reduces quotes', () => {
    expect(sideOf(demo(434), 'BUY')).toEqual([]);
    expect(sideOf(demo(434), 'SELL')).toHaveLength(5);
    expect(sideOf(demo(-9999), 'SELL')).toEqual([]);
    expect(sideOf(demo(-9999), 'BUY')).toHaveLength(5);
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
  test('a near quote with enough left stays, one too small or too large is amended', () => {
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

  test('away from the market is amended; towards it is cancelled and placed', () => {
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

  test('a whole side that moves away is amended order by order, nothing is placed', () => {
    const present = [100, 99, 98].map((ticks, i) => standing(i, quote('BUY', ticks, 5)));
    const wanted = [97, 96, 95].map((ticks) => quote('BUY', ticks, 5));
    const plan = reconcileQuotes(wanted, present, 0);
    expect([plan.cancels.length, plan.amends.length, plan.places.length]).toEqual([0, 3, 0]);
  });

  test('whatever stands, the plan leads to the wanted quotes, crossing itself at no step', () => {
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

test('a rate budget counts in windows aligned to the clock and believes the higher count', () => {
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

const symbols = [
  { symbol: 'BTCUSDT', priceDecimals: 1, lotDecimals: 3, index: 1_150_000 },
  { symbol: 'ETHUSDT', priceDecimals: 2, lotDecimals: 2, index: 420_000 },
  { symbol: 'AVAXUSDT', priceDecimals: 3, lotDecimals: 1, index: 28_000 },
];

function deskOf(options: { limits?: MakerLimits; ordersPer10s?: number } = {}) {
  const time = createVirtualTime();
  const fake = createFakeExchange(time.clock, options.ordersPer10s);
  for (const market of symbols) {
    fake.markets.set(market.symbol, { ...market, status: 'TRADING', position: 0 });
  }
  made.push(fake);
  const reports: string[] = [];
  const make = () =>
    createMarketMaker({
      client: fake.client,
      clock: time.clock,
      scheduler: time.scheduler,
      report: (message) => reports.push(message),
      limits: options.limits ?? houseMakerLimits,
      ladder: demoLadder,
      refreshMs: demoRefreshMs,
      countdownMs: demoCountdownMs,
    });
  return { time, fake, reports, make };
}

const made: FakeExchange[] = [];
afterEach(() => {
  for (const { violations } of made.splice(0)) expect(violations).toEqual([]);
});

const ofSymbol = (fake: FakeExchange, symbol: string) =>
  [...fake.orders.values()].filter((order) => order.symbol === symbol);

describe('market maker', () => {
  test('quotes every market around its index, follows it, and leaves nothing on stop', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    for (const { symbol } of symbols) expect(ofSymbol(fake, symbol)).toHaveLength(10);
    const best = (): number =>
      Math.max(
        ...ofSymbol(fake, 'BTCUSDT')
          .filter(({ side }) => side === 'BUY')
          .map(({ ticks }) => ticks),
      );
    expect(best()).toBe(1_149_655);
    for (const index of [1_160_000, 1_130_000, 1_130_900]) {
      fake.markets.get('BTCUSDT')!.index = index;
      await time.advanceSettling(1000);
      expect(best()).toBe(Math.floor((index * 9997) / 10_000));
      expect(ofSymbol(fake, 'BTCUSDT')).toHaveLength(10);
      expect(selfCrossed(ofSymbol(fake, 'BTCUSDT'))).toBe(false);
    }
    const untouched = ofSymbol(fake, 'ETHUSDT').map(({ orderId }) => orderId);
    await time.advanceSettling(5000);
    expect(ofSymbol(fake, 'ETHUSDT').map(({ orderId }) => orderId)).toEqual(untouched);
    expect(fake.countdowns.size).toBe(3);
    await maker.stop();
    expect(fake.orders.size).toBe(0);
    expect(fake.countdowns.size).toBe(0);
    expect(time.waiting()).toBe(0);
    expect(reports).toEqual([]);
  });

  test('the inventory stays within its bound however it is hit, between any two requests', async () => {
    const { time, fake, make } = deskOf();
    const prng = createPrng(5);
    let hits = 0;
    // A trending crowd: it hits one side for a while, then the other.
    fake.interfere = () => {
      if (prng.below(3) !== 0) return;
      const { symbol } = symbols[prng.below(3)]!;
      const side = Math.floor(time.clock.now() / 60_000) % 2 === 0 ? 'BUY' : 'SELL';
      hits +=
        fake.hit(symbol, side, 1 + prng.below(symbol === 'AVAXUSDT' ? 4000 : 120)) > 0 ? 1 : 0;
      for (const market of fake.markets.values()) {
        const grain = 10 ** (6 - market.priceDecimals - market.lotDecimals);
        const bound = Math.floor(demoLadder.inventoryMax / (market.index * grain));
        if (Math.abs(market.position) > bound) fake.violations.push(`${symbol} beyond its bound`);
      }
    };
    const maker = make();
    maker.start();
    let extreme = 0;
    for (let second = 0; second < 600; second += 1) {
      await time.advanceSettling(1000);
      extreme = Math.max(extreme, Math.abs(fake.markets.get('BTCUSDT')!.position));
      for (const { symbol } of symbols) expect(selfCrossed(ofSymbol(fake, symbol))).toBe(false);
    }
    await maker.stop();
    expect(hits).toBeGreaterThan(300);
    // The bound was reached, so it is the maker that held it.
    expect(extreme).toBeGreaterThan(400);
  });

  test('cancels the orders of an earlier run, and nobody else’s', async () => {
    const { time, fake, make } = deskOf();
    const first = make();
    first.start();
    await time.advanceSettling(100);
    const old = [...fake.orders.keys()];
    // The first run dies here: its timer never fires again, its orders stand.
    fake.orders.set('other', {
      orderId: 'other',
      clientOrderId: 'mine',
      symbol: 'BTCUSDT',
      side: 'BUY',
      ticks: 5,
      total: 1,
      filled: 0,
    });
    const second = make();
    fake.broken = 'before';
    await first.stop();
    fake.broken = undefined;
    await time.advanceSettling(50);
    second.start();
    await time.advanceSettling(100);
    expect(old.some((id) => fake.orders.has(id))).toBe(false);
    expect(fake.orders.size).toBe(31);
    await second.stop();
    expect([...fake.orders.keys()]).toEqual(['other']);
  });

  test.each(['before', 'after'] as const)(
    'survives requests that fail %s they are carried out',
    async (broken) => {
      const { time, fake, reports, make } = deskOf();
      const maker = make();
      fake.broken = broken;
      maker.start();
      await time.advanceSettling(10_000);
      fake.broken = undefined;
      await time.advanceSettling(3000);
      expect(fake.orders.size).toBe(30);
      fake.broken = broken;
      fake.markets.get('BTCUSDT')!.index = 1_155_000;
      await time.advanceSettling(10_000);
      fake.broken = undefined;
      await time.advanceSettling(3000);
      expect(fake.orders.size).toBe(30);
      expect(reports.length).toBeGreaterThan(0);
      expect(reports.length).toBeLessThan(12);
      await maker.stop();
      expect(fake.orders.size).toBe(0);
    },
  );

  test('a maker that falls silent is cancelled by the countdown', async () => {
    const { time, fake, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    expect(fake.orders.size).toBe(30);
    fake.broken = 'before';
    await time.advanceSettling(16_000);
    expect(fake.orders.size).toBe(0);
    await maker.stop();
  });

  test('a market that is not TRADING is not quoted, and is again when it reopens', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    fake.markets.get('ETHUSDT')!.status = 'CLOSE';
    fake.markets.get('AVAXUSDT')!.index = 0;
    await time.advanceSettling(7000);
    expect(ofSymbol(fake, 'ETHUSDT')).toEqual([]);
    expect(ofSymbol(fake, 'AVAXUSDT')).toEqual([]);
    expect(ofSymbol(fake, 'BTCUSDT')).toHaveLength(10);
    fake.markets.get('ETHUSDT')!.status = 'TRADING';
    fake.markets.get('AVAXUSDT')!.index = 28_000;
    await time.advanceSettling(7000);
    expect(fake.orders.size).toBe(30);
    await maker.stop();
    expect(reports).toEqual([]);
  });

  test('stays within the order limits of its key in a rushing market', async () => {
    const limits = { ordersPer10s: 40, ordersPerMinute: 150, weightPerMinute: 4800 };
    const { time, fake, make } = deskOf({ limits });
    const maker = make();
    maker.start();
    for (let second = 0; second < 120; second += 1) {
      for (const market of fake.markets.values()) {
        market.index = Math.round(market.index * (second % 7 < 3 ? 1.002 : 0.9985));
      }
      await time.advanceSettling(1000);
    }
    expect(fake.peak).toBeLessThanOrEqual(40);
    expect(fake.peak).toBeGreaterThan(20);
    expect(fake.counts.refused).toBe(0);
    await maker.stop();
    expect(fake.orders.size).toBe(0);
  });

  test('a tier lower than it believes: it is refused, waits for the window, and goes on', async () => {
    const { time, fake, reports, make } = deskOf({ ordersPer10s: 3 });
    const maker = make();
    maker.start();
    await time.advanceSettling(30_000);
    expect(fake.orders.size).toBe(30);
    expect(fake.counts.refused).toBeLessThanOrEqual(4);
    expect(reports.join()).toContain('-1003');
    await maker.stop();
  });
});
