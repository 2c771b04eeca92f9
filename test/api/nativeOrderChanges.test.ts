// What a login may do with several orders or with an order that rests (NAT-1, ORD-5, ORD-8,
// ORD-13), and the account as its orders are judged (NAT-6).

import { expect, test } from 'vitest';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const resting = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.5',
  price: '49000',
} as const;

const price = () => operator().setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });

const refused = (answer: Promise<unknown>, status: number, code: string) =>
  expect(answer, code).rejects.toMatchObject({ status, code });

test('NAT-1 ORD-5 PUT changes a resting order, and a refused change leaves it as it was', async () => {
  const { native } = alice;
  const { order_id: id } = await native.placeNativeOrder({ ...resting, client_order_id: 'mine' });
  const changed = await native.modifyNativeOrder({ id, quantity: '0.4', price: '49500' });
  expect(changed).toMatchObject({
    order_id: id,
    orig_qty: '0.400',
    price: '49500.0',
    status: 'NEW',
  });
  expect(
    await native.modifyNativeOrder({ id: 'mine', side: 'BUY', quantity: '0.3', price: '49400' }),
  ).toMatchObject({ orig_qty: '0.300', price: '49400.0' });
  const before = await native.getNativeOrder({ id });
  const hash = world.stateHash();
  const cases = [
    [{ quantity: '0', price: '49000' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '0.1', price: '49000.05' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '0.1', price: '90000' }, 422, 'PRICE_OUT_OF_BAND'],
    [{ quantity: '0.1', price: '49000', side: 'SELL' }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '19.9', price: '49000' }, 422, 'INSUFFICIENT_BALANCE'],
  ] as const;
  await operator().correctCredit({
    address: alice.address,
    credit: 'start of 1',
    amount: '5000',
    reference: 'less',
  });
  const poor = world.stateHash();
  for (const [change, status, code] of cases) {
    await refused(native.modifyNativeOrder({ id, ...change }), status, code);
  }
  expect(world.stateHash()).toBe(poor);
  expect(poor).not.toBe(hash);
  expect(await native.getNativeOrder({ id })).toEqual(before);
  const change = { quantity: '0.1', price: '49000' };
  await refused(bob.native.modifyNativeOrder({ id, ...change }), 403, 'ORDER_NOT_OWNED');
  await refused(bob.native.modifyNativeOrder({ id: 'mine', ...change }), 404, 'ORDER_NOT_FOUND');
  await native.cancelNativeOrder({ id });
  await refused(native.modifyNativeOrder({ id, ...change }), 409, 'ORDER_NOT_CANCELLABLE');
});

test('NAT-1 DELETE orders ends those of one symbol or of all, and refuses an empty symbol', async () => {
  const { native } = alice;
  await operator().setIndexPrice({ symbol: 'ETHUSDT', price: '3000' });
  const eth = { ...resting, symbol: 'ETHUSDT', price: '2900' } as const;
  for (const order of [resting, resting, eth]) await native.placeNativeOrder(order);
  await bob.native.placeNativeOrder(resting);
  expect(await native.cancelAllNativeOrders({ symbol: 'ETHUSDT' })).toEqual({ cancelled: 1 });
  await native.placeNativeOrder(eth);
  await refused(native.cancelAllNativeOrders({ symbol: '' }), 400, 'INVALID_PARAMETER');
  await refused(native.cancelAllNativeOrders({ symbol: 'XYZUSDT' }), 400, 'INVALID_SYMBOL');
  expect(await native.listNativeOrders()).toHaveLength(3);
  expect(await native.cancelAllNativeOrders()).toEqual({ cancelled: 3 });
  expect(await native.listNativeOrders()).toEqual([]);
  expect(await native.cancelAllNativeOrders()).toEqual({ cancelled: 0 });
  expect(await bob.native.listNativeOrders()).toHaveLength(1);
});

test('NAT-1 ORD-8 batches place, change and cancel, each item with its own outcome in its place', async () => {
  const { native } = alice;
  const foreign = await bob.native.placeNativeOrder({ ...resting, client_order_id: 'foreign' });
  const placed = await native.placeNativeBatch({
    orders: [
      { ...resting, client_order_id: 'one' },
      { ...resting, quantity: '0.0001' },
      { ...resting, type: 'STOP' },
      'no order',
      { ...resting, price: '48000', client_order_id: 'two' },
    ],
  });
  expect(placed).toMatchObject([
    { client_order_id: 'one', status: 'NEW' },
    { code: 'INVALID_AMOUNT', message: 'The quantity is below one lot.' },
    { code: 'INVALID_PARAMETER', message: expect.stringContaining('/api/v1/triggers') },
    { code: 'INVALID_PARAMETER' },
    { client_order_id: 'two', status: 'NEW', price: '48000.0' },
  ]);
  const changed = await native.modifyNativeBatch({
    orders: [
      { id: 'two', quantity: '0.4', price: '47000' },
      { id: foreign.order_id, quantity: '0.4', price: '47000' },
      { id: 'nobody', quantity: '0.4', price: '47000' },
      { id: 'one', quantity: '0.4' },
    ],
  });
  expect(changed).toMatchObject([
    { client_order_id: 'two', price: '47000.0', orig_qty: '0.400' },
    { code: 'ORDER_NOT_OWNED' },
    { code: 'ORDER_NOT_FOUND' },
    { code: 'INVALID_PARAMETER', message: expect.stringContaining("'price'") },
  ]);
  const nothing = { orders: [{ id: 'nobody', quantity: '0.4', price: '47000' }] };
  expect(await native.modifyNativeBatch(nothing)).toMatchObject([{ code: 'ORDER_NOT_FOUND' }]);
  const cancelled = await native.cancelNativeBatch({
    ids: ['one', foreign.order_id, 'one', 'a b', 'two'],
  });
  expect(cancelled).toMatchObject([
    { client_order_id: 'one', status: 'CANCELED' },
    { code: 'ORDER_NOT_OWNED' },
    { code: 'ORDER_NOT_CANCELLABLE' },
    { code: 'INVALID_PARAMETER' },
    { client_order_id: 'two', status: 'CANCELED' },
  ]);
  const hash = world.stateHash();
  const six = Array.from({ length: 6 }, () => resting);
  await refused(native.placeNativeBatch({ orders: six }), 400, 'INVALID_PARAMETER');
  await refused(native.placeNativeBatch({ orders: [] }), 400, 'INVALID_PARAMETER');
  const eleven = Array.from({ length: 11 }, () => 'one');
  await refused(native.cancelNativeBatch({ ids: eleven }), 400, 'INVALID_PARAMETER');
  expect(world.stateHash()).toBe(hash);
});

test('NAT-1 a name that cannot stand in a path is found by client_order_id', async () => {
  const { native } = alice;
  const { order_id: id } = await native.placeNativeOrder({ ...resting, client_order_id: '..' });
  const find = () => native.listNativeOrders({ client_order_id: '..' });
  expect(await find()).toMatchObject([{ order_id: id, status: 'NEW' }]);
  expect(await native.listNativeOrders({ client_order_id: '..', symbol: 'ETHUSDT' })).toEqual([]);
  await native.cancelNativeOrder({ id });
  expect(await find()).toMatchObject([{ order_id: id, status: 'CANCELED' }]);
  expect(await bob.native.listNativeOrders({ client_order_id: '..' })).toEqual([]);
  const slashed = await native.placeNativeOrder({ ...resting, client_order_id: 'a/b:c' });
  expect(await native.getNativeOrder({ id: 'a/b:c' })).toEqual(slashed);
});

test('NAT-1 ORD-13 a countdown cancels the orders of its symbol unless it is set again', async () => {
  const { native } = alice;
  const { order_id: id } = await native.placeNativeOrder(resting);
  const set = (countdown_time: number) =>
    native.setNativeCountdown({ symbol: 'BTCUSDT', countdown_time });
  expect(await set(2000)).toEqual({ symbol: 'BTCUSDT', countdown_time: '2000' });
  world.clock.advance(1500);
  await set(2000);
  world.clock.advance(1500);
  await price();
  expect(await native.getNativeOrder({ id })).toMatchObject({ status: 'NEW' });
  world.clock.advance(1000);
  await price();
  expect(await native.getNativeOrder({ id })).toMatchObject({ cancel_reason: 'COUNTDOWN' });
  for (const time of [-1, 86_400_001]) await refused(set(time), 400, 'INVALID_PARAMETER');
});

test('NAT-6 the account shows mode, leverage, fees and limits, and follows every change', async () => {
  const { native } = alice;
  const btc = async () => {
    const { markets } = await native.getNativeAccount();
    return markets.find(({ symbol }) => symbol === 'BTCUSDT');
  };
  expect(await native.getNativeAccount()).toMatchObject({
    address: alice.address.toLowerCase(),
    margin_mode: 'cross',
    flagged: false,
    fee_tier: 0,
    volume_14d: '0',
    limits: {
      open_orders_per_market: 200,
      waiting_triggers: 200,
      batch_orders: 5,
      batch_cancels: 10,
      requests_1m: 1200,
      orders_10s: 50,
    },
  });
  expect(await btc()).toEqual({
    symbol: 'BTCUSDT',
    leverage: 20,
    max_leverage_long: 50,
    max_leverage_short: 50,
    maker_commission_rate: '0.0002',
    taker_commission_rate: '0.0005',
  });
  await native.setNativeLeverage({ symbol: 'BTCUSDT', leverage: 7 });
  await native.setMarginMode({ mode: 'unified' });
  expect((await native.getNativeAccount()).margin_mode).toBe('unified');
  await operator().changeMarket({
    symbol: 'BTCUSDT',
    brackets: [
      { up_to_usd: '10000', rate: '0.01' },
      { up_to_usd: '20000000', rate: '0.05' },
    ],
  });
  await bob.native.setNativeLeverage({ symbol: 'BTCUSDT', leverage: 10 });
  await bob.native.placeNativeOrder({ ...resting, side: 'SELL', price: '50000' });
  await native.placeNativeOrder({ ...resting, price: '50000' });
  expect(await btc()).toMatchObject({ leverage: 7, max_leverage_long: 10, max_leverage_short: 10 });
  await refused(world.client().native.getNativeAccount(), 401, 'INVALID_TOKEN');
});
