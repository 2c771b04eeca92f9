// Triggers on the algo route of FAPI (conventions, section 9; TRG-2, TRG-4, TRG-5): how they are
// read, shown, listed and cancelled, and what their orders show. Their rules are proved by
// scenarios.

import { describe, expect, test } from 'vitest';
import { openWorld, type Reply, type Trader } from '../gateway/gatewayWorld.ts';
import { illegal, invalid, missing, notAllowed } from '../gateway/parameterRefusals.ts';
import { trader, useTrader, world } from '../gateway/useTrader.ts';

useTrader();

type Parameters = Readonly<Record<string, unknown>>;
const path = '/fapi/v1/algoOrder';
const symbol = { symbol: 'BTCUSDT' };
/** The mark is 60000. */
const stop = {
  algoType: 'CONDITIONAL',
  ...symbol,
  side: 'BUY',
  type: 'STOP',
  quantity: '0.01',
  price: '61500.5',
  triggerPrice: '61000',
};
const trailing = {
  algoType: 'CONDITIONAL',
  ...symbol,
  side: 'SELL',
  type: 'TRAILING_STOP_MARKET',
  quantity: '0.01',
  callbackRate: '1',
};
const tenMinutes = 600_000;
const week = 604_800_000;
const unknown = { status: 404, body: { code: -2013, msg: 'Order does not exist.' } };
const gone = { status: 400, body: { code: -2011, msg: 'Unknown order sent.' } };

const post = (parameters: Parameters, by: Trader = trader, headers = {}): Promise<Reply> =>
  world.call(by, 'POST', path, parameters, headers);
const get = (parameters: Parameters, by: Trader = trader): Promise<Reply> =>
  world.call(by, 'GET', path, parameters);
const list = (at: string, parameters: Parameters = symbol): Promise<Reply> =>
  world.call(trader, 'GET', `/fapi/v1/${at}`, parameters);
const order = (parameters: Parameters): Promise<Reply> =>
  world.call(trader, 'GET', '/fapi/v1/order', { ...symbol, ...parameters });

/** Resting liquidity of another account. */
async function rest(side: 'BUY' | 'SELL', price: string): Promise<void> {
  const maker = await world.newTrader();
  const parameters = { ...symbol, side, type: 'LIMIT', quantity: '1', price };
  expect((await world.call(maker, 'POST', '/fapi/v1/order', parameters)).status).toBe(200);
}

describe('the algo order object', () => {
  test('the whole record of a waiting trigger', async () => {
    const reply = await post({ ...stop, clientAlgoId: 'sl-main', timeInForce: 'GTX' });
    const { algoId, createTime, updateTime, ...shown } = reply.body;
    expect(reply.status, reply.text).toBe(200);
    expect(algoId).toMatch(/^[0-9a-f-]{36}$/);
    expect([createTime, updateTime]).toEqual([world.clock.now(), world.clock.now()]);
    expect(shown).toEqual({
      clientAlgoId: 'sl-main',
      algoType: 'CONDITIONAL',
      orderType: 'STOP',
      symbol: 'BTCUSDT',
      side: 'BUY',
      positionSide: 'BOTH',
      timeInForce: 'GTX',
      quantity: '0.010',
      algoStatus: 'NEW',
      triggerPrice: '61000.0',
      price: '61500.5',
      icebergQuantity: null,
      selfTradePreventionMode: 'EXPIRE_MAKER',
      workingType: 'CONTRACT_PRICE',
      priceMatch: 'NONE',
      closePosition: false,
      priceProtect: false,
      reduceOnly: false,
      activatePrice: '',
      callbackRate: '',
      triggerTime: 0,
      goodTillDate: 0,
      actualOrderId: '',
      actualPrice: '0.00000',
      actualQty: '0',
      actualType: '',
      origQty: '0.010',
      avgPrice: '0',
      executedQty: '0',
      cumQuote: '0',
      tpTriggerPrice: '0.000',
      tpPrice: '0.000',
      slTriggerPrice: '0.000',
      slPrice: '0.000',
      tpOrderType: '',
    });
    expect((await get({ algoId })).body).toEqual(reply.body);
    expect((await get({ clientAlgoId: 'sl-main' })).body).toEqual(reply.body);
    expect((await list('openAlgoOrders')).body).toEqual([reply.body]);
    // Its order does not exist yet, and it is not on the order route.
    expect(await order({ orderId: algoId })).toMatchObject(unknown);
    expect(await order({ origClientOrderId: 'sl-main' })).toMatchObject(unknown);
  });

  test('OD-6 its order has its own id and names its trigger', async () => {
    await rest('SELL', '61200');
    const { algoId } = (await post({ ...stop, newClientOrderId: 'a', stopPrice: '' })).body;
    await world.price(611_000);
    const { body } = await get({ clientAlgoId: 'a' });
    expect(body).toMatchObject({
      algoId,
      algoStatus: 'FINISHED',
      triggerTime: world.clock.now(),
      actualPrice: '61200',
      actualQty: '0.010',
      actualType: 'LIMIT',
    });
    expect(body.actualOrderId).not.toBe(algoId);
    expect((await order({ orderId: body.actualOrderId })).body).toMatchObject({
      orderId: body.actualOrderId,
      status: 'FILLED',
      type: 'LIMIT',
      origType: 'STOP',
      stopPrice: '61000.0',
      time: world.clock.now(),
    });
    expect((await list('openAlgoOrders')).body).toEqual([]);
    expect(await order({ orderId: algoId })).toMatchObject(unknown);
  });

  test('FAILED states the reason', async () => {
    const poor = await world.newTrader(10);
    const { algoId } = (await post(stop, poor)).body;
    await world.price(611_000);
    expect((await get({ algoId }, poor)).body).toMatchObject({
      algoStatus: 'FAILED',
      failure: { code: -2019, msg: 'Margin is insufficient.' },
    });
  });
});

describe('TRG-4 trailing stops', () => {
  test('the current mark activates; the trigger price follows the extreme', async () => {
    const placed = (await post(trailing)).body;
    expect(placed).toMatchObject({
      orderType: 'TRAILING_STOP_MARKET',
      activatePrice: '60000.0',
      callbackRate: '1',
      triggerPrice: '59400.0',
      price: '0',
    });
    await world.price(650_000);
    const { algoId } = placed;
    expect((await get({ algoId })).body).toMatchObject({ triggerPrice: '64350.0' });
    await rest('BUY', '64000');
    await world.price(643_500);
    const { body } = await get({ algoId });
    expect(body).toMatchObject({ algoStatus: 'FINISHED', actualPrice: '64000' });
    expect((await order({ orderId: body.actualOrderId })).body).toMatchObject({
      type: 'MARKET',
      origType: 'TRAILING_STOP_MARKET',
      activatePrice: '60000.0',
      priceRate: '1',
    });
  });

  test('activationPrice: "0" until the mark has reached it', async () => {
    const sent = { ...trailing, activationPrice: '62000', callbackRate: 0.125 };
    const { algoId, ...placed } = (await post(sent)).body;
    expect(placed).toMatchObject({
      activatePrice: '62000.0',
      callbackRate: '0.125',
      triggerPrice: '0',
    });
    await world.price(620_000);
    expect((await get({ algoId })).body).toMatchObject({ triggerPrice: '61922.5' });
  });

  test.each([['0.1'], ['10'], ['10.000000'], ['1e0']])('a callback of %s', async (callbackRate) => {
    expect((await post({ ...trailing, callbackRate })).status).toBe(200);
  });

  test('refusals', async () => {
    const without = { ...trailing, callbackRate: undefined };
    expect(await post(without)).toMatchObject(missing('callbackRate'));
    for (const callbackRate of ['0.099999', '10.000001', '0', '-1', '0.1000000001', '1e30']) {
      const reply = await post({ ...trailing, callbackRate });
      expect(reply, callbackRate).toMatchObject({ status: 400 });
      expect(reply.body.msg).toContain("'callbackRate'");
    }
    const word = { ...trailing, callbackRate: '1%' };
    expect(await post(word)).toMatchObject(illegal('callbackRate'));
    const closing = { ...trailing, quantity: undefined, closePosition: true };
    expect(await post(closing)).toMatchObject(notAllowed('closePosition'));
    const there = { status: 400, body: { code: -2021, msg: 'Order would trigger immediately.' } };
    expect(await post({ ...trailing, activatePrice: '60000' })).toMatchObject(there);
    expect(await post({ ...trailing, side: 'BUY', activatePrice: '60000' })).toMatchObject(there);
    const offTick = await post({ ...trailing, activatePrice: '62000.01' });
    expect(offTick).toMatchObject({ status: 400, body: { code: -1100 } });
  });
});

describe('TRG-5 GTD', () => {
  const dated = (goodTillDate: unknown) => ({ ...stop, timeInForce: 'GTD', goodTillDate });

  test('has whole seconds, waits until its date, and is EXPIRED', async () => {
    const date = world.clock.now() + tenMinutes + 999;
    const { algoId, ...placed } = (await post(dated(date))).body;
    const whole = Math.floor(date / 1000) * 1000;
    expect(placed).toMatchObject({ timeInForce: 'GTD', goodTillDate: whole });
    world.clock.advance(whole - world.clock.now() - 1);
    await world.price(600_000);
    expect((await get({ algoId })).body).toMatchObject({ algoStatus: 'EXPIRED' });
  });

  test('limits its order too, and the order shows it', async () => {
    const date = Math.ceil((world.clock.now() + tenMinutes) / 1000) * 1000;
    const { algoId } = (await post(dated(String(date)))).body;
    await world.price(611_000);
    const { actualOrderId: orderId } = (await get({ algoId })).body;
    const shown = { status: 'NEW', timeInForce: 'GTD', goodTillDate: date };
    expect((await order({ orderId })).body).toMatchObject(shown);
    world.clock.advance(date - world.clock.now());
    await world.price(611_000);
    const ended = { status: 'CANCELED', cancelReason: 'GTD' };
    expect((await order({ orderId })).body).toMatchObject(ended);
    expect((await get({ algoId })).body).toMatchObject({ algoStatus: 'FINISHED' });
  });

  test('-1102 without a date, too near, too far; ignored with other times in force', async () => {
    const now = world.clock.now();
    const furthest = now + 90 * 86_400_000;
    for (const date of [
      undefined,
      '',
      null,
      'x',
      1.5,
      0,
      5,
      999,
      now + tenMinutes - 1,
      furthest + 1000,
    ]) {
      expect(await post(dated(date)), String(date)).toMatchObject(missing('goodTillDate'));
    }
    const { goodTillDate } = (await post(dated(furthest))).body;
    expect(goodTillDate).toBe(furthest - (furthest % 1000));
    const kept = await post({ ...stop, timeInForce: 'FOK', goodTillDate: 5 });
    expect(kept.body, kept.text).toMatchObject({ timeInForce: 'FOK', goodTillDate: 0 });
  });
});

describe('refusals of all of them', () => {
  test('-1102, -1130, -1106, -1100', async () => {
    expect(await post({ ...stop, algoType: '' })).toMatchObject(missing('algoType'));
    expect(await post({ ...stop, algoType: 'VP' })).toMatchObject(invalid('algoType'));
    for (const type of ['LIMIT', 'MARKET', 'OCO']) {
      expect(await post({ ...stop, type })).toMatchObject(invalid('type'));
    }
    expect(await post({ ...stop, timeInForce: 'RPI' })).toMatchObject(missing('timeInForce'));
    expect(await post({ ...stop, price: '' })).toMatchObject(missing('price'));
    expect(await post({ ...stop, quantity: '' })).toMatchObject(missing('quantity'));
    expect(await post({ ...stop, triggerPrice: '' })).toMatchObject(missing('triggerPrice'));
    expect(await post({ ...stop, triggerPrice: 'x' })).toMatchObject(illegal('triggerPrice'));
    expect(await post({ ...stop, clientAlgoId: 'ä' })).toMatchObject(illegal('clientAlgoId'));
    expect(await post({ ...stop, closePosition: true })).toMatchObject(notAllowed('closePosition'));
    expect(await post({ ...stop, priceMatch: 'QUEUE' })).toMatchObject(invalid('priceMatch'));
    const twice = { ...stop, clientAlgoId: 'a' };
    await post(twice);
    expect(await post(twice)).toMatchObject({ status: 400, body: { code: -2014 } });
  });

  test('OD-19 TRG-7 a waiting trigger needs no margin, only 10 USDT of equity', async () => {
    const poor = await world.newTrader(10);
    expect((await post(stop, poor)).status).toBe(200);
    expect(await post(stop, poor)).toMatchObject({ status: 400, body: { code: -2010 } });
  });

  test('ID-3 a repeated request gets the current state', async () => {
    const headers = { 'idempotency-key': 'once' };
    const { algoId } = (await post(stop, trader, headers)).body;
    await world.call(trader, 'DELETE', path, { algoId });
    const again = await post(stop, trader, headers);
    expect(again.body).toMatchObject({ algoId, algoStatus: 'CANCELED' });
    expect((await list('openAlgoOrders')).body).toEqual([]);
    const other = await post({ ...stop, price: '61600' }, trader, headers);
    expect(other).toMatchObject(missing('Idempotency-Key'));
  });

  test('it counts as an order in the limits, its cancel does not', async () => {
    const strict = await openWorld();
    const own = await strict.newTrader();
    const { headers, body } = await strict.call(own, 'POST', path, stop);
    expect(headers).toMatchObject({
      'x-mbx-used-weight-1m': '1',
      'x-mbx-order-count-10s': '1',
      'x-mbx-order-count-1m': '1',
    });
    const { algoId } = body;
    const cancelled = await strict.call(own, 'DELETE', path, { algoId });
    expect(cancelled.headers['x-mbx-used-weight-1m']).toBe('2');
    expect(cancelled.headers['x-mbx-order-count-1m']).toBeUndefined();
    await strict.close();
  });
});

describe('one and many', () => {
  test('DELETE: the code is a string; -2011, -2013, -1102, -1100', async () => {
    const { algoId } = (await post({ ...stop, clientAlgoId: 'a' })).body;
    const remove = (parameters: Parameters, by = trader) =>
      world.call(by, 'DELETE', path, parameters);
    expect(await remove({ algoId }, await world.newTrader())).toMatchObject(unknown);
    expect(await remove({ algoid: algoId })).toMatchObject({
      status: 200,
      body: { algoId, clientAlgoId: 'a', code: '200', msg: 'success' },
    });
    expect(await remove({ algoId })).toMatchObject(gone);
    expect(await remove({ clientAlgoId: 'a' })).toMatchObject(gone);
    expect(await remove({ clientAlgoId: 'b' })).toMatchObject(unknown);
    expect(await remove({})).toMatchObject(missing('algoId'));
    expect(await remove({ algoId: '7' })).toMatchObject(illegal('algoId'));
    // One of the order route is its owner's here, too.
    const { type, price, side, quantity } = stop;
    const placed = { ...symbol, type, price, side, quantity, stopPrice: '61000' };
    const { orderId } = (await world.call(trader, 'POST', '/fapi/v1/order', placed)).body;
    expect((await remove({ algoId: orderId })).status).toBe(200);
    expect((await order({ orderId })).body.status).toBe('CANCELED');
  });

  test('-2011 DELETE of a fired one whose order is open', async () => {
    const { algoId } = (await post(stop)).body;
    await world.price(611_000);
    expect((await get({ algoId })).body.algoStatus).toBe('TRIGGERED');
    expect(await world.call(trader, 'DELETE', path, { algoId })).toMatchObject(gone);
  });

  test('openAlgoOrders and GET algoOpenOrders answer the same', async () => {
    const first = (await post(stop)).body.algoId;
    world.clock.advance(10);
    const second = (await post({ ...stop, symbol: 'ETHUSDT', price: '6100', triggerPrice: '6100' }))
      .body.algoId;
    const now = world.clock.now();
    for (const at of ['openAlgoOrders', 'algoOpenOrders']) {
      const ids = async (parameters: Parameters) =>
        (await list(at, parameters)).body.map(({ algoId }: { algoId: string }) => algoId);
      expect(await ids({})).toEqual([first, second]);
      expect(await ids({ symbol: 'eth/usdt', algoType: 'CONDITIONAL' })).toEqual([second]);
      expect(await ids({ algoId: first })).toEqual([first]);
      expect(await ids({ startTime: now })).toEqual([second]);
      expect(await ids({ startTime: now - week, endTime: now - 1 })).toEqual([first]);
      expect(await list(at, { algoType: 'VP' })).toMatchObject(invalid('algoType'));
      expect(await list(at, { algoId: 'x' })).toMatchObject(illegal('algoId'));
      const wide = { startTime: now - week - 1, endTime: now };
      expect(await list(at, wide)).toMatchObject(illegal('endTime'));
    }
  });

  test('allAlgoOrders: every state, ascending; windows, limits and ids', async () => {
    const begin = world.clock.now();
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      ids.push((await post({ ...stop, clientAlgoId: `c${i}` })).body.algoId);
      world.clock.advance(1000);
    }
    await world.call(trader, 'DELETE', path, { algoId: ids[1] });
    await world.call(trader, 'DELETE', path, { algoId: ids[2] });
    const all = async (parameters: Parameters = {}) =>
      (await list('allAlgoOrders', { ...symbol, ...parameters })).body;
    const at = async (parameters: Parameters) =>
      (await all(parameters)).map(({ algoId }: { algoId: string }) => ids.indexOf(algoId));
    expect((await all()).map(({ algoStatus }: { algoStatus: string }) => algoStatus)).toEqual([
      'NEW',
      'CANCELED',
      'CANCELED',
      'NEW',
    ]);
    expect(await at({ limit: 2 })).toEqual([2, 3]);
    expect(await at({ limit: 2, startTime: begin })).toEqual([0, 1]);
    expect(await at({ startTime: begin + 1000, endTime: begin + 2000 })).toEqual([1, 2]);
    expect(await at({ endTime: begin + 2000, limit: 2 })).toEqual([1, 2]);
    expect(await at({ startTime: begin + 1, endTime: begin })).toEqual([]);
    expect(await at({ algoId: ids[1], limit: 2 })).toEqual([1, 2]);
    expect(await at({ limit: 5000 })).toEqual([0, 1, 2, 3]);
    expect(await at({ symbol: 'ETHUSDT' })).toEqual([]);
    const exactly = { startTime: begin, endTime: begin + week };
    expect(await at(exactly)).toEqual([0, 1, 2, 3]);
    const wide = { ...symbol, startTime: begin, endTime: begin + week + 1 };
    expect(await list('allAlgoOrders', wide)).toMatchObject(illegal('endTime'));
    for (const limit of [0, -1, 'x', 1.5]) {
      expect(await list('allAlgoOrders', { ...symbol, limit })).toMatchObject(missing('limit'));
    }
    expect(await list('allAlgoOrders', {})).toMatchObject(missing('symbol'));
    world.clock.advance(week);
    expect(await at({})).toEqual([]);
    expect(await at({ startTime: begin })).toEqual([0, 1, 2, 3]);
    expect(await at({ algoId: ids[3] })).toEqual([3]);
  });
});
