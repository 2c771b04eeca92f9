// Take-profits and stop-losses by login (ATT-1, ATT-9): in one request with an order or a trigger,
// of a position, and in every record.

import { expect, test } from 'vitest';
import { alice, bob, useTraders } from '../fixtures/useTraders.ts';

useTraders();

const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.1',
  price: '50000',
  take_profit: { trigger_price: '51000', price: '51010' },
  stop_loss: { trigger_price: '49000' },
} as const;

const refused = (answer: Promise<unknown>, status: number, code: string, message?: RegExp) =>
  expect(answer).rejects.toMatchObject({
    status,
    code,
    ...(message === undefined ? {} : { message: expect.stringMatching(message) }),
  });

test('ATT-1 an order brings its legs, and every record names the others', async () => {
  const placed = await alice.native.placeNativeOrder(order);
  const id = /^[0-9a-f-]{36}$/;
  expect(placed.take_profit_id).toMatch(id);
  expect(placed.stop_loss_id).toMatch(id);
  const profit = await alice.native.getNativeTrigger({ id: placed.take_profit_id! });
  expect(profit).toMatchObject({
    algo_status: 'PENDING',
    order_type: 'TAKE_PROFIT',
    quantity: '0.000',
    trigger_price: '51000.0',
    price: '51010.0',
    side: 'SELL',
    reduce_only: true,
    parent_id: placed.order_id,
    pair_id: placed.order_id,
  });
  expect(await alice.native.listNativeTriggers()).toEqual([]);
  await bob.native.placeNativeOrder({
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'LIMIT',
    quantity: '0.04',
    price: '50000',
  });
  const waiting = await alice.native.listNativeTriggers();
  expect(waiting).toMatchObject([
    { algo_id: placed.take_profit_id, algo_status: 'NEW', quantity: '0.040' },
    { algo_id: placed.stop_loss_id, algo_status: 'NEW', quantity: '0.040' },
  ]);
  await alice.native.modifyNativeTrigger({ id: placed.stop_loss_id!, trigger_price: '48000' });
  await refused(
    alice.native.modifyNativeTrigger({ id: placed.stop_loss_id!, quantity: '0.1' }),
    400,
    'INVALID_PARAMETER',
  );
  await alice.native.cancelNativeOrder({ id: placed.order_id });
  const ended = await alice.native.getNativeOrder({ id: placed.order_id });
  expect(ended).toMatchObject({ status: 'CANCELED', stop_loss_id: placed.stop_loss_id });
  expect(await alice.native.getNativeTrigger({ id: placed.stop_loss_id! })).toMatchObject({
    algo_status: 'NEW',
    trigger_price: '48000.0',
    quantity: '0.040',
  });
});

test('ATT-3 FAPI shows a pending leg as NEW, and lists it when it waits', async () => {
  const { stop_loss_id, take_profit_id } = await alice.native.placeNativeOrder(order);
  const symbol = 'BTCUSDT';
  const asked = () => alice.fapi.getAlgoOrder({ algoId: stop_loss_id! });
  expect(await asked()).toMatchObject({ algoStatus: 'NEW', quantity: '0.000' });
  expect(await alice.fapi.getOpenAlgoOrders({ symbol })).toEqual([]);
  const past = [take_profit_id, stop_loss_id].map((algoId) => ({ algoId, algoStatus: 'NEW' }));
  expect(await alice.fapi.getAllAlgoOrders({ symbol })).toMatchObject(past);
  const sale = { symbol, side: 'SELL', type: 'LIMIT', quantity: '0.04', price: '50000' } as const;
  await bob.native.placeNativeOrder(sale);
  expect(await asked()).toMatchObject({ algoStatus: 'NEW', quantity: '0.040' });
  expect(await alice.fapi.getOpenAlgoOrders({ symbol })).toMatchObject(past);
});

test('ATT-1 a trigger brings its legs', async () => {
  const { take_profit, stop_loss } = order;
  const placed = await alice.native.placeNativeTrigger({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'STOP_MARKET',
    quantity: '0.1',
    trigger_price: '50500',
    take_profit,
    stop_loss,
  });
  const loss = await alice.native.getNativeTrigger({ id: placed.stop_loss_id! });
  expect(loss).toMatchObject({ algo_status: 'PENDING', parent_id: placed.algo_id });
  await alice.native.cancelNativeTrigger({ id: placed.algo_id });
  expect(await alice.native.getNativeTrigger({ id: placed.stop_loss_id! })).toMatchObject({
    algo_status: 'EXPIRED',
    parent_id: placed.algo_id,
  });
});

test('ATT-1 takeProfitWrongSide: bad legs are refused with what is wrong, and nothing is placed', async () => {
  const place = (changes: object) => alice.native.placeNativeOrder({ ...order, ...changes });
  const bad = 'INVALID_PARAMETER';
  await refused(place({ take_profit: { trigger_price: '49000' } }), 400, bad, /above 50000\.0/);
  await refused(place({ stop_loss: { trigger_price: '50000' } }), 400, bad, /below 50000\.0/);
  await refused(place({ stop_loss: {} }), 400, bad, /stop_loss\.trigger_price/);
  await refused(place({ stop_loss: '49000' }), 400, bad, /stop_loss/);
  await refused(place({ stop_loss: { trigger_price: '49000.05' } }), 400, 'INVALID_AMOUNT');
  await refused(place({ reduce_only: true }), 400, bad, /take_profit/);
  expect(await alice.native.listNativeOrders({ status: 'NEW' })).toEqual([]);
});

test('ATT-9 a position is protected, one leg is replaced, both are removed', async () => {
  const { take_profit, stop_loss } = order;
  const symbol = 'BTCUSDT';
  const { native } = alice;
  await refused(native.setProtection({ symbol, stop_loss }), 409, 'REDUCE_ONLY_REJECTED');
  await refused(native.setProtection({ symbol }), 400, 'INVALID_PARAMETER');
  const empty = { symbol, stop_loss: '' } as never;
  await refused(native.setProtection(empty), 400, 'INVALID_PARAMETER', /stop_loss/);
  const limit = { symbol, type: 'LIMIT', quantity: '0.1', price: '50000' } as const;
  await bob.native.placeNativeOrder({ ...limit, side: 'SELL' });
  await native.placeNativeOrder({ ...limit, side: 'BUY' });
  const set = await native.setProtection({ symbol, take_profit, stop_loss });
  expect(set).toMatchObject({
    symbol,
    take_profit: { order_type: 'TAKE_PROFIT', close_position: true, trigger_price: '51000.0' },
    stop_loss: { order_type: 'STOP_MARKET', algo_status: 'NEW' },
  });
  expect(set.take_profit?.pair_id).toBe(set.stop_loss?.pair_id);
  expect(set.take_profit?.parent_id).toBeUndefined();
  const replaced = await native.setProtection({ symbol, stop_loss: { trigger_price: '48000' } });
  expect(replaced.take_profit?.algo_id).toBe(set.take_profit?.algo_id);
  expect(replaced.stop_loss).toMatchObject({ trigger_price: '48000.0' });
  const removed = await native.setProtection({ symbol, take_profit: null, stop_loss: null });
  expect(removed).toEqual({ symbol, take_profit: null, stop_loss: null });
  expect(await native.listNativeTriggers()).toEqual([]);
});
