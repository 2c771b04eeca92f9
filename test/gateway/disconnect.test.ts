// Cancel on disconnect over real sockets (COD-4, COD-7): the native channel and the trading socket,
// and every way in which their connections end.

import { createHmac } from 'node:crypto';
import { Errors } from 'typebox/schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { tradingError, tradingMethods } from '../../src/api/streams/tradingMethods.ts';
import { allApiKeys, sizesOf } from '../../src/engine/views/exchange.ts';
import { must } from '../../src/std/assert.ts';
import { openWorld, type Trader, type World } from './gatewayWorld.ts';
import { openSocketClient, type Said, type SocketClient } from './openSocketClient.ts';

let world: World;
let trader: Trader;
let port: number;
let ticking: NodeJS.Timeout;

async function listen(options: Parameters<typeof openWorld>[0] = {}): Promise<void> {
  world = await openWorld(options);
  port = await world.listen();
  ticking = setInterval(world.gateway.streams.tick, 5);
  trader = await world.newTrader();
}

beforeEach(() => listen());
afterEach(async () => {
  clearInterval(ticking);
  world.gateway.streams.close();
  expect(world.faults).toEqual([]);
  await world.close();
});

type Client = SocketClient & { readonly ask: (message: object) => Promise<Said> };

async function open(path: string): Promise<Client> {
  const client = await openSocketClient(port, path);
  const ask = (message: object): Promise<Said> => {
    client.say(message);
    return client.next();
  };
  return { ...client, ask };
}

function signed(params: object, { apiKey, secret }: Trader = trader): object {
  const all = { timestamp: world.clock.now(), ...params, apiKey };
  const text = Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return { ...all, signature: createHmac('sha256', secret).update(text).digest('hex') };
}

const method = 'session.cancelOnDisconnect';

/** A request of the session; its answer is as the document shows it. */
async function askSession(client: Client, params: object, name = method): Promise<Said> {
  const sent = { timestamp: world.clock.now(), ...params };
  const answer = await client.ask({ id: 1, method: name, params: sent });
  const documented = must(
    tradingMethods.find((each) => each.method === name),
    name,
  );
  const schema = 'error' in answer ? tradingError : documented.answer;
  expect(Errors(schema as never, answer)[1]).toEqual([]);
  return answer;
}

async function openTrading(as: Trader = trader): Promise<Client> {
  const client = await open('/ws-fapi/v1');
  const logon = await client.ask({ id: 0, method: 'session.logon', params: signed({}, as) });
  expect(logon).toMatchObject({ status: 200 });
  return client;
}

async function openArmedTrading(): Promise<Client> {
  const client = await openTrading();
  expect(await askSession(client, { enabled: true })).toMatchObject({
    status: 200,
    result: { enabled: true, symbols: null },
  });
  return client;
}

async function openArmedChannel(session = 0): Promise<Client> {
  const client = await open('/ws');
  const { account, address } = trader;
  const holder = { address, account, session: session as never };
  const { token } = await world.gateway.tokens.issue(holder, world.clock.now());
  expect(await client.ask({ type: 'auth', token })).toMatchObject({ type: 'authenticated' });
  const request = { type: 'cancel_on_disconnect', enabled: true };
  expect(await client.ask(request)).toEqual(request);
  return client;
}

const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.010',
  price: '59000.0',
};

async function placeOverHttp(newClientOrderId: string): Promise<void> {
  const placed = await world.call(trader, 'POST', '/fapi/v1/order', { ...order, newClientOrderId });
  expect(placed.status).toBe(200);
}

const stateOf = async (origClientOrderId: string): Promise<Said> =>
  (await world.call(trader, 'GET', '/fapi/v1/order', { symbol: 'BTCUSDT', origClientOrderId }))
    .body;

const armedNow = (): number => sizesOf(world.replica.exchange).armedConnections;
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const ways: readonly (readonly [string, (client: Client) => Promise<void> | void])[] = [
  ['its client closes', ({ socket }) => socket.close()],
  ['its client vanishes', ({ socket }) => socket.terminate()],
  ['it breaks the protocol', ({ socket }) => socket.send(Buffer.from('no text'))],
  ['it sends too much at once', ({ socket }) => socket.send('x'.repeat(40_000))],
  ['the exchange stops', () => world.gateway.streams.close()],
];

test.each(ways)('COD-4 the orders of a native channel end when %s', async (_, end) => {
  const client = await openArmedChannel();
  await placeOverHttp('mine');
  await end(client);
  await until(() => armedNow() === 0);
  expect(await stateOf('mine')).toMatchObject({ status: 'CANCELED', cancelReason: 'DISCONNECT' });
});

test.each(ways)('COD-4 the orders of a trading socket end when %s', async (_, end) => {
  const client = await openArmedTrading();
  await placeOverHttp('mine');
  await end(client);
  await until(() => armedNow() === 0);
  expect(await stateOf('mine')).toMatchObject({ status: 'CANCELED', cancelReason: 'DISCONNECT' });
});

test('COD-4 WS-5 a socket that gives way to another ends the orders', async () => {
  clearInterval(ticking);
  world.gateway.streams.close();
  await world.close();
  await listen({ gateway: { socketCeilings: { perAddress: 5, all: 2 } } });
  const client = await openArmedTrading();
  await openTrading();
  await placeOverHttp('mine');
  // All sockets are of one client: its oldest gives way to one of another.
  const other = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  });
  await client.closed;
  await until(() => armedNow() === 0);
  expect(await stateOf('mine')).toMatchObject({ cancelReason: 'DISCONNECT' });
  other.terminate();
});

test('COD-5 an order sent just before the socket breaks ends, too', async () => {
  const client = await openArmedTrading();
  for (let i = 0; i < 5; i += 1) {
    const params = { ...order, newClientOrderId: `last${i}`, timestamp: world.clock.now() };
    client.say({ id: i, method: 'order.place', params });
  }
  client.socket.close();
  await client.closed;
  await until(() => armedNow() === 0);
  expect(sizesOf(world.replica.exchange).orders).toBe(0);
  for (let i = 0; i < 5; i += 1) {
    expect(await stateOf(`last${i}`)).toMatchObject({ cancelReason: 'DISCONNECT' });
  }
});

test('COD-4 AUTH-8 a key that is disabled or deleted ends what it has armed, and the socket stays', async () => {
  const client = await openArmedTrading();
  await placeOverHttp('mine');
  await world.setKeyStatus(trader, 'disabled');
  await until(() => armedNow() === 0);
  await world.setKeyStatus(trader, 'active');
  expect(await stateOf('mine')).toMatchObject({ cancelReason: 'DISCONNECT' });
  expect(await askSession(client, { enabled: true })).toMatchObject({ status: 200 });
  await placeOverHttp('again');
  const key = must(
    [...allApiKeys(world.replica.exchange)].find(({ apiKey }) => apiKey === trader.apiKey),
    'the key of the trader',
  );
  const { account, id, createdAt } = key;
  await world.command({ kind: 'deleteApiKey', account, id, createdAt });
  await until(() => armedNow() === 0);
  expect(sizesOf(world.replica.exchange).orders).toBe(0);
});

test('COD-4 session.logout ends the orders, and so does the session of another account', async () => {
  const client = await openArmedTrading();
  await placeOverHttp('mine');
  await askSession(client, {}, 'session.logout');
  await until(() => armedNow() === 0);
  expect(await stateOf('mine')).toMatchObject({ cancelReason: 'DISCONNECT' });

  const second = await openArmedTrading();
  await placeOverHttp('second');
  // The same account again: nothing changes.
  await second.ask({ id: 2, method: 'session.logon', params: signed({}) });
  expect(await stateOf('second')).toMatchObject({ status: 'NEW' });
  const other = await world.newTrader();
  await second.ask({ id: 2, method: 'session.logon', params: signed({}, other) });
  await until(() => armedNow() === 0);
  expect(await stateOf('second')).toMatchObject({ cancelReason: 'DISCONNECT' });
});

test('COD-7 the trading socket is armed for symbols, chosen anew, and disarmed', async () => {
  const client = await openTrading();
  const symbols = '["ETHUSDT","btc-usdt"]';
  expect(await askSession(client, { enabled: true, symbols })).toMatchObject({
    result: { enabled: true, symbols: ['BTCUSDT', 'ETHUSDT'] },
    rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', count: 6 }],
  });
  expect(await askSession(client, { enabled: 'true', symbols: 'ETHUSDT' })).toMatchObject({
    result: { enabled: true, symbols: ['ETHUSDT'] },
  });
  await placeOverHttp('mine');
  expect(await askSession(client, { enabled: false })).toMatchObject({
    result: { enabled: false, symbols: null },
  });
  client.socket.close();
  await client.closed;
  expect(await stateOf('mine')).toMatchObject({ status: 'NEW' });
});

const malformed: readonly (readonly [object, number, number])[] = [
  [{}, 400, -1102],
  [{ enabled: 'yes' }, 400, -1102],
  [{ enabled: 1 }, 400, -1102],
  [{ enabled: true, symbols: '[]' }, 400, -1102],
  [{ enabled: true, symbols: '' }, 400, -1102],
  [{ enabled: true, symbols: null }, 400, -1102],
  [{ enabled: false, symbols: null }, 400, -1102],
  [{ enabled: true, symbols: null, SYMBOLS: '["BTCUSDT"]' }, 400, -1102],
  [{ enabled: true, symbol: null }, 400, -1102],
  [{ enabled: true, symbols: '{"a":1}' }, 400, -1121],
  [{ enabled: true, symbols: ['BTCUSDT'] }, 400, -1102],
  [{ enabled: true, symbols: '["BTCUSDT",7]' }, 400, -1121],
  [{ enabled: true, symbols: `[${Array(33).fill('"BTCUSDT"').join(',')}]` }, 400, -1102],
  [{ enabled: false, symbols: '["BTCUSDT"]' }, 400, -1102],
  [{ enabled: true, symbols: '["NOPEUSDT"]' }, 400, -1121],
  [{ enabled: true, symbol: 'BTCUSDT' }, 400, -1102],
  [{ enabled: true, timestamp: 1 }, 400, -1021],
  [{ enabled: true, apiKey: 'x', signature: 'y' }, 401, -1022],
];

test.each(malformed)(
  'COD-7 a malformed request arms nothing, case %#',
  async (params, status, code) => {
    const client = await openTrading();
    expect(await askSession(client, params)).toMatchObject({ status, error: { code } });
    expect(armedNow()).toBe(0);
  },
);

test('COD-7 without a logon nothing is armed, also with a good signature', async () => {
  const client = await open('/ws-fapi/v1');
  const answer = await askSession(client, signed({ enabled: true }));
  expect(answer.error.code).toBe(-2015);
  expect(armedNow()).toBe(0);
});

test('COD-7 no answer leaves before the arming is durable', async () => {
  const client = await openTrading();
  const heard: Said[] = [];
  client.socket.on('message', (data) => heard.push(JSON.parse(String(data)).id));
  world.log.hold();
  const params = { enabled: true, timestamp: world.clock.now() };
  const answer = client.ask({ id: 5, method, params });
  await until(() => armedNow() === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heard).toEqual([]);
  world.log.release();
  expect(await answer).toMatchObject({ id: 5, status: 200 });
});
