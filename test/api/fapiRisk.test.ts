// What FAPI shows of risk: an account's own liquidations and deleveragings, how near they are,
// settled funding, prices and their sources, and figures in every margin mode (conventions, 6.4,
// 6.5, 10.3, 15; LIQ-7, MAR-7). Scenarios prove the rules themselves.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MarketTerms } from '../../src/engine/marketTerms.ts';
import { marketsOf } from '../../src/engine/views/exchange.ts';
import type { Money, Time } from '../../src/units/units.ts';
import { openWorld, type Reply, type Trader, type World } from '../gateway/gatewayWorld.ts';
import { invalid, missing } from '../gateway/parameterRefusals.ts';

let world: World;
let trader: Trader;
beforeEach(async () => {
  world = await openWorld({ gateway: { rateLimitScale: 1000 } });
  trader = await world.newTrader(10_000);
});
afterEach(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

type Parameters = Readonly<Record<string, unknown>>;
const symbol = { symbol: 'BTCUSDT' };
const usd = (amount: number): Money => (amount * 1e6) as Money;

const read = (path: string, parameters: Parameters = {}, by: Trader = trader): Promise<Reply> =>
  world.call(by, 'GET', path, parameters);
const get = (path: string, query = ''): Promise<Reply> => world.send('GET', path, { query });
const market = () => marketsOf(world.replica.exchange)[0]!;
const change = (terms: Partial<MarketTerms>, status?: 'CLOSE' | 'HALT') =>
  world.command({ kind: 'changeMarket', market: market().id, terms, status });

/** Rests an order, or meets one. */
async function trade(by: Trader, side: 'BUY' | 'SELL', quantity: string, price = '60000') {
  const order = { ...symbol, side, type: 'LIMIT', quantity, price };
  const reply = await world.call(by, 'POST', '/fapi/v1/order', order);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** A long of one BTC at 60000 with 10000 USDT, against an account that can bear it. */
async function goLong(by: Trader = trader): Promise<Trader> {
  const maker = await world.newTrader(1_000_000);
  await trade(maker, 'SELL', '1');
  expect((await trade(by, 'BUY', '1')).status).toBe('FILLED');
  return maker;
}

describe('forceOrders', () => {
  /** The maintenance is 1 % of the notional: the long falls at 50450 or so. */
  const falling = [560_000, 520_000, 503_000];

  test('LIQ-1 a liquidation by the book: the order object, autoclose-', async () => {
    await goLong();
    const bidder = await world.newTrader(1_000_000);
    await trade(bidder, 'BUY', '2', '50300');
    for (const ticks of falling) await world.price(ticks);
    const { body } = await read('/fapi/v1/forceOrders');
    expect(body).toMatchObject([
      {
        symbol: 'BTCUSDT',
        status: 'FILLED',
        side: 'SELL',
        type: 'LIMIT',
        timeInForce: 'IOC',
        reduceOnly: true,
        origQty: '1.000',
        executedQty: '1.000',
        avgPrice: '50300',
        time: world.clock.now(),
      },
    ]);
    const [{ orderId, clientOrderId }] = body;
    expect(clientOrderId).toMatch(/^autoclose-\w+$/);
    const own = await read('/fapi/v1/order', { ...symbol, orderId });
    expect(own.body).toMatchObject({ orderId, clientOrderId, status: 'FILLED' });
    expect((await read('/fapi/v2/positionRisk')).body).toEqual([]);
    // No other account sees the fill, and it is not a deleveraging.
    expect((await read('/fapi/v1/forceOrders', {}, bidder)).body).toEqual([]);
    expect((await read('/fapi/v1/forceOrders', { autoCloseType: 'ADL' })).body).toEqual([]);
  });

  test('LIQ-4 a deleveraging: a liquidation to one side, adl_autoclose to the other', async () => {
    const maker = await goLong();
    // There are no bids, and the fund has no money.
    for (const ticks of [560_000, 520_000, 495_000]) await world.price(ticks);
    const closed = { type: 'LIMIT', status: 'FILLED', executedQty: '1.000', avgPrice: '50030' };
    const [bankrupt, ...rest] = (await read('/fapi/v1/forceOrders')).body;
    expect(rest).toEqual([]);
    expect(bankrupt).toMatchObject({ ...closed, side: 'SELL' });
    expect(bankrupt.clientOrderId).toMatch(/^autoclose-/);
    const winner = (await read('/fapi/v1/forceOrders', { autoCloseType: 'ADL' }, maker)).body;
    expect(winner).toMatchObject([{ ...closed, clientOrderId: 'adl_autoclose', side: 'BUY' }]);
    const other = await read('/fapi/v1/forceOrders', { autoCloseType: 'LIQUIDATION' }, maker);
    expect(other.body).toEqual([]);
  });

  test('ORD-12a LIQ-4 a close outside the book is an ended order on every route', async () => {
    const maker = await goLong();
    for (const ticks of [560_000, 520_000, 495_000]) await world.price(ticks);
    // The breaker takes orders again (PRC-3).
    for (let second = 0; second < 31; second += 1) {
      world.clock.advance(1000);
      await world.price(495_000);
    }
    const placed = await trade(maker, 'BUY', '0.001', '45000');
    const [forced] = (await read('/fapi/v1/forceOrders', {}, maker)).body;
    const named = { ...symbol, orderId: forced.orderId };
    expect((await read('/fapi/v1/order', named, maker)).body).toEqual(forced);
    const all: unknown[] = (await read('/fapi/v1/allOrders', symbol, maker)).body;
    expect(all.slice(-2)).toEqual([forced, placed]);
    const from = async (parameters: Parameters) =>
      (await read('/fapi/v1/allOrders', { ...symbol, ...parameters }, maker)).body;
    expect(await from({ orderId: forced.orderId, limit: 1 })).toEqual([forced]);
    expect(await from({ startTime: forced.time, endTime: forced.time })).toEqual([forced]);
    expect(await from({ orderId: placed.orderId })).toEqual([placed]);
    expect(await from({ limit: 1 })).toEqual([placed]);
    const refused = async (method: string, path: string, by: Trader, more = {}) => {
      const { status, body } = await world.call(by, method, path, { ...named, ...more });
      return [status, body.code];
    };
    expect(await refused('DELETE', '/fapi/v1/order', maker)).toEqual([400, -2011]);
    const change = { quantity: '1', price: '50000' };
    expect(await refused('PUT', '/fapi/v1/order', maker, change)).toEqual([400, -2011]);
    expect(await refused('GET', '/fapi/v1/openOrder', maker)).toEqual([404, -2013]);
    const stranger = await world.newTrader(1000);
    expect(await refused('GET', '/fapi/v1/order', stranger)).toEqual([404, -2013]);
    const elsewhere = { symbol: 'ETHUSDT' };
    expect(await refused('GET', '/fapi/v1/order', maker, elsewhere)).toEqual([404, -2013]);
    // Its other side has the same number and its own record.
    const [bankrupt] = (await read('/fapi/v1/forceOrders')).body;
    expect(bankrupt.orderId).toBe(forced.orderId);
    expect((await read('/fapi/v1/order', named)).body).toEqual(bankrupt);
  });

  test('windows and limits; -1130, -1121, -1102', async () => {
    await goLong();
    await trade(await world.newTrader(1_000_000), 'BUY', '2', '50300');
    for (const ticks of falling) await world.price(ticks);
    const at = world.clock.now();
    const count = async (parameters: Parameters) =>
      (await read('/fapi/v1/forceOrders', parameters)).body.length;
    expect(await count({ ...symbol, limit: 1000 })).toBe(1);
    expect(await count({ symbol: 'ETHUSDT' })).toBe(0);
    expect(await count({ startTime: at, endTime: at })).toBe(1);
    expect(await count({ startTime: at + 1 })).toBe(0);
    expect(await count({ endTime: at - 1 })).toBe(0);
    expect(await count({ startTime: at + 1, endTime: at })).toBe(0);
    const ask = (parameters: Parameters) => read('/fapi/v1/forceOrders', parameters);
    expect(await ask({ autoCloseType: 'OTHER' })).toMatchObject(invalid('autoCloseType'));
    expect(await ask({ symbol: 'x' })).toMatchObject({ status: 400, body: { code: -1121 } });
    expect(await ask({ limit: 0 })).toMatchObject(missing('limit'));
    expect(await ask({ startTime: 'x' })).toMatchObject(missing('startTime'));
    const { headers } = await ask({});
    expect(Number(headers['x-mbx-used-weight-1m'])).toBeGreaterThanOrEqual(20);
  });
});

describe('LIQ-7 the distance to a deleveraging', () => {
  test('adlQuantile: open positions only, under BOTH', async () => {
    expect((await read('/fapi/v1/adlQuantile')).body).toEqual([]);
    await goLong();
    const rows = (await read('/fapi/v1/adlQuantile')).body;
    expect(rows).toEqual([{ symbol: 'BTCUSDT', adlQuantile: { LONG: 0, SHORT: 0, BOTH: 4 } }]);
    expect((await read('/fapi/v1/adlQuantile', symbol)).body).toEqual(rows);
    expect((await read('/fapi/v1/adlQuantile', { symbol: 'ETHUSDT' })).body).toEqual([]);
    expect((await read('/fapi/v3/positionRisk')).body[0].adl).toBe(4);
  });
});

describe('MAR-7 figures in every margin mode', () => {
  const mode = (name: 'isolated' | 'unified') =>
    world.command({ kind: 'setMarginMode', account: trader.account, mode: name });

  test('cross: the equity of the whole account gives the liquidation price', async () => {
    await goLong();
    const [row] = (await read('/fapi/v2/positionRisk')).body;
    // (60000 - (10000 - 30 of fees)) / 0.99, up to a tick.
    expect(row).toMatchObject({ liquidationPrice: '50535.4', marginType: 'cross' });
  });

  test('isolated: the equity of the position gives it, and the rest is the cross wallet', async () => {
    await mode('isolated');
    await goLong();
    const [row] = (await read('/fapi/v3/positionRisk')).body;
    // (60000 - 3000) / 0.99, up to a tick.
    expect(row).toMatchObject({ isolatedWallet: '3000', liquidationPrice: '57575.8' });
    const [balance] = (await read('/fapi/v2/balance')).body;
    expect(balance).toMatchObject({ balance: '9970', crossWalletBalance: '6970' });
    const { body } = await read('/fapi/v3/account');
    expect(body).toMatchObject({ totalWalletBalance: '9970', totalCrossWalletBalance: '6970' });
  });

  test('unified: the offset counts as initial margin', async () => {
    await mode('unified');
    await goLong();
    await world.price(650_000);
    // 40000 at 20x freezes 2010 x 1.005 each; the profit is 5000.
    const resting = { ...symbol, side: 'BUY', type: 'LIMIT', quantity: '3.9', price: '40000' };
    const reply = await world.call(trader, 'POST', '/fapi/v1/order', resting);
    expect(reply.status, reply.text).toBe(200);
    const { body } = await read('/fapi/v2/account');
    expect(body.totalOpenOrderInitialMargin).toBe('7839');
    expect(body.availableBalance).toBe('0');
    const [position] = body.positions;
    expect(position).toMatchObject({ openOrderInitialMargin: '7839', isolatedMargin: '3000' });
    expect((await read('/fapi/v3/account')).body.totalInitialMargin).toBe('10839');
  });

  test('MAR-5 initialMargin follows the leverage setting, positionInitialMargin is the collateral', async () => {
    await goLong();
    await trade(trader, 'BUY', '0.01', '50000');
    const set = { ...symbol, leverage: 10 };
    expect((await world.call(trader, 'POST', '/fapi/v1/leverage', set)).status).toBe(200);
    await world.price(610_000);
    // Taken at 20x: 60000 / 20 and 500 / 20 x 1.005; the setting asks for 61000 / 10.
    const shown = { initialMargin: '6125.125', isolatedMargin: '3000', isolatedWallet: '3000' };
    const parts = { positionInitialMargin: '3000', openOrderInitialMargin: '25.125' };
    for (const version of ['v1', 'v2', 'v3']) {
      const { body } = await read(`/fapi/${version}/positionRisk`);
      expect(body, version).toMatchObject([{ ...shown, ...parts, leverage: '10' }]);
    }
    const second = (await read('/fapi/v2/account')).body;
    expect(second.positions[0]).toMatchObject({ ...shown, ...parts, leverage: '10' });
    const third = (await read('/fapi/v3/account')).body;
    expect(third.positions[0]).toMatchObject(shown);
    for (const { totalInitialMargin, availableBalance, totalWalletBalance } of [second, third]) {
      expect(totalInitialMargin).toBe('3025.125');
      expect(Number(totalWalletBalance) - Number(availableBalance)).toBe(3025.125);
    }
  });

  test('MAR-9 availableBalance is what equity leaves for new orders', async () => {
    await goLong();
    await world.price(570_000);
    // Equity has fallen by 3000, and at 57000 the position needs 3000 x 57000 / 60000.
    const [row] = (await read('/fapi/v2/balance')).body;
    expect(row).toMatchObject({ balance: '9970', availableBalance: '4120' });
    expect(row.maxWithdrawAmount).toBe('4120');
    for (const version of ['v2', 'v3']) {
      const { body } = await read(`/fapi/${version}/account`);
      expect(body).toMatchObject({ totalInitialMargin: '3000', availableBalance: '4120' });
      expect(body.assets[0]).toMatchObject({ availableBalance: '4120', maxWithdrawAmount: '4120' });
    }
    // An order that needs more is refused, one that needs less is not.
    const buy = { ...symbol, side: 'BUY', type: 'LIMIT', price: '50000' };
    const more = await world.call(trader, 'POST', '/fapi/v1/order', { ...buy, quantity: '1.64' });
    expect(more.body).toMatchObject({ code: -2019 });
    const less = await world.call(trader, 'POST', '/fapi/v1/order', { ...buy, quantity: '1.63' });
    expect(less.status, less.text).toBe(200);
  });

  test('-4046 positionMargin is not available on this surface', async () => {
    const move = { ...symbol, amount: '1', type: 1 };
    expect(await world.call(trader, 'POST', '/fapi/v1/positionMargin', move)).toMatchObject({
      status: 400,
      body: { code: -4046, msg: 'Isolated margin is not available on this API.' },
    });
    const history = await read('/fapi/v1/positionMargin/history', symbol);
    expect(history.body).toEqual([]);
  });
});

describe('FUND-3 fundingRate', () => {
  const settle = () => world.command({ kind: 'settleFunding', market: market().id });

  test('boundaries ascending, with rate and mark; windows and limits', async () => {
    await goLong();
    await settle();
    const first = world.clock.now();
    await world.price(606_000);
    await settle();
    const second = world.clock.now();
    const rows = (await get('/fapi/v1/fundingRate')).body;
    expect(rows).toEqual([
      { symbol: 'BTCUSDT', fundingRate: '0', fundingTime: first, markPrice: '60000.0' },
      { symbol: 'BTCUSDT', fundingRate: '0', fundingTime: second, markPrice: '60600.0' },
    ]);
    const times = async (query: string) =>
      (await get('/fapi/v1/fundingRate', query)).body.map(
        ({ fundingTime }: { fundingTime: number }) => fundingTime,
      );
    expect(await times('symbol=btc-usd&limit=1')).toEqual([second]);
    expect(await times(`startTime=${first}&limit=1`)).toEqual([first]);
    expect(await times(`endTime=${first}`)).toEqual([first]);
    expect(await times('symbol=ETHUSDT')).toEqual([]);
    expect(await get('/fapi/v1/fundingRate', 'startTime=x')).toMatchObject(missing('startTime'));
    expect(await get('/fapi/v1/fundingRate', 'symbol=x')).toMatchObject({ body: { code: -1121 } });
  });
});

describe('prices', () => {
  test('SYM-1 exchangeInfo: the status that the age of the price allows', async () => {
    const status = async () => (await get('/fapi/v1/exchangeInfo')).body.symbols[0].status;
    const age = async (milliseconds: number) => {
      world.clock.advance(milliseconds);
      await world.command({ kind: 'indexTick', prices: [] });
    };
    expect(await status()).toBe('TRADING');
    await age(30_001);
    expect(await status()).toBe('CLOSE');
    await age(90_000);
    expect(await status()).toBe('HALT');
  });

  test('SYM-2 a scheduled delivery: its date, and the settlement price as of now', async () => {
    const premium = async () => (await get('/fapi/v1/premiumIndex', 'symbol=BTCUSDT')).body;
    expect(await premium()).toMatchObject({ estimatedSettlePrice: '60000.0' });
    const deliveryTime = (Math.ceil(world.clock.now() / 60_000) * 60_000 + 600_000) as Time;
    await change({ deliveryTime }, 'CLOSE');
    await world.price(601_000);
    const { body } = await get('/fapi/v1/exchangeInfo');
    expect(body.symbols[0]).toMatchObject({ deliveryDate: deliveryTime, status: 'CLOSE' });
    // 60100 has stood for no time yet (SYM-2c).
    expect(await premium()).toMatchObject({
      indexPrice: '60100.0',
      estimatedSettlePrice: '60000.0',
    });
  });

  test('constituents: the sources, their shares and last prices', async () => {
    await change({
      indexSources: [
        { source: 'test', weight: 2 },
        { source: 'other', weight: 1 },
      ],
    });
    const { body } = await get('/fapi/v1/constituents', 'symbol=BTCUSDT');
    expect(body).toEqual({
      symbol: 'BTCUSDT',
      time: world.clock.now(),
      constituents: [
        { exchange: 'test', symbol: 'BTCUSDT', price: '60000.0', weight: '0.66666667' },
        { exchange: 'other', symbol: 'BTCUSDT', price: '0', weight: '0.33333333' },
      ],
    });
  });

  test('apiTradingStatus and multiAssetsMargin report nothing', async () => {
    const status = await read('/fapi/v1/apiTradingStatus');
    expect(status.body).toEqual({ indicators: {}, updateTime: world.clock.now() });
    const set = (multiAssetsMargin: unknown) =>
      world.call(trader, 'POST', '/fapi/v1/multiAssetsMargin', { multiAssetsMargin });
    expect((await set('false')).body).toEqual({ code: 200, msg: 'success' });
    expect(await set(true)).toMatchObject(invalid('multiAssetsMargin'));
  });
});

test('MAR-6 account and accountConfig show the current tier', async () => {
  const tier = (minVolume: number) => ({
    minVolume: usd(minVolume),
    makerDiscount: 0 as never,
    takerDiscount: 0 as never,
  });
  await world.command({ kind: 'setFeeTiers', tiers: [tier(0), tier(1000)] });
  await goLong();
  expect((await read('/fapi/v1/accountConfig')).body.feeTier).toBe(0);
  world.clock.advance(86_400_000);
  await world.price(600_000);
  expect((await read('/fapi/v1/accountConfig')).body.feeTier).toBe(1);
  expect((await read('/fapi/v2/account')).body.feeTier).toBe(1);
});
