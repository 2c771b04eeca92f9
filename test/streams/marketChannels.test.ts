// The channels that show a market as it is now (WS-1, WS-2b): prices, the tickers of all markets,
// the best levels of a book. Each message is whole; the tests look at what comes, how often, and at
// what it may cost.

import { beforeEach, expect, test } from 'vitest';
import type { Command } from '../../src/engine/command.ts';
import type { MarketId } from '../../src/units/units.ts';
import { streamTerms } from '../engine/commandStream.ts';
import { order, prices } from './streamOrders.ts';
import {
  type FakeReader,
  openStreamWorld,
  type Said,
  type StreamWorld,
  worldEpoch,
} from './streamWorld.ts';

let world: StreamWorld;
let reader: FakeReader;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
  reader = world.connect();
});

/** The first message of the channel. */
function subscribe(channel: string, of: FakeReader = reader): Said {
  of.say({ type: 'subscribe', channel });
  const [subscribed, first, ...others] = of.take();
  expect(subscribed).toEqual({ type: 'subscribed', channel });
  expect(others).toEqual([]);
  return first;
}

const listed = (baseAsset: string): Command => ({
  kind: 'listMarket',
  symbol: `${baseAsset}USDT`,
  baseAsset,
  tick: { decimals: 1, step: 1 },
  lot: { decimals: 3, step: 1 },
  terms: streamTerms,
  status: 'TRADING',
});

const halted: Command = {
  kind: 'changeMarket',
  market: 0 as MarketId,
  terms: streamTerms,
  status: 'HALT',
};

const symbolsIn = ({ tickers }: Said): string[] => tickers.map(({ symbol }: Said) => symbol);

test('WS-2b prices come twice a second, changed or not, with the funding of the moment', () => {
  const first = subscribe('prices:BTCUSDT');
  expect(first).toEqual({
    type: 'prices',
    channel: 'prices:BTCUSDT',
    symbol: 'BTCUSDT',
    mark_price: '5000.0',
    index_price: '5000.0',
    funding_rate: '0',
    next_funding_time: expect.any(Number),
    time: world.state.exchange.time,
  });
  expect(first.next_funding_time % 3_600_000).toBe(0);
  world.run(prices(world, 1.01));
  world.pass(498);
  expect(reader.take()).toEqual([]);
  world.pass(1);
  const [moved, ...others] = reader.take();
  expect(others).toEqual([]);
  expect(moved).toMatchObject({ index_price: '5050.0', time: first.time + 1 });
  world.pass(500);
  expect(reader.take()).toEqual([moved]);
});

test('WS-2b tickers: first all markets, then those that have changed, at most once a second', () => {
  const first = subscribe('tickers');
  expect(first).toMatchObject({ channel: 'tickers', snapshot: true });
  expect(symbolsIn(first)).toEqual(['BTCUSDT', 'ETHUSDT', 'AVAXUSDT']);
  expect(first.tickers[0]).toMatchObject({ status: 'TRADING', restriction: 'none' });
  world.pass(1000);
  expect(reader.take()).toEqual([]);
  world.run(order([2, -1, 100, 50_100]), order([4, 1, 40, 50_100]));
  world.run(order([4, 1, 20, 50_100]));
  world.pass(999);
  expect(reader.take()).toEqual([]);
  world.pass(1);
  const [traded, ...others] = reader.take();
  expect(others).toEqual([]);
  expect(traded).toMatchObject({ snapshot: false, tickers: [{ last_price: '5010.0' }] });
  expect(traded.tickers[0].volume_24h).toBe('0.060');
  world.run(order([4, 1, 20, 50_100]));
  world.pass(999);
  expect(reader.take()).toEqual([]);
  world.pass(1);
  expect(reader.take()).toMatchObject([{ tickers: [{ symbol: 'BTCUSDT', volume_24h: '0.080' }] }]);
  // Who comes now gets what the others have.
  expect(subscribe('tickers', world.connect()).tickers[0].volume_24h).toBe('0.080');
});

test('WS-2b SYM-1 tickers: what a market answers to, by its operator and by its prices', () => {
  subscribe('tickers');
  world.run(halted);
  world.pass(1000);
  const shown = (): string[] =>
    reader.take().flatMap(({ tickers }) => {
      return tickers.map((each: Said) => `${each.symbol} ${each.status} ${each.restriction}`);
    });
  expect(shown()).toEqual(['BTCUSDT HALT none']);
  // No price comes any more.
  world.clock.advance(31_000);
  world.run(halted);
  world.pass(0);
  expect(shown()).toEqual(['BTCUSDT HALT stale', 'ETHUSDT CLOSE stale', 'AVAXUSDT CLOSE stale']);
});

test('WS-2b a market without an index has no prices yet, and is among the tickers from its first', () => {
  world.run(listed('SOL'));
  expect(subscribe('prices:SOLUSDT')).toBeUndefined();
  expect(symbolsIn(subscribe('tickers'))).not.toContain('SOLUSDT');
  world.pass(1000);
  expect(reader.take()).toEqual([]);
  const tick = prices(world);
  if (tick.kind !== 'indexTick') throw new Error('prices');
  const sol = { ...tick.prices[0]!, market: 3 as MarketId };
  world.run({ ...tick, prices: [...tick.prices, sol] });
  world.pass(1000);
  const heard = reader.take();
  expect(heard.find(({ type }) => type === 'prices')).toMatchObject({ mark_price: '5000.0' });
  expect(symbolsIn(heard.find(({ type }) => type === 'tickers'))).toContain('SOLUSDT');
});

test('WS-2b tickers of many markets come in parts, each market at most once a second', () => {
  const count = 150;
  const names = Array.from({ length: count - 3 }, (_, at) => `M${at}`);
  for (const name of names) world.run(listed(name));
  const priceAll = (rate: number): void => {
    const tick = prices(world, rate);
    if (tick.kind !== 'indexTick') throw new Error('prices');
    const others = names.map((_, at) => ({ ...tick.prices[0]!, market: (3 + at) as MarketId }));
    world.run({ ...tick, prices: [...tick.prices, ...others] });
  };
  priceAll(1);
  expect(subscribe('tickers').tickers).toHaveLength(count);
  for (const rate of [1.01, 1.02]) {
    priceAll(rate);
    world.pass(998);
    expect(reader.take()).toEqual([]);
    for (const part of [64, 64, 22]) {
      world.pass(1);
      const [message, ...others] = reader.take();
      expect(others).toEqual([]);
      expect(message.tickers).toHaveLength(part);
    }
  }
});

test('WS-2b levels: the whole picture whenever these levels have changed, at most four times a second', () => {
  const bids = Array.from({ length: 12 }, (_, at) => order([2, 1, 10 + at, 49_000 - at]));
  world.run(...bids, order([2, -1, 5, 51_000]));
  const first = subscribe('depth:BTCUSDT:5');
  expect(first).toEqual({
    type: 'levels',
    channel: 'depth:BTCUSDT:5',
    symbol: 'BTCUSDT',
    time: world.state.exchange.time,
    bids: Array.from({ length: 5 }, (_, at) => [`${(49_000 - at) / 10}`, `0.0${10 + at}`]).map(
      ([price, quantity]) => [price!.includes('.') ? price : `${price}.0`, quantity],
    ),
    asks: [['5100.0', '0.005']],
  });
  // Behind the fifth price nothing changes for this reader.
  world.run(order([4, -1, 1, 50_500]));
  world.run(order([2, 1, 3, 48_000]));
  world.pass(249);
  expect(reader.take()).toEqual([]);
  world.pass(1);
  expect(reader.take()).toMatchObject([{ asks: [['5050.0', '0.001'], first.asks[0]] }]);
  world.run(order([2, 1, 3, 47_000]));
  world.pass(1000);
  expect(reader.take()).toEqual([]);
  world.run(order([4, -1, 1, 50_500]));
  world.pass(250);
  expect(reader.take()).toMatchObject([{ asks: [['5050.0', '0.002'], first.asks[0]] }]);
});

test('WS-2b levels: every number of levels is cut from one picture, and it is never more than 250 ms old', () => {
  const deep = (side: 1 | -1): Command[] =>
    Array.from({ length: 60 }, (_, at) => order([2, side, 10, 50_000 - side * (10 + at)]));
  world.run(...deep(1), ...deep(-1));
  const readers = [5, 10, 20, 50].map((levels) => {
    const each = world.connect();
    const first = subscribe(`depth:BTCUSDT:${levels}`, each);
    expect([first.bids.length, first.asks.length]).toEqual([levels, levels]);
    // Later readers of the same picture: nothing was looked at anew.
    world.run(order([2, 1, 2, 49_991]));
    world.pass(10);
    expect(first.bids[0]).toEqual(['4999.0', '0.010']);
    return each;
  });
  world.pass(210);
  const heard = readers.map((each) => each.take());
  expect(heard.map((messages) => messages.length)).toEqual([1, 1, 1, 1]);
  const messages = heard.map(([message]) => message);
  for (const { bids, time } of messages) {
    expect(bids.slice(0, 5)).toEqual(messages[0].bids);
    expect(time).toBe(messages[0].time);
  }
  expect(messages[0].bids[0]).toEqual(['4999.1', '0.008']);
});

test('WS-2a WS-2b who asks more than five times a second gets the last snapshot', () => {
  const marks: string[] = [];
  for (let at = 1; at <= 8; at += 1) {
    world.run(prices(world, 1 + at / 1000));
    marks.push(subscribe('prices:BTCUSDT').index_price);
  }
  const fifth = '5025.0';
  expect(marks).toEqual(['5005.0', '5010.0', '5015.0', '5020.0', fifth, fifth, fifth, fifth]);
  world.pass(500);
  expect(reader.take()).toMatchObject([{ index_price: '5040.0' }]);
});

test.each([['prices:BTCUSDT'], ['tickers'], ['depth:BTCUSDT:20']])(
  'WS-2b %s has no numbers: resume begins it anew',
  (channel) => {
    const first = subscribe(channel);
    expect(first).not.toHaveProperty('seq');
    reader.say({ type: 'resume', channel, epoch: worldEpoch, seq: 1 });
    expect(reader.take()).toEqual([{ type: 'reset', channel }, first]);
  },
);

test.each([
  ['INVALID_MARKET', 'prices:NOPEUSDT'],
  ['INVALID_MARKET', 'depth:NOPEUSDT:20'],
  ['INVALID_PARAMETER', 'depth:BTCUSDT:7'],
  ['INVALID_PARAMETER', 'depth:BTCUSDT:05'],
  ['INVALID_PARAMETER', 'depth:BTCUSDT:5.0'],
  ['INVALID_PARAMETER', 'depth:BTCUSDT:'],
  ['INVALID_PARAMETER', 'depth:BTCUSDT:-5'],
  ['INVALID_PARAMETER', 'depth:BTCUSDT:50:50'],
  ['INVALID_PARAMETER', 'prices'],
  ['INVALID_PARAMETER', 'prices:BTCUSDT:5'],
  ['INVALID_PARAMETER', 'trades:BTCUSDT:5'],
  ['INVALID_PARAMETER', 'tickers:BTCUSDT'],
  ['INVALID_PARAMETER', 'tickers:'],
  ['INVALID_PARAMETER', 'account:2'],
])('WS-1 error %s: %s', (code, channel) => {
  for (const type of ['subscribe', 'unsubscribe']) {
    reader.say({ type, channel });
    expect(reader.take()).toEqual([{ type: 'error', code, message: expect.any(String), channel }]);
  }
  expect(world.streams.figures()).toMatchObject({ subscriptions: 0, channels: 0 });
});

test('WS-2b a second of any market costs a reader a bounded number of bytes', async () => {
  const channels = ['prices:BTCUSDT', 'tickers', 'depth:BTCUSDT:50', 'account'];
  const readers = channels.map((channel) => {
    const each = world.connect();
    return { each, channel };
  });
  for (const { each, channel } of readers) {
    each.say({ type: 'auth', token: '2' });
    await Promise.resolve();
    await Promise.resolve();
    each.say({ type: 'subscribe', channel });
  }
  // A position, and a book with more levels than anyone reads.
  world.run(order([2, 1, 100, 50_000]), order([4, -1, 100, 50_000]));
  const deep = Array.from({ length: 60 }, (_, at) => order([6, 1, 10, 49_000 - at]));
  const high = Array.from({ length: 60 }, (_, at) => order([6, -1, 10, 52_000 + at]));
  world.run(...deep, ...high);
  world.pass(1000);
  for (const { each } of readers) each.take();
  const before = readers.map(({ each }) => each.buffers.length);
  const seconds = 10;
  for (let turn = 0; turn < seconds * 40; turn += 1) {
    if (turn % 10 === 0) world.run(prices(world, 1 + (turn % 70) / 10_000));
    if (turn % 4 === 0) world.run(order([8, 1, 2, 49_001 + (turn % 20)]));
    world.pass(25);
  }
  const sent = readers.map(({ each }, index) => each.buffers.slice(before[index]));
  const messages = sent.map((buffers) => buffers.length / seconds);
  const bytes = sent.map((buffers) => {
    return buffers.reduce((sum, { length }) => sum + length, 0) / seconds;
  });
  // Twice, once, four times and once a second; a tenth more for the turns of the clock.
  const mostMessages = [2.2, 1.1, 4.4, 1.1];
  const mostBytes = [2.2 * 250, 1.1 * (100 + 3 * 700), 4.4 * (150 + 100 * 24), 1.1 * 1100];
  for (const index of channels.keys()) {
    expect(messages[index], channels[index]).toBeGreaterThan(0.5);
    expect(messages[index], channels[index]).toBeLessThanOrEqual(mostMessages[index]!);
    expect(bytes[index], channels[index]).toBeLessThanOrEqual(mostBytes[index]!);
  }
});
