// Everything on FAPI that only reads or sets: shapes, scales, symbols, and that every answer fits
// the response schema of its row.

import Schema from 'typebox/schema';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fapiOperations } from '../../src/api/fapi/fapiOperations.ts';
import type { Operation } from '../../src/api/operation.ts';
import { marketsOf } from '../../src/engine/views/exchange.ts';
import { openWorld, type Reply, type Trader, type World } from '../gateway/gatewayWorld.ts';

let world: World;
let trader: Trader;
let maker: Trader;
beforeEach(async () => {
  world = await openWorld();
  trader = await world.newTrader();
  maker = await world.newTrader();
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', price: '60000' };
  const sell = { ...order, side: 'SELL', quantity: '0.3' };
  await world.call(maker, 'POST', '/fapi/v1/order', sell);
  const buy = { ...order, side: 'BUY', quantity: '0.2' };
  await world.call(trader, 'POST', '/fapi/v1/order', buy);
  await world.call(trader, 'POST', '/fapi/v1/order', { ...buy, price: '59000.5' });
});
afterEach(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

const get = (path: string, query = ''): Promise<Reply> => world.send('GET', path, { query });
const read = (path: string, parameters = {}): Promise<Reply> =>
  world.call(trader, 'GET', path, parameters);

describe('every answer fits the schema of its row', () => {
  const rows: readonly Operation[] = Object.values(fapiOperations);
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
  const stop = {
    algoType: 'CONDITIONAL',
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: '0.1',
    triggerPrice: '55000',
  };
  const parametersOf: Record<string, Readonly<Record<string, unknown>>> = {
    getOrderBook: { symbol: 'BTCUSDT' },
    getTotalOpenInterest: { symbol: 'BTCUSDT' },
    getTrades: { symbol: 'BTCUSDT' },
    getHistoricalTrades: { symbol: 'BTCUSDT' },
    getAggregateTrades: { symbol: 'BTCUSDT' },
    getKlines: { symbol: 'BTCUSDT', interval: '1m' },
    getContinuousKlines: { pair: 'BTCUSDT', contractType: 'PERPETUAL', interval: '1d' },
    getMarkPriceKlines: { symbol: 'BTCUSDT', interval: '1h' },
    getIndexPriceKlines: { pair: 'BTCUSDT', interval: '1M' },
    getPremiumIndexKlines: { symbol: 'BTCUSDT', interval: '1w' },
    getOpenInterestHistory: { symbol: 'BTCUSDT' },
    getTakerVolumes: { symbol: 'BTCUSDT' },
    getTopLongShortPositionRatio: { symbol: 'BTCUSDT' },
    getTopLongShortAccountRatio: { symbol: 'BTCUSDT' },
    getGlobalLongShortAccountRatio: { symbol: 'BTCUSDT' },
    placeOrder: order,
    testOrder: order,
    getOrder: { symbol: 'BTCUSDT', origClientOrderId: 'fixed' },
    getOpenOrder: { symbol: 'BTCUSDT', origClientOrderId: 'fixed' },
    modifyOrder: { ...order, origClientOrderId: 'fixed' },
    cancelOrder: { symbol: 'BTCUSDT', origClientOrderId: 'fixed' },
    placeBatchOrders: { batchOrders: [order, {}] },
    modifyBatchOrders: { batchOrders: [{ ...order, origClientOrderId: 'fixed' }, {}] },
    cancelBatchOrders: { symbol: 'BTCUSDT', origClientOrderIdList: '["fixed","x"]' },
    cancelAllOpenOrders: { symbol: 'BTCUSDT' },
    setCountdownCancelAll: { symbol: 'BTCUSDT', countdownTime: 5000 },
    setLeverage: { symbol: 'BTCUSDT', leverage: 5 },
    getCommissionRate: { symbol: 'BTCUSDT' },
    setMarginType: { symbol: 'BTCUSDT', marginType: 'CROSSED' },
    setPositionMode: { dualSidePosition: false },
    getConstituents: { symbol: 'BTCUSDT' },
    placeAlgoOrder: stop,
    getAlgoOrder: { clientAlgoId: 'fixed-stop' },
    cancelAlgoOrder: { clientAlgoId: 'fixed-stop' },
    cancelAlgoOpenOrders: { symbol: 'BTCUSDT' },
    getAllAlgoOrders: { symbol: 'BTCUSDT' },
    getAllOrders: { symbol: 'BTCUSDT' },
    getOrderAmendments: { symbol: 'BTCUSDT', origClientOrderId: 'fixed' },
    getUserTrades: { symbol: 'BTCUSDT' },
    getPositionMarginHistory: { symbol: 'BTCUSDT' },
    setMultiAssetsMargin: { multiAssetsMargin: false },
  };
  const never = ['getRpiDepth', 'movePositionMargin'];
  const served = rows.filter(({ name }) => !never.includes(name));

  test.each(served.map((row) => [row.name, row] as const))('%s', async (name, row) => {
    await world.call(trader, 'POST', '/fapi/v1/order', { ...order, newClientOrderId: 'fixed' });
    const fixed = { ...stop, clientAlgoId: 'fixed-stop' };
    await world.call(trader, 'POST', '/fapi/v1/algoOrder', fixed);
    if (name === 'keepListenKey') await world.call(trader, 'POST', row.path);
    const parameters = parametersOf[name] ?? {};
    const reply =
      row.auth !== 'none'
        ? await world.call(trader, row.method, row.path, parameters)
        : await get(row.path, new URLSearchParams(parameters as Record<string, string>).toString());
    expect(reply.status, reply.text).toBe(200);
    const problems = Schema.Errors(row.response, reply.body);
    expect(problems[1], reply.text).toEqual([]);
    // UNIT-4: no number that is a text is anything but a plain decimal, no exponents anywhere.
    expect(reply.text).not.toMatch(/"-?\d[\d.]*e[+-]?\d+"/i);
  });
});

describe('market data', () => {
  test('ping and time', async () => {
    expect((await get('/fapi/v1/ping')).text).toBe('{}');
    expect((await get('/fapi/v1/time')).body).toEqual({ serverTime: world.clock.now() });
    const stray = { query: 'signature=x&timestamp=1', headers: { 'x-mbx-apikey': 'x' } };
    expect((await world.send('GET', '/fapi/v1/ping', stray)).status).toBe(200);
  });

  test('exchangeInfo: the record of a market', async () => {
    const { body } = await get('/fapi/v1/exchangeInfo');
    expect(body.rateLimits).toEqual([
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
      { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 200 },
      { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 50 },
    ]);
    expect(body.symbols.map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      'BTCUSDT',
      'ETHUSDT',
    ]);
    expect(body.symbols[1]).toMatchObject({
      status: 'TRADING',
      pricePrecision: 2,
      quantityPrecision: 2,
      triggerProtect: '0.01',
      orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'],
      timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
      deliveryDate: 4_133_404_800_000,
    });
    expect(body.symbols[1].filters).toMatchObject([
      { filterType: 'PRICE_FILTER', tickSize: '0.01', minPrice: '0.01' },
      { filterType: 'LOT_SIZE', stepSize: '0.01', minQty: '0.01' },
      { filterType: 'MARKET_LOT_SIZE', stepSize: '0.01' },
      { filterType: 'MIN_NOTIONAL', notional: '5' },
    ]);
  });

  test('SYM-1 exchangeInfo shows a halted market and one without an index as HALT', async () => {
    const statusOf = async () => (await get('/fapi/v1/exchangeInfo')).body.symbols[0].status;
    const market = marketsOf(world.replica.exchange)[0]!.id;
    for (const status of ['HALT', 'CLOSE', 'TRADING'] as const) {
      await world.command({ kind: 'changeMarket', market, terms: {}, status });
      expect(await statusOf()).toBe(status);
    }
  });

  test('-1000 exchangeInfo without a market', async () => {
    const empty = await openWorld({ markets: false });
    const reply = await empty.send('GET', '/fapi/v1/exchangeInfo');
    expect(reply).toMatchObject({
      status: 500,
      body: { code: -1000, msg: 'Market configuration unavailable.' },
    });
    await empty.close();
  });

  test('depth: sides, limits, -1130, -1102, -1121', async () => {
    const { body } = await get('/fapi/v1/depth', 'symbol=btc_usd&limit=5');
    expect(body).toMatchObject({ bids: [['59000.5', '0.200']], asks: [['60000.0', '0.100']] });
    expect(body.E).toBe(world.clock.now());
    expect(Number.isInteger(body.lastUpdateId)).toBe(true);
    for (const limit of ['0', '6', 'x', '-5', '5.0', '1001', '500%20']) {
      const reply = await get('/fapi/v1/depth', `symbol=BTCUSDT&limit=${limit}`);
      expect(reply, limit).toMatchObject({ status: 400, body: { code: -1130 } });
    }
    expect(await get('/fapi/v1/depth')).toMatchObject({ status: 400, body: { code: -1102 } });
    expect(await get('/fapi/v1/depth', 'symbol=x')).toMatchObject({ body: { code: -1121 } });
    const twice = await get('/fapi/v1/depth', 'symbol=BTCUSDT&Symbol=BTCUSDT');
    expect(twice).toMatchObject({ status: 400, body: { code: -1102 } });
  });

  test('ticker/price v1 and v2: the last trade, else the mark', async () => {
    for (const path of ['/fapi/v1/ticker/price', '/fapi/v2/ticker/price']) {
      const time = world.clock.now();
      expect((await get(path, 'symbol=BTCUSDT')).body).toEqual({
        symbol: 'BTCUSDT',
        price: '60000.0',
        time,
      });
      expect((await get(path)).body).toMatchObject([
        { symbol: 'BTCUSDT', price: '60000.0' },
        { symbol: 'ETHUSDT', price: '6000.00' },
      ]);
      expect(await get(path, 'symbol=x')).toMatchObject({ status: 400, body: { code: -1121 } });
    }
  });

  test('bookTicker: "0" on an empty side', async () => {
    const time = world.replica.exchange.time;
    expect((await get('/fapi/v1/ticker/bookTicker')).body).toEqual([
      {
        symbol: 'BTCUSDT',
        bidPrice: '59000.5',
        bidQty: '0.200',
        askPrice: '60000.0',
        askQty: '0.100',
        time,
      },
      { symbol: 'ETHUSDT', bidPrice: '0', bidQty: '0', askPrice: '0', askQty: '0', time },
    ]);
  });

  test('premiumIndex, openInterest and fundingInfo', async () => {
    const premium = (await get('/fapi/v1/premiumIndex', 'symbol=BTCUSDT')).body;
    expect(premium).toMatchObject({
      markPrice: '60000.0',
      indexPrice: '60000.0',
      estimatedSettlePrice: '60000.0',
      lastFundingRate: '0',
      interestRate: '0.00000000',
    });
    expect(premium.nextFundingTime % 28_800_000).toBe(0);
    expect(premium.nextFundingTime).toBeGreaterThan(world.clock.now());
    const interest = (await get('/fapi/v1/openInterest', 'symbol=BTCUSDT')).body;
    expect(interest).toEqual({
      symbol: 'BTCUSDT',
      openInterest: '0.400',
      time: world.clock.now(),
    });
    expect(await get('/fapi/v1/openInterest', 'symbol=x')).toMatchObject({ body: { code: -1121 } });
    expect((await get('/fapi/v1/fundingInfo', 'symbol=ETHUSDT')).body).toEqual([
      {
        symbol: 'ETHUSDT',
        adjustedFundingRateCap: '0.01',
        adjustedFundingRateFloor: '-0.01',
        fundingIntervalHours: 8,
      },
    ]);
  });

  test('-1000 Not found: rpiDepth, v1 and v3 balance, unknown paths and methods', async () => {
    const notFound = { status: 404, body: { code: -1000, msg: 'Not found.' } };
    for (const path of [
      '/fapi/v1/rpiDepth',
      '/fapi/v1/balance',
      '/fapi/v3/balance',
      '/fapi/v1/Ping',
      '/fapi',
      '/fapi/v1/ping/',
      '/futures/data/nothing',
      '/fapi/v1/__proto__',
    ]) {
      expect(await get(path), path).toMatchObject(notFound);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect(await world.send(method, '/fapi/v1/ping')).toMatchObject(notFound);
    }
    expect(await get('/nowhere')).toMatchObject({
      status: 404,
      body: { success: false, data: null, error: { code: 'NOT_FOUND' } },
    });
  });
});

describe('account', () => {
  test('v2/balance: available plus frozen, and a row for an empty account', async () => {
    const [row] = (await read('/fapi/v2/balance')).body;
    // The taker's fee of 12000 at 5 bp is 6; both orders freeze and lock at 20x.
    expect(row).toMatchObject({ accountAlias: 'default', asset: 'USDT', balance: '99994' });
    expect(Number(row.availableBalance)).toBeCloseTo(99_994 - 600 - 592.955025, 5);
    expect(row.maxWithdrawAmount).toBe(row.availableBalance);
    const fresh = await world.newTrader(0.000001);
    const [blank] = (await world.call(fresh, 'GET', '/fapi/v2/balance')).body;
    expect(blank).toMatchObject({ balance: '0.000001', crossUnPnl: '0' });
    expect(blank.updateTime).toBeGreaterThan(0);
  });

  test('positionRisk: open positions only; the versions are equal except adl of v3', async () => {
    const [v1, v2, v3] = await Promise.all(
      [1, 2, 3].map((version) => read(`/fapi/v${version}/positionRisk`)),
    );
    expect(v1!.text).toBe(v2!.text);
    expect(v3!.body).toEqual([{ ...v2!.body[0], adl: 4 }]);
    expect(v3!.body).toHaveLength(1);
    expect(v3!.body[0]).toMatchObject({
      symbol: 'BTCUSDT',
      positionAmt: '0.200',
      entryPrice: '60000',
      leverage: '20',
      marginType: 'cross',
      positionSide: 'LONG',
      isolatedMargin: '600',
      maintMargin: '120',
    });
    const short = await world.call(maker, 'GET', '/fapi/v2/positionRisk', { symbol: 'btc/usdt' });
    expect(short.body[0]).toMatchObject({ positionAmt: '-0.200', positionSide: 'SHORT' });
    expect((await read('/fapi/v2/positionRisk', { symbol: 'ETHUSDT' })).body).toEqual([]);
    expect(await read('/fapi/v2/positionRisk', { symbol: 'x' })).toMatchObject({
      body: { code: -1121 },
    });
  });

  test('account v2 has a row for each market, v3 for each market in use; totals agree', async () => {
    const v2 = (await read('/fapi/v2/account')).body;
    const v3 = (await read('/fapi/v3/account')).body;
    expect(v2.positions).toHaveLength(2);
    expect(v3.positions).toHaveLength(1);
    expect(v2).toMatchObject({ canTrade: true, canWithdraw: false, tradeGroupId: -1, feeTier: 0 });
    for (const name of Object.keys(v3).filter((key) => key.startsWith('total'))) {
      expect(v2[name], name).toBe(v3[name]);
    }
    expect(v3.assets[0].updateTime).toBeGreaterThan(0);
    expect(v3.totalWalletBalance).toBe('99994');
    expect(v3.positions[0]).toMatchObject({ positionSide: 'BOTH', positionAmt: '0.200' });
  });

  test('leverage: number or string; -4028 outside the bounds of the market; MAR-5 setting', async () => {
    const set = (leverage: unknown) =>
      world.call(trader, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage });
    const expected = { leverage: 50, maxNotionalValue: '20000000', symbol: 'BTCUSDT' };
    expect((await set(50)).body).toEqual(expected);
    expect((await set('25')).body.leverage).toBe(25);
    for (const leverage of [0, 51, -1, '1000', 1e30]) {
      const reply = await set(leverage);
      expect(reply).toMatchObject({ status: 400, body: { code: -4028 } });
      expect(reply.body.msg).toMatch(/^Leverage -?\d+ is not valid$/);
    }
    for (const leverage of ['', 'x', 2.5, '1e400', [], null, true]) {
      expect(await set(leverage)).toMatchObject({ status: 400, body: { code: -1102 } });
    }
    const config = (await read('/fapi/v1/symbolConfig', { symbol: 'BTCUSDT' })).body;
    expect(config).toEqual([
      {
        symbol: 'BTCUSDT',
        marginType: 'CROSSED',
        isAutoAddMargin: false,
        leverage: 25,
        maxNotionalValue: '20000000',
      },
    ]);
  });

  test('leverageBracket has numbers, commissionRate the base rates', async () => {
    const bracket = (await read('/fapi/v1/leverageBracket', { symbol: 'ETHUSDT' })).body;
    expect(bracket).toEqual([
      {
        symbol: 'ETHUSDT',
        brackets: [
          {
            bracket: 1,
            initialLeverage: 50,
            notionalCap: 20_000_000,
            notionalFloor: 0,
            maintMarginRatio: 0.01,
            cum: 0,
          },
        ],
      },
    ]);
    expect((await read('/fapi/v1/commissionRate', { symbol: 'BTC-USD' })).body).toEqual({
      symbol: 'BTCUSDT',
      makerCommissionRate: '0.0002',
      takerCommissionRate: '0.0005',
    });
    expect(await read('/fapi/v1/commissionRate')).toMatchObject({ body: { code: -1102 } });
  });

  test('rateLimit/order shows the tier of the key', async () => {
    const ofTier = async (tier: 'standard' | 'house') => {
      const own = await world.newTrader(1, tier);
      const { body } = await world.call(own, 'GET', '/fapi/v1/rateLimit/order');
      return body.map(({ limit }: { limit: number }) => limit);
    };
    expect(await ofTier('standard')).toEqual([200, 50]);
    expect(await ofTier('house')).toEqual([1200, 200]);
  });

  test('marginType: always CROSSED, -4046 with its own text', async () => {
    const set = (marginType: unknown, symbol = 'BTCUSDT') =>
      world.call(trader, 'POST', '/fapi/v1/marginType', { symbol, marginType });
    const before = world.stateHash();
    expect(await set('CROSSED')).toMatchObject({
      status: 200,
      body: { code: 200, msg: 'success' },
    });
    expect(await set('ISOLATED')).toMatchObject({
      status: 400,
      body: { code: -4046, msg: 'Isolated margin is not available on this API.' },
    });
    expect(await set('cross')).toMatchObject({ status: 400, body: { code: -1130 } });
    expect(await set('')).toMatchObject({ status: 400, body: { code: -1102 } });
    expect(await set('CROSSED', 'x')).toMatchObject({ status: 400, body: { code: -1121 } });
    expect(world.stateHash()).toBe(before);
  });

  test('positionSide/dual: one-way; -4059 for hedge mode', async () => {
    const set = (dualSidePosition: unknown) =>
      world.call(trader, 'POST', '/fapi/v1/positionSide/dual', { dualSidePosition });
    for (const off of [false, 'false', 'FALSE']) {
      expect((await set(off)).body).toEqual({ code: 200, msg: 'success' });
    }
    for (const on of [true, 'true', 'True']) {
      expect(await set(on)).toMatchObject({
        status: 400,
        body: { code: -4059, msg: 'Hedge mode is not available.' },
      });
    }
    for (const bad of ['', 'yes', 1, null]) {
      expect(await set(bad)).toMatchObject({ status: 400, body: { code: -1102 } });
    }
    const dual = await read('/fapi/v1/positionSide/dual');
    expect(dual.body).toEqual({ dualSidePosition: false });
    const assets = await read('/fapi/v1/multiAssetsMargin');
    expect(assets.body).toEqual({ multiAssetsMargin: false });
    expect((await read('/fapi/v1/accountConfig')).body).toMatchObject({ canWithdraw: false });
  });
});
