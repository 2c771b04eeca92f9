// ORD-8: batches of orders, modifications and cancellations, in every encoding clients use.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openWorld,
  queryText,
  type Reply,
  signatureOf,
  type Trader,
  type World,
} from '../gateway/gatewayWorld.ts';

let world: World;
let trader: Trader;
beforeEach(async () => {
  world = await openWorld();
  trader = await world.newTrader();
});
afterEach(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

const path = '/fapi/v1/batchOrders';
const nowhere = '0199c82d-5c41-7000-8000-0000ffe00000';
const item = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
const malformed = (name: string) => ({
  status: 400,
  body: { code: -1102, msg: `Parameter '${name}' is missing or malformed.` },
});

/** A signed request whose query and body are exactly these. */
function raw(method: string, query: string, body = '', contentType?: string): Promise<Reply> {
  const text = `${query}${query === '' ? '' : '&'}timestamp=${world.clock.now()}`;
  return world.send(method, path, {
    query: `${text}&signature=${signatureOf(trader, text + body)}`,
    body,
    ...(contentType === undefined ? {} : { contentType }),
    headers: { 'x-mbx-apikey': trader.apiKey },
  });
}

async function placed(count: number): Promise<string[]> {
  const batchOrders = Array.from({ length: count }, (_, i) => ({
    ...item,
    newClientOrderId: `c${i}`,
  }));
  const reply = await world.call(trader, 'POST', path, { batchOrders });
  return reply.body.map(({ orderId }: { orderId: string }) => orderId);
}

describe('ORD-8 POST', () => {
  test('each item has its answer in its place, an order or code and msg', async () => {
    const reply = await world.call(trader, 'POST', path, {
      batchOrders: [
        { ...item, newClientOrderId: 'a' },
        { ...item, quantity: '0.0001' },
        { ...item, newClientOrderId: 'a' },
        'no object',
        { ...item, symbol: 'nope' },
      ],
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject([
      { status: 'NEW', clientOrderId: 'a' },
      { code: -1013, msg: 'Filter failure: LOT_SIZE' },
      { code: -2014, msg: 'Client order id is duplicated.' },
      { code: -1102 },
      { code: -1121, msg: 'Invalid symbol.' },
    ]);
    expect(Object.keys(reply.body[1])).toEqual(['code', 'msg']);
  });

  test('PRC-6 ORD-8 an item of a batch beyond the band is refused alone', async () => {
    const [present] = await placed(1);
    const far = { ...item, price: '1000000' };
    const text = /^Limit price can't be higher than \d+\.\d\.$/;
    const posted = await world.call(trader, 'POST', path, { batchOrders: [item, far] });
    expect(posted.body[0]).toMatchObject({ status: 'NEW' });
    expect(posted.body[1]).toEqual({ code: -4016, msg: expect.stringMatching(text) });
    const changed = await world.call(trader, 'PUT', path, {
      batchOrders: [{ ...far, orderId: present }],
    });
    expect(changed.body).toEqual([{ code: -4016, msg: expect.stringMatching(text) }]);
  });

  const list = JSON.stringify([item, { ...item, quantity: 0.02, price: 5e4 }]);
  test.each([
    ['JSON as the interface says', '', `{"batchOrders":${list}}`, 'application/json'],
    ['JSON with the list as a text', '', JSON.stringify({ batchOrders: list }), 'application/json'],
    ['a bare JSON array', '', list, 'application/json'],
    ['the query, encoded', queryText({ batchOrders: list }), '', undefined],
    ['the query, lower case', queryText({ batchorders: list }), '', 'application/json'],
    ['a form, encoded', '', queryText({ batchOrders: list }), 'application/x-www-form-urlencoded'],
    ['a form, raw', '', `batchOrders=${list}`, 'application/x-www-form-urlencoded'],
  ])('the list in %s', async (_name, query, body, type) => {
    const reply = await raw('POST', query, body, type);
    expect(reply.body, reply.text).toMatchObject([
      { status: 'NEW', origQty: '0.010' },
      { status: 'NEW', origQty: '0.020', price: '50000.0' },
    ]);
  });

  test('with only refused items there is no command, and the answer is still a list', async () => {
    const before = world.stateHash();
    const reply = await world.call(trader, 'POST', path, {
      batchOrders: [{}, { ...item, side: '' }],
    });
    expect(reply).toMatchObject({ status: 200, body: [{ code: -1102 }, { code: -1102 }] });
    expect(world.stateHash()).toBe(before);
  });

  test.each([
    ['nothing', {}],
    ['an empty list', { batchOrders: [] }],
    ['six items', { batchOrders: Array(6).fill(item) }],
    ['a broken list', { batchOrders: '[broken' }],
    ['a word', { batchOrders: 'order' }],
    ['an object', { batchOrders: item }],
    ['the text of an object', { batchOrders: '{}' }],
    ['null', { batchOrders: null }],
    ['an empty text', { batchOrders: '' }],
  ])('-1102 the whole request: %s', async (_name, parameters) => {
    expect(await world.call(trader, 'POST', path, parameters)).toMatchObject(
      malformed('batchOrders'),
    );
  });

  test('-1102 the parameter repeated, broken JSON', async () => {
    const twice = `${queryText({ batchOrders: list })}&${queryText({ batchOrders: list })}`;
    expect(await raw('POST', twice)).toMatchObject(malformed('batchOrders'));
    expect(await raw('POST', '', '[{]', 'application/json')).toMatchObject(malformed('body'));
  });
});

describe('ORD-8 PUT', () => {
  test('each item is independent and has the codes of PUT order', async () => {
    const [first, second] = await placed(2);
    const change = { symbol: 'BTCUSDT', side: 'BUY', quantity: '0.02', price: '51000' };
    const reply = await world.call(trader, 'PUT', path, {
      batchOrders: [
        { ...change, orderId: first },
        { ...change, origClientOrderId: 'c1', side: 'SELL' },
        { ...change, orderId: nowhere },
        { ...change, orderId: second, price: '0' },
        { ...change },
      ],
    });
    expect(reply.body, reply.text).toMatchObject([
      { orderId: first, origQty: '0.020', price: '51000.0' },
      { code: -1102 },
      { code: -2013 },
      { code: -1100 },
      { code: -1102 },
    ]);
    await world.call(trader, 'DELETE', '/fapi/v1/order', { symbol: 'BTCUSDT', orderId: first });
    const late = await world.call(trader, 'PUT', path, {
      batchOrders: [{ ...change, orderId: first }],
    });
    expect(late).toMatchObject({
      status: 200,
      body: [{ code: -2011, msg: 'Unknown order sent.' }],
    });
  });

  test('-1102 at most five', async () => {
    const batchOrders = Array(6).fill({});
    expect(await world.call(trader, 'PUT', path, { batchOrders })).toMatchObject(
      malformed('batchOrders'),
    );
  });
});

describe('ORD-8 DELETE', () => {
  test('orders and errors in their places', async () => {
    const [first] = await placed(2);
    const orderIdList = JSON.stringify([first, nowhere, 'x', first]);
    const reply = await world.call(trader, 'DELETE', path, { symbol: 'btc-usdt', orderIdList });
    expect(reply.body, reply.text).toMatchObject([
      { orderId: first, status: 'CANCELED' },
      { code: -2013, msg: 'Order does not exist.' },
      { code: -1100 },
      { code: -2011, msg: 'Unknown order sent.' },
    ]);
  });

  test.each([
    ['a JSON array', (ids: string[]) => queryText({ orderIdList: JSON.stringify(ids) })],
    ['brackets without quotes', (ids: string[]) => `orderidlist=%5B${ids.join('%2C')}%5D`],
    ['raw brackets', (ids: string[]) => `orderIdList=[${ids.join(',')}]`],
    ['the name repeated', (ids: string[]) => ids.map((id) => `orderIdList=${id}`).join('&')],
  ])('the list as %s', async (_name, query) => {
    const ids = await placed(3);
    const reply = await raw('DELETE', `symbol=BTCUSDT&${query(ids)}`);
    expect(reply.body, reply.text).toHaveLength(3);
    for (const order of reply.body) expect(order.status).toBe('CANCELED');
  });

  test('accepts client ids, a single one, and a form body', async () => {
    await placed(3);
    const one = await raw('DELETE', 'symbol=BTCUSDT&origClientOrderIdList=c0');
    expect(one.body).toMatchObject([{ clientOrderId: 'c0', status: 'CANCELED' }]);
    const body = 'symbol=BTCUSDT&origclientorderidlist=["c1","ü"]';
    const two = await raw('DELETE', '', body, 'application/x-www-form-urlencoded');
    expect(two.body).toMatchObject([{ clientOrderId: 'c1' }, { code: -1100 }]);
  });

  test('with both lists the order ids are used', async () => {
    const [first] = await placed(2);
    const reply = await world.call(trader, 'DELETE', path, {
      symbol: 'BTCUSDT',
      orderIdList: `["${first}"]`,
      origClientOrderIdList: '["c1"]',
    });
    expect(reply.body).toMatchObject([{ clientOrderId: 'c0' }]);
  });

  test('-1102 neither list, empty, more than ten', async () => {
    const symbol = 'BTCUSDT';
    expect(await raw('DELETE', `symbol=${symbol}`)).toMatchObject(malformed('orderIdList'));
    expect(await raw('DELETE', `symbol=${symbol}&orderIdList=[]`)).toMatchObject({
      body: { code: -1102 },
    });
    const eleven = JSON.stringify(Array(11).fill(nowhere));
    expect(await raw('DELETE', `symbol=${symbol}&orderIdList=${eleven}`)).toMatchObject(
      malformed('orderIdList'),
    );
    const ten = JSON.stringify(Array(10).fill(nowhere));
    expect((await raw('DELETE', `symbol=${symbol}&orderIdList=${ten}`)).body).toHaveLength(10);
  });
});
