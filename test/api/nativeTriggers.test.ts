// Triggers by login (NAT-5): placed, shown, changed and cancelled under native names.

import { expect, test } from 'vitest';
import { batchesInFlightMax } from '../../src/log/log.ts';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const stop = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'STOP_MARKET',
  quantity: '0.1',
  trigger_price: '51000',
} as const;

const price = (value: string) => operator().setIndexPrice({ symbol: 'BTCUSDT', price: value });

/** Until the requests that were sent have become commands. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

const refused = (answer: Promise<unknown>, status: number, code: string, what = code) =>
  expect(answer, what).rejects.toMatchObject({ status, code });

test('NAT-5 a trigger is the algo order in snake_case, on every route that shows it', async () => {
  const placed = await alice.native.placeNativeTrigger({ ...stop, client_algo_id: 'guard:1' });
  expect(placed).toMatchObject({
    algo_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_algo_id: 'guard:1',
    algo_type: 'CONDITIONAL',
    order_type: 'STOP_MARKET',
    symbol: 'BTCUSDT',
    side: 'BUY',
    time_in_force: 'GTC',
    quantity: '0.100',
    algo_status: 'NEW',
    trigger_price: '51000.0',
    price: '0',
    close_position: false,
    reduce_only: false,
    activate_price: '',
    callback_rate: '',
    create_time: world.clock.now(),
    trigger_time: 0,
    good_till_date: 0,
    actual_order_id: '',
  });
  const { algo_id: id } = placed;
  expect(await alice.native.getNativeTrigger({ id })).toEqual(placed);
  expect(await alice.native.getNativeTrigger({ id: 'guard:1' })).toEqual(placed);
  expect(await alice.native.listNativeTriggers()).toEqual([placed]);
  const fapi = await alice.fapi.getAlgoOrder({ algoId: id });
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(placed).toEqual(
    Object.fromEntries(Object.entries(fapi).map(([name, value]) => [snake(name), value])),
  );
  await bob.native.placeNativeOrder({ ...stop, type: 'LIMIT', side: 'SELL', price: '51000' });
  await price('51000');
  expect(await alice.native.getNativeTrigger({ id })).toMatchObject({
    algo_status: 'FINISHED',
    actual_type: 'MARKET',
    actual_qty: '0.100',
    actual_price: '51000',
    actual_order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('NAT-5 each type with its terms, and what a type does not take is refused', async () => {
  const { native } = alice;
  const sell = { ...stop, side: 'SELL', trigger_price: '49000' } as const;
  expect(
    await native.placeNativeTrigger({
      ...sell,
      type: 'STOP',
      price: '48900',
      time_in_force: 'IOC',
    }),
  ).toMatchObject({ order_type: 'STOP', price: '48900.0', time_in_force: 'IOC' });
  const date = world.clock.now() + 3_600_999;
  expect(
    await native.placeNativeTrigger({
      ...sell,
      type: 'TAKE_PROFIT_MARKET',
      stop_price: '52000',
      trigger_price: null,
      time_in_force: 'GTD',
      good_till_date: date,
    } as never),
  ).toMatchObject({
    trigger_price: '52000.0',
    time_in_force: 'GTD',
    good_till_date: date - (date % 1000),
  });
  const trail = { symbol: 'BTCUSDT', side: 'SELL', quantity: '0.1', callback_rate: '1.5' } as const;
  expect(
    await native.placeNativeTrigger({
      ...trail,
      type: 'TRAILING_STOP_MARKET',
      activate_price: '52000',
    }),
  ).toMatchObject({ callback_rate: '1.5', activate_price: '52000.0', trigger_price: '0' });
  // A position, so that triggers may reduce it.
  await bob.native.placeNativeOrder({ ...stop, type: 'LIMIT', side: 'SELL', price: '50000' });
  await native.placeNativeOrder({ ...stop, type: 'MARKET' });
  const whole = { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_MARKET' } as const;
  expect(
    await native.placeNativeTrigger({ ...whole, trigger_price: '48000', close_position: true }),
  ).toMatchObject({ close_position: true, quantity: '0' });
  expect(await native.placeNativeTrigger({ ...sell, reduce_only: true })).toMatchObject({
    reduce_only: true,
  });
  const hash = world.stateHash();
  const cases = [
    [{ quantity: null }, 'INVALID_PARAMETER', "'quantity'"],
    [{ trigger_price: null }, 'INVALID_PARAMETER', "'trigger_price'"],
    [{ trigger_price: null, triggerPrice: '49000' }, 'INVALID_PARAMETER', "'trigger_price'"],
    [{ quantity: null, quan_tity: '0.1' }, 'INVALID_PARAMETER', "'quantity'"],
    [{ type: 'STOP' }, 'PRICE_REQUIRED', 'price'],
    [{ type: 'TRAILING_STOP_MARKET' }, 'INVALID_PARAMETER', "'callback_rate'"],
    [{ type: 'TRAILING_STOP_MARKET', callback_rate: '11' }, 'INVALID_PARAMETER', '10 percent'],
    [{ time_in_force: 'GTD' }, 'INVALID_PARAMETER', "'good_till_date'"],
    [{ time_in_force: 'GTD', good_till_date: 5 }, 'INVALID_PARAMETER', '600 seconds'],
    [{ close_position: true }, 'INVALID_PARAMETER', "'quantity'"],
    [{ type: 'LIMIT' }, 'INVALID_PARAMETER', "'type'"],
    [{ trigger_price: '50000' }, 'INVALID_PARAMETER', 'immediately'],
    [{ trigger_price: '51000.05' }, 'INVALID_AMOUNT', 'ticks'],
    [{ quantity: '0.0001' }, 'INVALID_AMOUNT', 'lot'],
    [{ client_algo_id: 'a b' }, 'INVALID_PARAMETER', "'client_algo_id'"],
    [{ side: 'BUY', reduce_only: true }, 'REDUCE_ONLY_REJECTED', ''],
    [{ symbol: 'XYZUSDT' }, 'INVALID_SYMBOL', ''],
  ] as const;
  for (const [change, code, message] of cases) {
    const answer = native.placeNativeTrigger({ ...stop, ...change } as typeof stop);
    await expect(answer, JSON.stringify(change)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  }
  expect(world.stateHash()).toBe(hash);
});

test('NAT-5 POST orders places no triggers and names the route that does', async () => {
  for (const type of ['STOP', 'STOP_MARKET', 'TRAILING_STOP_MARKET', 'limit']) {
    const answer = alice.native.placeNativeOrder({ ...stop, type: type as 'LIMIT' });
    await expect(answer).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('POST /api/v1/triggers'),
    });
  }
});

test('NAT-5 TRG-9 PUT changes what is sent, and a refused change leaves the trigger as it was', async () => {
  const { native } = alice;
  const limited = { ...stop, type: 'STOP', price: '51100' } as const;
  const { algo_id: id } = await native.placeNativeTrigger({ ...limited, client_algo_id: 'mine' });
  world.clock.advance(1000);
  const changed = await native.modifyNativeTrigger({ id, trigger_price: '52000' });
  expect(changed).toMatchObject({
    algo_id: id,
    client_algo_id: 'mine',
    trigger_price: '52000.0',
    price: '51100.0',
    quantity: '0.100',
    algo_status: 'NEW',
    update_time: world.clock.now(),
  });
  const all = { id: 'mine', stop_price: '53000', price: '53100', quantity: '0.2' } as never;
  expect(await native.modifyNativeTrigger(all)).toMatchObject({
    trigger_price: '53000.0',
    price: '53100.0',
    quantity: '0.200',
  });
  const before = await native.getNativeTrigger({ id });
  const hash = world.stateHash();
  await refused(native.modifyNativeTrigger({ id }), 400, 'INVALID_PARAMETER');
  const cases = [
    [{ trigger_price: '50000' }, 400, 'INVALID_PARAMETER'],
    [{ trigger_price: '51000.05' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '0' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: '1000' }, 400, 'INVALID_AMOUNT'],
    [{ quantity: 'x' }, 400, 'INVALID_PARAMETER'],
    [{ callback_rate: '1' }, 400, 'INVALID_PARAMETER'],
  ] as const;
  for (const [change, status, code] of cases) {
    const answer = native.modifyNativeTrigger({ id, ...change });
    await refused(answer, status, code, JSON.stringify(change));
  }
  expect(world.stateHash()).toBe(hash);
  expect(await native.getNativeTrigger({ id })).toEqual(before);
  await price('52000');
  await price('53000');
  await refused(native.modifyNativeTrigger({ id, price: '1' }), 409, 'ORDER_NOT_CANCELLABLE');
  const unknown = native.modifyNativeTrigger({ id: 'nobody', price: '1' });
  await refused(unknown, 404, 'ORDER_NOT_FOUND');
});

test('NAT-5 TRG-9 a change is of the trigger that had the name when it was asked, at any pace', async () => {
  const { native } = alice;
  const name = 'mine';
  const trail = { ...stop, type: 'TRAILING_STOP_MARKET', trigger_price: null, callback_rate: '1' };
  await native.placeNativeTrigger({ ...stop, client_algo_id: name });
  // While the disk is busy with as many batches as it may have, what comes gathers for the next.
  world.log.hold();
  const before: Promise<unknown>[] = [];
  for (let i = 0; i < batchesInFlightMax; i += 1) {
    before.push(native.setNativeLeverage({ symbol: 'BTCUSDT', leverage: 20 }));
    await turns();
  }
  const asked = [
    native.cancelNativeTrigger({ id: name }),
    native.placeNativeTrigger({ ...trail, client_algo_id: name } as never),
    native.modifyNativeTrigger({ id: name, trigger_price: '52000' }),
  ];
  await turns();
  expect(world.replica.waiting()).toBe(asked.length);
  world.log.release();
  await Promise.all(before);
  const [ended, placed, changed] = await Promise.allSettled(asked);
  expect(ended).toMatchObject({ value: { algo_status: 'CANCELED' } });
  expect(placed).toMatchObject({ value: { algo_status: 'NEW', client_algo_id: name } });
  expect(changed).toMatchObject({ reason: { status: 409, code: 'ORDER_NOT_CANCELLABLE' } });
  expect(await native.listNativeTriggers()).toMatchObject([{ order_type: trail.type }]);
});

test("NAT-5 a trigger of FAPI's order route is shown, changed and cancelled in the same way", async () => {
  const placed = await alice.fapi.placeOrder({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'STOP',
    quantity: '0.1',
    price: '51000',
    stopPrice: '51000',
  });
  const { orderId: id } = placed;
  expect(await alice.native.modifyNativeTrigger({ id, trigger_price: '52000' })).toMatchObject({
    algo_id: id,
    trigger_price: '52000.0',
  });
  expect(await alice.native.getNativeOrder({ id })).toMatchObject({ stop_price: '52000.0' });
  // As an order it is not one whose price can change.
  const amended = alice.native.modifyNativeOrder({ id, quantity: '0.1', price: '50000' });
  await refused(amended, 409, 'ORDER_NOT_CANCELLABLE');
  expect(await alice.native.cancelNativeTrigger({ id })).toMatchObject({ algo_status: 'CANCELED' });
  expect(await alice.native.getNativeOrder({ id })).toMatchObject({
    status: 'CANCELED',
    stop_price: '52000.0',
  });
});

test("NAT-5 another account's triggers can be neither seen nor changed nor cancelled", async () => {
  const { algo_id: id } = await alice.native.placeNativeTrigger({ ...stop, client_algo_id: 'own' });
  const hash = world.stateHash();
  const asks = [
    (name: string) => bob.native.getNativeTrigger({ id: name }),
    (name: string) => bob.native.modifyNativeTrigger({ id: name, quantity: '1' }),
    (name: string) => bob.native.cancelNativeTrigger({ id: name }),
  ];
  for (const ask of asks) {
    await refused(ask(id), 403, 'ORDER_NOT_OWNED');
    await refused(ask('own'), 404, 'ORDER_NOT_FOUND');
  }
  expect(await bob.native.listNativeTriggers()).toEqual([]);
  expect(await bob.native.cancelAllNativeTriggers({})).toEqual({ cancelled: 0 });
  expect(world.stateHash()).toBe(hash);
});

test('NAT-5 the list gives what waits, or what has ended in one way, of one symbol or of all', async () => {
  const { native } = alice;
  await operator().setIndexPrice({ symbol: 'ETHUSDT', price: '3000' });
  const on = { ...stop, quantity: '1' } as const;
  const btc = await native.placeNativeTrigger(stop);
  const eth = await native.placeNativeTrigger({ ...on, symbol: 'ETHUSDT', trigger_price: '3100' });
  const third = await native.placeNativeTrigger({ ...stop, trigger_price: '51500' });
  const ids = async (asked: Parameters<typeof native.listNativeTriggers>[0]) =>
    (await native.listNativeTriggers(asked)).map(({ algo_id: id }) => id);
  expect(await ids({})).toEqual([btc.algo_id, eth.algo_id, third.algo_id]);
  expect(await ids({ symbol: 'BTCUSDT' })).toEqual([btc.algo_id, third.algo_id]);
  await native.cancelNativeTrigger({ id: btc.algo_id });
  expect(await ids({ status: 'CANCELED' })).toEqual([btc.algo_id]);
  expect(await native.cancelAllNativeTriggers({ symbol: 'BTCUSDT' })).toEqual({ cancelled: 1 });
  expect(await ids({})).toEqual([eth.algo_id]);
  await alice.fapi.placeOrder({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'STOP_MARKET',
    quantity: '0.1',
    stopPrice: '51000',
  });
  expect(await native.cancelAllNativeTriggers({})).toEqual({ cancelled: 2 });
  expect(await ids({})).toEqual([]);
  expect(await ids({ status: 'CANCELED', symbol: 'ETHUSDT' })).toEqual([eth.algo_id]);
  expect(await ids({ status: 'CANCELED' })).toHaveLength(4);
  expect(await ids({ status: 'CANCELED', limit: 1 })).toHaveLength(1);
  expect(await ids({ status: 'FINISHED' })).toEqual([]);
});

test('NAT-5 ID-3 a repeated request with a known key gives the first trigger', async () => {
  const key = { idempotencyKey: 'trigger 1' };
  const first = await alice.native.placeNativeTrigger(stop, key);
  expect(await alice.native.placeNativeTrigger(stop, key)).toEqual(first);
  expect(await alice.native.listNativeTriggers()).toHaveLength(1);
  const other = alice.native.placeNativeTrigger({ ...stop, quantity: '0.2' }, key);
  await refused(other, 409, 'IDEMPOTENCY_CONFLICT');
});
