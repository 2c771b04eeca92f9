// The limits of the interface (spec, Limits; AUTH-7): windows, ceilings, headers, what counts.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { failureAnswer } from '../../src/api/errors/failureAnswer.ts';
import { publicOperations } from '../../src/api/operations.ts';
import { createAdmitToken } from '../../src/gateway/admitToken.ts';
import { createHandlers } from '../../src/gateway/createHandlers.ts';
import type { ExhaustedLimit } from '../../src/gateway/exhaustedLimits.ts';
import { createAccessTokens } from '../../src/gateway/identity/accessToken.ts';
import type { IncomingRequest } from '../../src/gateway/incomingRequest.ts';
import {
  countInMinute,
  createGenerations,
  createOrderCounters,
  nativeAddressMax,
  recordOf,
  takeInMinute,
  takeOrder,
  usedInMinute,
} from '../../src/gateway/rateLimits.ts';
import { givenBody } from '../../src/gateway/readBody.ts';
import type { World } from './gatewayWorld.ts';
import { openWorld, type Reply } from './gatewayWorld.ts';

let world: World;
afterEach(() => world.close());

const tooMany = { status: 429, body: { code: -1003, msg: 'Too many requests.' } };
const weightOf = (reply: Reply) => reply.headers['x-mbx-used-weight-1m'];
const countsOf = (reply: Reply) => [
  reply.headers['x-mbx-order-count-10s'],
  reply.headers['x-mbx-order-count-1m'],
];
/** A world that counts how often it looks at a token, and a good token of a new trader. */
async function openCounting() {
  const tokens = createAccessTokens('a secret of the tests, 32 bytes and more', 43113);
  const looks = vi.spyOn(tokens, 'verify');
  world = await openWorld({ gateway: { tokens } });
  const { address, account } = await world.newTrader();
  const { token } = await tokens.issue({ address, account }, world.clock.now());
  return { looks, token, address, account };
}

/** The parameters of an order that is refused after the limits: it costs only its count. */
const badOrder = { symbol: 'BTCUSDT' };

describe('AUTH-7 request weight', () => {
  test('public: 6000 a minute per address, by weight, in windows of the wall clock', async () => {
    world = await openWorld();
    const ask = () => world.send('GET', '/fapi/v1/exchangeInfo');
    for (let i = 1; i <= 599; i += 1) await ask();
    expect(weightOf(await ask())).toBe('6000');
    const refused = await ask();
    expect(refused).toMatchObject(tooMany);
    expect(weightOf(refused)).toBe('6000');
    expect(refused.headers['retry-after']).toBeUndefined();
    // Another address has its own bucket, and refused requests cost nothing.
    const other = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    expect(weightOf(await world.send('GET', '/fapi/v1/ping', other))).toBe('1');
    // The next minute begins with that of the wall clock, not a minute after the first request.
    world.clock.advance(60_000 - (world.clock.now() % 60_000) - 1);
    expect(await ask()).toMatchObject(tooMany);
    world.clock.advance(1);
    expect(weightOf(await ask())).toBe('10');
  });

  test('a request beyond the limit is refused, and a smaller one that still fits passes', async () => {
    world = await openWorld();
    const trader = await world.newTrader();
    const heavy = () => world.call(trader, 'GET', '/fapi/v1/openOrders');
    for (let i = 0; i < 29; i += 1) await heavy();
    await world.call(trader, 'GET', '/fapi/v2/balance');
    const refused = await heavy();
    expect(refused).toMatchObject(tooMany);
    expect(weightOf(refused)).toBe('1165');
    const light = await world.call(trader, 'GET', '/fapi/v1/openOrders', { symbol: 'BTCUSDT' });
    expect([light.status, weightOf(light)]).toEqual([200, '1166']);
  });

  test.each([
    ['standard', 1200],
    ['ext-mm', 2400],
    ['house', 6000],
  ] as const)('signed: tier %s has %i a minute per key', async (tier, ceiling) => {
    world = await openWorld();
    const trader = await world.newTrader(1, tier);
    const ask = () => world.call(trader, 'GET', '/fapi/v1/openOrders');
    for (let used = 40; used <= ceiling; used += 40) expect(weightOf(await ask())).toBe(`${used}`);
    expect(await ask()).toMatchObject(tooMany);
    // Public weight belongs to the address and is unchanged; another key has its own.
    expect(weightOf(await world.send('GET', '/fapi/v1/ping'))).toBe('1');
    const other = await world.newTrader(1);
    expect(weightOf(await world.call(other, 'GET', '/fapi/v2/balance'))).toBe('5');
  });

  test('a tier that the operator changed holds at once', async () => {
    world = await openWorld();
    const trader = await world.newTrader(1);
    const ask = () => world.call(trader, 'GET', '/fapi/v1/openOrders');
    for (let i = 0; i < 30; i += 1) await ask();
    expect(await ask()).toMatchObject(tooMany);
    await world.command({ kind: 'setRateTier', apiKey: trader.apiKey, rateTier: 'ext-mm' });
    expect(weightOf(await ask())).toBe('1240');
  });

  test.each([
    ['GET', '/fapi/v1/exchangeInfo', '', 10],
    ['GET', '/fapi/v1/depth', 'symbol=BTCUSDT', 5],
    ['GET', '/fapi/v1/rpiDepth', '', 5],
    ['GET', '/fapi/v1/ticker/price', 'symbol=BTCUSDT', 1],
    ['GET', '/fapi/v1/ticker/price', '', 2],
    ['GET', '/fapi/v1/ticker/price', 'symbol=', 2],
    ['GET', '/fapi/v2/ticker/price', '', 2],
    ['GET', '/fapi/v1/ticker/bookTicker', '', 1],
    ['GET', '/fapi/v1/premiumIndex', '', 1],
    ['GET', '/fapi/v1/nowhere', '', 1],
    ['GET', '/fapi/v1/balance', '', 1],
    ['POST', '/fapi/v1/ping', '', 1],
  ])('public weight of %s %s?%s is %i', async (method, path, query, weight) => {
    world = await openWorld();
    expect(weightOf(await world.send(method, path, { query }))).toBe(`${weight}`);
  });

  test.each([
    ['GET', '/fapi/v2/balance', {}, 5],
    ['GET', '/fapi/v1/positionRisk', {}, 5],
    ['GET', '/fapi/v2/positionRisk', {}, 5],
    ['GET', '/fapi/v3/positionRisk', {}, 5],
    ['GET', '/fapi/v1/openOrders', {}, 40],
    ['GET', '/fapi/v1/openOrders', { symbol: 'BTCUSDT' }, 1],
    ['GET', '/fapi/v1/commissionRate', { symbol: 'BTCUSDT' }, 20],
    ['POST', '/fapi/v1/order', badOrder, 1],
    ['POST', '/fapi/v1/batchOrders', {}, 5],
    ['PUT', '/fapi/v1/batchOrders', {}, 5],
    ['DELETE', '/fapi/v1/batchOrders', {}, 5],
    ['DELETE', '/fapi/v1/order', {}, 1],
    ['DELETE', '/fapi/v1/allOpenOrders', {}, 1],
    ['POST', '/fapi/v1/leverage', {}, 1],
    ['GET', '/fapi/v3/account', {}, 1],
  ])('signed weight of %s %s %o is %i', async (method, path, parameters, weight) => {
    world = await openWorld();
    const trader = await world.newTrader(1);
    expect(weightOf(await world.call(trader, method, path, parameters))).toBe(`${weight}`);
  });
});

describe('AUTH-7 order counts', () => {
  test.each([
    ['standard', 50, 200],
    ['ext-mm', 100, 600],
    ['house', 200, 1200],
  ] as const)('tier %s: %i in 10 s, %i in a minute', async (tier, tenSeconds, minute) => {
    world = await openWorld();
    const trader = await world.newTrader(1, tier);
    const order = () => world.call(trader, 'POST', '/fapi/v1/order', badOrder);
    let sent = 0;
    while (sent < minute) {
      for (let i = 0; i < tenSeconds; i += 1) await order();
      sent += tenSeconds;
      const refused = await order();
      expect(refused).toMatchObject(tooMany);
      expect(countsOf(refused)).toEqual([`${tenSeconds}`, `${sent}`]);
      world.clock.advance(10_000);
      // Six windows of the higher tiers fill their minute exactly.
      if (sent === 200 && minute === 200) expect(countsOf(await order())).toEqual(['0', '200']);
    }
    world.clock.advance(60_000);
    expect(countsOf(await order())).toEqual(['1', '1']);
  });

  test('a rejected order has spent its weight and no count', async () => {
    world = await openWorld();
    const trader = await world.newTrader(1);
    const order = () => world.call(trader, 'POST', '/fapi/v1/order', badOrder);
    for (let i = 0; i < 50; i += 1) await order();
    const refused = await order();
    expect([weightOf(refused), ...countsOf(refused)]).toEqual(['51', '50', '50']);
    // Over the weight ceiling the order is not counted either.
    world.clock.advance(10_000);
    for (let i = 0; i < 28; i += 1) await world.call(trader, 'GET', '/fapi/v1/openOrders');
    await world.call(trader, 'GET', '/fapi/v1/commissionRate', { symbol: 'BTCUSDT' });
    for (let i = 0; i < 9; i += 1) await order();
    const full = await order();
    expect(full).toMatchObject(tooMany);
    expect([weightOf(full), ...countsOf(full)]).toEqual(['1200', '9', '59']);
  });

  test('a batch is one order, a test is one, cancels are none', async () => {
    world = await openWorld();
    const trader = await world.newTrader();
    const item = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '0.01',
      price: '50000',
    };
    const batch = await world.call(trader, 'POST', '/fapi/v1/batchOrders', {
      batchOrders: [item, item, item],
    });
    expect(countsOf(batch)).toEqual(['1', '1']);
    const changed = await world.call(trader, 'PUT', '/fapi/v1/batchOrders', {});
    expect(countsOf(changed)).toEqual(['2', '2']);
    const modified = await world.call(trader, 'PUT', '/fapi/v1/order', {});
    expect(countsOf(modified)).toEqual(['3', '3']);
    const none = [undefined, undefined];
    const symbol = { symbol: 'BTCUSDT' };
    expect(countsOf(await world.call(trader, 'DELETE', '/fapi/v1/order', symbol))).toEqual(none);
    expect(countsOf(await world.call(trader, 'DELETE', '/fapi/v1/batchOrders'))).toEqual(none);
    const tested = await world.call(trader, 'POST', '/fapi/v1/order/test', item);
    expect(countsOf(tested)).toEqual(['4', '4']);
    const order = await world.call(trader, 'POST', '/fapi/v1/order', item);
    expect(countsOf(order)).toEqual(['5', '5']);
  });

  test('answers of order routes have the counts, with any result', async () => {
    world = await openWorld();
    const trader = await world.newTrader();
    await world.call(trader, 'POST', '/fapi/v1/order', badOrder);
    const headers = { 'x-mbx-apikey': trader.apiKey };
    const unsigned = await world.send('POST', '/fapi/v1/order', { headers });
    expect([unsigned.status, weightOf(unsigned), ...countsOf(unsigned)]).toEqual([
      401,
      '1',
      '1',
      '1',
    ]);
    const stranger = await world.send('POST', '/fapi/v1/order');
    expect([weightOf(stranger), ...countsOf(stranger)]).toEqual(['0', '0', '0']);
  });

  test('an order counts in both windows or in neither', () => {
    const counters = createOrderCounters();
    const ceilings = { weight: 1, orders10s: 2, orders1m: 3 };
    const taken = [0, 1, 2, 10_000, 10_001, 60_000].map((now) =>
      takeOrder(counters, ceilings, now),
    );
    expect(taken).toEqual([true, true, false, true, false, true]);
  });
});

describe('AUTH-7 the gate before authentication', () => {
  test('24000 requests a minute per address; only its own refusal shows this figure', async () => {
    world = await openWorld({ markets: false });
    const ask = () => world.send('GET', '/fapi/v2/balance', { headers: { 'x-mbx-apikey': 'x' } });
    const now = world.clock.now();
    const { gate } = recordOf(world.gateway.limits.addresses, '127.0.0.1', now);
    // Each counts as one, also where so many more have been counted.
    for (const before of [0, 23_000]) {
      countInMinute(gate, before, now);
      for (let i = 0; i < 500; i += 1) {
        const reply = await ask();
        expect([reply.status, weightOf(reply)]).toEqual([401, '0']);
      }
      expect(usedInMinute(gate, now)).toBe(before === 0 ? 500 : 24_000);
    }
    const refused = await ask();
    expect(refused).toMatchObject(tooMany);
    expect(weightOf(refused)).toBe('24000');
    // Public routes do not count at the gate.
    expect((await world.send('GET', '/fapi/v1/ping')).status).toBe(200);
    world.clock.advance(60_000);
    expect((await ask()).status).toBe(401);
  });
});

describe('AUTH-7 native routes', () => {
  const refusedNative = { status: 429, body: { error: { code: 'TOO_MANY_REQUESTS' } } };

  test('6000 a minute per address without a token, including bad tokens', async () => {
    world = await openWorld();
    const ask = (headers: Record<string, string> = {}) =>
      world.send('GET', '/api/v1/markets', { headers });
    const now = world.clock.now();
    const { native } = recordOf(world.gateway.limits.addresses, '127.0.0.1', now);
    for (const before of [0, 4999]) {
      countInMinute(native, before, now);
      for (let i = 0; i < 500; i += 1) await ask();
      expect(usedInMinute(native, now)).toBe(before === 0 ? 500 : 5999);
    }
    const bad = { authorization: 'Bearer nonsense' };
    expect(await world.send('GET', '/api/v1/orders', { headers: bad })).toMatchObject({
      status: 401,
      body: { success: false, error: { code: 'INVALID_TOKEN' } },
    });
    expect(await ask()).toMatchObject(refusedNative);
    expect(await world.send('GET', '/api/v1/orders', { headers: bad })).toMatchObject(
      refusedNative,
    );
    expect(await ask({ 'x-forwarded-for': '203.0.113.7' })).toMatchObject({ status: 200 });
    // FAPI has its own bucket.
    expect((await world.send('GET', '/fapi/v1/ping')).status).toBe(200);
  });

  test('simultaneous tokens are checked only as far as the limit of the address allows', async () => {
    const { looks, token } = await openCounting();
    const now = world.clock.now();
    const { native } = recordOf(world.gateway.limits.addresses, '127.0.0.1', now);
    takeInMinute(native, { amount: nativeAddressMax - 10, ceiling: nativeAddressMax, now });
    const ask = (text: string) =>
      world.send('GET', '/api/v1/orders', { headers: { authorization: `Bearer ${text}` } });
    // A good token takes nothing of the address.
    for (let i = 0; i < 20; i += 1) expect((await ask(token)).status).toBe(200);
    looks.mockClear();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(`${token}${i}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(looks).toHaveBeenCalledTimes(10);
  });

  test('AUTH-10 a refusal shows the rest of the limit, including a refundable part', async () => {
    const tokens = createAccessTokens('a secret of the tests, 32 bytes and more', 43113);
    const looking = Promise.withResolvers<void>();
    const verify: typeof tokens.verify = async () => {
      await looking.promise;
      return undefined;
    };
    world = await openWorld({ gateway: { tokens: { ...tokens, verify } } });
    const { gateway, clock } = world;
    const handlers = createHandlers(gateway, publicOperations);
    const ask = (name: string, target: string, headers: IncomingRequest['headers'] = {}) => {
      const asked = { status: 0, exhausted: [] as ExhaustedLimit[] };
      const index = publicOperations.findIndex((row) => row.name === name);
      const incoming: IncomingRequest = {
        method: 'GET',
        target,
        peer: '192.0.2.1',
        headers,
        readBody: givenBody(undefined),
        params: {},
        startedAt: 0,
        verdict: 'unknown',
      };
      handlers.byRoute[index]!(incoming, {
        failureOf: failureAnswer,
        send: ({ status }) => {
          asked.status = status;
        },
        onExhausted: (exhausted) => asked.exhausted.push(exhausted),
      });
      return asked;
    };
    const now = clock.now();
    const use = recordOf(gateway.limits.addresses, '192.0.2.1', now);
    countInMinute(use.weight, 5999, now);
    const all = ask('getPriceTickerV1', '/fapi/v1/ticker/price');
    const expected = { limitKey: '192.0.2.1', minute: now - (now % 60_000) };
    expect(all).toEqual({
      status: 429,
      exhausted: [{ limit: 'publicWeight', ...expected, used: 5999, left: 1 }],
    });
    const one = ask('getPriceTickerV1', '/fapi/v1/ticker/price?symbol=BTCUSDT');
    expect(one).toEqual({ status: 200, exhausted: [] });
    // Tokens that are being checked give back their count if they are good.
    countInMinute(use.native, nativeAddressMax - 3, now);
    const bearer = { authorization: 'Bearer none' };
    for (let i = 0; i < 3; i += 1) ask('listNativeOrders', '/api/v1/orders', bearer);
    const refused = ask('listNativeMarkets', '/api/v1/markets');
    const exhausted = { limit: 'nativeAddress', ...expected, used: nativeAddressMax };
    expect(refused).toEqual({ status: 429, exhausted: [{ ...exhausted, left: 3 }] });
    looking.resolve();
    await expect.poll(() => use.native.held, { timeout: 600_000 }).toBe(0);
    expect(ask('listNativeMarkets', '/api/v1/markets').exhausted).toEqual([
      { ...exhausted, left: 0 },
    ]);
  });

  test('AUTH-7 simultaneous tokens over sockets count before they are checked', async () => {
    const { looks, token, address, account } = await openCounting();
    const { limits } = world.gateway;
    const { native } = recordOf(limits.addresses, '192.0.2.1', world.clock.now());
    native.used = nativeAddressMax - 10;
    native.window = world.clock.now() - (world.clock.now() % 60_000);
    const admit = createAdmitToken(world.gateway);
    // A good token takes nothing of the address.
    for (let i = 0; i < 20; i += 1) {
      expect(await admit(token, '192.0.2.1')).toMatchObject({ account, address });
    }
    looks.mockClear();
    const said = await Promise.all(
      Array.from({ length: 200 }, (_, i) => admit(`${token}${i}`, '192.0.2.1')),
    );
    expect(said.filter((each) => each === 'tokenInvalid')).toHaveLength(10);
    expect(said.filter((each) => each === 'tooManyRequests')).toHaveLength(190);
    expect(looks).toHaveBeenCalledTimes(10);
  });

  test('1200 a minute per account with a token, orders in the standard buckets', async () => {
    const secret = 'a secret of the tests, 32 bytes and more';
    const tokens = createAccessTokens(secret, 43113);
    world = await openWorld({ gateway: { tokens } });
    const { address, account } = await world.newTrader();
    const { token } = await tokens.issue({ address, account }, world.clock.now());
    const headers = { authorization: `Bearer ${token}` };
    const order = () => world.send('POST', '/api/v1/orders', { headers });
    for (let i = 0; i < 50; i += 1) expect((await order()).status).toBe(400);
    expect(await order()).toMatchObject(refusedNative);
    const list = () => world.send('GET', '/api/v1/orders', { headers });
    for (let i = 0; i < 1149; i += 1) expect((await list()).status).toBe(200);
    expect(await list()).toMatchObject(refusedNative);
    // Without a token the address still has its own.
    expect((await world.send('GET', '/api/v1/markets')).status).toBe(200);
  });

  test('AUTH-7 a change of an API key counts as twenty requests', async () => {
    const tokens = createAccessTokens('a secret of the tests, 32 bytes and more', 43113);
    world = await openWorld({ gateway: { tokens } });
    const { address, account } = await world.newTrader();
    const { token } = await tokens.issue({ address, account }, world.clock.now());
    const headers = { authorization: `Bearer ${token}` };
    const change = () => world.send('PUT', '/api/v1/api-keys/none', { headers });
    for (let i = 0; i < 60; i += 1) expect((await change()).status).not.toBe(429);
    expect(await change()).toMatchObject(refusedNative);
  });

  test('AUTH-7 what comes from history counts as three requests', async () => {
    const tokens = createAccessTokens('a secret of the tests, 32 bytes and more', 43113);
    world = await openWorld({ gateway: { tokens } });
    const { address, account } = await world.newTrader();
    const { token } = await tokens.issue({ address, account }, world.clock.now());
    const headers = { authorization: `Bearer ${token}` };
    const { requests } = recordOf(world.gateway.limits.accounts, account, world.clock.now());
    const costOf = async (list: string): Promise<number> => {
      const before = requests.used;
      const [path, query = ''] = list.split('?');
      const { status } = await world!.send('GET', `/api/v1/${path}`, { headers, query });
      expect([list, status]).toEqual([list, 200]);
      return requests.used - before;
    };
    for (const list of [
      'ledger',
      'fills?symbol=BTCUSDT',
      'funding-payments',
      'deposits',
      'referral',
      'orders?status=CANCELED',
      'orders?client_order_id=one',
      'triggers?status=CANCELED',
    ])
      expect([list, await costOf(list)]).toEqual([list, 3]);
    for (const list of ['orders', 'orders?status=NEW', 'triggers', 'triggers?status=NEW'])
      expect([list, await costOf(list)]).toEqual([list, 1]);
  });

  test('AUTH-7 a preview counts as five requests', async () => {
    const tokens = createAccessTokens('a secret of the tests, 32 bytes and more', 43113);
    world = await openWorld({ gateway: { tokens } });
    const { address, account } = await world.newTrader();
    const { token } = await tokens.issue({ address, account }, world.clock.now());
    const headers = { authorization: `Bearer ${token}` };
    const { requests } = recordOf(world.gateway.limits.accounts, account, world.clock.now());
    await world.send('POST', '/api/v1/orders/preview', { headers });
    expect(requests.used).toBe(5);
  });
});

describe('memory of the limits is bounded', () => {
  test('two generations, and one record for all clients beyond the bound', async () => {
    world = await openWorld({ markets: false });
    const overflow = { hits: 0 };
    const made = createGenerations({ make: () => ({ hits: 0 }), overflow, sizeMax: 2 });
    const first = recordOf(made, 'a', 0);
    first.hits = 1;
    recordOf(made, 'b', 1);
    expect(recordOf(made, 'c', 2)).toBe(overflow);
    expect(recordOf(made, 'd', 3)).toBe(overflow);
    expect(recordOf(made, 'a', 60_000)).toBe(first);
    expect(recordOf(made, 'a', 120_000)).toBe(first);
    expect(recordOf(made, 'b', 120_001)).not.toBe(overflow);
    // Unused for a whole window: forgotten.
    expect(recordOf(made, 'a', 300_000)).not.toBe(first);
    expect(made.current.size).toBe(1);
    expect(made.previous.size).toBe(0);
  });
});
