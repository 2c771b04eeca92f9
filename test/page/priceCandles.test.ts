// Candles of mark and index: history from FAPI, the candle in progress from the tickers.

import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { type Candle, openCandleFeed } from '../../src/page/state/candleFeed.ts';
import { priceCandles } from '../../src/page/state/priceCandles.ts';
import type { PublicRequests } from '../../src/page/state/publicRequests.ts';
import type { Ticker } from '../../src/page/state/tickers.ts';
import type { Interval } from '../../src/units/interval.ts';

const minute = 60_000;

const row = (time: number, ...prices: readonly [string, string, string, string]) => [
  time,
  ...prices,
];

const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

/** The candles of the mark, with a clock and a history that the test sets. */
function openStage(interval: Interval, history: () => readonly unknown[]) {
  let now = 10 * minute + 20_000;
  const asked: unknown[] = [];
  const ticker = signal<Ticker | undefined>({ mark_price: '99', index_price: '1' } as Ticker);
  const requests = {
    getMarkPriceKlines: async (parameters: unknown) => {
      asked.push(parameters);
      return history();
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
      interval,
    }),
    interval,
    onAll: (candles) => {
      all = [...candles];
    },
    onLast: (candle) => last.push(candle),
  });
  return {
    feed,
    asked,
    last,
    all: () => all,
    setNow: (time: number): void => {
      now = time;
    },
    say: (mark_price: string): void => {
      ticker.value = { mark_price, index_price: '1' } as Ticker;
    },
  };
}

test('the candle in progress goes on where history ends, and a new minute begins a new one', async () => {
  const { feed, asked, last, all, setNow, say } = openStage('1m', () => [
    row(9 * minute, '100', '101', '99', '100.5'),
    row(10 * minute, '100.5', '103', '100', '102'),
  ]);
  await settle();
  expect(asked).toEqual([{ symbol: 'BTCUSDT', interval: '1m', limit: 500 }]);
  expect(all().map(({ close }) => close)).toEqual([100.5, 102]);
  say('104');
  say('99.5');
  expect(last.at(-1)).toMatchObject({ open: 100.5, high: 104, low: 99.5, close: 99.5 });
  setNow(11 * minute + 1);
  say('98');
  expect(last.at(-1)).toMatchObject({ time: 11 * minute, open: 98, high: 98, low: 98, close: 98 });
  feed.close();
  say('50');
  expect(last.at(-1)?.close).toBe(98);
});

test('NAT-2b a candle of 30 minutes shows its first 15, and none begins between', async () => {
  const rows = [row(0, '100', '101', '99', '100.5')];
  const { feed, asked, last, setNow, say } = openStage('30m', () => rows);
  await settle();
  say('104');
  expect(last.at(-1)).toMatchObject({ time: 0, high: 104, close: 104 });
  setNow(16 * minute);
  say('300');
  expect(last.at(-1)).toMatchObject({ time: 0, high: 104, close: 104 });
  setNow(31 * minute);
  // The page came late: the bucket of this candle opened before its first price here.
  rows.push(row(30 * minute, '90', '91', '80', '85'));
  say('86');
  await settle();
  expect(asked).toHaveLength(2);
  say('87');
  expect(last.at(-1)).toMatchObject({ time: 30 * minute, open: 90, high: 91, low: 80, close: 87 });
  feed.close();
});

test('a price that comes while history is read again is not forgotten', async () => {
  const rows = [row(10 * minute, '100', '101', '99', '100.5')];
  const { feed, last, setNow, say } = openStage('1m', () => rows);
  await settle();
  setNow(13 * minute + 1);
  // Two minutes are missing.
  say('110');
  say('120');
  rows.push(
    row(12 * minute, '101', '102', '100', '101'),
    row(13 * minute, '105', '111', '105', '109'),
  );
  await settle();
  say('112');
  expect(last.at(-1)).toMatchObject({
    time: 13 * minute,
    open: 105,
    high: 120,
    low: 105,
    close: 112,
  });
  feed.close();
});
