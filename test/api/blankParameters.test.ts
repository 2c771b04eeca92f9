// Parameters that bound a request (AUTH-3a): without one the request reaches further, so it is left
// out or has a value, and is never null or empty.

import { expect, test } from 'vitest';
import type { Operation } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { readingOf } from '../../src/api/parameterSchema.ts';
import { alice, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const bounding = ({ parameters }: Operation): string[] =>
  Object.entries(parameters.properties).flatMap(([name, schema]) => {
    const refuses = readingOf(schema)?.refuses;
    return refuses === undefined ? [] : [`${name}: ${refuses}`];
  });

const ofOrder = ['time_in_force: blank', 'reduce_only: blank', 'self_trade_prevention_mode: blank'];

test('AUTH-3a these parameters bound a request, and no others', () => {
  const rows = operations.map((row) => [row.name, bounding(row)] as const);
  const found = Object.fromEntries(rows.filter(([, names]) => names.length > 0));
  expect(found).toEqual({
    createApiKey: ['ip_whitelist: null'],
    updateApiKey: ['ip_whitelist: null'],
    placeNativeOrder: [...ofOrder, 'max_slippage: blank'],
    previewNativeOrder: [...ofOrder, 'max_slippage: blank'],
    placeNativeTrigger: [
      'time_in_force: blank',
      'activate_price: blank',
      'reduce_only: blank',
      'close_position: blank',
      'self_trade_prevention_mode: blank',
    ],
    cancelAllNativeOrders: ['symbol: blank'],
    cancelAllNativeTriggers: ['symbol: blank'],
  });
});

const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.1' };
const trailing = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'TRAILING_STOP_MARKET',
  quantity: '0.1',
  callback_rate: '1',
};

type Sent = Readonly<Record<string, unknown>>;

/** Sends JSON, the types of the client aside. */
const place = (path: string, body: Sent) =>
  world.app.inject({
    method: 'POST',
    url: `/api/v1/${path}`,
    headers: { authorization: `Bearer ${alice.token}` },
    payload: body,
  });

const cases: readonly (readonly [path: string, body: Sent, name: string])[] = [
  ['orders', { ...market, reduce_only: null }, 'reduce_only'],
  ['orders', { ...market, max_slippage: '' }, 'max_slippage'],
  ['orders', { ...market, REDUCE_ONLY: null }, 'reduce_only'],
  ['orders/preview', { ...market, max_slippage: null }, 'max_slippage'],
  [
    'orders',
    { ...market, take_profit: { trigger_price: '60000', price: null } },
    'take_profit.price',
  ],
  ['orders', { ...market, stop_loss: { trigger_price: '40000', price: '' } }, 'stop_loss.price'],
  ['orders', { ...market, stop_loss: '' }, 'stop_loss'],
  ['triggers', { ...trailing, activate_price: null }, 'activate_price'],
  // An alias without a value is refused too.
  ['triggers', { ...trailing, activation_price: null }, 'activate_price'],
  ['triggers', { ...trailing, reduce_only: '' }, 'reduce_only'],
  ['positions/BTCUSDT/protection', { stop_loss: '' }, 'stop_loss'],
  ['api-keys', { ip_whitelist: null }, 'ip_whitelist'],
];

test.each(cases)(
  'AUTH-3a a blank value of a bounding parameter is refused and changes nothing: %s %j',
  async (path, body, name) => {
    await operator().setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
    const hash = world.stateHash();
    const { statusCode, payload } = await place(path, body);
    expect({ statusCode, error: JSON.parse(payload).error }).toMatchObject({
      statusCode: 400,
      error: { code: 'INVALID_PARAMETER', message: expect.stringContaining(`'${name}'`) },
    });
    expect(world.stateHash()).toBe(hash);
  },
);

test('AUTH-3a ORD-8 an item of a batch with a blank bound is refused alone', async () => {
  await operator().setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
  const limit = { ...market, type: 'LIMIT', price: '49000' };
  const { payload } = await place('batch-orders', {
    orders: [{ ...limit, reduce_only: null }, limit],
  });
  expect(JSON.parse(payload)).toMatchObject([{ code: 'INVALID_PARAMETER' }, { status: 'NEW' }]);
});

test('AUTH-3a elsewhere a blank value counts as not sent', async () => {
  await operator().setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
  const limit = { ...market, type: 'LIMIT', price: '49000' };
  const { statusCode } = await place('orders', {
    ...limit,
    client_order_id: '',
    take_profit: null,
  });
  expect(statusCode).toBe(200);
});
