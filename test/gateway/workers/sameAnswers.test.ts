// Goal: gateway workers change no byte of any answer. Method: two exchanges in memory get the same
// requests over raw sockets; one has two workers. Each request is sent twice, so that both workers
// know the keys in the second half. Everything is compared except the date.

import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeyByText, sizesOf } from '../../../src/engine/views/exchange.ts';
import { openWorld, queryText, signatureOf, type Trader, type World } from '../gatewayWorld.ts';
import { exchangeOnce, openLine, type RawRequest, rawText } from './rawExchange.ts';

type Side = {
  readonly world: World;
  readonly port: number;
  readonly trader: Trader;
  readonly disabled: Trader;
  readonly confined: Trader;
  readonly token: string;
};

/** Sends the same bytes to the same place on both sides. */
function createBytes(): (size: number) => Buffer {
  let drawn = 0;
  return (size) => {
    drawn += 1;
    const text = hash('sha512', String(drawn), 'buffer');
    return Buffer.concat([text, text]).subarray(0, size);
  };
}

async function openSide(workers: number): Promise<Side> {
  const world = await openWorld({ gateway: { randomBytes: createBytes() } });
  const [trader, disabled, confined] = [
    await world.newTrader(),
    await world.newTrader(),
    await world.newTrader(),
  ];
  const { account, address } = trader;
  const { token } = await world.gateway.tokens.issue({ account, address }, world.clock.now());
  const port = await world.listen(workers);
  return { world, port, trader, disabled, confined, token };
}

let sides: readonly Side[];
beforeAll(async () => {
  sides = [await openSide(0), await openSide(2)];
});
afterAll(async () => {
  for (const { world } of sides) {
    world.gateway.streams.close();
    expect(world.faults).toEqual([]);
    await world.close();
  }
});

type Ask = (side: Side) => RawRequest | string;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000.0' };
const path = '/fapi/v1/order';

type Signing = {
  readonly by?: (side: Side) => Trader;
  readonly aheadMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly spoil?: (signature: string) => string;
};

/** Signed as the interface says: the query of GET and DELETE, otherwise query and JSON body. */
function signed(method: string, target: string, parameters: object, signing: Signing = {}): Ask {
  const {
    by = ({ trader }) => trader,
    aheadMs = 0,
    headers = {},
    spoil = (text) => text,
  } = signing;
  return (side) => {
    const owner = by(side);
    const timestamp = { timestamp: side.world.clock.now() + aheadMs };
    const inQuery = method === 'GET' || method === 'DELETE';
    const query = queryText(inQuery ? { ...parameters, ...timestamp } : timestamp);
    const body = inQuery ? undefined : JSON.stringify(parameters);
    const signature = spoil(signatureOf(owner, query + (body ?? '')));
    return {
      method,
      target: `${target}?${query}${signature === '' ? '' : `&signature=${signature}`}`,
      headers: {
        'X-MBX-APIKEY': owner.apiKey,
        ...(body === undefined ? {} : { 'Content-Type': json }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    };
  };
}

const plain =
  (method: string, target: string, rest: Partial<RawRequest> = {}): Ask =>
  () => ({ method, target, ...rest });

const native =
  (method: string, target: string, rest: Partial<RawRequest> = {}): Ask =>
  ({ token }) => ({
    method,
    target,
    ...rest,
    headers: { Authorization: `Bearer ${token}`, ...rest.headers },
  });

/** All parameters in a form, signed over the decoded or the sent text. */
function signedForm(sent: string, decoded: string): Ask {
  return ({ world, trader }) => {
    const timestamp = `&timestamp=${world.clock.now()}`;
    const signature = signatureOf(trader, decoded + timestamp);
    return {
      method: 'POST',
      target: path,
      headers: { 'X-MBX-APIKEY': trader.apiKey, 'Content-Type': form },
      body: `${sent}${timestamp}&signature=${signature}`,
    };
  };
}

const flip = (signature: string): string => signature.replace(/^./, (c) => (c === '0' ? '1' : '0'));
const head = 'POST /fapi/v1/order HTTP/1.1\r\nHost: x\r\n';
const login = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n';
const formOrder = queryText(order);

const asks: Readonly<Record<string, Ask>> = {
  ping: plain('GET', '/fapi/v1/ping'),
  'no Host, an absolute address': () => 'GET http://x/fapi/v1/ping?a=1 HTTP/1.1\r\n\r\n',
  'HTTP/1.0': () => 'GET /fapi/v1/ping HTTP/1.0\r\n\r\n',
  'asked to close': plain('GET', '/fapi/v1/ping', { headers: { Connection: 'close' } }),
  depth: plain('GET', '/fapi/v1/depth?symbol=BTCUSDT&limit=5'),
  'a long answer': plain('GET', '/fapi/v1/exchangeInfo'),
  'a page': plain('GET', '/docs'),
  health: plain('GET', '/health'),
  'a parameter missing': plain('GET', '/fapi/v1/depth'),
  'a parameter twice': plain('GET', '/fapi/v1/depth?symbol=BTCUSDT&SYMBOL=ETHUSDT'),
  'bytes that are no UTF-8': plain('GET', '/fapi/v1/depth?symbol=%ff'),
  'unknown path, FAPI': plain('GET', '/fapi/v1/nothing'),
  'unknown path, native': plain('GET', '/api/v1/nothing'),
  'the operator has another listener': plain('GET', '/operator/markets'),
  'a path in other case': plain('GET', '/FAPI/v1/ping'),
  'another method': plain('DELETE', '/fapi/v1/ping'),
  'a method that no row has': plain('PROPFIND', '/fapi/v1/ping'),
  OPTIONS: plain('OPTIONS', path, { headers: { Origin: 'http://x' } }),
  'an upgrade to another protocol': plain('GET', '/fapi/v1/ping', {
    headers: { Connection: 'Upgrade', Upgrade: 'h2c' },
  }),
  'a bad escape in the path': plain('GET', '/fapi/v1/p%zzing'),
  'a malformed content type': () => `${head}Content-Type: ;;\r\nContent-Length: 2\r\n\r\n{}`,
  'a body of more than a megabyte': () =>
    `${head}Content-Type: ${json}\r\nContent-Length: 1048577\r\n\r\n`,
  'an order': signed('POST', path, order),
  'an order once more': signed('POST', path, { ...order, newClientOrderId: 'mine' }),
  'an order in a form': signedForm(formOrder, formOrder),
  'an order, sent encoded and signed decoded': signedForm(
    `newClientOrderId=a%3Ab&${formOrder}`,
    `newClientOrderId=a:b&${formOrder}`,
  ),
  'an order in chunks': (side) => {
    const asked = signed('POST', path, order)(side) as RawRequest;
    const { body = '', target, headers } = asked;
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
    const start = rawText({ method: 'POST', target, headers: chunked });
    return `${start}5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
  },
  'an order with an Idempotency-Key': signed('POST', path, order, {
    headers: { 'Idempotency-Key': 'one' },
  }),
  'the same with another order': signed(
    'POST',
    path,
    { ...order, price: '49000.0' },
    { headers: { 'Idempotency-Key': 'one' } },
  ),
  'a batch of orders': signed('POST', '/fapi/v1/batchOrders', {
    batchOrders: [order, { ...order, price: 'x' }],
  }),
  'an order with a price off the tick': signed('POST', path, { ...order, price: '50000.05' }),
  'an order for more than there is': signed('POST', path, { ...order, quantity: '900' }),
  'an order without symbol': signed('POST', path, {}),
  'JSON that is none': ({ world, trader }) => {
    const query = `timestamp=${world.clock.now()}`;
    const body = '{"symbol":';
    const target = `${path}?${query}&signature=${signatureOf(trader, query + body)}`;
    return { method: 'POST', target, headers: { 'X-MBX-APIKEY': trader.apiKey }, body };
  },
  'open orders': signed('GET', '/fapi/v1/openOrders', { symbol: 'BTCUSDT' }),
  'a cancel': signed('DELETE', path, { symbol: 'BTCUSDT', origClientOrderId: 'mine' }),
  'a cancel of nothing': signed('DELETE', path, {
    symbol: 'BTCUSDT',
    origClientOrderId: 'nobodys',
  }),
  'no key': signed('POST', path, order, { by: ({ trader }) => ({ ...trader, apiKey: '' }) }),
  'an unknown key': signed('POST', path, order, {
    by: ({ trader }) => ({ ...trader, apiKey: 'ab'.repeat(32) }),
  }),
  'a wrong signature': signed('POST', path, order, { spoil: flip }),
  'a short signature': signed('POST', path, order, { spoil: (text) => text.slice(1) }),
  'a signature in capitals': signed(
    'GET',
    '/fapi/v2/balance',
    {},
    {
      spoil: (text) => text.toUpperCase(),
    },
  ),
  'no signature': signed('POST', path, order, { spoil: () => '' }),
  'two signatures': signed('POST', path, order, { spoil: (text) => `${text}&signature=${text}` }),
  'a stale timestamp': signed('POST', path, order, { aheadMs: -60_001 }),
  'a timestamp of the future, wrongly signed': signed('POST', path, order, {
    aheadMs: 60_001,
    spoil: flip,
  }),
  'a key that works': signed('GET', '/fapi/v2/balance', {}, { by: ({ disabled }) => disabled }),
  'a key alone': ({ trader }) => ({
    method: 'POST',
    target: '/fapi/v1/listenKey',
    headers: { 'X-MBX-APIKEY': trader.apiKey },
  }),
  'a key with a wrong signature where none is needed': signed(
    'POST',
    '/fapi/v1/listenKey',
    {},
    {
      spoil: flip,
    },
  ),
  'the address of a proxy': signed(
    'GET',
    '/fapi/v2/balance',
    {},
    {
      by: ({ confined }) => confined,
      headers: { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1' },
    },
  ),
  'a token': native('GET', '/api/v1/balances'),
  'a native order': native('POST', '/api/v1/orders', {
    headers: { 'Content-Type': json },
    body: '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.01","price":"50000"}',
  }),
  'a parameter of the path': native('GET', '/api/v1/orders/%C3%BC'),
  'an unknown token': native('GET', '/api/v1/balances', {
    headers: { Authorization: 'Bearer x' },
  }),
  'no token': plain('GET', '/api/v1/balances'),
  'an empty Authorization': plain('GET', '/api/v1/balances', { headers: { Authorization: '' } }),
  'a form where none is read': native('POST', '/api/v1/orders', {
    headers: { 'Content-Type': form },
    body: 'a=1',
  }),
};

/** No route sees these requests; a worker answers them by its own clock. */
const unread: Readonly<Record<string, Ask>> = {
  'raw bytes beyond ASCII': plain('GET', '/fapi/v1/depth?symbol=\u00c3\u00bc'),
  'no HTTP': () => 'NONSENSE\r\n\r\n',
  'an unknown method': () => 'FOO /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n',
  'a head that is too large': () => `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  'a bad chunk': () => `${login}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'two lengths': () => `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
};

const textOf = (side: Side, ask: Ask): string => {
  const asked = ask(side);
  return typeof asked === 'string' ? asked : rawText(asked);
};

async function askBoth(ask: Ask): Promise<string[]> {
  const answers: string[] = [];
  for (const side of sides) answers.push(await exchangeOnce(side.port, textOf(side, ask)));
  return answers;
}

/** Requests that must succeed, or the comparison shows nothing. */
const succeeding: ReadonlySet<string> = new Set([
  'ping',
  'depth',
  'a long answer',
  'a page',
  'an order',
  'an order once more',
  'an order in a form',
  'an order, sent encoded and signed decoded',
  'an order in chunks',
  'an order with an Idempotency-Key',
  'a batch of orders',
  'open orders',
  'a cancel',
  'a signature in capitals',
  'a key that works',
  'a key alone',
  'the address of a proxy',
  'a token',
  'a native order',
]);

/** Lets time pass, with fresh prices. */
async function pass(ms: number): Promise<void> {
  for (const { world } of sides) {
    world.clock.advance(ms);
    await world.price(600_000);
  }
}

test.each(Object.entries(asks))('%s', async (name, ask) => {
  for (let time = 0; time < 4; time += 1) {
    const [alone, worked] = await askBoth(ask);
    expect(alone).toMatch(/^HTTP\/1\.[01] \d{3} /);
    if (time === 0 && succeeding.has(name)) expect(alone).toMatch(/^HTTP\/1\.[01] 20[01] /);
    expect(worked).toBe(alone);
    await pass(15_000);
  }
});

test.each(Object.entries(unread))('%s', async (_name, ask) => {
  const [alone, worked] = (await askBoth(ask)).map((text) => text.replace(/"timestamp":\d+/, ''));
  expect(alone).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(worked).toBe(alone);
});

test('a disabled key and a deleted key give no access', async () => {
  const ask = signed('GET', '/fapi/v2/balance', {}, { by: ({ disabled }) => disabled });
  const before = await askBoth(ask);
  expect(before[0]).toMatch(/^HTTP\/1\.1 200 /);
  for (const { world, disabled } of sides) await world.setKeyStatus(disabled, 'disabled');
  const after = await askBoth(ask);
  expect(after[0]).toMatch(/^HTTP\/1\.1 401 /);
  for (const { world, disabled } of sides) {
    const { account, apiKey } = disabled;
    const { id, createdAt } = apiKeyByText(world.replica.exchange, apiKey)!;
    await world.command({ kind: 'deleteApiKey', account, id, createdAt });
    world.secretStore.removeKey(apiKey);
  }
  const last = await askBoth(ask);
  expect(last[0]).toContain('"code":-2015');
  for (const [alone, worked] of [before, after, last]) expect(worked).toBe(alone);
});

test('pipelined requests beyond every limit get the same answers in order', async () => {
  await pass(60_000 - (sides[0]!.world.clock.now() % 60_000));
  const heard = await Promise.all(
    sides.map(async (side) => {
      const line = await openLine(side.port);
      const sent = Array.from({ length: 120 }, (_, i): Ask => {
        const newClientOrderId = `n${i}`;
        if (i % 2 === 0) return signed('POST', path, { ...order, newClientOrderId });
        return plain('GET', '/fapi/v1/exchangeInfo');
      });
      for (let i = 0; i < 600; i += 1) sent.push(plain('GET', '/fapi/v1/exchangeInfo'));
      line.send(sent.map((ask) => textOf(side, ask)).join(''));
      const answers: string[] = [];
      for (const _ of sent) answers.push(await line.next());
      line.socket.destroy();
      return answers;
    }),
  );
  const [alone, worked] = heard;
  expect(worked).toEqual(alone);
  const orders = worked!.filter((_, i) => i < 120 && i % 2 === 0);
  const placed = orders.filter((text) => text.startsWith('HTTP/1.1 200'));
  expect(placed).toHaveLength(50);
  expect(orders[50]).toMatch(/^HTTP\/1\.1 429 /);
  expect(worked!.at(-1)).toMatch(/^HTTP\/1\.1 429 /);
  const names = placed.map((text) => /"clientOrderId":"(\w+)"/.exec(text)?.[1]);
  expect(names).toEqual(Array.from({ length: 50 }, (_, i) => `n${2 * i}`));
  const states = sides.map(({ world }) => sizesOf(world.replica.exchange).orders);
  expect(states[1]).toBe(states[0]);
});
