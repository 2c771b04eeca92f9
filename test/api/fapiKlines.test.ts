// Klines on FAPI (NAT-2a, NAT-2b): buckets, gaps, aliases, windows, and the klines of prices.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { marketsOf } from '../../src/engine/views/exchange.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { intervals } from '../../src/units/interval.ts';
import { type MarketDataWorld, openMarketDataWorld } from './marketDataWorld.ts';

let stage: MarketDataWorld;

beforeEach(async () => {
  stage = await openMarketDataWorld();
});

afterEach(async () => {
  expect(stage.world.faults).toEqual([]);
  await stage.close();
});

const symbol = 'BTCUSDT';
type Kline = readonly [number, string, string, string, string, string, number, string, number];

const klines = async (parameters: object, path = 'klines'): Promise<Kline[]> => {
  const reply = await stage.get(`/fapi/v1/${path}`, { symbol, ...parameters });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

const openTimes = (rows: readonly Kline[]): number[] => rows.map(([openTime]) => openTime);

/** Trades at minutes 0, 1 and 5; the exchange stands in minute 6. */
async function sixMinutes(): Promise<void> {
  const { at, goTo, trade } = stage;
  await goTo(at(0, 30_000));
  await trade('60000', '0.1');
  await trade('60010.5', '0.2', -1);
  await goTo(at(0, 59_999));
  await trade('59990', '0.001');
  await goTo(at(1));
  await trade('60001', '0.01');
  await goTo(at(5, 100));
  await trade('60005', '0.02');
  await goTo(at(6, 7));
}

test('NAT-2a buckets without trades continue at the last close, up to the current bucket', async () => {
  expect(await klines({ interval: '1m' })).toEqual([]);
  await sixMinutes();
  const flat = (minutes: number, price: string) => [
    stage.at(minutes),
    ...Array(4).fill(price),
    '0.000',
    stage.at(minutes + 1) - 1,
    '0',
    0,
    ...['0', '0', '0'],
  ];
  expect(await klines({ interval: '1m' })).toEqual([
    [
      stage.at(0),
      '60000.0',
      '60010.5',
      '59990.0',
      '59990.0',
      '0.301',
      stage.at(1) - 1,
      // 0.1 × 60000 + 0.2 × 60010.5 + 0.001 × 59990.
      '18062.09',
      3,
      ...['0', '0', '0'],
    ],
    [
      stage.at(1),
      ...Array(4).fill('60001.0'),
      '0.010',
      stage.at(2) - 1,
      '600.01',
      1,
      ...['0', '0', '0'],
    ],
    ...[2, 3, 4].map((minutes) => flat(minutes, '60001.0')),
    [
      stage.at(5),
      ...Array(4).fill('60005.0'),
      '0.020',
      stage.at(6) - 1,
      '1200.1',
      1,
      ...['0', '0', '0'],
    ],
    flat(6, '60005.0'),
  ]);
});

describe('NAT-2b intervals that are not kept show the bucket that holds their time', () => {
  const lengths = { m: 60_000, h: 3_600_000, d: 86_400_000 };
  const lengthOf = (interval: string): number =>
    Number.parseInt(interval, 10) * lengths[interval.at(-1) as keyof typeof lengths];

  test.each([
    ['3m', '5m'],
    ['30m', '15m'],
    ['2h', '1h'],
    ['6h', '4h'],
    ['8h', '4h'],
    ['12h', '4h'],
    ['3d', '1d'],
  ])('%s from %s', async (asked, kept) => {
    const { goTo, trade, world } = stage;
    const length = lengthOf(kept);
    const begin = world.clock.now() - (world.clock.now() % length) + length;
    // Three trades a bucket, of which no two are alike.
    for (let bucket = 0; bucket < 8; bucket += 1) {
      for (let part = 0; part < 3; part += 1) {
        await goTo(begin + bucket * length + Math.floor((part * length) / 3) + 1000);
        await trade(String(60_000 + 10 * bucket + part), '0.001');
      }
    }
    const source = await klines({ interval: kept });
    const shown = await klines({ interval: asked });
    expect(shown.length).toBeGreaterThan(1);
    for (const row of shown) {
      const [openTime] = row;
      const from =
        source.find(([start, , , , , , end]) => start <= openTime && end >= openTime) ?? source[0]!;
      expect(openTime % lengthOf(asked)).toBe(0);
      expect(row[6]).toBe(openTime + lengthOf(asked) - 1);
      expect(row.slice(1, 6)).toEqual(from.slice(1, 6));
      expect(row.slice(7)).toEqual(from.slice(7));
    }
    for (const [index, openTime] of openTimes(shown).entries()) {
      expect(openTime).toBe(openTimes(shown)[0]! + index * lengthOf(asked));
    }
  });

  test('every interval of the interface is answered, month and week by the calendar', async () => {
    await sixMinutes();
    for (const interval of intervals) expect(await klines({ interval })).not.toEqual([]);
    const [week] = await klines({ interval: '1w' });
    expect(new Date(week![0]).toISOString()).toBe('2025-10-06T00:00:00.000Z');
    expect(week![6] - week![0]).toBe(7 * lengths.d - 1);
    const [month] = await klines({ interval: '1M' });
    expect(new Date(month![0]).toISOString()).toBe('2025-10-01T00:00:00.000Z');
    expect(new Date(month![6]).toISOString()).toBe('2025-10-31T23:59:59.999Z');
  });
});

describe('windows', () => {
  beforeEach(sixMinutes);
  const minutesOf = async (window: object): Promise<number[]> =>
    openTimes(await klines({ interval: '1m', ...window })).map(
      (time) => (time - stage.at(0)) / 60_000,
    );

  test('NAT-2a startTime reads forward, without it the latest come; both ends are included', async () => {
    const { at } = stage;
    expect(await minutesOf({ limit: 2 })).toEqual([5, 6]);
    expect(await minutesOf({ startTime: at(0), limit: 2 })).toEqual([0, 1]);
    expect(await minutesOf({ startTime: at(0, 1), limit: 2 })).toEqual([1, 2]);
    expect(await minutesOf({ startTime: 0, endTime: at(2) })).toEqual([0, 1, 2]);
    expect(await minutesOf({ endTime: at(2, 59_999), limit: 2 })).toEqual([1, 2]);
    expect(await minutesOf({ endTime: at(2) - 1, limit: 2 })).toEqual([0, 1]);
    expect(await minutesOf({ startTime: at(4), endTime: at(3) })).toEqual([]);
    expect(await minutesOf({ startTime: at(7) })).toEqual([]);
    expect(await minutesOf({ endTime: at(0) - 1 })).toEqual([]);
    expect(await minutesOf({ limit: 5000 })).toHaveLength(7);
  });

  test('500 rows by default, 1500 at most', async () => {
    const { at, goTo } = stage;
    await goTo(at(1600));
    expect(await klines({ interval: '1m' })).toHaveLength(500);
    expect(await klines({ interval: '1m', limit: 9999 })).toHaveLength(1500);
    expect(await klines({ interval: '3m', limit: 1500, startTime: 0 })).toHaveLength(536);
  });
});

test('refusals: -1102, -1120, -1121', async () => {
  const answers = async (path: string, parameters: object) => {
    const { status, body } = await stage.get(`/fapi/v1/${path}`, parameters as never);
    return [status, body.code, body.msg];
  };
  const malformed = (name: string) => [400, -1102, `Parameter '${name}' is missing or malformed.`];
  expect(await answers('klines', { interval: '1m' })).toEqual(malformed('symbol'));
  expect(await answers('klines', { symbol })).toEqual(malformed('interval'));
  expect(await answers('klines', { symbol, interval: '' })).toEqual(malformed('interval'));
  for (const interval of ['1', '1s', '1H', '10m', '1mo', 'm']) {
    expect(await answers('klines', { symbol, interval })).toEqual([
      400,
      -1120,
      'Invalid interval.',
    ]);
  }
  const unknown = [400, -1121, 'Invalid symbol.'];
  expect(await answers('klines', { symbol: 'NONE', interval: '1m' })).toEqual(unknown);
  expect(await answers('indexPriceKlines', { pair: 'NONE', interval: '1m' })).toEqual(unknown);
  for (const limit of ['0', '-1', '1.5', 'x']) {
    expect(await answers('klines', { symbol, interval: '1m', limit })).toEqual(malformed('limit'));
  }
  for (const startTime of ['-1', 'yesterday']) {
    const parameters = { symbol, interval: '1m', startTime };
    expect(await answers('klines', parameters)).toEqual(malformed('startTime'));
  }
  const delivery = { pair: symbol, interval: '1m', contractType: 'CURRENT_QUARTER' };
  const [status, code] = await answers('continuousKlines', delivery);
  expect([status, code]).toEqual([400, -1130]);
});

test('NAT-2g continuousKlines equal klines; mark, index and premium have klines without volume', async () => {
  await sixMinutes();
  const { world, get, at } = stage;
  const perpetual = { pair: 'btc_usd', contractType: 'PERPETUAL', interval: '1m' };
  const continuous = await get('/fapi/v1/continuousKlines', perpetual);
  expect(continuous.body).toEqual(await klines({ interval: '1m' }));
  await stage.goTo(at(20));
  const begin = world.clock.now();
  for (const ticks of [601_000, 600_500, 602_000]) await world.price(ticks);
  const row = (prices: string[], count: number) => [
    begin,
    ...prices,
    '0',
    begin + 59_999,
    '0',
    count,
    ...['0', '0', '0'],
  ];
  const window = { interval: '1m', startTime: begin };
  const prices = ['60000.0', '60200.0', '60000.0', '60200.0'];
  const index = await get('/fapi/v1/indexPriceKlines', { pair: symbol, ...window });
  expect(index.body).toEqual([row(prices, 4)]);
  // Without a mid the mark is the index, and the premium nothing.
  expect(await klines(window, 'markPriceKlines')).toEqual([row(prices, 4)]);
  const none = Array(4).fill('0.00000000');
  expect(await klines(window, 'premiumIndexKlines')).toEqual([row(none, 4)]);
});

test('NAT-2g the premium is the mark relative to the index, with its sign', async () => {
  const { world, maker, at, goTo } = stage;
  await goTo(at(30));
  const order = { symbol, type: 'LIMIT', quantity: '0.1' };
  await world.call(maker, 'POST', '/fapi/v1/order', { ...order, side: 'BUY', price: '59900' });
  await world.call(maker, 'POST', '/fapi/v1/order', { ...order, side: 'SELL', price: '59902' });
  for (let i = 0; i < 20; i += 1) {
    world.clock.advance(1000);
    await world.price(600_000);
  }
  const { mark, index } = marketsOf(world.replica.exchange)[0]!.prices;
  expect(mark).toBeLessThan(index);
  const [row] = await klines({ interval: '1m', limit: 1 }, 'premiumIndexKlines');
  expect(row![4]).toBe(((mark - index) / index).toFixed(8));
  expect(row![4]).toMatch(/^-0\.00\d{6}$/);
});

test('NAT-2a the candles of a settled market end with it', async () => {
  await sixMinutes();
  const { world, at } = stage;
  const market = stateOf.exchange(world.replica.exchange).markets[0]!;
  market.dues.settledAt = at(3, 500) as never;
  expect(openTimes(await klines({ interval: '1m' })).at(-1)).toBe(at(3));
});
