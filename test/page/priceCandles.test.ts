// Candles of mark and index: history from FAPI, the candle in progress from the tickers.

import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { type Candle, openCandleFeed } from '../../src/page/state/candleFeed.ts';
import { priceCandles } from '../../src/page/state/priceCandles.ts';
import type { PublicRequests } from '../../src/page/state/publicRequests.ts';
import type { Ticker } from '../../src/page/state/tickers.ts';

const minute = 60_000;

test('the candle in progress goes on where history ends, and a new minute begins a new one', async () => {
  let now = 10 * minute + 20_000;
  const asked: unknown[] = [];
  const ticker = signal<Ticker | undefined>({ mark_price: '99', index_price: '1' } as Ticker);
  const requests = {
    getMarkPriceKlines: async (parameters: unknown) => {
      asked.push(parameters);
      return [
        [9 * minute, '100', '101', '99', '100.5'],
        [10 * minute, '100.5', '103', '100', '102'],
      ];
    },
  } as unknown as PublicRequests;
  const last: Candle[] = [];
  let all: readonly Candle[] = [];
  const feed = openCandleFeed({
    source: priceCandles({
      kind: 'mark',
      requests,
      ticker,
      now: () => now,
      symbol: 'BTCUSDT',
      interval: '1m',
    }),
    interval: '1m',
    onAll: (candles) => {
      all = [...candles];
    },
    onLast: (candle) => last.push(candle),
  });
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual([{ symbol: 'BTCUSDT', interval: '1m', limit: 500 }]);
  expect(all.map(({ close }) => close)).toEqual([100.5, 102]);
  const say = (mark_price: string): void => {
    ticker.value = { mark_price, index_price: '1' } as Ticker;
  };
  say('104');
  say('99.5');
  expect(last.at(-1)).toMatchObject({ open: 100.5, high: 104, low: 99.5, close: 99.5 });
  now = 11 * minute + 1;
  say('98');
  expect(last.at(-1)).toMatchObject({ time: 11 * minute, open: 98, high: 98, low: 98, close: 98 });
  feed.close();
  say('50');
  expect(last.at(-1)?.close).toBe(98);
});
