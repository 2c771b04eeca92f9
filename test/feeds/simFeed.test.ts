// The simulated feed: deterministic by seed and virtual time, on the grid, alive like a market.

import { describe, expect, test } from 'vitest';
import { demoMarkets, demoPrices } from '../../src/feeds/demoMarkets.ts';
import type { FeedPrice } from '../../src/feeds/indexFeed.ts';
import { createSimFeed, type SimSymbol } from '../../src/feeds/simFeed.ts';
import { parseScaled } from '../../src/units/decimal.ts';

const grids = { BTCUSDT: 1, ETHUSDT: 2, AVAXUSDT: 3 };
const symbols: readonly SimSymbol[] = demoPrices.map((price) => ({
  ...price,
  start: price.anchor,
  tick: { decimals: grids[price.symbol as keyof typeof grids], step: 1 },
}));
const start = 1_760_000_000_000;

function pathOf(seed: number, steps: number, chosen = symbols): FeedPrice[][] {
  const feed = createSimFeed({ seed, symbols: chosen });
  return Array.from({ length: steps }, (_, i) => [...feed.poll(start + 250 * i)]);
}

/** Relative moves of one symbol between successive polls. */
function returnsOf(path: readonly FeedPrice[][], index: number): number[] {
  const prices = path.map((prices) => Number(prices[index]!.price));
  return prices.slice(1).map((price, i) => price / prices[i]! - 1);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function correlationOf(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - ma) * (b[i]! - mb)));
  const va = mean(a.map((value) => (value - ma) ** 2));
  const vb = mean(b.map((value) => (value - mb) ** 2));
  return covariance / Math.sqrt(va * vb);
}

describe('determinism', () => {
  test('the same seed gives the same path, and another seed gives another', () => {
    expect(pathOf(7, 2000)).toEqual(pathOf(7, 2000));
    expect(pathOf(8, 2000)).not.toEqual(pathOf(7, 2000));
  });

  test('the path depends on virtual time and not on the number of polls', () => {
    const rare = createSimFeed({ seed: 7, symbols });
    rare.poll(start);
    expect(rare.poll(start + 250 * 1999 + 249)).toEqual(
      pathOf(7, 2000)[1999]!.map((price) => ({ ...price, observedAt: start + 250 * 1999 + 249 })),
    );
  });

  test('a symbol moves the same with any other simulated symbols', () => {
    const alone = pathOf(7, 500, [symbols[2]!]);
    expect(alone.map(([price]) => price)).toEqual(pathOf(7, 500).map((prices) => prices[2]));
  });
});

describe('six hours', () => {
  const path = pathOf(42, 86_400);

  test('every price is plain text on the grid, from the source sim, near its start', () => {
    for (let i = 0; i < path.length; i += 100) {
      for (const [s, price] of path[i]!.entries()) {
        const { tick, anchor } = symbols[s]!;
        expect(price.price).toMatch(new RegExp(`^\\d+\\.\\d{${tick.decimals}}$`));
        expect(parseScaled(price.price, tick.decimals, tick.step).kind).toBe('exact');
        expect(Math.abs(Number(price.price) / Number(anchor) - 1)).toBeLessThan(0.5);
        expect(price.source).toBe('sim');
      }
    }
    expect(path[0]!.map(({ price }) => price)).toEqual(['115000.0', '4200.00', '28.000']);
  });

  test('symbols move together, but not equally', () => {
    const btc = returnsOf(path, 0);
    const correlation = correlationOf(btc, returnsOf(path, 1));
    expect(correlation).toBeGreaterThan(0.6);
    expect(correlation).toBeLessThan(0.95);
  });

  test('volatility has calm times and bursts', () => {
    const btc = returnsOf(path, 0);
    const minutes: number[] = [];
    for (let i = 0; i + 240 <= btc.length; i += 240) {
      minutes.push(Math.sqrt(mean(btc.slice(i, i + 240).map((value) => value * value))));
    }
    minutes.sort((a, b) => a - b);
    const calm = minutes[Math.floor(minutes.length / 2)]!;
    const burst = minutes[Math.floor(minutes.length * 0.99)]!;
    expect(burst / calm).toBeGreaterThan(3);
    const sizes = btc.map(Math.abs);
    expect(correlationOf(sizes.slice(1), sizes.slice(0, -1))).toBeGreaterThan(0.1);
  });

  test('no move of ten per cent in a minute: the demo does not trip its own breaker (PRC-3)', () => {
    for (const s of symbols.keys()) {
      const prices = path.map((prices) => Number(prices[s]!.price));
      for (let i = 240; i < prices.length; i += 10) {
        expect(Math.abs(prices[i]! / prices[i - 240]! - 1)).toBeLessThan(0.1);
      }
    }
  });
});

test('a walk begins where the previous one ended and drifts back to its anchor', () => {
  const moved = symbols.map((symbol) => ({ ...symbol, start: `${Number(symbol.anchor) * 2}` }));
  const feed = createSimFeed({ seed: 3, symbols: moved });
  expect(Number(feed.poll(start)[0]!.price)).toBe(230_000);
  let last = 0;
  for (let hour = 0; hour <= 24 * 21; hour += 1) {
    last = Number(feed.poll(start + hour * 3_600_000)[0]!.price);
  }
  expect(last).toBeLessThan(190_000);
});

test('the demo markets are those of NUM-1 and name the feed', () => {
  const records = demoMarkets('replay');
  expect(
    records.map(({ symbol, tick_size, lot_size, max_leverage }) => [
      symbol,
      tick_size,
      lot_size,
      max_leverage,
    ]),
  ).toEqual([
    ['BTCUSDT', '0.1', '0.001', 50],
    ['ETHUSDT', '0.01', '0.01', 50],
    ['AVAXUSDT', '0.001', '0.1', 25],
  ]);
  for (const record of records) {
    expect(record.index_sources).toEqual([{ source: 'replay', weight: 1 }]);
    expect(record).toMatchObject({
      min_order_size_usd: '5',
      max_order_size_usd: '1000000',
      oi_cap_usd: '20000000',
      funding_factor: '0.01',
      max_funding_rate: '0.01',
      min_funding_rate: '-0.01',
      funding_interval_hours: 8,
      liquidation_fee_rate: '0.005',
    });
    // MAR-8: half of the initial rate, at least twice the liquidation fee.
    expect(Number(record.maintenance_margin_rate)).toBe(0.5 / record.max_leverage);
    expect(Number(record.maintenance_margin_rate)).toBeGreaterThanOrEqual(0.01);
  }
});
