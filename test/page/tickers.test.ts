// The page's tickers: rows of the channel of all markets, and the prices of the market on the
// screen.

import { expect, test } from 'vitest';
import type { StreamClient } from '../../src/client/streamClient.ts';
import type { Market } from '../../src/page/state/market.ts';
import { openMarketFeed } from '../../src/page/state/marketFeed.ts';
import { createTickers, type Prices, type Ticker } from '../../src/page/state/tickers.ts';

/** A client whose channels the test speaks through. */
function fakeClient() {
  const channels = new Map<string, (message: unknown) => void>();
  const client = {
    subscribe: (name: string, take: (message: unknown) => void) => channels.set(name, take),
    unsubscribe: (name: string) => channels.delete(name),
  } as unknown as StreamClient;
  return { channels, client };
}

const row = (symbol: string, mark_price: string, status = 'TRADING'): Ticker =>
  ({ symbol, mark_price, index_price: mark_price, status }) as Ticker;
const prices = (symbol: string, mark_price: string): Prices =>
  ({ symbol, mark_price, index_price: '9', funding_rate: '0.0001' }) as Prices;

test('WS-2b the page has the ticker of every market from one channel, and keeps those that do not change', () => {
  const { channels, client } = fakeClient();
  const tickers = createTickers(client);
  expect([...channels.keys()]).toEqual(['tickers']);
  const take = channels.get('tickers')!;
  take({ snapshot: true, tickers: [row('BTCUSDT', '1'), row('ETHUSDT', '2')] });
  take({ snapshot: false, tickers: [row('ETHUSDT', '3', 'HALT')] });
  const marks = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map((each) => tickers.of(each).value?.mark_price);
  expect(marks).toEqual(['1', '3', undefined]);
  expect(tickers.of('ETHUSDT').value?.status).toBe('HALT');
});

test('WS-2b mark and index of the market on the screen follow its prices, and end with its feed', () => {
  const { channels, client } = fakeClient();
  const tickers = createTickers(client);
  channels.get('tickers')!({ snapshot: true, tickers: [row('BTCUSDT', '1')] });
  tickers.takePrices(prices('BTCUSDT', '5'));
  expect(tickers.of('BTCUSDT').value).toEqual({ ...row('BTCUSDT', '5'), index_price: '9' });
  // Prices alone are no ticker.
  tickers.takePrices(prices('SOLUSDT', '5'));
  expect(tickers.of('SOLUSDT').value).toBeUndefined();
  const grid = { decimals: 1, step: 1 };
  const feed = openMarketFeed(client, { symbol: 'BTCUSDT', tick: grid, lot: grid } as Market);
  expect(feed.prices.value).toBeUndefined();
  channels.get('prices:BTCUSDT')!(prices('BTCUSDT', '6'));
  expect(feed.prices.value?.mark_price).toBe('6');
  feed.close();
  expect([...channels.keys()]).toEqual(['tickers']);
});
