// Trades, aggregates and tickers on FAPI (NAT-2c, NAT-2d): shapes, paging, and access.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryText, signatureOf } from '../gateway/gatewayWorld.ts';
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
const day = 86_400_000;

const rows = async (path: string, parameters: object = {}) => {
  const reply = await stage.get(`/fapi/v1/${path}`, { symbol, ...parameters });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

/** One order takes 0.1 and 0.2 at 60000, 0.3 at 60001; another sells 0.05 at 59999. */
async function sweep(): Promise<void> {
  const { world, maker, taker, at, goTo, trade } = stage;
  await goTo(at(1));
  const sell = { symbol, type: 'LIMIT', side: 'SELL' };
  for (const [price, quantity] of [
    ['60000', '0.1'],
    ['60000', '0.2'],
    ['60001', '0.3'],
  ]) {
    await world.call(maker, 'POST', '/fapi/v1/order', { ...sell, price, quantity });
  }
  const buy = { symbol, type: 'LIMIT', side: 'BUY', price: '60001', quantity: '0.6' };
  await world.call(taker, 'POST', '/fapi/v1/order', buy);
  await goTo(at(2));
  await trade('59999', '0.05', -1);
}

test('NAT-2d trades have consecutive numbers, ascending, and the side of the maker', async () => {
  expect(await rows('trades')).toEqual([]);
  await sweep();
  const time = stage.at(1);
  expect(await rows('trades')).toEqual([
    {
      id: 1,
      price: '60000.0',
      qty: '0.100',
      quoteQty: '6000',
      time,
      isBuyerMaker: false,
      isRPITrade: false,
    },
    expect.objectContaining({ id: 2, price: '60000.0', qty: '0.200', quoteQty: '12000', time }),
    expect.objectContaining({ id: 3, price: '60001.0', qty: '0.300', quoteQty: '18000.3', time }),
    expect.objectContaining({ id: 4, price: '59999.0', isBuyerMaker: true, time: stage.at(2) }),
  ]);
  const last = await rows('trades', { limit: 2 });
  expect(last.map(({ id }: { id: number }) => id)).toEqual([3, 4]);
});

test('NAT-2d an aggregate is what one order took at one price in one command', async () => {
  await sweep();
  const [one, two, three] = [stage.at(1), stage.at(1), stage.at(2)];
  const all = [
    { a: 1, p: '60000.0', q: '0.300', nq: '0.300', f: 1, l: 2, T: one, m: false },
    { a: 2, p: '60001.0', q: '0.300', nq: '0.300', f: 3, l: 3, T: two, m: false },
    { a: 3, p: '59999.0', q: '0.050', nq: '0.050', f: 4, l: 4, T: three, m: true },
  ];
  expect(await rows('aggTrades')).toEqual(all);
  expect(await rows('aggTrades', { limit: 1 })).toEqual(all.slice(2));
  expect(await rows('aggTrades', { fromId: 2 })).toEqual(all.slice(1));
  expect(await rows('aggTrades', { fromId: 1, limit: 2 })).toEqual(all.slice(0, 2));
  expect(await rows('aggTrades', { fromId: 4 })).toEqual([]);
  expect(await rows('aggTrades', { startTime: one + 1 })).toEqual(all.slice(2));
  expect(await rows('aggTrades', { startTime: one, limit: 1 })).toEqual(all.slice(0, 1));
  expect(await rows('aggTrades', { endTime: three - 1, limit: 1 })).toEqual(all.slice(1, 2));
  expect(await rows('aggTrades', { startTime: one, endTime: three })).toEqual(all);
  expect(await rows('aggTrades', { startTime: three, endTime: one })).toEqual([]);
});

test('NAT-2d two orders of one account at one price are two aggregates', async () => {
  await stage.trade('60000', '0.1');
  await stage.trade('60000', '0.1');
  const found = await rows('aggTrades');
  expect(found.map(({ f, l }: { f: number; l: number }) => [f, l])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

describe('historicalTrades needs only a key, in its header', () => {
  const path = '/fapi/v1/historicalTrades';
  const ask = (parameters: object, headers: Record<string, string>) =>
    stage.world.send('GET', path, { query: queryText({ symbol, ...parameters }), headers });
  const idsOf = (body: readonly { readonly id: number }[]) => body.map(({ id }) => id);

  test('NAT-2d the trades from a number on, or else the last ones', async () => {
    await sweep();
    const headers = { 'x-mbx-apikey': stage.taker.apiKey };
    expect(idsOf((await ask({}, headers)).body)).toEqual([1, 2, 3, 4]);
    expect(idsOf((await ask({ limit: 1 }, headers)).body)).toEqual([4]);
    expect(idsOf((await ask({ fromId: 2, limit: 2 }, headers)).body)).toEqual([2, 3]);
    expect((await ask({ fromId: 5 }, headers)).body).toEqual([]);
    expect((await ask({}, headers)).body).toEqual(await rows('trades'));
  });

  test('AUTH-2 without a key or with a wrong one 401; a signature that is sent must be valid', async () => {
    const envelope = (code: string) => ({ status: 401, body: { error: { code } } });
    expect(await ask({}, {})).toMatchObject(envelope('INVALID_API_KEY'));
    const strange = { 'x-mbx-apikey': 'f'.repeat(64) };
    expect(await ask({}, strange)).toMatchObject(envelope('INVALID_API_KEY'));
    const { taker, world } = stage;
    const headers = { 'x-mbx-apikey': taker.apiKey };
    const wrong = await ask({ timestamp: world.clock.now(), signature: '0'.repeat(64) }, headers);
    expect(wrong).toMatchObject(envelope('SIGNATURE_INVALID'));
    const text = queryText({ symbol, timestamp: world.clock.now() });
    const query = `${text}&signature=${signatureOf(taker, text)}`;
    expect(await world.send('GET', path, { query, headers })).toMatchObject({ status: 200 });
    await world.setKeyStatus(taker, 'disabled');
    expect(await ask({}, headers)).toMatchObject(envelope('API_KEY_DISABLED'));
  });

  test('AUTH-7 its weight counts for the key, not for the address', async () => {
    const headers = { 'x-mbx-apikey': stage.taker.apiKey };
    const weightOf = async () => Number((await ask({}, headers)).headers['x-mbx-used-weight-1m']);
    const first = await weightOf();
    await stage.get('/fapi/v1/klines', { symbol, interval: '1m' });
    expect(await weightOf()).toBe(first + 1);
  });
});

test('the public routes have the weights of the interface', async () => {
  const pair = { pair: symbol, interval: '1m' };
  const weights: [string, object, number][] = [
    ['/fapi/v1/klines', { symbol, interval: '1m', limit: 1500 }, 5],
    ['/fapi/v1/ticker/24hr', {}, 5],
    ['/fapi/v1/ticker/24hr', { symbol }, 5],
    ['/fapi/v1/trades', { symbol }, 1],
    ['/fapi/v1/aggTrades', { symbol }, 1],
    ['/fapi/v1/markPriceKlines', { symbol, interval: '1m' }, 1],
    ['/fapi/v1/indexPriceKlines', pair, 1],
    ['/fapi/v1/continuousKlines', { ...pair, contractType: 'PERPETUAL' }, 1],
    ['/fapi/v1/premiumIndexKlines', { symbol, interval: '1m' }, 1],
    ['/futures/data/openInterestHist', { symbol }, 5],
    ['/futures/data/takerlongshortRatio', { symbol }, 5],
    ['/futures/data/topLongShortPositionRatio', { symbol }, 5],
    ['/futures/data/topLongShortAccountRatio', { symbol }, 5],
    ['/futures/data/globalLongShortAccountRatio', { symbol }, 5],
  ];
  const used = (reply: { headers: object }): number =>
    Number((reply.headers as Record<string, string>)['x-mbx-used-weight-1m']);
  let before = used(await stage.get('/fapi/v1/ping'));
  for (const [path, parameters, weight] of weights) {
    const after = used(await stage.get(path, parameters as never));
    expect([path, after - before]).toEqual([path, weight]);
    before = after;
  }
});

describe('NAT-2c ticker/24hr', () => {
  test('before the first trade it is the mark, without a volume', async () => {
    const { world } = stage;
    const time = world.replica.exchange.time;
    expect(await rows('ticker/24hr')).toEqual({
      symbol,
      priceChange: '0.0',
      priceChangePercent: '0.000',
      weightedAvgPrice: '0',
      lastPrice: '60000.0',
      lastQty: '0',
      openPrice: '60000.0',
      highPrice: '60000.0',
      lowPrice: '60000.0',
      volume: '0.000',
      quoteVolume: '0',
      openTime: time - day,
      closeTime: time,
      firstId: -1,
      lastId: -1,
      count: 0,
    });
    const all = (await stage.get('/fapi/v1/ticker/24hr')).body;
    expect(all.map((row: { symbol: string }) => row.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  test('covers the trades of the last 24 hours, exact to the millisecond', async () => {
    const { at, goTo, trade } = stage;
    await goTo(at(0, 30_000));
    await trade('60000', '0.1');
    await goTo(at(10));
    await trade('61500', '0.3');
    await trade('60750', '0.2', -1);
    const shown = {
      priceChange: '750.0',
      priceChangePercent: '1.250',
      // (6000 + 18450 + 12150) / 0.6
      weightedAvgPrice: '61000',
      lastPrice: '60750.0',
      lastQty: '0.200',
      openPrice: '60000.0',
      highPrice: '61500.0',
      lowPrice: '60000.0',
      volume: '0.600',
      quoteVolume: '36600',
      firstId: 1,
      lastId: 3,
      count: 3,
    };
    expect(await rows('ticker/24hr')).toMatchObject(shown);
    await goTo(at(0, 30_000) + day - 1);
    expect(await rows('ticker/24hr')).toMatchObject(shown);
    await goTo(at(0, 30_000) + day);
    expect(await rows('ticker/24hr')).toMatchObject({
      priceChange: '-750.0',
      priceChangePercent: '-1.220',
      openPrice: '61500.0',
      lowPrice: '60750.0',
      weightedAvgPrice: '61200',
      volume: '0.500',
      firstId: 2,
      count: 2,
    });
    await goTo(at(10) + day);
    expect(await rows('ticker/24hr')).toMatchObject({
      priceChange: '0.0',
      lastPrice: '60750.0',
      lastQty: '0.200',
      openPrice: '60750.0',
      volume: '0.000',
      firstId: -1,
      count: 0,
    });
  });
});
