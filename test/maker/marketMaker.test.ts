// The house market maker against a fake exchange that is hit, breaks and limits, under virtual
// time. Its pure half is tested in quotes.test.ts.

import { afterEach, describe, expect, test } from 'vitest';
import {
  createMarketMaker,
  demoCountdownMs,
  demoLadder,
  demoRefreshMs,
  houseMakerLimits,
  type MakerLimits,
} from '../../src/maker/marketMaker.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';
import { createFakeExchange, type FakeExchange } from './fakeExchange.ts';
import { selfCrossed } from './selfCrossed.ts';

const symbols = [
  { symbol: 'BTCUSDT', priceDecimals: 1, lotDecimals: 3, index: 1_150_000 },
  { symbol: 'ETHUSDT', priceDecimals: 2, lotDecimals: 2, index: 420_000 },
  { symbol: 'AVAXUSDT', priceDecimals: 3, lotDecimals: 1, index: 28_000 },
];

function deskOf(options: { limits?: MakerLimits; ordersPer10s?: number } = {}) {
  const time = createVirtualTime();
  const fake = createFakeExchange(time.clock, options.ordersPer10s);
  for (const market of symbols) {
    fake.markets.set(market.symbol, { ...market, status: 'TRADING', position: 0, visitors: [] });
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

/** On the two sides of a market. */
const quotes = 2 * demoLadder.levels;

const made: FakeExchange[] = [];
afterEach(() => {
  for (const { violations } of made.splice(0)) expect(violations).toEqual([]);
});

const ofSymbol = (fake: FakeExchange, symbol: string) =>
  [...fake.orders.values()].filter((order) => order.symbol === symbol);

describe('market maker', () => {
  test('quotes every market around its index, follows it, and leaves no order at a stop', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    for (const { symbol } of symbols) expect(ofSymbol(fake, symbol)).toHaveLength(quotes);
    const best = (): number =>
      Math.max(
        ...ofSymbol(fake, 'BTCUSDT')
          .filter(({ side }) => side === 'BUY')
          .map(({ ticks }) => ticks),
      );
    expect(best()).toBe(1_149_655);
    for (const index of [1_160_000, 1_130_000, 1_130_900]) {
      fake.markets.get('BTCUSDT')!.index = index;
      await time.advanceSettling(demoRefreshMs);
      expect(best()).toBe(Math.floor((index * 9997) / 10_000));
      expect(ofSymbol(fake, 'BTCUSDT')).toHaveLength(quotes);
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

  test('the inventory keeps its bound, with any fills between two requests', async () => {
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
      await time.advanceSettling(demoRefreshMs);
      extreme = Math.max(extreme, Math.abs(fake.markets.get('BTCUSDT')!.position));
      for (const { symbol } of symbols) expect(selfCrossed(ofSymbol(fake, symbol))).toBe(false);
    }
    await maker.stop();
    expect(hits).toBeGreaterThan(300);
    // The bound was reached, so the maker kept it.
    expect(extreme).toBeGreaterThan(2000);
  });

  test.each([
    // 0.11 BTC at 0.5 % above the index: less than one round's take.
    { bid: 1_155_750, lots: 110, left: 0 },
    // 500,000 USDT: more than it may hold against, its quotes counted.
    { bid: 1_155_750, lots: 4300, left: 2545 },
  ])('takes a bid of $lots lots through its fair price, and quotes on', async (visit) => {
    const { time, fake, reports, make } = deskOf();
    const market = fake.markets.get('BTCUSDT')!;
    market.visitors = [{ side: 'BUY', ticks: visit.bid, lots: visit.lots }];
    const maker = make();
    maker.start();
    await time.advanceSettling(20_000);
    expect(market.visitors.reduce((sum, { lots }) => sum + lots, 0)).toBe(visit.left);
    expect(market.position).toBe(visit.left - visit.lots);
    const sides = Object.groupBy(ofSymbol(fake, 'BTCUSDT'), ({ side }) => side);
    expect(new Set(sides.BUY!.map(({ ticks }) => ticks)).size).toBe(demoLadder.levels);
    expect(new Set(sides.SELL!.map(({ ticks }) => ticks)).size).toBe(demoLadder.levels);
    // It quotes above an order that it may not take: asks and position stay within its bound.
    const lowest = Math.min(...sides.SELL!.map(({ ticks }) => ticks));
    expect(lowest > visit.bid).toBe(visit.left > 0);
    market.visitors = [{ side: 'SELL', ticks: 1_149_000, lots: 300 }];
    await time.advanceSettling(5000);
    expect(market.visitors).toEqual([]);
    expect(market.position).toBe(visit.left - visit.lots + 300);
    const asks = ofSymbol(fake, 'BTCUSDT').filter(({ side }) => side === 'SELL');
    expect(asks.length).toBeGreaterThan(0);
    await maker.stop();
    expect(reports).toEqual([]);
  });

  test('quotes around a bid that it may not take', async () => {
    const { time, fake, make } = deskOf();
    const market = fake.markets.get('BTCUSDT')!;
    market.position = -1000;
    market.visitors = [{ side: 'BUY', ticks: 1_151_000, lots: 1_000_000 }];
    const maker = make();
    maker.start();
    await time.advanceSettling(1500);
    const asks = ofSymbol(fake, 'BTCUSDT').filter(({ side }) => side === 'SELL');
    expect(asks.length).toBeGreaterThan(0);
    expect(Math.min(...asks.map(({ ticks }) => ticks))).toBeGreaterThan(1_151_000);
    await maker.stop();
  });

  test('cancels only its own orders of an earlier run', async () => {
    const { time, fake, make } = deskOf();
    const first = make();
    first.start();
    await time.advanceSettling(100);
    const old = [...fake.orders.keys()];
    // The first run dies here: its timer never fires again, and its orders rest.
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
    expect(fake.orders.size).toBe(3 * quotes + 1);
    await second.stop();
    expect([...fake.orders.keys()]).toEqual(['other']);
  });

  test.each(['before', 'after'] as const)(
    'survives requests that fail %s they are executed',
    async (broken) => {
      const { time, fake, reports, make } = deskOf();
      const maker = make();
      fake.broken = broken;
      maker.start();
      await time.advanceSettling(10_000);
      fake.broken = undefined;
      await time.advanceSettling(3000);
      expect(fake.orders.size).toBe(3 * quotes);
      fake.broken = broken;
      fake.markets.get('BTCUSDT')!.index = 1_155_000;
      await time.advanceSettling(10_000);
      fake.broken = undefined;
      await time.advanceSettling(3000);
      expect(fake.orders.size).toBe(3 * quotes);
      expect(reports.length).toBeGreaterThan(0);
      expect(reports.length).toBeLessThan(12);
      await maker.stop();
      expect(fake.orders.size).toBe(0);
    },
  );

  test('the countdown cancels the orders of a silent maker', async () => {
    const { time, fake, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    expect(fake.orders.size).toBe(3 * quotes);
    fake.broken = 'before';
    await time.advanceSettling(16_000);
    expect(fake.orders.size).toBe(0);
    await maker.stop();
  });

  test('a market that is not TRADING is not quoted until it reopens', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    fake.markets.get('ETHUSDT')!.status = 'CLOSE';
    fake.markets.get('AVAXUSDT')!.index = 0;
    await time.advanceSettling(7000);
    expect(ofSymbol(fake, 'ETHUSDT')).toEqual([]);
    expect(ofSymbol(fake, 'AVAXUSDT')).toEqual([]);
    expect(ofSymbol(fake, 'BTCUSDT')).toHaveLength(quotes);
    fake.markets.get('ETHUSDT')!.status = 'TRADING';
    fake.markets.get('AVAXUSDT')!.index = 28_000;
    await time.advanceSettling(7000);
    expect(fake.orders.size).toBe(3 * quotes);
    await maker.stop();
    expect(reports).toEqual([]);
  });

  test('PRC-3b while the breaker stands the maker quotes on, and takes nothing', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    const market = fake.markets.get('ETHUSDT')!;
    Object.assign(market, { status: 'CLOSE', breaker: true });
    market.index = Math.round(market.index * 0.88);
    market.visitors.push({ side: 'SELL', ticks: Math.round(market.index * 0.99), lots: 50 });
    await time.advanceSettling(15_000);
    expect(market.visitors).toEqual([expect.objectContaining({ lots: 50 })]);
    const bids = ofSymbol(fake, 'ETHUSDT').filter(({ side }) => side === 'BUY');
    expect(bids).toHaveLength(demoLadder.levels);
    for (const { ticks } of bids) expect(ticks).toBeLessThan(market.visitors[0]!.ticks);
    Object.assign(market, { status: 'TRADING', breaker: false });
    await time.advanceSettling(7000);
    expect(market.visitors).toEqual([]);
    await maker.stop();
    expect(reports).toEqual([]);
  });

  test('PRC-2 the maker leaves a market without current prices within two rounds', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    const market = fake.markets.get('ETHUSDT')!;
    market.status = 'HALT';
    // The quotes must move, so that the maker meets the closed market before its list is old.
    market.index = Math.round(market.index * 1.05);
    await time.advanceSettling(2 * demoRefreshMs);
    expect(ofSymbol(fake, 'ETHUSDT')).toEqual([]);
    expect(ofSymbol(fake, 'BTCUSDT')).toHaveLength(quotes);
    const { requests } = fake.counts;
    await time.advanceSettling(10_000);
    // Once it knows, it does not try again and again.
    expect(fake.counts.requests - requests).toBeLessThan(100);
    market.status = 'TRADING';
    await time.advanceSettling(7000);
    expect(ofSymbol(fake, 'ETHUSDT')).toHaveLength(quotes);
    await maker.stop();
    expect(reports).toEqual([]);
  });

  test('LIQ-1 after its own liquidation it has no orders and no position, and quotes again', async () => {
    const { time, fake, reports, make } = deskOf();
    const maker = make();
    maker.start();
    await time.advanceSettling(100);
    fake.hit('BTCUSDT', 'BUY', 100);
    fake.orders.clear();
    fake.poor = true;
    await time.advanceSettling(5000);
    expect(fake.orders.size).toBe(0);
    fake.markets.get('BTCUSDT')!.position = 0;
    fake.poor = false;
    await time.advanceSettling(12_000);
    expect(fake.orders.size).toBe(3 * quotes);
    // Each market complains once, however often it was refused.
    expect(reports).toHaveLength(3);
    expect(reports.join()).toContain('-2019');
    await maker.stop();
  });

  test('stays within the order limits of its key in a fast market', async () => {
    const limits = { ordersPer10s: 40, ordersPerMinute: 150, weightPerMinute: 4800 };
    const { time, fake, make } = deskOf({ limits });
    const maker = make();
    maker.start();
    for (let second = 0; second < 120; second += 1) {
      for (const market of fake.markets.values()) {
        market.index = Math.round(market.index * (second % 7 < 3 ? 1.002 : 0.9985));
      }
      await time.advanceSettling(demoRefreshMs);
    }
    expect(fake.peak).toBeLessThanOrEqual(40);
    expect(fake.peak).toBeGreaterThan(20);
    expect(fake.counts.refused).toBe(0);
    await maker.stop();
    expect(fake.orders.size).toBe(0);
  });

  test('with a lower tier than expected it waits for the next window after a refusal and continues', async () => {
    const { time, fake, reports, make } = deskOf({ ordersPer10s: 3 });
    const maker = make();
    maker.start();
    await time.advanceSettling(120_000);
    expect(fake.orders.size).toBe(3 * quotes);
    expect(fake.counts.refused).toBeLessThanOrEqual(13);
    expect(reports.join()).toContain('-1003');
    await maker.stop();
  });
});
