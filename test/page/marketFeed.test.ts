// What many trades change on the page is settled once for each frame, and keeps a bounded memory
// where no frame is drawn.

import { expect, test } from 'vitest';
import type { StreamClient } from '../../src/client/streamClient.ts';
import { type TradeRow, tradesKept } from '../../src/page/state/followTrades.ts';
import type { Market } from '../../src/page/state/market.ts';
import { openMarketFeed } from '../../src/page/state/marketFeed.ts';

type TradesMessage = { readonly snapshot?: boolean; readonly trades: readonly TradeRow[] };

/** A feed whose channel of trades the test speaks through, and whose frames it draws. */
function openFeed() {
  const channels = new Map<string, (message: unknown) => void>();
  const client = {
    subscribe: (name: string, take: (message: unknown) => void) => channels.set(name, take),
    unsubscribe: (name: string) => channels.delete(name),
  } as unknown as StreamClient;
  const grid = { decimals: 1, step: 1 };
  const market = { symbol: 'BTCUSDT', tick: grid, lot: grid } as Market;
  const steps: (() => void)[] = [];
  const feed = openMarketFeed(client, market, (step) => steps.push(step));
  const say = (message: TradesMessage) => channels.get('trades:BTCUSDT')!(message);
  const drawFrame = (): number => {
    const planned = steps.splice(0);
    for (const step of planned) step();
    return planned.length;
  };
  return { feed, say, drawFrame };
}

const trade = (id: number, price: string): TradeRow => ({ id, price }) as unknown as TradeRow;
const idsOf = (trades: readonly TradeRow[]): readonly number[] =>
  trades.map((each) => (each as unknown as { readonly id: number }).id);

test('WS-2 trades between two frames are settled once, the newest first', () => {
  const { feed, say, drawFrame } = openFeed();
  let calls = 0;
  let changes = -1;
  feed.onTrades(() => {
    calls += 1;
  });
  feed.last.subscribe(() => {
    changes += 1;
  });
  say({ snapshot: true, trades: [trade(1, '9.9'), trade(2, '10.0')] });
  say({ trades: [trade(3, '10.1')] });
  expect(feed.trades).toEqual([]);
  expect(drawFrame()).toBe(1);
  expect(idsOf(feed.trades)).toEqual([3, 2, 1]);
  expect(feed.last.value).toEqual({ price: '10.1', direction: 1 });
  expect([calls, changes]).toEqual([1, 1]);
  for (let id = 4; id < 104; id += 1) say({ trades: [trade(id, '10.1')] });
  expect(drawFrame()).toBe(1);
  expect(idsOf(feed.trades)).toEqual(Array.from({ length: tradesKept }, (_, at) => 103 - at));
  expect(feed.last.value).toEqual({ price: '10.1', direction: 0 });
  say({ trades: [trade(104, '10.1')] });
  drawFrame();
  // What is shown has not changed: nothing is drawn for it.
  expect([calls, changes]).toEqual([3, 2]);
  expect(drawFrame()).toBe(0);
});

test('WS-2 without frames the feed keeps the last trades alone, and a new beginning replaces them', () => {
  const { feed, say, drawFrame } = openFeed();
  for (let id = 1; id <= 100_000; id += 1) say({ trades: [trade(id, String(id))] });
  expect(drawFrame()).toBe(1);
  expect(idsOf(feed.trades)).toEqual(Array.from({ length: tradesKept }, (_, at) => 100_000 - at));
  say({ trades: [trade(100_001, '1')] });
  say({ snapshot: true, trades: [trade(7, '2'), trade(8, '1')] });
  say({ trades: [trade(9, '3')] });
  drawFrame();
  expect(idsOf(feed.trades)).toEqual([9, 8, 7]);
  expect(feed.last.value).toEqual({ price: '3', direction: 1 });
});
