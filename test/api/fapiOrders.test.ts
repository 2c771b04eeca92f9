// Orders on FAPI: their answers and refusals (spec, FAPI business errors; conventions,
// sections 4 and 7). The engine's rules themselves are proved by scenarios.

import { describe, expect, test } from 'vitest';
import { marketsOf } from '../../src/engine/views/exchange.ts';
import { worldTerms } from '../gateway/gatewayWorld.ts';
import { illegal, missing, notAllowed } from '../gateway/parameterRefusals.ts';
import { ask, trader, useTrader, world } from '../gateway/useTrader.ts';

useTrader();

type Parameters = Readonly<Record<string, unknown>>;
const path = '/fapi/v1/order';
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const post = (parameters: Parameters, headers: Record<string, string> = {}) =>
  world.call(trader, 'POST', path, parameters, headers);

describe('ORD-7 the answer states the final state of the order', () => {
  test('the whole record of a resting order', async () => {
    const reply = await post({ ...limit, newClientOrderId: 'grid-7:b' });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers['content-type']).toContain('application/json');
    const { orderId, time, updateTime, ...rest } = reply.body;
    expect(orderId).toMatch(uuid);
    expect([time, updateTime]).toEqual([world.clock.now(), world.clock.now()]);
    expect(rest).toEqual({
      clientOrderId: 'grid-7:b',
      symbol: 'BTCUSDT',
      pair: 'BTCUSDT',
      status: 'NEW',
      side: 'BUY',
      positionSide: 'BOTH',
      type: 'LIMIT',
      origType: 'LIMIT',
      timeInForce: 'GTC',
      price: '50000.0',
      avgPrice: '0',
      origQty: '0.010',
      executedQty: '0.000',
      cumQty: '0.000',
      cumQuote: '0',
      stopPrice: '0',
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      closePosition: false,
      reduceOnly: false,
      priceMatch: 'NONE',
      selfTradePreventionMode: 'EXPIRE_MAKER',
      goodTillDate: 0,
    });
  });

  test.each([undefined, 'ACK', 'RESULT'])(
    'newOrderRespType %s: the same final state',
    async (type) => {
      await ask('60000', '0.02');
      const reply = await post({
        ...market,
        ...(type === undefined ? {} : { newOrderRespType: type }),
      });
      expect(reply.body).toMatchObject({
        status: 'FILLED',
        executedQty: '0.010',
        avgPrice: '60000',
        cumQuote: '600',
        price: '0',
      });
    },
  );

  test('ORD-2 IOC rest CANCELED with its reason, killed FOK and empty book REJECTED', async () => {
    await ask('60000', '0.004');
    const ioc = await post({ ...limit, price: '60000', timeInForce: 'IOC' });
    expect(ioc.body).toMatchObject({
      status: 'CANCELED',
      cancelReason: 'IOC',
      executedQty: '0.004',
    });
    await ask('60000', '0.004');
    const fok = await post({ ...limit, price: '60000', timeInForce: 'FOK' });
    expect(fok).toMatchObject({ status: 200, body: { status: 'REJECTED', executedQty: '0.000' } });
    const empty = await post({ ...market, side: 'SELL' });
    expect(empty).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
  });

  test('GTX reads back as GTC, echoed words stay as sent, LONG and SHORT become BOTH', async () => {
    const reply = await post({
      ...limit,
      timeInForce: 'GTX',
      positionSide: 'LONG',
      workingType: 'MARK_PRICE',
      priceProtect: 'TRUE',
      selfTradePreventionMode: 'EXPIRE_BOTH',
      priceMatch: 'NONE',
      goodTillDate: 'whatever',
      callbackRate: '1',
      stopPrice: '0',
    });
    expect(reply.body, reply.text).toMatchObject({
      timeInForce: 'GTC',
      positionSide: 'BOTH',
      workingType: 'MARK_PRICE',
      priceProtect: true,
      selfTradePreventionMode: 'EXPIRE_BOTH',
    });
  });

  test('quoteOrderQty buys for its amount at the best price', async () => {
    await ask('60000', '0.1');
    const { quantity: _, ...rest } = market;
    const reply = await post({ ...rest, quoteOrderQty: 1199.99 });
    expect(reply.body).toMatchObject({ origQty: '0.019', status: 'FILLED' });
  });

  test('order/test answers the order as accepted and stores nothing', async () => {
    await ask('60000', '0.1');
    const before = world.stateHash();
    const tried = await world.call(trader, 'POST', '/fapi/v1/order/test', market);
    expect(tried.body).toMatchObject({ status: 'NEW', origQty: '0.010', type: 'MARKET' });
    expect(tried.body.orderId).toMatch(uuid);
    const poor = { ...limit, quantity: '100' };
    const refused = await world.call(trader, 'POST', '/fapi/v1/order/test', poor);
    expect(refused).toMatchObject({ status: 400 });
    expect(world.stateHash()).toBe(before);
  });
});

describe('business errors', () => {
  const refused = (status: number, code: number, msg: string) => ({ status, body: { code, msg } });

  test('-1013 notional outside the bounds of the market', async () => {
    const small = { ...limit, price: '4000', quantity: '0.001' };
    expect(await post(small)).toMatchObject(refused(400, -1013, 'Filter failure: MIN_NOTIONAL'));
    const large = { ...limit, quantity: '21' };
    expect(await post(large)).toMatchObject(refused(400, -1013, 'Filter failure: MAX_NOTIONAL'));
  });

  test.each(['DOGEUSDT', 'BTC', '__proto__', 'BTC USDT', 'x'.repeat(10_000), '₿USDT', 7])(
    '-1121 symbol %s',
    async (symbol) => {
      expect(await post({ ...limit, symbol })).toMatchObject(
        refused(400, -1121, 'Invalid symbol.'),
      );
    },
  );

  test.each(['btcusdt', 'BTC-USDT', 'btc/usd', 'BTC_USD', 'B-T/C_usdt'])(
    'SYM-0 %s is BTCUSDT',
    async (symbol) => {
      expect((await post({ ...limit, symbol })).body.symbol).toBe('BTCUSDT');
    },
  );

  test('-1106 parameters that must not be combined', async () => {
    const both = { ...market, quoteOrderQty: '100' };
    expect(await post(both)).toMatchObject(notAllowed('quoteOrderQty'));
    expect(await post({ ...limit, quoteOrderQty: '1' })).toMatchObject(notAllowed('quoteOrderQty'));
    expect(await post({ ...limit, closePosition: true })).toMatchObject(
      notAllowed('closePosition'),
    );
    expect(await post({ ...limit, stopPrice: '1' })).toMatchObject(notAllowed('stopPrice'));
    expect(await post({ ...limit, triggerPrice: 1 })).toMatchObject(notAllowed('stopPrice'));
    expect(await post({ ...limit, stopPrice: 'x' })).toMatchObject(illegal('stopPrice'));
  });

  test('-2010 a GTX that would match leaves no order', async () => {
    await ask('60000', '0.01');
    const text = 'Order would immediately match and take.';
    const reply = await post({ ...limit, price: '60000', timeInForce: 'GTX' });
    expect(reply).toMatchObject(refused(400, -2010, text));
  });

  test('-2010 open interest cap', async () => {
    const { id } = marketsOf(world.replica.exchange)[0]!;
    const terms = { ...worldTerms, openInterestCap: 100_000_000 as never };
    await world.command({ kind: 'changeMarket', market: id, terms, status: undefined });
    const text = 'Open interest cap exceeded.';
    expect(await post(limit)).toMatchObject(refused(400, -2010, text));
  });

  test('-2010 ORD-9 two hundred open orders', async () => {
    for (let i = 0; i < 200; i += 1) expect((await post(limit)).status).toBe(200);
    expect(await post(limit)).toMatchObject({ status: 400, body: { code: -2010 } });
  });

  test('-2010 SYM-1 Market is closed: halted, reduce-only, without an index', async () => {
    const { id } = marketsOf(world.replica.exchange)[0]!;
    const closed = refused(400, -2010, 'Market is closed.');
    for (const status of ['HALT', 'CLOSE'] as const) {
      await world.command({ kind: 'changeMarket', market: id, terms: {}, status });
      expect(await post(limit), status).toMatchObject(closed);
    }
    const fresh = { kind: 'listMarket', symbol: 'NEWUSDT', baseAsset: 'NEW' } as const;
    const grid = { decimals: 1, step: 1 };
    const terms = worldTerms;
    await world.command({ ...fresh, tick: grid, lot: grid, terms, status: 'TRADING' });
    expect(await post({ ...limit, symbol: 'NEWUSDT', quantity: 1 })).toMatchObject(closed);
  });

  test('-2014 ID-2 the client id of an active order', async () => {
    const own = { ...limit, newClientOrderId: 'a' };
    expect((await post(own)).status).toBe(200);
    expect(await post(own)).toMatchObject(refused(400, -2014, 'Client order id is duplicated.'));
    await world.call(trader, 'DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' });
    expect((await post(own)).status).toBe(200);
  });

  test('-2019 margin', async () => {
    const poor = await world.newTrader(10);
    const reply = await world.call(poor, 'POST', path, limit);
    expect(reply).toMatchObject(refused(400, -2019, 'Margin is insufficient.'));
  });

  test('-2022 reduce-only without a position', async () => {
    const reply = await post({ ...limit, reduceOnly: 'true' });
    expect(reply).toMatchObject(refused(400, -2022, 'ReduceOnly Order is rejected.'));
  });
});

describe('ID-2 client order ids', () => {
  test.each(['ü', 'a b', 'a'.repeat(37), 'a,b', '💥', 'a\nb'])('-1100 %s', async (id) => {
    expect(await post({ ...limit, newClientOrderId: id })).toMatchObject(
      illegal('newClientOrderId'),
    );
    const query = { symbol: 'BTCUSDT', origClientOrderId: id };
    expect(await world.call(trader, 'GET', path, query)).toMatchObject(
      illegal('origClientOrderId'),
    );
  });

  test('are generated when absent: 22 letters and digits that find the order', async () => {
    const { clientOrderId } = (await post(limit)).body;
    expect(clientOrderId).toMatch(/^[A-Za-z0-9]{22}$/);
    const query = { symbol: 'BTCUSDT', origClientOrderId: clientOrderId };
    expect((await world.call(trader, 'GET', path, query)).body.clientOrderId).toBe(clientOrderId);
    expect(await post({ ...limit, newClientOrderId: clientOrderId })).toMatchObject({
      body: { code: -2014 },
    });
  });

  test('may have every allowed character', async () => {
    const id = '.A-Z:/a-z0-9_-'.slice(0, 14);
    expect((await post({ ...limit, newClientOrderId: id })).body.clientOrderId).toBe(id);
  });
});

describe('ID-3 an order whose answer was lost', () => {
  const key = { 'idempotency-key': 'request 1' };

  test('a repeated request gets the current state of that order', async () => {
    const first = await post(limit, key);
    world.clock.advance(1000);
    const again = await post(limit, key);
    expect(again.text).toBe(first.text);
    await world.call(trader, 'DELETE', path, { symbol: 'BTCUSDT', orderId: first.body.orderId });
    const ended = await post({ ...limit, recvWindow: 5 }, key);
    expect(ended.body).toMatchObject({ orderId: first.body.orderId, status: 'CANCELED' });
  });

  test('-1102 another request with the same key; keys of accounts are separate', async () => {
    await post(limit, key);
    expect(await post({ ...limit, price: '50001' }, key)).toMatchObject(missing('Idempotency-Key'));
    const other = await world.newTrader();
    expect((await world.call(other, 'POST', path, limit, key)).status).toBe(200);
    const long = { 'idempotency-key': 'k'.repeat(256) };
    expect(await post(limit, long)).toMatchObject(missing('Idempotency-Key'));
  });

  test('rejected requests are not remembered', async () => {
    const poor = await world.newTrader(10);
    const first = await world.call(poor, 'POST', path, limit, key);
    expect(first.body.code).toBe(-2019);
    const { address } = poor;
    await world.command({ kind: 'credit', address, amount: 1e10 as never, reference: 'more' });
    expect((await world.call(poor, 'POST', path, limit, key)).status).toBe(200);
  });

  test('the key is ignored on routes that do not read it', async () => {
    const set = (leverage: number) =>
      world.call(trader, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage }, key);
    await set(3);
    expect((await set(4)).body.leverage).toBe(4);
  });

  test('the order is found by its client id at once', async () => {
    await post({ ...limit, newClientOrderId: 'mine' });
    const query = { symbol: 'BTCUSDT', origClientOrderId: 'mine' };
    expect((await world.call(trader, 'GET', path, query)).body.status).toBe('NEW');
  });
});
