// What the ticket sends is what was typed, and what could not be sent is refused before.

import { expect, test } from 'vitest';
import type { Market } from '../../src/page/state/market.ts';
import {
  type Draft,
  emptyDraft,
  lotsFor,
  marginOf,
  problemOf,
  readDraft,
  wishOf,
} from '../../src/page/ticket/draft.ts';

const market = {
  symbol: 'BTCUSDT',
  tick: { decimals: 1, step: 1 },
  lot: { decimals: 3, step: 1 },
  // 0.1 USDT × 0.001 BTC is 100 millionths.
  grain: 100n,
  orderMin: 5_000_000n,
  orderMax: 1_000_000_000_000n,
} as unknown as Market;

const send = (part: Partial<Draft>, marketTicks?: bigint) => {
  const draft = { ...emptyDraft, ...part };
  const reading = readDraft(draft, market, marketTicks);
  return {
    reading,
    problem: problemOf(draft, reading, market),
    wish: wishOf(draft, reading, { market, side: 'BUY' }),
  };
};

test('a limit order in base and in USDT', () => {
  const base = send({ price: '50000.5', size: '0.1' });
  expect(base.wish).toMatchObject({ type: 'LIMIT', ticks: 500005n, lots: 100n });
  expect(base.reading.value).toBe(5_000_050_000n);
  // USDT are rounded down to whole lots.
  const quote = send({ price: '50000.5', size: '5049.99', unit: 'quote' });
  expect(quote.wish).toMatchObject({ lots: 100n });
});

test('a market order needs no price, and is valued at the market', () => {
  const priced = send({ type: 'MARKET', price: 'nonsense', size: '0.2' }, 500_000n);
  expect(priced.wish).toEqual({
    market,
    side: 'BUY',
    type: 'MARKET',
    lots: 200n,
    reduceOnly: false,
  });
  // Without a price the exchange judges the value.
  expect(send({ type: 'MARKET', size: '0.2' }).problem).toBeUndefined();
  expect(send({ type: 'MARKET', size: '5', unit: 'quote' }).wish).toBeUndefined();
});

test.each([
  [{ size: '1' }, { field: 'price', kind: 'empty' }],
  [
    { price: '5', size: '' },
    { field: 'size', kind: 'empty' },
  ],
  [
    { price: '1,234', size: '1' },
    { field: 'price', kind: 'ambiguous' },
  ],
  [
    { price: '5.05', size: '1' },
    { field: 'price', kind: 'offGrid' },
  ],
  [
    { price: '50000', size: '0.0001' },
    { field: 'size', kind: 'offGrid' },
  ],
  [
    { price: '1', size: '1' },
    { field: 'size', kind: 'belowMinimum' },
  ],
  [
    { price: '900000000', size: '900000' },
    { field: 'size', kind: 'aboveMaximum' },
  ],
  [
    { price: '99999999999999999999', size: '1' },
    { field: 'price', kind: 'tooLarge' },
  ],
] as const)('%j is refused: %j', (part, problem) => {
  const { problem: found, wish } = send(part);
  expect(found).toEqual(problem);
  expect(wish).toBeUndefined();
});

test('an order that only reduces may be small', () => {
  expect(send({ price: '1', size: '1', reduceOnly: true }).wish).toMatchObject({
    reduceOnly: true,
  });
});

test('the largest size fits into the available money with what an order freezes', () => {
  for (const leverage of [1, 3, 7, 20, 50]) {
    const [available, ticks] = [12_345_678_901n, 500_005n];
    const lots = lotsFor(available, { ticks, leverage, market });
    const freeze = (count: bigint): bigint =>
      (count * ticks * market.grain * 1005n) / (BigInt(leverage) * 1000n);
    expect(freeze(lots)).toBeLessThanOrEqual(available);
    expect(freeze(lots + 1n)).toBeGreaterThan(available - 1n);
  }
  expect(lotsFor(0n, { ticks: 5n, leverage: 1, market })).toBe(0n);
  expect(marginOf(10n, 3)).toBe(4n);
});
