// /futures/data on FAPI: open interest and takers' volumes by period (NAT-2e), and who holds the
// positions (NAT-2f).

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

const rows = async (path: string, parameters: object = {}) => {
  const reply = await stage.get(`/futures/data/${path}`, { symbol, ...parameters });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

describe('NAT-2e openInterestHist', () => {
  test('is the average of both sides at the index ticks, in USD', async () => {
    const { world, at, trade, goTo } = stage;
    // A bucket of five minutes begins at 08:55.
    await goTo(at(1));
    await trade('60000', '0.1');
    await world.price(600_000);
    await world.price(605_000);
    // 0 of the first tick, then 0.2 BTC twice; the mark follows.
    const sum = 0 + 0.2 * 60_000 + 0.2 * 60_500;
    const [only] = await rows('openInterestHist', { limit: 1 });
    const average = String(Math.round((sum / 3) * 1e6) / 1e6);
    expect(only).toEqual({
      symbol,
      sumOpenInterest: average,
      sumOpenInterestValue: average,
      timestamp: String(at(1)),
    });
  });

  test('is ascending, has 30 rows by default, and ignores times', async () => {
    const { at, goTo } = stage;
    for (let bucket = 0; bucket < 33; bucket += 1) await goTo(at(1 + 5 * bucket));
    const all = await rows('openInterestHist', { limit: 500 });
    expect(all).toHaveLength(34);
    const times = all.map(({ timestamp }: { timestamp: string }) => Number(timestamp));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(await rows('openInterestHist')).toEqual(all.slice(-30));
    const ignored = { startTime: 'x', endTime: at(3), period: '5m', limit: 2 };
    expect(await rows('openInterestHist', ignored)).toEqual(all.slice(-2));
    const hours = await rows('openInterestHist', { period: '1h' });
    expect(
      hours.map(({ timestamp }: { timestamp: string }) => Number(timestamp) % 3_600_000),
    ).toEqual(hours.map(() => 0));
  });
});

describe('NAT-2e takerlongshortRatio', () => {
  test('has the volume that takers bought and sold in every bucket, also without trades', async () => {
    const { at, goTo, trade } = stage;
    await goTo(at(1));
    await trade('60000', '0.1');
    await trade('60000', '0.2');
    await trade('60000', '0.07', -1);
    await goTo(at(12));
    await trade('60000', '0.04', -1);
    await goTo(at(17));
    const found = await rows('takerlongshortRatio');
    expect(found).toEqual([
      // The market was priced for the first time at 08:54.
      { buySellRatio: '0', buyVol: '0.000', sellVol: '0.000', timestamp: String(at(-4)) },
      { buySellRatio: '4.2857', buyVol: '0.300', sellVol: '0.070', timestamp: String(at(1)) },
      { buySellRatio: '0', buyVol: '0.000', sellVol: '0.000', timestamp: String(at(6)) },
      { buySellRatio: '0', buyVol: '0.000', sellVol: '0.040', timestamp: String(at(11)) },
      { buySellRatio: '0', buyVol: '0.000', sellVol: '0.000', timestamp: String(at(16)) },
    ]);
    const window = { startTime: at(1), endTime: at(11) };
    expect(await rows('takerlongshortRatio', window)).toEqual(found.slice(1, 4));
    expect(await rows('takerlongshortRatio', { ...window, limit: 1 })).toEqual(found.slice(1, 2));
    expect(await rows('takerlongshortRatio', { limit: 2 })).toEqual(found.slice(3));
    const [hour] = await rows('takerlongshortRatio', { period: '1h', limit: 1 });
    expect(hour).toMatchObject({ buyVol: '0.000', sellVol: '0.040', timestamp: String(at(6)) });
  });

  test('-1120, -1121, -1102', async () => {
    const codeOf = async (parameters: object) =>
      (await stage.get('/futures/data/takerlongshortRatio', parameters as never)).body;
    const invalid = { code: -1120, msg: 'Invalid period.' };
    for (const period of ['1m', '3m', '8h', '1w', '5M', 'x']) {
      expect(await codeOf({ symbol, period })).toEqual(invalid);
    }
    expect(await codeOf({ symbol: 'x' })).toMatchObject({ code: -1121 });
    expect(await codeOf({ period: '5m' })).toMatchObject({ code: -1102 });
    expect(await codeOf({ symbol, limit: 0 })).toMatchObject({ code: -1102 });
  });
});

describe('NAT-2f long and short', () => {
  const paths = [
    'topLongShortPositionRatio',
    'topLongShortAccountRatio',
    'globalLongShortAccountRatio',
  ] as const;

  test('without positions there is one row of zeros', async () => {
    for (const path of paths) {
      expect(await rows(path)).toEqual([
        {
          symbol,
          longShortRatio: '0',
          longAccount: '0',
          shortAccount: '0',
          timestamp: String(stage.world.replica.exchange.time),
        },
      ]);
    }
  });

  test('counts accounts and positions of the largest fifth, without internal accounts', async () => {
    const { world, maker } = stage;
    const order = { symbol, type: 'LIMIT', price: '60000' };
    // Six accounts: long 1, 2, 3 and short 4, 5 lots of 0.1; the maker, of the house, has the rest.
    await world.command({
      kind: 'flagAccount',
      address: maker.address,
      house: true,
      feeTier: undefined,
    });
    for (const [lots, side] of [
      [1, 'BUY'],
      [2, 'BUY'],
      [3, 'BUY'],
      [4, 'SELL'],
      [5, 'SELL'],
      [9, 'BUY'],
    ] as const) {
      const trader = await world.newTrader(100_000);
      const quantity = `0.${lots}`;
      const offered = side === 'BUY' ? 'SELL' : 'BUY';
      await world.call(maker, 'POST', '/fapi/v1/order', { ...order, side: offered, quantity });
      await world.call(trader, 'POST', '/fapi/v1/order', { ...order, side, quantity });
    }
    const [global] = await rows('globalLongShortAccountRatio', { period: '4h' });
    expect(global).toMatchObject({
      longShortRatio: '2',
      longAccount: '0.6667',
      shortAccount: '0.3333',
    });
    // The fifth of six is two: 0.9 long and 0.5 short.
    const [accounts] = await rows('topLongShortAccountRatio', { limit: 30 });
    expect(accounts).toMatchObject({ longShortRatio: '1', longAccount: '0.5' });
    const [positions] = await rows('topLongShortPositionRatio', { period: 'ignored', limit: 'x' });
    expect(positions).toMatchObject({
      symbol,
      longShortRatio: '1.8',
      longAccount: '0.6429',
      shortAccount: '0.3571',
    });
    const bad = await stage.get('/futures/data/globalLongShortAccountRatio', {
      symbol,
      period: '3h',
    });
    expect(bad).toMatchObject({ status: 400, body: { code: -1120, msg: 'Invalid period.' } });
  });
});
