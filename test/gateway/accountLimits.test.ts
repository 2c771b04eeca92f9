// The limits of an account over all of its keys and its token (AUTH-7a), the limit of the engine's
// work for its commands (AUTH-7b), and what counts as one client (AUTH-7).

import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountById } from '../../src/engine/views/exchange.ts';
import { chargeWork, workPerWeight } from '../../src/gateway/accountCeilings.ts';
import { createAccessTokens } from '../../src/gateway/identity/accessToken.ts';
import { recordOf } from '../../src/gateway/rateLimits.ts';
import { must } from '../../src/std/assert.ts';
import { openWorld, type Reply, type Trader, type World } from './gatewayWorld.ts';

let world: World;
let trader: Trader;
const tokens = createAccessTokens('a secret of the tests, 32 bytes and more', 43113);

beforeEach(async () => {
  world = await openWorld({ gateway: { tokens } });
  trader = await world.newTrader();
});
afterEach(() => world.close());

const tooMany = { status: 429, body: { code: -1003, msg: 'Too many requests.' } };
const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.01',
  price: '50000',
};
/** The parameters of an order that is refused after the limits. */
const badOrder = { symbol: 'BTCUSDT' };

/** One more key of the trader's account. */
async function newKey(): Promise<Trader> {
  const apiKey = randomBytes(32).toString('hex');
  const secret = randomBytes(32).toString('hex');
  const profile = world.secretStore.createKeyRecord({ apiKey, secret, label: '', ipWhitelist: '' });
  const { account } = trader;
  await world.command({ kind: 'createApiKey', account, apiKey, profile });
  return { ...trader, apiKey, secret };
}

const heavy = (key: Trader) => world.call(key, 'GET', '/fapi/v1/openOrders');
const orderOf = (key: Trader, path = '/fapi/v1/order') => world.call(key, 'POST', path, badOrder);

test('AUTH-7 all addresses of an IPv6 /64 are one client', async () => {
  const ask = (address: string) =>
    world.send('GET', '/fapi/v1/exchangeInfo', { headers: { 'x-forwarded-for': address } });
  for (let i = 0; i < 600; i += 1) await ask(`2001:db8:1:2::${(i + 1).toString(16)}`);
  expect(await ask('2001:db8:1:2:3:4:5:6')).toMatchObject(tooMany);
  expect(await ask('2001:0DB8:1:2::7')).toMatchObject(tooMany);
  expect((await ask('2001:db8:1:3::1')).status).toBe(200);
  // On the native surface, and before authentication.
  const native = (address: string) =>
    world.send('GET', '/api/v1/markets', { headers: { 'x-forwarded-for': address } });
  const now = world.clock.now();
  const use = recordOf(world.gateway.limits.addresses, '2001:db8:1:4::/64', now);
  await native('2001:db8:1:4::1');
  await native('2001:db8:1:4::2');
  expect(use.native.used).toBe(2);
});

test('AUTH-7a four keys have their full weight, and a fifth key and the token have none', async () => {
  const keys = [trader];
  for (let i = 0; i < 4; i += 1) keys.push(await newKey());
  for (const key of keys.slice(0, 4)) {
    for (let i = 0; i < 30; i += 1) expect((await heavy(key)).status).toBe(200);
  }
  const fifth = must(keys[4], 'five keys');
  expect(await heavy(fifth)).toMatchObject(tooMany);
  const { address, account } = trader;
  const { token } = await tokens.issue({ address, account }, world.clock.now());
  const headers = { authorization: `Bearer ${token}` };
  expect((await world.send('GET', '/api/v1/orders', { headers })).status).toBe(429);
  // The best tier among the keys counts.
  await world.command({ kind: 'setRateTier', apiKey: fifth.apiKey, rateTier: 'house' });
  expect((await heavy(fifth)).status).toBe(200);
  expect((await world.send('GET', '/api/v1/orders', { headers })).status).toBe(200);
  // Another account has its own limits.
  expect((await heavy(await world.newTrader())).status).toBe(200);
});

test('AUTH-7a all keys together may place four times the orders of one key', async () => {
  const keys = [trader];
  for (let i = 0; i < 4; i += 1) keys.push(await newKey());
  for (const key of keys.slice(0, 4)) {
    for (let i = 0; i < 50; i += 1) expect((await orderOf(key)).status).toBe(400);
  }
  const fifth = must(keys[4], 'five keys');
  expect(await orderOf(fifth)).toMatchObject(tooMany);
  expect((await world.call(fifth, 'DELETE', '/fapi/v1/allOpenOrders', badOrder)).status).toBe(200);
  world.clock.advance(10_000);
  expect((await orderOf(fifth)).status).toBe(400);
});

test('CON-6 AUTH-7b refusals of one account come at one pace over all of its keys and connections', async () => {
  const keys = [trader];
  for (let i = 0; i < 9; i += 1) keys.push(await newKey());
  const account = must(accountById(world.replica.exchange, trader.account), 'the account');
  chargeWork(world.gateway.limits, account, 10_000_000, world.clock.now());
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  const startedAt = performance.now();
  const refused = keys.map(async ({ apiKey }) => {
    const request = `POST /fapi/v1/order HTTP/1.1\r\nHost: x\r\nX-MBX-APIKEY: ${apiKey}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1');
    socket.write(request.repeat(10));
    let heard = '';
    for await (const bytes of socket) {
      heard += bytes;
      if (heard.split('HTTP/1.1 429').length > 10) return socket.destroy();
    }
    throw new Error(`ended early: ${heard}`);
  });
  await Promise.all(refused);
  // The first of each connection, and then one in 5 ms; a timer may be early by a millisecond.
  expect(performance.now() - startedAt).toBeGreaterThan(89 * 4);
});

test('AUTH-7 an order that is only tested counts as an order', async () => {
  const tested = '/fapi/v1/order/test';
  for (let i = 0; i < 50; i += 1) expect((await orderOf(trader, tested)).status).toBe(400);
  expect(await orderOf(trader, tested)).toMatchObject(tooMany);
  expect(await orderOf(trader)).toMatchObject(tooMany);
});

test('AUTH-7b the engine cost of commands is charged, for orders and tested orders alike', async () => {
  const { work } = recordOf(world.gateway.limits.accounts, trader.account, world.clock.now());
  expect((await world.call(trader, 'POST', '/fapi/v1/order', order)).status).toBe(200);
  const placed = work.used;
  expect(placed).toBeGreaterThan(0);
  expect((await world.call(trader, 'POST', '/fapi/v1/order/test', order)).status).toBe(200);
  const tested = work.used;
  expect(tested).toBeGreaterThan(placed);
  expect((await world.call(trader, 'POST', '/fapi/v1/order', badOrder)).status).toBe(400);
  expect(work.used).toBe(tested);
});

test('AUTH-7b an account whose work is used up cannot place orders but can read and cancel', async () => {
  const resting = await world.call(trader, 'POST', '/fapi/v1/order', order);
  const { limits } = world.gateway;
  const account = must(accountById(world.replica.exchange, trader.account), 'the account');
  const workMax = 4 * limits.ceilings.tiers.standard.weight * workPerWeight;
  chargeWork(limits, account, workMax, world.clock.now());
  const second = await newKey();
  for (const key of [trader, second]) {
    expect(await world.call(key, 'POST', '/fapi/v1/order', order)).toMatchObject(tooMany);
    expect(await world.call(key, 'POST', '/fapi/v1/order/test', order)).toMatchObject(tooMany);
  }
  const { orderId } = resting.body;
  const one = { symbol: 'BTCUSDT', orderId };
  expect((await world.call(trader, 'GET', '/fapi/v1/order', one)).status).toBe(200);
  expect((await world.call(trader, 'DELETE', '/fapi/v1/order', one)).status).toBe(200);
  world.clock.advance(60_000);
  await world.price(600_000);
  expect((await world.call(trader, 'POST', '/fapi/v1/order', order)).status).toBe(200);
});

test('AUTH-7b TRG-8 each try of a stop that fills nothing is charged, and the stop shows why', async () => {
  const maker = await world.newTrader();
  const small = await world.newTrader(300);
  const place = (of: Trader, terms: object): Promise<Reply> =>
    world.call(of, 'POST', '/fapi/v1/order', { ...order, quantity: '0.2', ...terms });
  await world.call(small, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 50 });
  await place(maker, { side: 'SELL', price: '60000' });
  expect((await place(small, { price: '60000' })).body).toMatchObject({ status: 'FILLED' });
  // The sale would lose 480 of 234.
  await place(maker, { price: '57300' });
  const placed = await world.call(small, 'POST', '/fapi/v1/algoOrder', {
    algoType: 'CONDITIONAL',
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: '0.2',
    triggerPrice: '59800',
    reduceOnly: true,
  });
  const { work } = recordOf(world.gateway.limits.accounts, small.account, world.clock.now());
  const before = work.used;
  await world.price(597_000);
  const tried = work.used;
  expect(tried - before).toBeGreaterThanOrEqual(4);
  const { algoId } = placed.body;
  const { body } = await world.call(small, 'GET', '/fapi/v1/algoOrder', { algoId });
  expect(body).toMatchObject({
    algoStatus: 'NEW',
    updateTime: world.clock.now(),
    triggerTime: 0,
    failure: { code: -2019, msg: 'Margin is insufficient.' },
  });
  // At most once a second.
  await world.price(597_000);
  expect(work.used).toBe(tried);
  world.clock.advance(1000);
  await world.price(597_000);
  expect(work.used).toBe(tried + tried - before);
});

test('AUTH-10 a key at its limit is refused before anything after the head is read', async () => {
  for (let i = 0; i < 30; i += 1) await heavy(trader);
  const headers = { 'x-mbx-apikey': trader.apiKey };
  const unread = { query: 'a&'.repeat(4000), body: '{'.repeat(12_000), headers };
  expect(await world.send('POST', '/fapi/v1/order', unread)).toMatchObject(tooMany);
});

test('AUTH-10 every full 4 KiB of a request adds one to its weight', async () => {
  const used = async (query: string) =>
    (await world.send('GET', '/fapi/v1/ping', { query })).headers['x-mbx-used-weight-1m'];
  expect(await used('x'.repeat(4000))).toBe('1');
  expect(await used('x'.repeat(4096))).toBe('3');
  expect(await used('x'.repeat(8192))).toBe('6');
});
