// Triggers on the order route of FAPI (conventions, 7.2 to 7.6; TRG-1 to TRG-3): how they are read,
// found, shown and cancelled, before they fire and after. Their rules are proved by scenarios.

import { describe, expect, test } from 'vitest';
import type { Reply, Trader } from '../gateway/gatewayWorld.ts';
import { illegal, invalid, missing, notAllowed } from '../gateway/parameterRefusals.ts';
import { trader, useTrader, world } from '../gateway/useTrader.ts';

useTrader();

type Parameters = Readonly<Record<string, unknown>>;
const path = '/fapi/v1/order';
const symbol = { symbol: 'BTCUSDT' };
const limit = { ...symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '60000' };
/** The mark is 60000. */
const stop = {
  ...symbol,
  side: 'BUY',
  type: 'STOP',
  quantity: '0.01',
  price: '61500.5',
  stopPrice: '61000',
};
const stopMarket = {
  ...symbol,
  side: 'SELL',
  type: 'STOP_MARKET',
  quantity: '0.01',
  stopPrice: '59000',
};
const unknown = { status: 404, body: { code: -2013, msg: 'Order does not exist.' } };
const gone = { status: 400, body: { code: -2011, msg: 'Unknown order sent.' } };

const post = (parameters: Parameters, by: Trader = trader, headers = {}): Promise<Reply> =>
  world.call(by, 'POST', path, parameters, headers);
const ask = (method: string, parameters: Parameters, at = path): Promise<Reply> =>
  world.call(trader, method, at, { ...symbol, ...parameters });
const open = (): Promise<Reply> => world.call(trader, 'GET', '/fapi/v1/openAlgoOrders', symbol);

/** A long of the trader's, against another account. */
async function goLong(quantity: string): Promise<void> {
  const maker = await world.newTrader();
  await post({ ...limit, side: 'SELL', quantity }, maker);
  expect((await post({ ...limit, quantity })).body.status).toBe('FILLED');
}

describe('TRG-1 a trigger waits', () => {
  test('the whole record', async () => {
    const reply = await post({ ...stop, newClientOrderId: 'a', timeInForce: 'IOC' });
    const { orderId, time, updateTime, ...rest } = reply.body;
    expect(reply.status, reply.text).toBe(200);
    expect([time, updateTime]).toEqual([world.clock.now(), world.clock.now()]);
    expect(rest).toEqual({
      clientOrderId: 'a',
      symbol: 'BTCUSDT',
      pair: 'BTCUSDT',
      status: 'NEW',
      side: 'BUY',
      positionSide: 'BOTH',
      type: 'STOP',
      origType: 'STOP',
      timeInForce: 'IOC',
      price: '61500.5',
      avgPrice: '0',
      origQty: '0.010',
      executedQty: '0.000',
      cumQty: '0.000',
      cumQuote: '0',
      stopPrice: '61000.0',
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      closePosition: false,
      reduceOnly: false,
      priceMatch: 'NONE',
      selfTradePreventionMode: 'EXPIRE_MAKER',
      goodTillDate: 0,
    });
    expect(orderId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['STOP_LIMIT', 'STOP', { price: '61000', stopPrice: '61000' }],
    ['TAKE_PROFIT_LIMIT', 'TAKE_PROFIT', { price: '59000', stopPrice: '59000' }],
    ['TAKE_PROFIT', 'TAKE_PROFIT', { price: '59000', triggerPrice: '59000' }],
    ['STOP_MARKET', 'STOP_MARKET', { TRIGGERPRICE: 61000, price: 'ignored' }],
    ['TAKE_PROFIT_MARKET', 'TAKE_PROFIT_MARKET', { stopPrice: '5.9e4' }],
  ])('%s is a %s', async (type, shown, prices) => {
    const { price: _, stopPrice: __, ...rest } = stop;
    const reply = await post({ ...rest, type, ...prices });
    expect(reply.body, reply.text).toMatchObject({ type: shown, origType: shown, status: 'NEW' });
  });

  test('TRG-2 either id finds it, and it is listed with the algo orders and not with the orders', async () => {
    const { orderId } = (await post({ ...stop, newClientOrderId: 'a' })).body;
    for (const at of [path, '/fapi/v1/openOrder']) {
      expect((await ask('GET', { orderId }, at)).body).toMatchObject({ orderId, status: 'NEW' });
      const byClient = await ask('GET', { origClientOrderId: 'a' }, at);
      expect(byClient.body).toMatchObject({ orderId, type: 'STOP' });
      expect(await ask('GET', { orderId, symbol: 'ETHUSDT' }, at)).toMatchObject(unknown);
    }
    expect((await world.call(trader, 'GET', '/fapi/v1/openOrders')).body).toEqual([]);
    const [listed] = (await open()).body;
    expect(listed).toMatchObject({ algoId: orderId, clientAlgoId: 'a', algoStatus: 'NEW' });
    const other = await world.newTrader();
    expect(await world.call(other, 'GET', path, { ...symbol, orderId })).toMatchObject(unknown);
    expect(await world.call(other, 'DELETE', path, { ...symbol, orderId })).toMatchObject(unknown);
  });

  test('a generated client id finds it too', async () => {
    const { orderId, clientOrderId } = (await post(stop)).body;
    const found = await ask('GET', { origClientOrderId: clientOrderId });
    expect(found.body).toMatchObject({ orderId, clientOrderId });
  });

  test('DELETE: 200 CANCELED, then -2011; -2013 for PUT, before and after', async () => {
    const { orderId } = (await post(stop)).body;
    const change = { orderId, quantity: '0.02', price: '61000' };
    expect(await ask('PUT', change)).toMatchObject(unknown);
    const cancelled = await ask('DELETE', { orderId });
    expect(cancelled).toMatchObject({ status: 200, body: { orderId, status: 'CANCELED' } });
    expect(await ask('DELETE', { orderId })).toMatchObject(gone);
    expect(await ask('PUT', change)).toMatchObject(unknown);
    expect((await ask('GET', { orderId })).body).toMatchObject({
      status: 'CANCELED',
      type: 'STOP',
    });
    expect(await ask('GET', { orderId }, '/fapi/v1/openOrder')).toMatchObject(unknown);
  });

  test('TRG-2 allOpenOrders ends the triggers of this route, algoOpenOrders those of the other', async () => {
    const own = (await post(stop)).body.orderId;
    const { stopPrice: triggerPrice, ...rest } = stop;
    const algo = { ...rest, algoType: 'CONDITIONAL', triggerPrice };
    const other = (await world.call(trader, 'POST', '/fapi/v1/algoOrder', algo)).body.algoId;
    const ids = async () => (await open()).body.map(({ algoId }: { algoId: string }) => algoId);
    expect(await ids()).toEqual([own, other]);
    await ask('DELETE', {}, '/fapi/v1/allOpenOrders');
    expect(await ids()).toEqual([other]);
    await post(stop);
    const done = await ask('DELETE', {}, '/fapi/v1/algoOpenOrders');
    expect(done.body).toEqual({
      code: 200,
      msg: 'The operation of cancel all open order is done.',
    });
    expect(await ids()).toHaveLength(1);
  });

  test('a batch places and cancels it like an order', async () => {
    const batchOrders = [
      limit,
      { ...stop, newClientOrderId: 'b' },
      { ...stop, stopPrice: '59000' },
    ];
    const placed = await world.call(trader, 'POST', '/fapi/v1/batchOrders', { batchOrders });
    expect(placed.body, placed.text).toMatchObject([
      { type: 'LIMIT', status: 'NEW' },
      { type: 'STOP', status: 'NEW', clientOrderId: 'b' },
      { code: -2021, msg: 'Order would trigger immediately.' },
    ]);
    const origClientOrderIdList = '["b","b"]';
    const cancelled = await ask('DELETE', { origClientOrderIdList }, '/fapi/v1/batchOrders');
    expect(cancelled.body).toMatchObject([
      { type: 'STOP', status: 'CANCELED' },
      { code: -2011, msg: 'Unknown order sent.' },
    ]);
  });

  test('order/test answers it as accepted and stores nothing', async () => {
    const before = world.stateHash();
    const tried = await world.call(trader, 'POST', '/fapi/v1/order/test', stop);
    expect(tried.body, tried.text).toMatchObject({ status: 'NEW', type: 'STOP', origQty: '0.010' });
    const refused = await world.call(trader, 'POST', '/fapi/v1/order/test', {
      ...stop,
      stopPrice: '60000',
    });
    expect(refused).toMatchObject({ status: 400, body: { code: -2021 } });
    expect(world.stateHash()).toBe(before);
    expect((await open()).body).toEqual([]);
  });

  test('ID-3 a repeated request gets its current state, fired or not; another request is -1102', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = (await post(stop, trader, headers)).body;
    expect((await post(stop, trader, headers)).body).toEqual(first);
    const other = await post({ ...stop, quantity: '0.02' }, trader, headers);
    expect(other).toMatchObject(missing('Idempotency-Key'));
    await world.price(610_000);
    const { orderId } = first;
    const fired = { orderId, type: 'LIMIT', origType: 'STOP', status: 'CANCELED' };
    await ask('DELETE', { orderId });
    expect((await post(stop, trader, headers)).body).toMatchObject(fired);
    expect((await open()).body).toEqual([]);
  });
});

describe('OD-6 a trigger fires and its order keeps the id', () => {
  test('STOP becomes a LIMIT that rests, is listed, and can be modified', async () => {
    const { orderId } = (await post({ ...stop, newClientOrderId: 'a' })).body;
    await world.price(611_000);
    const fired = { orderId, clientOrderId: 'a', type: 'LIMIT', origType: 'STOP', status: 'NEW' };
    const shown = { ...fired, stopPrice: '61000.0', price: '61500.5', timeInForce: 'GTC' };
    expect((await ask('GET', { orderId })).body).toMatchObject(shown);
    expect((await ask('GET', { origClientOrderId: 'a' })).body).toMatchObject(shown);
    expect((await ask('GET', {}, '/fapi/v1/openOrders')).body).toMatchObject([shown]);
    expect((await open()).body).toEqual([]);
    const found = await ask('GET', { algoId: orderId }, '/fapi/v1/algoOrder');
    expect(found.body).toMatchObject({
      algoStatus: 'TRIGGERED',
      triggerTime: world.clock.now(),
      actualOrderId: orderId,
      actualPrice: '0.00000',
      actualQty: '0.000',
      actualType: 'LIMIT',
    });
    const changed = await ask('PUT', { orderId, quantity: '0.02', price: '61400' });
    expect(changed.body).toMatchObject({ orderId, origType: 'STOP', origQty: '0.020' });
    const maker = await world.newTrader();
    await post({ ...limit, side: 'SELL', price: '61400', quantity: '0.02' }, maker);
    const filled = { orderId, status: 'FILLED', origType: 'STOP', avgPrice: '61400' };
    expect((await ask('GET', { orderId })).body).toMatchObject(filled);
    const finished = await ask('GET', { clientAlgoId: 'a' }, '/fapi/v1/algoOrder');
    expect(finished.body).toMatchObject({
      algoStatus: 'FINISHED',
      actualPrice: '61400',
      actualQty: '0.020',
    });
    expect(await ask('DELETE', { orderId })).toMatchObject(gone);
  });

  test('STOP_MARKET fills at once, or reads REJECTED with an empty book', async () => {
    await goLong('0.02');
    const bidder = await world.newTrader();
    await post({ ...limit, price: '58000' }, bidder);
    const { orderId } = (await post({ ...stopMarket, reduceOnly: true })).body;
    await world.price(589_000);
    expect((await ask('GET', { orderId })).body).toMatchObject({
      status: 'FILLED',
      type: 'MARKET',
      origType: 'STOP_MARKET',
      price: '0',
      avgPrice: '58000',
      reduceOnly: true,
    });
    const next = (await post({ ...stopMarket, stopPrice: '58500' })).body.orderId;
    await world.price(584_000);
    expect((await ask('GET', { orderId: next })).body).toMatchObject({ status: 'REJECTED' });
  });

  test('TRG-1 FAILED reads REJECTED and states the reason', async () => {
    const poor = await world.newTrader(10);
    const { orderId } = (await post(stop, poor)).body;
    await world.price(611_000);
    const failure = { code: -2019, msg: 'Margin is insufficient.' };
    const order = await world.call(poor, 'GET', path, { ...symbol, orderId });
    expect(order.body).toMatchObject({ status: 'REJECTED', type: 'STOP', failure });
    const algo = await world.call(poor, 'GET', '/fapi/v1/algoOrder', { algoId: orderId });
    expect(algo.body).toMatchObject({ algoStatus: 'FAILED', actualOrderId: '', failure });
    expect(await world.call(poor, 'DELETE', path, { ...symbol, orderId })).toMatchObject(gone);
  });

  test('TRG-3 closePosition closes the whole position; when the position is flat it reads CANCELED', async () => {
    await goLong('0.02');
    const { quantity: _, ...rest } = stopMarket;
    const closing = { ...rest, closePosition: true };
    const { orderId, ...shown } = (await post(closing)).body;
    expect(shown).toMatchObject({ closePosition: true, origQty: '0.000', status: 'NEW' });
    const second = (await post({ ...closing, stopPrice: '58000' })).body.orderId;
    const bidder = await world.newTrader();
    await post({ ...limit, price: '58900', quantity: '1' }, bidder);
    await world.price(589_500);
    const closed = { status: 'FILLED', origQty: '0.020', closePosition: true, reduceOnly: true };
    expect((await ask('GET', { orderId })).body).toMatchObject(closed);
    const expired = await ask('GET', { orderId: second });
    expect(expired.body).toMatchObject({ status: 'CANCELED', type: 'STOP_MARKET' });
    const algo = await ask('GET', { algoId: second }, '/fapi/v1/algoOrder');
    expect(algo.body).toMatchObject({ algoStatus: 'EXPIRED', quantity: '0' });
  });
});

describe('refusals of a trigger', () => {
  const without = (name: keyof typeof stop): Parameters => {
    const { [name]: _, ...rest } = stop;
    return rest;
  };

  test('-1102 a parameter that the type needs is missing', async () => {
    expect(await post(without('quantity'))).toMatchObject(missing('quantity'));
    expect(await post(without('price'))).toMatchObject(missing('price'));
    expect(await post(without('stopPrice'))).toMatchObject(missing('stopPrice'));
    expect(await post({ ...stop, stopPrice: '' })).toMatchObject(missing('stopPrice'));
    const bare = { ...stopMarket, quantity: undefined };
    expect(await post(bare)).toMatchObject(missing('quantity'));
    for (const timeInForce of ['GTD', 'GTX', 'RPI']) {
      expect(await post({ ...stop, timeInForce })).toMatchObject(missing('timeInForce'));
    }
  });

  test('-1100 invalid prices and quantities', async () => {
    for (const stopPrice of ['x', '0', '-1', '1e400', '61000.05']) {
      const reply = await post({ ...stop, stopPrice });
      expect(reply, stopPrice).toMatchObject({ status: 400, body: { code: -1100 } });
      expect(reply.body.msg).toContain("'stopPrice'");
    }
    expect(await post({ ...stop, price: '0' })).toMatchObject(illegal('price'));
    expect(await post({ ...stop, quantity: '-1' })).toMatchObject(illegal('quantity'));
    const badId = { ...stop, newClientOrderId: 'a b' };
    expect(await post(badId)).toMatchObject(illegal('newClientOrderId'));
  });

  test('-1130 types that this route does not have; -1106 contradictory parameters', async () => {
    for (const type of ['TRAILING_STOP_MARKET', 'stop', 'STOP_LOSS', 'STOP_LIMIT ']) {
      expect(await post({ ...stop, type, callbackRate: '1' })).toMatchObject(invalid('type'));
    }
    const closing = { ...stopMarket, closePosition: 'true' };
    expect(await post(closing)).toMatchObject(notAllowed('quantity'));
    const both = { ...closing, quantity: undefined, reduceOnly: true };
    expect(await post(both)).toMatchObject(notAllowed('reduceOnly'));
    const wrong = { ...stop, closePosition: true };
    expect(await post(wrong)).toMatchObject(notAllowed('closePosition'));
    const quoted = { ...stopMarket, quoteOrderQty: '100' };
    expect(await post(quoted)).toMatchObject(notAllowed('quoteOrderQty'));
    expect(await post({ ...limit, stopPrice: '61000' })).toMatchObject(notAllowed('stopPrice'));
  });

  const refused = (code: number, msg: string) => ({ status: 400, body: { code, msg } });

  test('-1013, -2014, -2021, -2022: rejections of the engine', async () => {
    const small = refused(-1013, 'Filter failure: LOT_SIZE');
    expect(await post({ ...stop, quantity: '0.0005' })).toMatchObject(small);
    const large = refused(-1013, 'Filter failure: MAX_NOTIONAL');
    expect(await post({ ...stop, quantity: '20' })).toMatchObject(large);
    await post({ ...stop, newClientOrderId: 'a' });
    const twice = refused(-2014, 'Client order id is duplicated.');
    expect(await post({ ...stop, newClientOrderId: 'a' })).toMatchObject(twice);
    expect(await post({ ...limit, newClientOrderId: 'a' })).toMatchObject(twice);
    const now = refused(-2021, 'Order would trigger immediately.');
    expect(await post({ ...stop, stopPrice: '60000' })).toMatchObject(now);
    const profit = { ...stop, type: 'TAKE_PROFIT', stopPrice: '60000.1' };
    expect(await post(profit)).toMatchObject(now);
    const flat = refused(-2022, 'ReduceOnly Order is rejected.');
    expect(await post({ ...stop, reduceOnly: true })).toMatchObject(flat);
    const closing = { ...stopMarket, quantity: undefined, closePosition: true };
    expect(await post(closing)).toMatchObject(flat);
  });

  test('-2010 ORD-9 two hundred waiting triggers', async () => {
    for (let i = 0; i < 40; i += 1) {
      const batchOrders = Array(5).fill(stop);
      await world.call(trader, 'POST', '/fapi/v1/batchOrders', { batchOrders });
    }
    const full = refused(-2010, 'Reached max trigger order limit.');
    expect(await post(stop)).toMatchObject(full);
    expect((await open()).body).toHaveLength(200);
  });
});
