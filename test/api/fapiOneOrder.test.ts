// Orders after they were placed: looked up, modified, cancelled, alone and all together
// (conventions, 7.3 to 7.6).

import { describe, expect, test } from 'vitest';
import type { Trader } from '../gateway/gatewayWorld.ts';
import { illegal, invalid, missing } from '../gateway/parameterRefusals.ts';
import { ask, trader, useTrader, world } from '../gateway/useTrader.ts';

useTrader();

type Parameters = Readonly<Record<string, unknown>>;
const path = '/fapi/v1/order';
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
const nowhere = '0199c82d-5c41-7000-8000-0000ffe00000';

const post = (parameters: Parameters, headers: Record<string, string> = {}) =>
  world.call(trader, 'POST', path, parameters, headers);
describe('one order by its id', () => {
  const of = (method: string, parameters: Parameters, by: Trader = trader, at = path) =>
    world.call(by, method, at, { symbol: 'BTCUSDT', ...parameters });
  const unknown = { status: 404, body: { code: -2013, msg: 'Order does not exist.' } };
  const change = { quantity: '0.02', price: '51000' };

  test('GET, PUT and DELETE accept either id; orderId has precedence', async () => {
    const { orderId } = (await post({ ...limit, newClientOrderId: 'a' })).body;
    await post({ ...limit, newClientOrderId: 'b' });
    expect((await of('GET', { orderId, origClientOrderId: 'b' })).body.clientOrderId).toBe('a');
    expect((await of('GET', { ORDERID: orderId.toUpperCase() })).body.orderId).toBe(orderId);
    const changed = await of('PUT', { orderId, side: 'BUY', ...change });
    expect(changed.body).toMatchObject({ orderId, origQty: '0.020', price: '51000.0' });
    const cancelled = await of('DELETE', { origClientOrderId: 'a' });
    expect(cancelled.body).toMatchObject({ orderId, status: 'CANCELED', cancelReason: 'USER' });
    expect((await of('GET', { orderId })).body.status).toBe('CANCELED');
    expect(await of('GET', { orderId }, trader, '/fapi/v1/openOrder')).toMatchObject(unknown);
    const open = await of('GET', { origClientOrderId: 'b' }, trader, '/fapi/v1/openOrder');
    expect(open.body.status).toBe('NEW');
  });

  test('-2011 for an ended order, on cancel and modify', async () => {
    const gone = { status: 400, body: { code: -2011, msg: 'Unknown order sent.' } };
    const { orderId } = (await post({ ...limit, newClientOrderId: 'a' })).body;
    await of('DELETE', { orderId });
    const before = world.stateHash();
    expect(await of('DELETE', { orderId })).toMatchObject(gone);
    expect(await of('DELETE', { origClientOrderId: 'a' })).toMatchObject(gone);
    expect(await of('PUT', { orderId, ...change })).toMatchObject(gone);
    expect(world.stateHash()).toBe(before);
  });

  test('-2013 unknown ids, those of others, of another symbol, of MARKET orders on PUT', async () => {
    const { orderId } = (await post(limit)).body;
    const other = await world.newTrader();
    const ids = [nowhere, '00000000-0000-0000-0000-000000000000', orderId.replace(/^0199/, '0198')];
    for (const id of ids) {
      expect(await of('GET', { orderId: id })).toMatchObject(unknown);
      expect(await of('DELETE', { orderId: id })).toMatchObject(unknown);
      expect(await of('PUT', { orderId: id, ...change })).toMatchObject(unknown);
    }
    expect(await of('GET', { origClientOrderId: 'none' })).toMatchObject(unknown);
    for (const method of ['GET', 'DELETE']) {
      expect(await of(method, { orderId }, other)).toMatchObject(unknown);
      const elsewhere = { symbol: 'ETHUSDT', orderId };
      expect(await world.call(trader, method, path, elsewhere)).toMatchObject(unknown);
    }
    const filled = (await post(market)).body.orderId;
    expect(await of('PUT', { orderId: filled, ...change })).toMatchObject(unknown);
  });

  test('-1100 an id that is no UUID, -1102 no id', async () => {
    for (const method of ['GET', 'DELETE']) {
      for (const orderId of ['7', 'x', `${nowhere}0`, '__proto__']) {
        expect(await of(method, { orderId })).toMatchObject(illegal('orderId'));
      }
      expect(await of(method, {})).toMatchObject(missing('orderId'));
      expect(await world.call(trader, method, path, { orderId: nowhere })).toMatchObject(
        missing('symbol'),
      );
    }
  });

  test('PUT: side, quantity and price', async () => {
    const { orderId } = (await post(limit)).body;
    const put = (parameters: Parameters) => of('PUT', { orderId, ...change, ...parameters });
    expect(await put({ side: 'SELL' })).toMatchObject(missing('side'));
    expect(await put({ side: 'sell' })).toMatchObject(invalid('side'));
    expect(await put({ priceMatch: 'QUEUE' })).toMatchObject(invalid('priceMatch'));
    expect(await put({ quantity: '' })).toMatchObject(missing('quantity'));
    expect(await put({ price: '' })).toMatchObject(missing('price'));
    for (const quantity of ['0', '-1', 'x', '0e3']) {
      expect(await put({ quantity }), quantity).toMatchObject(illegal('quantity'));
    }
    for (const price of ['0', '-1', 'x'])
      expect(await put({ price })).toMatchObject(illegal('price'));
    expect(await put({ quantity: '0.0001' })).toMatchObject({ body: { code: -1013 } });
    expect(await put({ price: '50000.01' })).toMatchObject({ body: { code: -1100 } });
    expect(await put({ quantity: '21' })).toMatchObject({ body: { code: -1013 } });
    expect((await of('GET', { orderId })).body).toMatchObject({
      origQty: '0.010',
      price: '50000.0',
      status: 'NEW',
    });
  });

  test('-2019 PUT without margin for the larger order leaves order and freeze unchanged', async () => {
    const poor = await world.newTrader(100);
    const { orderId } = (await world.call(poor, 'POST', path, limit)).body;
    const before = world.stateHash();
    const reply = await of('PUT', { orderId, ...change, quantity: '0.1' }, poor);
    expect(reply).toMatchObject({ status: 400, body: { code: -2019 } });
    expect(world.stateHash()).toBe(before);
  });

  test('-1100 PUT below the filled quantity; a PUT equal to it ends the order FILLED', async () => {
    await ask('60000', '0.004');
    const { orderId } = (await post({ ...limit, price: '60000' })).body;
    const below = { orderId, quantity: '0.003', price: '60000' };
    expect(await of('PUT', below)).toMatchObject(illegal('quantity'));
    const equal = await of('PUT', { ...below, quantity: '0.004' });
    expect(equal.body).toMatchObject({ orderId, status: 'FILLED', origQty: '0.004' });
  });
});

describe('several orders', () => {
  test('openOrders: ascending by time, of one symbol or of all', async () => {
    for (const price of ['50000', '49000', '51000']) {
      await post({ ...limit, price });
      world.clock.advance(1);
    }
    await post({ ...limit, symbol: 'ETHUSDT', price: '5000' });
    const ofOne = await world.call(trader, 'GET', '/fapi/v1/openOrders', { symbol: 'btc-usdt' });
    expect(ofOne.body.map(({ price }: { price: string }) => price)).toEqual([
      '50000.0',
      '49000.0',
      '51000.0',
    ]);
    const ofAll = await world.call(trader, 'GET', '/fapi/v1/openOrders');
    expect(ofAll.body).toHaveLength(4);
    const other = await world.newTrader();
    expect((await world.call(other, 'GET', '/fapi/v1/openOrders')).body).toEqual([]);
  });

  test('allOpenOrders: the text of the convention, also without orders', async () => {
    await post(limit);
    await post({ ...limit, symbol: 'ETHUSDT', price: '5000' });
    const done = { code: 200, msg: 'The operation of cancel all open order is done.' };
    for (let i = 0; i < 2; i += 1) {
      const reply = await world.call(trader, 'DELETE', '/fapi/v1/allOpenOrders', {
        symbol: 'BTCUSDT',
      });
      expect(reply).toMatchObject({ status: 200, body: done });
    }
    expect((await world.call(trader, 'GET', '/fapi/v1/openOrders')).body).toHaveLength(1);
  });

  test('ORD-13 countdownCancelAll cancels unless it is called again; 0 stops it', async () => {
    const count = (countdownTime: unknown) =>
      world.call(trader, 'POST', '/fapi/v1/countdownCancelAll', {
        symbol: 'BTCUSDT',
        countdownTime,
      });
    const { orderId } = (await post(limit)).body;
    expect((await count('120000')).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '120000' });
    expect((await count(1000)).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '1000' });
    expect((await count(0)).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '0' });
    world.clock.advance(2000);
    await world.price(600_000);
    const state = async () =>
      (await world.call(trader, 'GET', path, { symbol: 'BTCUSDT', orderId })).body;
    expect((await state()).status).toBe('NEW');
    await count(1000);
    world.clock.advance(1000);
    await world.price(600_000);
    expect(await state()).toMatchObject({ status: 'CANCELED', cancelReason: 'COUNTDOWN' });
    for (const bad of ['x', -1, 1.5, '', 86_400_001, 1e300]) {
      expect(await count(bad)).toMatchObject(missing('countdownTime'));
    }
  });
});
