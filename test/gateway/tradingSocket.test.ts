// The WebSocket trading API (WS-6): requests over real sockets to a whole exchange in memory.
// Compared with HTTP: answers, refusals, buckets, idempotency, and that no answer leaves before it
// is durable.

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Errors } from 'typebox/schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { tradingError, tradingMethods } from '../../src/api/streams/tradingMethods.ts';
import { sizesOf } from '../../src/engine/views/exchange.ts';
import { gateMax, publicWeightMax, recordOf } from '../../src/gateway/rateLimits.ts';
import { createTradingHandler } from '../../src/gateway/sockets/tradingHandler.ts';
import { must } from '../../src/std/assert.ts';
import { createReader } from '../../src/streams/reader.ts';
import type { Speaker } from '../../src/streams/streams.ts';
import { openWorld, type Trader, type World } from './gatewayWorld.ts';

let world: World;
let trader: Trader;
let port: number;

async function listen(options: Parameters<typeof openWorld>[0] = {}): Promise<void> {
  world = await openWorld(options);
  port = await world.listen();
  trader = await world.newTrader();
}

beforeEach(() => listen());
afterEach(async () => {
  world.gateway.streams.close();
  expect(world.faults).toEqual([]);
  await world.close();
});

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of answers.
type Said = any;
type Params = Readonly<Record<string, unknown>>;

type Client = {
  readonly socket: WebSocket;
  readonly say: (text: string) => void;
  /** The next answer. */
  readonly next: () => Promise<Said>;
  readonly ask: (method: string, params?: Params, envelope?: Params) => Promise<Said>;
  /** Signed by the trader of the test, with the clock's timestamp. */
  readonly askSigned: (method: string, params?: Params, envelope?: Params) => Promise<Said>;
  readonly closed: Promise<number>;
};

async function open(path = '/ws-fapi/v1'): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const answers: Said[] = [];
  let wake = (): void => {};
  socket.on('message', (data) => {
    answers.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  const next = async (): Promise<Said> => {
    while (answers.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return answers.shift();
  };
  const ask: Client['ask'] = async (method, params, envelope = {}) => {
    socket.send(JSON.stringify({ id: 1, method, params, ...envelope }));
    const answer = await next();
    checkAnswer(method, answer);
    return answer;
  };
  return {
    socket,
    say: (text) => socket.send(text),
    next,
    ask,
    askSigned: (method, params = {}, envelope) => ask(method, signed(params), envelope),
    closed,
  };
}

/** Checks that an answer is as the document of the sockets shows it. */
function checkAnswer(method: string, answer: Said): void {
  const documented = tradingMethods.find((each) => each.method === method.replace(/^v1\//, ''));
  const schema = 'error' in answer ? tradingError : must(documented, method).answer;
  expect([method, ...Errors(schema as never, answer)[1]]).toEqual([method]);
}

type Signing = {
  readonly encode?: (value: string) => string;
  readonly digest?: 'hex' | 'base64';
  readonly as?: Trader;
};

function signed(params: Params, { encode = String, digest = 'hex', as }: Signing = {}): Params {
  const { apiKey, secret } = as ?? trader;
  const all: Params = { timestamp: world.clock.now(), ...params, apiKey };
  const text = Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encode(String(value))}`)
    .join('&');
  return { ...all, signature: createHmac('sha256', secret).update(text).digest(digest) };
}

const limitOrder = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.010',
  price: '59000.0',
} as const;

const openOrders = (): number => sizesOf(world.replica.exchange).orders;

test('WS-6 an order is placed, read, amended and cancelled, as over HTTP', async () => {
  const client = await open();
  const placed = await client.askSigned('order.place', {
    ...limitOrder,
    newClientOrderId: 'a:b/c',
  });
  expect(placed).toMatchObject({ id: 1, status: 200, result: { status: 'NEW', price: '59000.0' } });
  expect(placed.rateLimits).toEqual([
    { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 50, count: 1 },
    { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 200, count: 1 },
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 1200, count: 1 },
  ]);
  const { orderId } = placed.result;
  const one = { symbol: 'BTCUSDT', orderId };
  const read = await client.askSigned('order.status', one);
  const overHttp = await world.call(trader, 'GET', '/fapi/v1/order', one);
  expect(read.result).toEqual(overHttp.body);
  const change = { ...one, side: 'BUY', quantity: 0.02, price: 58999.5 };
  const modified = await client.askSigned('order.modify', {
    ...change,
    origType: 'LIMIT',
    positionSide: 'BOTH',
  });
  expect(modified.result).toMatchObject({ orderId, price: '58999.5', origQty: '0.020' });
  const cancelled = await client.askSigned('v1/order.cancel', {
    symbol: 'BTCUSDT',
    origClientOrderId: 'a:b/c',
  });
  expect(cancelled).toMatchObject({ status: 200, result: { orderId, status: 'CANCELED' } });
  expect(await client.askSigned('order.cancel', one)).toMatchObject({
    status: 400,
    error: { code: -2011 },
  });
});

test('WS-6 the socket gives the same answers as HTTP', async () => {
  const client = await open();
  await client.askSigned('order.place', limitOrder);
  const signedReads: readonly [string, string][] = [
    ['account.balance', '/fapi/v2/balance'],
    ['v2/account.balance', '/fapi/v2/balance'],
    ['account.status', '/fapi/v2/account'],
    ['v2/account.status', '/fapi/v3/account'],
    ['account.position', '/fapi/v2/positionRisk'],
    ['v2/account.position', '/fapi/v3/positionRisk'],
  ];
  for (const [method, path] of signedReads) {
    const { status, result } = await client.askSigned(method);
    expect([method, status]).toEqual([method, 200]);
    expect(result).toEqual((await world.call(trader, 'GET', path)).body);
  }
  const publicReads: readonly [string, string, Params][] = [
    ['depth', '/fapi/v1/depth', { symbol: 'BTCUSDT', limit: 5 }],
    ['ticker.price', '/fapi/v2/ticker/price', { symbol: 'btc-usd' }],
    ['time', '/fapi/v1/time', {}],
    ['ping', '/fapi/v1/ping', {}],
  ];
  for (const [method, path, params] of publicReads) {
    const query = new URLSearchParams(params as Record<string, string>).toString();
    const { body } = await world.send('GET', path, { query });
    expect((await client.ask(method, params)).result).toEqual(body);
  }
  const book = await world.send('GET', '/fapi/v1/ticker/bookTicker', { query: 'symbol=BTCUSDT' });
  const { result } = await client.ask('ticker.book', { symbol: 'BTCUSDT' });
  expect(result).toEqual({ ...book.body, lastUpdateId: result.lastUpdateId });
  expect(result.lastUpdateId).toBeGreaterThan(0);
});

test('WS-6 a trigger is placed and cancelled, a listen key opened, kept and closed', async () => {
  const client = await open();
  const placed = await client.askSigned('algoOrder.place', {
    algoType: 'CONDITIONAL',
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: '0.010',
    triggerPrice: '50000',
  });
  expect(placed).toMatchObject({ status: 200, result: { algoStatus: 'NEW' } });
  const { algoId } = placed.result;
  expect(await client.askSigned('algoOrder.cancel', { algoid: algoId })).toMatchObject({
    result: { algoId, code: '200', msg: 'success' },
  });
  const { apiKey } = trader;
  const { result } = await client.ask('userDataStream.start', { apiKey });
  expect(result).toEqual({ listenKey: expect.stringMatching(/^[A-Za-z0-9]{64}$/) });
  expect((await client.ask('userDataStream.ping', { apiKey })).result).toEqual(result);
  expect(await client.ask('userDataStream.stop', { apiKey })).toMatchObject({ result: {} });
  expect(await client.ask('userDataStream.ping', { apiKey })).toMatchObject({
    error: { code: -1125 },
  });
});

test('WS-6 an id is returned as it was sent', async () => {
  const client = await open();
  for (const id of [7, -1, 'a', '7', '0123456789abcdef0123456789abcdef', null]) {
    expect((await client.ask('ping', {}, { id })).id).toBe(id);
  }
  client.say('{"method":"ping"}');
  expect(await client.next()).toEqual({
    id: null,
    status: 200,
    result: {},
    rateLimits: [
      {
        ...{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1 },
        ...{ limit: publicWeightMax, count: 7 },
      },
    ],
  });
});

test('WS-6 signatures: percent-encoded or raw, hex or base64, numbers as they are written', async () => {
  const client = await open();
  const params = { ...limitOrder, newClientOrderId: 'x:y/z' };
  const encode = encodeURIComponent;
  for (const signing of [
    {},
    { encode },
    { digest: 'base64' },
    { digest: 'base64', encode },
  ] as const) {
    const answer = await client.ask('order.place', signed(params, signing));
    expect(answer).toMatchObject({ status: 200, result: { clientOrderId: 'x:y/z' } });
    await client.askSigned('order.cancel', { symbol: 'BTCUSDT', origClientOrderId: 'x:y/z' });
  }
  const { apiKey, secret } = trader;
  const numbers = '"price":59000.00,"quantity":0.0100';
  const head = `apiKey=${apiKey}&price=59000.00&quantity=0.0100&reduceOnly=false&side=BUY`;
  const text = `${head}&symbol=BTCUSDT&timeInForce=GTC&timestamp=${world.clock.now()}&type=LIMIT`;
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  client.say(
    `{"id":1,"method":"order.place","params":{"apiKey":"${apiKey}",${numbers},"reduceOnly":false,` +
      '"side":"BUY","symbol":"BTCUSDT","timeInForce":"GTC","type":"LIMIT","stopPrice":null,' +
      `"timestamp":${world.clock.now()},"signature":"${signature}"}}`,
  );
  expect(await client.next()).toMatchObject({ status: 200, result: { price: '59000.0' } });
});

test('WS-6 AUTH-2 a request with an invalid signature changes nothing', async () => {
  const client = await open();
  const good = signed(limitOrder);
  const stale = (by: number): Params =>
    signed({ ...limitOrder, timestamp: world.clock.now() + by });
  const { signature: _signature, ...unsigned } = good;
  const { apiKey: _apiKey, ...keyless } = good;
  const cases: readonly [string, Params, number, number][] = [
    ['another price', { ...good, price: '1.0' }, 401, -1022],
    ['a parameter more', { ...good, reduceOnly: true }, 401, -1022],
    ['no signature', unsigned, 401, -1022],
    ['an empty signature', { ...good, signature: '' }, 401, -1022],
    ['no key', keyless, 401, -2015],
    ['an unknown key', { ...good, apiKey: 'f'.repeat(64) }, 401, -2015],
    ['no timestamp', { ...good, timestamp: null }, 401, -1022],
    ['a minute ago', stale(-60_001), 400, -1021],
    ['in a minute', stale(60_001), 400, -1021],
    ['a value that reads as two', signed({ ...limitOrder, x: 'a&b=c' }), 401, -1022],
  ];
  for (const [name, params, status, code] of cases) {
    const answer = await client.ask('order.place', params);
    expect([name, answer.status, answer.error.code]).toEqual([name, status, code]);
    expect(Object.keys(answer.error)).toEqual(['code', 'msg']);
  }
  await world.setKeyStatus(trader, 'disabled');
  expect(await client.ask('order.place', good)).toMatchObject({
    status: 401,
    error: { code: -2015 },
  });
  expect(openOrders()).toBe(0);
});

test('WS-6 a session: after a logon requests need no key and no signature, but a timestamp', async () => {
  const client = await open();
  const unsigned = { ...limitOrder, timestamp: world.clock.now() };
  expect(await client.ask('order.place', unsigned)).toMatchObject({ error: { code: -2015 } });
  const status = await client.ask('session.status');
  expect(status.result).toEqual({
    apiKey: null,
    authorizedSince: null,
    connectedSince: world.clock.now(),
    returnRateLimits: true,
    serverTime: world.clock.now(),
  });
  const wrong = { ...signed({}), signature: 'a'.repeat(64) };
  expect(await client.ask('session.logon', wrong)).toMatchObject({ error: { code: -1022 } });
  const { apiKey } = trader;
  const logon = await client.ask('session.logon', signed({}, { digest: 'base64' }));
  expect(logon.result).toMatchObject({ apiKey, authorizedSince: world.clock.now() });
  expect(await client.ask('order.place', unsigned)).toMatchObject({ result: { status: 'NEW' } });
  expect(await client.ask('order.place', { ...unsigned, apiKey })).toMatchObject({ status: 200 });
  expect(await client.ask('order.place', limitOrder)).toMatchObject({ error: { code: -1022 } });
  const late = { ...limitOrder, timestamp: world.clock.now() - 60_001 };
  expect(await client.ask('order.place', late)).toMatchObject({ error: { code: -1021 } });
  // This session does not admit the key of another account, nor a wrong signature.
  const other = await world.newTrader();
  expect(await client.ask('order.place', { ...unsigned, apiKey: other.apiKey })).toMatchObject({
    error: { code: -1022 },
  });
  expect(await client.ask('order.place', { ...unsigned, signature: 'b' })).toMatchObject({
    error: { code: -2015 },
  });
  await world.setKeyStatus(trader, 'disabled');
  expect(await client.ask('order.place', unsigned)).toMatchObject({ error: { code: -2015 } });
  await world.setKeyStatus(trader, 'active');
  expect((await client.ask('session.logout')).result).toMatchObject({ apiKey: null });
  expect(await client.ask('order.place', unsigned)).toMatchObject({ error: { code: -2015 } });
  expect(openOrders()).toBe(2);
});

test('WS-6 rateLimits are omitted when the request or the address asks for it', async () => {
  const quiet = await open('/ws/ws-fapi/v1?returnRateLimits=false');
  expect(await quiet.ask('ping')).toEqual({ id: 1, status: 200, result: {} });
  expect(await quiet.ask('ping', { returnRateLimits: true })).toHaveProperty('rateLimits');
  const client = await open();
  const params = { ...limitOrder, returnRateLimits: false };
  expect(await client.askSigned('order.place', params)).not.toHaveProperty('rateLimits');
});

test.each<[string, string, number, unknown]>([
  ['no JSON', 'order.place', -1102, null],
  ['an array', '[]', -1102, null],
  ['a JSON that stops', '{"id":1,"method":"ping"', -1102, null],
  ['a member twice', '{"id":1,"id":2,"method":"ping"}', -1102, null],
  ['an id that is none', '{"id":{},"method":"ping"}', -1102, null],
  ['an id of 65 characters', `{"id":"${'a'.repeat(65)}","method":"ping"}`, -1102, null],
  ['an id that is no integer', '{"id":1.5,"method":"ping"}', -1102, null],
  ['no method', '{"id":1}', -1102, 1],
  ['a method that is no text', '{"id":1,"method":{}}', -1102, 1],
  ['an unknown method', '{"id":1,"method":"order.steal"}', -1102, 1],
  ['a method of every object', '{"id":1,"method":"__proto__"}', -1102, 1],
  ['parameters that are none', '{"id":1,"method":"ping","params":[1]}', -1102, 1],
  ['a parameter that is a list', '{"id":1,"method":"ping","params":{"a":[1]}}', -1102, 1],
  ['a name in two cases', '{"id":1,"method":"ping","params":{"a":1,"A":2}}', -1102, 1],
  ['a name in two cases, one null', '{"id":1,"method":"ping","params":{"a":null,"A":2}}', -1102, 1],
  [
    'a returnRateLimits that is no flag',
    '{"id":1,"method":"ping","params":{"returnRateLimits":0}}',
    -1102,
    1,
  ],
  ['a lone surrogate', '{"id":1,"method":"order.place","params":{"apiKey":"\\ud800"}}', -2015, 1],
  ['an idempotency key that is no text', '{"id":1,"method":"ping","idempotencyKey":1}', -1102, 1],
  ['deep nesting', `{"id":1,"params":${'['.repeat(5000)}`, -1102, null],
])('WS-6 bad input: %s', async (_name, text, code, id) => {
  const client = await open();
  const before = world.stateHash();
  client.say(text);
  const answer = await client.next();
  expect(answer).toMatchObject({ id, error: { code, msg: expect.any(String) } });
  expect(answer.status).toBe(code === -2015 ? 401 : 400);
  expect(await client.ask('ping')).toMatchObject({ status: 200 });
  expect(world.stateHash()).toBe(before);
});

test('WS-6 a missing parameter of a method is refused as over HTTP', async () => {
  const client = await open();
  const cases: readonly [Params, number][] = [
    [{ symbol: 'BTCUSDT' }, -1102],
    [{ ...limitOrder, side: 'HOLD' }, -1130],
    [{ ...limitOrder, symbol: 'NOPE' }, -1121],
    [{ ...limitOrder, price: '59000.01' }, -1013],
    [{ ...limitOrder, quantity: '100' }, -1013],
  ];
  for (const [params, code] of cases) {
    const overHttp = await world.call(trader, 'POST', '/fapi/v1/order', params);
    const { status, error } = await client.askSigned('order.place', params);
    expect({ status, body: error }).toEqual({ status: overHttp.status, body: overHttp.body });
    expect(typeof code).toBe('number');
  }
});

test('WS-6 AUTH-7 one bucket for HTTP and sockets: orders, weight', async () => {
  const client = await open();
  for (let i = 0; i < 25; i += 1) {
    expect((await client.askSigned('order.place', limitOrder)).status).toBe(200);
    expect((await world.call(trader, 'POST', '/fapi/v1/order', limitOrder)).status).toBe(200);
  }
  const before = openOrders();
  const refused = await client.askSigned('order.place', limitOrder);
  expect(refused).toMatchObject({ status: 429, error: { code: -1003 } });
  expect(refused.rateLimits).toMatchObject([{ count: 50 }, { count: 50 }, { count: 51 }]);
  expect((await world.call(trader, 'POST', '/fapi/v1/order', limitOrder)).status).toBe(429);
  expect(openOrders()).toBe(before);
  // A cancel is not an order and passes.
  expect((await client.askSigned('account.balance')).status).toBe(200);
});

test('WS-6 AUTH-10 a frame passes the gate before it is read, and a long one is not read', async () => {
  const client = await open();
  client.say(`{"id":7,"method":"ping","x":"${'x'.repeat(16 * 1024)}"}`);
  expect(await client.next()).toMatchObject({ id: null, status: 400, error: { code: -1102 } });
  const { addresses } = world.gateway.limits;
  const { gate } = recordOf(addresses, '127.0.0.1', world.clock.now());
  // One for the frame, four for its size.
  expect(gate.used).toBe(5);
  gate.used = gateMax;
  client.say('{"id":7,"method":"ping"}');
  expect(await client.next()).toMatchObject({ id: null, status: 429, error: { code: -1003 } });
  expect(await client.closed).toBe(1008);
});

test('WS-6 AUTH-7 public requests count for the address, malformed ones too', async () => {
  const client = await open();
  for (let used = 5; used <= publicWeightMax - 1; used += 5) {
    client.say('{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","limit":5}}');
  }
  for (let used = 5; used <= publicWeightMax - 1; used += 5) await client.next();
  for (let left = 0; left < 5; left += 1) {
    client.say('{');
    expect(await client.next()).toMatchObject({ status: 400 });
  }
  client.say('{');
  expect(await client.next()).toMatchObject({ status: 429, error: { code: -1003 } });
  expect(await client.ask('ping')).toMatchObject({ status: 429, error: { code: -1003 } });
  // Requests of an account do not count for the address.
  expect((await client.askSigned('order.place', limitOrder)).status).toBe(200);
});

test('WS-6 AUTH-7 beyond the gate of the address a request is refused and its socket is closed', async () => {
  const client = await open();
  for (let frames = 0; frames < gateMax; frames += 1000) {
    for (let i = 0; i < 1000; i += 1) client.say('{');
    for (let i = 0; i < 1000; i += 1) await client.next();
  }
  const before = openOrders();
  expect(await client.askSigned('order.place', limitOrder)).toMatchObject({
    status: 429,
    error: { code: -1003 },
  });
  expect(await client.closed).toBe(1008);
  expect(openOrders()).toBe(before);
});

test('WS-6 ID-3 an idempotency key holds over HTTP and sockets', async () => {
  const client = await open();
  const envelope = { idempotencyKey: 'once' };
  const first = await client.askSigned('order.place', limitOrder, envelope);
  const again = await client.askSigned('order.place', limitOrder, envelope);
  expect(again.result).toEqual(first.result);
  const header = { 'idempotency-key': 'once' };
  const overHttp = await world.call(trader, 'POST', '/fapi/v1/order', limitOrder, header);
  expect(overHttp.body).toEqual(first.result);
  expect(openOrders()).toBe(1);
  const other = await client.askSigned('order.place', { ...limitOrder, price: '58000' }, envelope);
  expect(other).toMatchObject({ status: 400, error: { code: -1102 } });
  const long = { idempotencyKey: 'k'.repeat(256) };
  expect(await client.askSigned('order.place', limitOrder, long)).toMatchObject({
    error: { code: -1102 },
  });
});

test('WS-6 no answer leaves before its batch is durable', async () => {
  const client = await open();
  const heard: Said[] = [];
  client.socket.on('message', (data) => heard.push(JSON.parse(String(data)).id));
  world.log.hold();
  client.say(JSON.stringify({ id: 5, method: 'order.place', params: signed(limitOrder) }));
  const begun = performance.now();
  while (openOrders() === 0 && performance.now() - begun < 600_000) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(openOrders()).toBe(1);
  // A query that has seen the order waits with it.
  client.say(JSON.stringify({ id: 6, method: 'account.balance', params: signed({}) }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heard).toEqual([]);
  world.log.release();
  expect(await client.next()).toMatchObject({ id: 5, status: 200 });
  expect(await client.next()).toMatchObject({ id: 6, status: 200 });
});

test('WS-6 a binary message closes its socket with 1003, and a megabyte closes it with 1009', async () => {
  const binary = await open();
  binary.socket.send(Buffer.from('{"id":1,"method":"ping"}'));
  expect(await binary.closed).toBe(1003);
  const large = await open();
  large.say(`{"id":1,"method":"ping","x":"${'x'.repeat(1024 * 1024)}"}`);
  expect(await large.closed).toBe(1009);
});

test('WS-4 WS-6 a client that sends requests and does not read is cut, and the next client is served', async () => {
  world.gateway.streams.close();
  await world.close();
  await listen({ gateway: { rateLimitScale: 1000 } });
  const client = await open();
  // One frame is read in a turn, so answers are long.
  const text = JSON.stringify({ id: 1, method: 'account.status', params: signed({}) });
  client.socket.pause();
  let asked = 0;
  while (world.gateway.streams.figures().readers > 0 && asked < 100_000) {
    client.say(text);
    asked += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(asked).toBeLessThan(100_000);
  client.socket.terminate();
  expect(await (await open()).ask('ping')).toMatchObject({ status: 200 });
});

test('WS-6 a fault of the program closes the socket that met it with 1011, and no other', async () => {
  const [client, other] = [await open(), await open()];
  const { secretOf } = world.secretStore;
  Object.assign(world.secretStore, {
    secretOf: () => {
      throw new Error('the disk is gone');
    },
  });
  client.say(JSON.stringify({ id: 1, method: 'order.place', params: signed(limitOrder) }));
  expect(await client.closed).toBe(1011);
  expect(world.faults.splice(0)).toHaveLength(1);
  Object.assign(world.secretStore, { secretOf });
  expect(await other.askSigned('order.place', limitOrder)).toMatchObject({ status: 200 });
});

test('WS-4 WS-6 a half-open socket, and every socket at a stop, is closed as on /ws', async () => {
  const silent = new WebSocket(`ws://127.0.0.1:${port}/ws-fapi/v1`, { autoPong: false });
  const closed = new Promise<number>((resolve) => silent.on('close', resolve));
  await once(silent, 'open');
  // The exchange looks every five seconds.
  for (let passed = 0; passed <= 600_000; passed += 5000) {
    world.gateway.streams.tick();
    world.clock.advance(5000);
  }
  expect(await closed).toBe(1008);
  const client = await open();
  world.gateway.streams.close();
  expect(await client.closed).toBe(1001);
});

test('WS-6 CON-1 frames in one write alternate with frames of others', async () => {
  const frames = 5000;
  const [flood, other] = [await open(), await open()];
  // A text frame of one byte with a mask of zeros.
  const frame = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x31]);
  const { _socket: raw } = flood.socket as unknown as { readonly _socket: Socket };
  raw.write(Buffer.concat(new Array<Buffer>(frames).fill(frame)));
  expect(await other.ask('time')).toMatchObject({ status: 200 });
  const { gate } = recordOf(world.gateway.limits.addresses, '127.0.0.1', world.clock.now());
  expect(gate.used).toBeLessThan(1000);
  await expect.poll(() => gate.used, { timeout: 600_000 }).toBe(frames + 1);
});

test('CON-8 frames of many trading sockets take turns: few in one turn, and client by client', async () => {
  const handle = createTradingHandler(world.gateway);
  const answered: string[] = [];
  const speakerOf = (client: string): Speaker => {
    const wire = {
      send: () => void answered.push(client),
      sendShared: () => {},
      backlog: () => 0,
      ping: () => {},
      close: () => {},
      cut: () => {},
    };
    const losses = { readersCut: 0, bytesDropped: 0 };
    const reader = createReader(wire, { losses, backlogBytesMax: 1_000_000 });
    return handle({ reader, client, url: '/ws-fapi/v1' });
  };
  const crowd = Array.from({ length: 500 }, () => speakerOf('203.0.113.1'));
  const other = speakerOf('203.0.113.2');
  const frame = '{"id":1,"method":"account.status"}';
  for (const speak of crowd) speak(frame);
  other(frame);
  let most = answered.length;
  while (answered.length < 501) {
    const before = answered.length;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, answered.length - before);
  }
  expect(most).toBe(32);
  expect(answered.indexOf('203.0.113.2')).toBeLessThanOrEqual(33);
});
