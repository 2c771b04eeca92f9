// The acceptance rule for signed requests, in each shape that clients send, and the answer to each
// broken one (AUTH-2, AUTH-3; conventions, section 2).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyByText } from '../../src/engine/views/exchange.ts';
import { openWorld, type Reply, signatureOf, type Trader, type World } from './gatewayWorld.ts';

let world: World;
let trader: Trader;

beforeAll(async () => {
  world = await openWorld({ gateway: { rateLimitScale: 1000 } });
  trader = await world.newTrader();
});
afterAll(() => world.close());

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.01&price=50000.0';

type Shape = {
  readonly method?: string;
  readonly path?: string;
  /** Query and body before signing; the HMAC is over `signed`. */
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
  readonly signed: string;
  readonly place: (signature: string) => { query?: string; body?: string };
};

function send(shape: Shape, headers: Record<string, string> = {}): Promise<Reply> {
  const signature = signatureOf(trader, shape.signed);
  const placed = shape.place(signature);
  return world.send(shape.method ?? 'POST', shape.path ?? '/fapi/v1/order', {
    ...placed,
    ...(shape.type === undefined ? {} : { contentType: shape.type }),
    headers: { 'x-mbx-apikey': trader.apiKey, ...headers },
  });
}

const stamp = (): string => `timestamp=${world.clock.now()}`;

describe('AUTH-3 every stock client is understood', () => {
  test('as in the interface: timestamp and signature in the query, JSON in the body', async () => {
    const query = stamp();
    const body = '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":0.01,"price":"5e4"}';
    const place = (signature: string) => ({ query: `${query}&signature=${signature}`, body });
    const reply = await send({ signed: query + body, type: json, place });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({ price: '50000.0', origQty: '0.010', status: 'NEW' });
  });

  test('everything in a form body, signature last', async () => {
    const signed = `${order}&${stamp()}&recvWindow=5000`;
    const place = (signature: string) => ({ body: `${signed}&signature=${signature}` });
    const reply = await send({ signed, type: form, place });
    expect(reply.status, reply.text).toBe(200);
  });

  test('everything in the query, an empty body of JSON type', async () => {
    const signed = `${order}&${stamp()}`;
    const place = (signature: string) => ({ query: `${signed}&signature=${signature}`, body: '' });
    const reply = await send({ signed, type: json, place });
    expect(reply.status, reply.text).toBe(200);
  });

  test('timestamp and signature in the query, the rest a form: no & between', async () => {
    const query = `${stamp()}&recvWindow=5000`;
    const place = (signature: string) => ({
      query: `${query}&signature=${signature}`,
      body: order,
    });
    const reply = await send({ signed: query + order, type: form, place });
    expect(reply.status, reply.text).toBe(200);
  });

  test('the decoded pairs are signed, the encoded ones sent', async () => {
    const at = stamp();
    const signed = `newClientOrderId=a:b/c&${order}&${at}`;
    const body = `newClientOrderId=a%3Ab%2Fc&${order}&${at}`;
    const place = (signature: string) => ({ body: `${body}&signature=${signature}` });
    const reply = await send({ signed, type: form, place });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.clientOrderId).toBe('a:b/c');
  });

  test('the signature first or in the middle, in capital letters', async () => {
    const signed = `${stamp()}&symbol=BTCUSDT`;
    const [head, tail] = signed.split('&');
    for (const query of [
      (signature: string) => `signature=${signature}&${signed}`,
      (signature: string) => `${head}&signature=${signature.toUpperCase()}&${tail}`,
    ]) {
      const place = (signature: string) => ({ query: query(signature) });
      const shape = { method: 'GET', path: '/fapi/v1/openOrders', signed, place };
      expect((await send(shape)).status).toBe(200);
    }
  });

  test('DELETE with a form body', async () => {
    const signed = `symbol=BTCUSDT&${stamp()}`;
    const place = (signature: string) => ({ body: `${signed}&signature=${signature}` });
    const path = '/fapi/v1/allOpenOrders';
    const reply = await send({ method: 'DELETE', path, signed, type: form, place });
    expect(reply.body).toMatchObject({ code: 200 });
  });

  test('unencoded JSON of a batch inside a form', async () => {
    const item = '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.01","price":"5e4"}';
    const signed = `${stamp()}&batchOrders=[${item},${item}]`;
    const place = (signature: string) => ({ body: `${signed}&signature=${signature}` });
    const reply = await send({ path: '/fapi/v1/batchOrders', signed, type: form, place });
    expect(reply.body, reply.text).toHaveLength(2);
    expect(reply.body[1]).toMatchObject({ status: 'NEW' });
  });
});

describe('AUTH-2 the border between query and form', () => {
  const rest = (): string => `symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.01&${stamp()}`;
  test.each([
    ['between pairs', 'price=50000.0', '', 200],
    ['inside a value', 'price=5', '0000.0&', 401],
    ['behind the sign of equality', 'price=', '50000.0&', 401],
    ['before the sign of equality', 'price', '=50000.0&', 401],
    ['inside a name', 'pri', 'ce=50000.0&', 401],
  ])('%s', async (_where, query, head, status) => {
    const body = head + rest();
    const place = (signature: string) => ({ query: `${query}&signature=${signature}`, body });
    const reply = await send({ signed: query + body, type: form, place });
    expect(reply.status, reply.text).toBe(status);
  });
  test('a border moved behind the form, so that a value includes a pair', async () => {
    const signed = `price=50000.0&${rest()}&recvWindow=5000reduceOnly=true`;
    const place = (signature: string) => ({ query: `${signed}&signature=${signature}`, body: '' });
    const reply = await send({ signed, type: form, place });
    expect(reply.status, reply.text).toBe(401);
  });
});

describe('AUTH-2 invalid signatures', () => {
  const query = (text: string, signed = text) => {
    const place = (signature: string) => ({ query: `${text}&signature=${signature}` });
    return send({ method: 'GET', path: '/fapi/v2/balance', signed, place });
  };
  const invalid = {
    success: false,
    data: null,
    error: { code: 'SIGNATURE_INVALID' },
    code: -1022,
  };

  test('a text other than the signed one', async () => {
    const reply = await query(`${stamp()}&a=1`, `${stamp()}&a=2`);
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject(invalid);
    expect(reply.body.timestamp).toBe(Math.floor(world.clock.now() / 1000));
    expect(reply.body.msg).toBe(reply.body.error.message);
  });

  test.each(['', 'timestamp=', 'timestamp=abc', 'timestamp=1e3', 'timestamp=-1'])(
    'no timestamp in %s',
    async (text) => {
      const reply = await query(`${text}&a=1`);
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject(invalid);
    },
  );

  test('a timestamp in a JSON body does not count', async () => {
    const body = `{"timestamp":${world.clock.now()},"symbol":"BTCUSDT","marginType":"CROSSED"}`;
    const place = (signature: string) => ({ query: `signature=${signature}`, body });
    const reply = await send({ path: '/fapi/v1/marginType', signed: body, type: json, place });
    expect(reply.body).toMatchObject(invalid);
  });

  test('no signature, two of them, two timestamps', async () => {
    const path = '/fapi/v2/balance';
    const headers = { 'x-mbx-apikey': trader.apiKey };
    const without = await world.send('GET', path, { query: stamp(), headers });
    expect(without.body).toMatchObject(invalid);
    const at = stamp();
    const signature = signatureOf(trader, at);
    const twice = `${at}&signature=${signature}&signature=${signature}`;
    expect((await world.send('GET', path, { query: twice, headers })).body).toMatchObject(invalid);
    const mixed = `${at}&signature=${signature}&%73IGNATURE=${signature}`;
    expect((await world.send('GET', path, { query: mixed, headers })).body).toMatchObject(invalid);
    expect((await query(`${at}&${at}`)).body).toMatchObject(invalid);
    expect((await query(`${at}&TimeStamp=${world.clock.now()}`)).body).toMatchObject(invalid);
  });

  test('a signature that is not 32 bytes in hex', async () => {
    const headers = { 'x-mbx-apikey': trader.apiKey };
    for (const signature of ['', 'zz', 'a'.repeat(63), 'é'.repeat(64), 'g'.repeat(64)]) {
      const text = `${stamp()}&signature=${encodeURIComponent(signature)}`;
      const reply = await world.send('GET', '/fapi/v2/balance', { query: text, headers });
      expect(reply.body).toMatchObject(invalid);
    }
  });

  test('the decoded retry is refused on &, = and control characters', async () => {
    const at = stamp();
    for (const [sent, signed] of [
      ['a=x%26b=y', 'a=x&b=y'],
      ['a=x%3Dy', 'a=x=y'],
      ['a=x%0Ay', 'a=x\ny'],
    ]) {
      const reply = await query(`${at}&${sent}`, `${at}&${signed}`);
      expect(reply.body, sent).toMatchObject(invalid);
    }
    const fine = await query(`${at}&a=x%2Fy`, `${at}&a=x/y`);
    expect(fine.status).toBe(200);
  });

  test('a changed body, the secret of another account', async () => {
    const at = stamp();
    const other = await world.newTrader();
    const signature = signatureOf(other, at);
    const reply = await world.send('GET', '/fapi/v2/balance', {
      query: `${at}&signature=${signature}`,
      headers: { 'x-mbx-apikey': trader.apiKey },
    });
    expect(reply.body).toMatchObject(invalid);
    const body = '{"symbol":"BTCUSDT"}';
    const changed = await world.send('POST', '/fapi/v1/leverage', {
      query: `${at}&signature=${signatureOf(trader, at + body)}`,
      body: body.replace('BTC', 'ETH'),
      contentType: json,
      headers: { 'x-mbx-apikey': trader.apiKey },
    });
    expect(changed.body).toMatchObject(invalid);
  });

  test.each([60_001, -60_001, 1e12])(
    '-1021 %i ms away, in one body with the envelope',
    async (away) => {
      const reply = await query(`timestamp=${world.clock.now() + away}`);
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({
        code: -1021,
        msg: 'Timestamp is outside the 60000 ms window.',
        success: false,
        data: null,
        error: { code: 'SIGNATURE_INVALID' },
      });
    },
  );

  test.each([60_000, -60_000])('the window reaches %i ms', async (away) => {
    expect((await query(`timestamp=${world.clock.now() + away}&recvWindow=1`)).status).toBe(200);
  });

  test('a bad HMAC is reported before a stale timestamp', async () => {
    const reply = await query(`timestamp=1&a=1`, 'timestamp=1&a=2');
    expect(reply.body).toMatchObject(invalid);
  });
});

describe('AUTH-2 keys', () => {
  const refused = (code: string, status: number) => ({ status, body: { error: { code } } });

  test('INVALID_API_KEY: none, unknown, malformed, of another deployment', async () => {
    const strangers: Record<string, string>[] = [
      {},
      { 'x-mbx-apikey': '' },
      { 'x-mbx-apikey': 'f'.repeat(64) },
      { 'x-mbx-apikey': '__proto__' },
      { 'x-mbx-apikey': `${trader.apiKey}, ${trader.apiKey}` },
      { 'x-mbx-apikey': trader.apiKey.toUpperCase() },
    ];
    for (const headers of strangers) {
      const reply = await world.send('GET', '/fapi/v2/balance', { query: stamp(), headers });
      expect(reply).toMatchObject(refused('INVALID_API_KEY', 401));
      expect(reply.body).toMatchObject({ code: -2015, success: false, data: null });
    }
  });

  test('API_KEY_DISABLED, and active again', async () => {
    const other = await world.newTrader();
    await world.setKeyStatus(other, 'disabled');
    const reply = await world.call(other, 'GET', '/fapi/v2/balance');
    expect(reply).toMatchObject(refused('API_KEY_DISABLED', 401));
    await world.setKeyStatus(other, 'active');
    expect((await world.call(other, 'GET', '/fapi/v2/balance')).status).toBe(200);
  });

  test('a deleted key is unknown at once', async () => {
    const other = await world.newTrader();
    expect((await world.call(other, 'GET', '/fapi/v2/balance')).status).toBe(200);
    const { id, createdAt } = apiKeyByText(world.replica.exchange, other.apiKey)!;
    await world.command({ kind: 'deleteApiKey', account: other.account, id, createdAt });
    const reply = await world.call(other, 'GET', '/fapi/v2/balance');
    expect(reply).toMatchObject(refused('INVALID_API_KEY', 401));
  });

  test('AUTH-1 IP_NOT_ALLOWED by the first hop, and a changed list holds at once', async () => {
    const other = await world.newTrader();
    const { id, createdAt } = apiKeyByText(world.replica.exchange, other.apiKey)!;
    const setList = (ipWhitelist: string) =>
      world.command({
        kind: 'updateApiKey',
        account: other.account,
        id,
        createdAt,
        status: undefined,
        profile: world.secretStore.putProfile({ label: '', ipWhitelist }),
      });
    await setList('203.0.113.7');
    const from = (hops: string) =>
      world.call(other, 'GET', '/fapi/v2/balance', {}, { 'x-forwarded-for': hops });
    expect(await from('203.0.113.8, 203.0.113.7')).toMatchObject(refused('IP_NOT_ALLOWED', 403));
    expect((await from('203.0.113.8')).body.code).toBe(-2015);
    expect((await from('203.0.113.7, 10.0.0.1')).status).toBe(200);
    await setList('203.0.113.8');
    expect((await from('203.0.113.7')).status).toBe(403);
    await setList('');
    expect((await from('203.0.113.9')).status).toBe(200);
  });

  test('AUTH-8 the time of the last use is remembered', async () => {
    const other = await world.newTrader();
    expect(world.gateway.lastUsed.of(other.apiKey)).toBeUndefined();
    await world.call(other, 'GET', '/fapi/v2/balance');
    expect(world.gateway.lastUsed.of(other.apiKey)).toBe(world.clock.now());
    expect(world.secretStore.lastUsedOf(other.apiKey)).toBeUndefined();
    await world.gateway.lastUsed.flush();
    expect(world.secretStore.lastUsedOf(other.apiKey)).toBe(world.clock.now());
  });

  test('AUTH-8 on a route that needs only the key, a signed request counts as a use', async () => {
    const other = await world.newTrader();
    const path = '/fapi/v1/listenKey';
    await world.send('POST', path, { headers: { 'x-mbx-apikey': other.apiKey } });
    expect(world.gateway.lastUsed.of(other.apiKey)).toBeUndefined();
    expect((await world.call(other, 'POST', path)).status).toBe(200);
    expect(world.gateway.lastUsed.of(other.apiKey)).toBe(world.clock.now());
  });
});

test('1.5 the order of checks: key before signature, signature before parameters', async () => {
  const bad = '/fapi/v1/order';
  const unknownKey = await world.send('POST', bad, {
    query: 'signature=x',
    body: '{',
    contentType: json,
    headers: { 'x-mbx-apikey': 'nobody' },
  });
  expect(unknownKey.body.error.code).toBe('INVALID_API_KEY');
  const at = stamp();
  const malformed = await world.send('POST', bad, {
    query: `${at}&signature=${signatureOf(trader, `${at}{`)}`,
    body: '{',
    contentType: json,
    headers: { 'x-mbx-apikey': trader.apiKey },
  });
  expect(malformed).toMatchObject({ status: 400, body: { code: -1102 } });
  expect(world.faults).toEqual([]);
});
