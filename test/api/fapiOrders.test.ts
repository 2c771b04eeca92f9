// Orders on FAPI: what they answer and what refuses them (spec, FAPI business errors; conventions,
// sections 4 and 7). The engine's rules themselves are proved by scenarios.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorld, type Trader, type World, worldTerms } from '../gateway/gatewayWorld.ts';

let world: World;
let trader: Trader;
beforeEach(async () => {
  world = await openWorld({ gateway: { rateLimitScale: 1000 } });
  trader = await world.newTrader();
});
afterEach(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

type Parameters = Readonly<Record<string, unknown>>;
const path = '/fapi/v1/order';
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nowhere = '0199c82d-5c41-7000-8000-0000ffe00000';

const post = (parameters: Parameters, headers: Record<string, string> = {}) =>
  world.call(trader, 'POST', path, parameters, headers);
const without = (parameters: Parameters, name: string): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));
const missing = (name: string) => ({
  status: 400,
  body: { code: -1102, msg: `Parameter '${name}' is missing or malformed.` },
});
const illegal = (name: string) => ({
  status: 400,
  body: { code: -1100, msg: `Parameter '${name}' has an illegal format.` },
});
const invalid = (name: string) => ({
  status: 400,
  body: { code: -1130, msg: `Parameter '${name}' has an invalid value.` },
});
const notAllowed = (name: string) => ({
  status: 400,
  body: { code: -1106, msg: `Parameter '${name}' is not allowed here.` },
});

/** A resting sell of another account, so that buys have whom to meet. */
async function ask(price: string, quantity: string): Promise<void> {
  const maker = await world.newTrader();
  const order = { ...limit, side: 'SELL', price, quantity };
  expect((await world.call(maker, 'POST', path, order)).status).toBe(200);
}

describe('ORD-7 the answer states what became of the order', () => {
  test('the whole record of a resting order', async () => {
    const reply = await post({ ...limit, newClientOrderId: 'grid-7:b' });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers['content-type']).toContain('application/json');
    const { orderId, time, updateTime, ...rest } = reply.body;
    expect(orderId).toMatch(uuid);
    expect([time, updateTime]).toEqual([world.clock.now(), world.clock.now()]);
    expect(rest).toEqual({
      clientOrderId: 'grid-7:b',
      symbol: 'BTCUSDT',
      pair: 'BTCUSDT',
      status: 'NEW',
      side: 'BUY',
      positionSide: 'BOTH',
      type: 'LIMIT',
      origType: 'LIMIT',
      timeInForce: 'GTC',
      price: '50000.0',
      avgPrice: '0',
      origQty: '0.010',
      executedQty: '0.000',
      cumQty: '0.000',
      cumQuote: '0',
      stopPrice: '0',
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      closePosition: false,
      reduceOnly: false,
      priceMatch: 'NONE',
      selfTradePreventionMode: 'EXPIRE_MAKER',
      goodTillDate: 0,
    });
  });

  test.each([undefined, 'ACK', 'RESULT'])(
    'newOrderRespType %s: the same final state',
    async (type) => {
      await ask('60000', '0.02');
      const reply = await post({
        ...market,
        ...(type === undefined ? {} : { newOrderRespType: type }),
      });
      expect(reply.body).toMatchObject({
        status: 'FILLED',
        executedQty: '0.010',
        avgPrice: '60000',
        cumQuote: '600',
        price: '0',
      });
    },
  );

  test('ORD-2 IOC rest CANCELED with its reason, killed FOK and empty book REJECTED', async () => {
    await ask('60000', '0.004');
    const ioc = await post({ ...limit, price: '60000', timeInForce: 'IOC' });
    expect(ioc.body).toMatchObject({
      status: 'CANCELED',
      cancelReason: 'IOC',
      executedQty: '0.004',
    });
    await ask('60000', '0.004');
    const fok = await post({ ...limit, price: '60000', timeInForce: 'FOK' });
    expect(fok).toMatchObject({ status: 200, body: { status: 'REJECTED', executedQty: '0.000' } });
    const empty = await post({ ...market, side: 'SELL' });
    expect(empty).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
  });

  test('GTX reads back as GTC, echoed words stay, LONG and SHORT are BOTH', async () => {
    const reply = await post({
      ...limit,
      timeInForce: 'GTX',
      positionSide: 'LONG',
      workingType: 'MARK_PRICE',
      priceProtect: 'TRUE',
      selfTradePreventionMode: 'EXPIRE_BOTH',
      priceMatch: 'NONE',
      goodTillDate: 'whatever',
      callbackRate: '1',
      stopPrice: '0',
    });
    expect(reply.body, reply.text).toMatchObject({
      timeInForce: 'GTC',
      positionSide: 'BOTH',
      workingType: 'MARK_PRICE',
      priceProtect: true,
      selfTradePreventionMode: 'EXPIRE_BOTH',
    });
  });

  test('quoteOrderQty buys what its money is worth at the best price', async () => {
    await ask('60000', '0.1');
    const { quantity: _, ...rest } = market;
    const reply = await post({ ...rest, quoteOrderQty: 1199.99 });
    expect(reply.body).toMatchObject({ origQty: '0.019', status: 'FILLED' });
  });

  test('order/test answers the order as accepted and stores nothing', async () => {
    await ask('60000', '0.1');
    const before = world.stateHash();
    const tried = await world.call(trader, 'POST', '/fapi/v1/order/test', market);
    expect(tried.body).toMatchObject({ status: 'NEW', origQty: '0.010', type: 'MARKET' });
    expect(tried.body.orderId).toMatch(uuid);
    const poor = { ...limit, quantity: '100' };
    const refused = await world.call(trader, 'POST', '/fapi/v1/order/test', poor);
    expect(refused).toMatchObject({ status: 400 });
    expect(world.stateHash()).toBe(before);
  });
});

describe('-1102 missing or malformed', () => {
  test.each(['symbol', 'side', 'type', 'quantity', 'price'])(
    '%s of a LIMIT order',
    async (name) => {
      expect(await post(without(limit, name))).toMatchObject(missing(name));
      expect(await post({ ...limit, [name]: '' })).toMatchObject(missing(name));
      expect(await post({ ...limit, [name]: null })).toMatchObject(missing(name));
    },
  );

  test('quantity of a MARKET order', async () => {
    expect(await post(without(market, 'quantity'))).toMatchObject(missing('quantity'));
  });

  test.each(['GTD', 'RPI', 'gtc', '1'])('timeInForce %s', async (timeInForce) => {
    expect(await post({ ...limit, timeInForce })).toMatchObject(missing('timeInForce'));
    expect(await post({ ...market, timeInForce })).toMatchObject(missing('timeInForce'));
  });

  test('GTX on MARKET; the other times are ignored there', async () => {
    expect(await post({ ...market, timeInForce: 'GTX' })).toMatchObject(missing('timeInForce'));
    expect((await post({ ...market, timeInForce: 'IOC', price: 'x' })).status).toBe(200);
  });

  test.each(['reduceOnly', 'closePosition', 'priceProtect'])('%s that is no flag', async (name) => {
    for (const value of ['yes', 1, [], {}]) {
      expect(await post({ ...limit, [name]: value })).toMatchObject(missing(name));
    }
  });

  test.each(Object.keys(limit))('a list or object as %s', async (name) => {
    for (const value of [['BTCUSDT'], { a: 1 }]) {
      expect(await post({ ...limit, [name]: value })).toMatchObject({
        status: 400,
        body: { code: -1102 },
      });
    }
  });
});

describe('-1130 words that are none', () => {
  test.each([
    ['side', 'buy'],
    ['side', 'HOLD'],
    ['type', 'limit'],
    ['type', 'STOP'],
    ['type', 'STOP_MARKET'],
    ['type', 'STOP_LIMIT'],
    ['type', 'TAKE_PROFIT'],
    ['type', 'TAKE_PROFIT_MARKET'],
    ['type', 'TRAILING_STOP_MARKET'],
    ['positionSide', 'NONE'],
    ['newOrderRespType', 'FULL'],
    ['workingType', 'INDEX_PRICE'],
    ['priceMatch', 'OPPONENT'],
    ['priceMatch', 'QUEUE_5'],
    ['selfTradePreventionMode', 'EXPIRE'],
    ['side', '__proto__'],
  ])('%s %s', async (name, value) => {
    const stop = { stopPrice: '61000' };
    expect(await post({ ...limit, ...stop, [name]: value })).toMatchObject(invalid(name));
  });
});

describe('UNIT-4 decimals', () => {
  test.each([
    'abc',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1e400',
    '--1',
    '1.2.3',
    ' 1',
    '١',
    '9'.repeat(65),
  ])('-1100 %s', async (value) => {
    expect(await post({ ...limit, quantity: value })).toMatchObject(illegal('quantity'));
    expect(await post({ ...limit, price: value })).toMatchObject(illegal('price'));
    const quote = { ...without(market, 'quantity'), quoteOrderQty: value };
    expect(await post(quote)).toMatchObject(illegal('quoteOrderQty'));
  });

  test.each(['-1', '-0.001', '99999999999999999999', '1e30'])(
    '-1100 out of range: %s',
    async (value) => {
      expect(await post({ ...limit, quantity: value })).toMatchObject(illegal('quantity'));
      expect(await post({ ...limit, price: value })).toMatchObject(illegal('price'));
    },
  );

  test.each(['0', '0.0', '-0', '1e9'])('-1100 a price of %s', async (price) => {
    expect(await post({ ...limit, price })).toMatchObject(illegal('price'));
  });

  test.each([
    ['1e-2', '0.010'],
    ['0.01000', '0.010'],
    ['.01', '0.010'],
    ['1E1', '10.000'],
  ])('exponents and zeros are read: %s', async (quantity, origQty) => {
    const rich = await world.newTrader(1e7);
    const reply = await world.call(rich, 'POST', path, { ...limit, quantity });
    expect(reply.body, reply.text).toMatchObject({ origQty });
  });

  test('answers carry plain decimals at the scale of the market', async () => {
    await ask('60000.1', '0.003');
    await ask('60000.3', '0.004');
    const reply = await post({ ...market, quantity: '0.007' });
    expect(reply.body).toMatchObject({ avgPrice: '60000.21428571', cumQuote: '420.0015' });
  });
});

describe('UNIT-5 the grid', () => {
  test('-1100 a price off the tick names the filter', async () => {
    expect(await post({ ...limit, price: '50000.05' })).toMatchObject({
      status: 400,
      body: { code: -1100, msg: expect.stringContaining('PRICE_FILTER') },
    });
  });

  test('a quantity is floored to the lot; below one lot -1013', async () => {
    expect((await post({ ...limit, quantity: '0.0129' })).body.origQty).toBe('0.012');
    for (const quantity of ['0.0009', '0', '1e-40']) {
      expect(await post({ ...limit, quantity })).toMatchObject({
        status: 400,
        body: { code: -1013, msg: 'Filter failure: LOT_SIZE' },
      });
    }
  });
});

describe('business errors', () => {
  const refused = (status: number, code: number, msg: string) => ({ status, body: { code, msg } });

  test('-1013 notional outside the bounds of the market', async () => {
    const small = { ...limit, price: '4000', quantity: '0.001' };
    expect(await post(small)).toMatchObject(refused(400, -1013, 'Filter failure: MIN_NOTIONAL'));
    const large = { ...limit, quantity: '21' };
    expect(await post(large)).toMatchObject(refused(400, -1013, 'Filter failure: MAX_NOTIONAL'));
  });

  test.each(['DOGEUSDT', 'BTC', '__proto__', 'BTC USDT', 'x'.repeat(10_000), '₿USDT', 7])(
    '-1121 symbol %s',
    async (symbol) => {
      expect(await post({ ...limit, symbol })).toMatchObject(
        refused(400, -1121, 'Invalid symbol.'),
      );
    },
  );

  test.each(['btcusdt', 'BTC-USDT', 'btc/usd', 'BTC_USD', 'B-T/C_usdt'])(
    'SYM-0 %s is BTCUSDT',
    async (symbol) => {
      expect((await post({ ...limit, symbol })).body.symbol).toBe('BTCUSDT');
    },
  );

  test('-1106 what must not stand together', async () => {
    const both = { ...market, quoteOrderQty: '100' };
    expect(await post(both)).toMatchObject(notAllowed('quoteOrderQty'));
    expect(await post({ ...limit, quoteOrderQty: '1' })).toMatchObject(notAllowed('quoteOrderQty'));
    expect(await post({ ...limit, closePosition: true })).toMatchObject(
      notAllowed('closePosition'),
    );
    expect(await post({ ...limit, stopPrice: '1' })).toMatchObject(notAllowed('stopPrice'));
    expect(await post({ ...limit, triggerPrice: 1 })).toMatchObject(notAllowed('stopPrice'));
    expect(await post({ ...limit, stopPrice: 'x' })).toMatchObject(illegal('stopPrice'));
  });

  test('-2010 GTX would match, and leaves no order', async () => {
    await ask('60000', '0.01');
    const text = 'Order would immediately match and take.';
    const reply = await post({ ...limit, price: '60000', timeInForce: 'GTX' });
    expect(reply).toMatchObject(refused(400, -2010, text));
  });

  test('-2010 open interest cap', async () => {
    const { id } = world.replica.exchange.markets[0]!;
    const terms = { ...worldTerms, openInterestCap: 100_000_000 as never };
    await world.command({ kind: 'changeMarket', market: id, terms, status: undefined });
    const text = 'Open interest cap exceeded.';
    expect(await post(limit)).toMatchObject(refused(400, -2010, text));
  });

  test('-2010 ORD-9 two hundred open orders', async () => {
    for (let i = 0; i < 200; i += 1) expect((await post(limit)).status).toBe(200);
    expect(await post(limit)).toMatchObject({ status: 400, body: { code: -2010 } });
  });

  test('-2010 SYM-1 Market is closed: halted, reduce-only, without an index', async () => {
    const { id } = world.replica.exchange.markets[0]!;
    const closed = refused(400, -2010, 'Market is closed.');
    for (const status of ['HALT', 'CLOSE'] as const) {
      await world.command({ kind: 'changeMarket', market: id, terms: {}, status });
      expect(await post(limit), status).toMatchObject(closed);
    }
    const fresh = { kind: 'listMarket', symbol: 'NEWUSDT', baseAsset: 'NEW' } as const;
    const grid = { decimals: 1, step: 1 };
    const terms = worldTerms;
    await world.command({ ...fresh, tick: grid, lot: grid, terms, status: 'TRADING' });
    expect(await post({ ...limit, symbol: 'NEWUSDT', quantity: 1 })).toMatchObject(closed);
  });

  test('-2014 ID-2 a client id that an active order has', async () => {
    const own = { ...limit, newClientOrderId: 'a' };
    expect((await post(own)).status).toBe(200);
    expect(await post(own)).toMatchObject(refused(400, -2014, 'Client order id is duplicated.'));
    await world.call(trader, 'DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' });
    expect((await post(own)).status).toBe(200);
  });

  test('-2019 margin', async () => {
    const poor = await world.newTrader(10);
    const reply = await world.call(poor, 'POST', path, limit);
    expect(reply).toMatchObject(refused(400, -2019, 'Margin is insufficient.'));
  });

  test('-2022 reduce-only without a position', async () => {
    const reply = await post({ ...limit, reduceOnly: 'true' });
    expect(reply).toMatchObject(refused(400, -2022, 'ReduceOnly Order is rejected.'));
  });
});

describe('ID-2 client order ids', () => {
  test.each(['ü', 'a b', 'a'.repeat(37), 'a,b', '💥', 'a\nb'])('-1100 %s', async (id) => {
    expect(await post({ ...limit, newClientOrderId: id })).toMatchObject(
      illegal('newClientOrderId'),
    );
    const query = { symbol: 'BTCUSDT', origClientOrderId: id };
    expect(await world.call(trader, 'GET', path, query)).toMatchObject(
      illegal('origClientOrderId'),
    );
  });

  test('generated when absent: 22 letters and digits, found by it', async () => {
    const { clientOrderId } = (await post(limit)).body;
    expect(clientOrderId).toMatch(/^[A-Za-z0-9]{22}$/);
    const query = { symbol: 'BTCUSDT', origClientOrderId: clientOrderId };
    expect((await world.call(trader, 'GET', path, query)).body.clientOrderId).toBe(clientOrderId);
    expect(await post({ ...limit, newClientOrderId: clientOrderId })).toMatchObject({
      body: { code: -2014 },
    });
  });

  test('every character that is allowed', async () => {
    const id = '.A-Z:/a-z0-9_-'.slice(0, 14);
    expect((await post({ ...limit, newClientOrderId: id })).body.clientOrderId).toBe(id);
  });
});

describe('ID-3 an order whose answer was lost', () => {
  const key = { 'idempotency-key': 'request 1' };

  test('the same request again gets the present state of that order', async () => {
    const first = await post(limit, key);
    world.clock.advance(1000);
    const again = await post(limit, key);
    expect(again.text).toBe(first.text);
    await world.call(trader, 'DELETE', path, { symbol: 'BTCUSDT', orderId: first.body.orderId });
    const ended = await post({ ...limit, recvWindow: 5 }, key);
    expect(ended.body).toMatchObject({ orderId: first.body.orderId, status: 'CANCELED' });
  });

  test('-1102 another request under the same key; another account is another key', async () => {
    await post(limit, key);
    expect(await post({ ...limit, price: '50001' }, key)).toMatchObject(missing('Idempotency-Key'));
    const other = await world.newTrader();
    expect((await world.call(other, 'POST', path, limit, key)).status).toBe(200);
    const long = { 'idempotency-key': 'k'.repeat(256) };
    expect(await post(limit, long)).toMatchObject(missing('Idempotency-Key'));
  });

  test('rejected requests are not remembered', async () => {
    const poor = await world.newTrader(10);
    const first = await world.call(poor, 'POST', path, limit, key);
    expect(first.body.code).toBe(-2019);
    const { address } = poor;
    await world.command({ kind: 'credit', address, amount: 1e10 as never, reference: 'more' });
    expect((await world.call(poor, 'POST', path, limit, key)).status).toBe(200);
  });

  test('ignored where it is not read', async () => {
    const set = (leverage: number) =>
      world.call(trader, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage }, key);
    await set(3);
    expect((await set(4)).body.leverage).toBe(4);
  });

  test('looked up by client id at once', async () => {
    await post({ ...limit, newClientOrderId: 'mine' });
    const query = { symbol: 'BTCUSDT', origClientOrderId: 'mine' };
    expect((await world.call(trader, 'GET', path, query)).body.status).toBe('NEW');
  });
});

describe('one order by its id', () => {
  const of = (method: string, parameters: Parameters, by: Trader = trader, at = path) =>
    world.call(by, method, at, { symbol: 'BTCUSDT', ...parameters });
  const unknown = { status: 404, body: { code: -2013, msg: 'Order does not exist.' } };
  const change = { quantity: '0.02', price: '51000' };

  test('GET, PUT and DELETE by either id; orderId prevails', async () => {
    const { orderId } = (await post({ ...limit, newClientOrderId: 'a' })).body;
    await post({ ...limit, newClientOrderId: 'b' });
    expect((await of('GET', { orderId, origClientOrderId: 'b' })).body.clientOrderId).toBe('a');
    expect((await of('GET', { ORDERID: orderId.toUpperCase() })).body.orderId).toBe(orderId);
    const changed = await of('PUT', { orderId, side: 'BUY', ...change });
    expect(changed.body).toMatchObject({ orderId, origQty: '0.020', price: '51000.0' });
    const cancelled = await of('DELETE', { origClientOrderId: 'a' });
    expect(cancelled.body).toMatchObject({ orderId, status: 'CANCELED', cancelReason: 'USER' });
    expect((await of('GET', { orderId })).body.status).toBe('CANCELED');
    expect(await of('GET', { orderId }, trader, '/fapi/v1/openOrder')).toMatchObject(unknown);
    const open = await of('GET', { origClientOrderId: 'b' }, trader, '/fapi/v1/openOrder');
    expect(open.body.status).toBe('NEW');
  });

  test('-2011 an order that has ended, on cancel and modify', async () => {
    const gone = { status: 400, body: { code: -2011, msg: 'Unknown order sent.' } };
    const { orderId } = (await post({ ...limit, newClientOrderId: 'a' })).body;
    await of('DELETE', { orderId });
    const before = world.stateHash();
    expect(await of('DELETE', { orderId })).toMatchObject(gone);
    expect(await of('DELETE', { origClientOrderId: 'a' })).toMatchObject(gone);
    expect(await of('PUT', { orderId, ...change })).toMatchObject(gone);
    expect(world.stateHash()).toBe(before);
  });

  test('-2013 ids that never were, of others, of another symbol, of MARKET orders on PUT', async () => {
    const { orderId } = (await post(limit)).body;
    const other = await world.newTrader();
    const ids = [nowhere, '00000000-0000-0000-0000-000000000000', orderId.replace(/^0199/, '0198')];
    for (const id of ids) {
      expect(await of('GET', { orderId: id })).toMatchObject(unknown);
      expect(await of('DELETE', { orderId: id })).toMatchObject(unknown);
      expect(await of('PUT', { orderId: id, ...change })).toMatchObject(unknown);
    }
    expect(await of('GET', { origClientOrderId: 'none' })).toMatchObject(unknown);
    for (const method of ['GET', 'DELETE']) {
      expect(await of(method, { orderId }, other)).toMatchObject(unknown);
      const elsewhere = { symbol: 'ETHUSDT', orderId };
      expect(await world.call(trader, method, path, elsewhere)).toMatchObject(unknown);
    }
    const filled = (await post(market)).body.orderId;
    expect(await of('PUT', { orderId: filled, ...change })).toMatchObject(unknown);
  });

  test('-1100 an id that is no UUID, -1102 none at all', async () => {
    for (const method of ['GET', 'DELETE']) {
      for (const orderId of ['7', 'x', `${nowhere}0`, '__proto__']) {
        expect(await of(method, { orderId })).toMatchObject(illegal('orderId'));
      }
      expect(await of(method, {})).toMatchObject(missing('orderId'));
      expect(await world.call(trader, method, path, { orderId: nowhere })).toMatchObject(
        missing('symbol'),
      );
    }
  });

  test('PUT: side, quantity and price', async () => {
    const { orderId } = (await post(limit)).body;
    const put = (parameters: Parameters) => of('PUT', { orderId, ...change, ...parameters });
    expect(await put({ side: 'SELL' })).toMatchObject(missing('side'));
    expect(await put({ side: 'sell' })).toMatchObject(invalid('side'));
    expect(await put({ priceMatch: 'QUEUE' })).toMatchObject(invalid('priceMatch'));
    expect(await put({ quantity: '' })).toMatchObject(missing('quantity'));
    expect(await put({ price: '' })).toMatchObject(missing('price'));
    for (const quantity of ['0', '-1', 'x', '0e3']) {
      expect(await put({ quantity }), quantity).toMatchObject(illegal('quantity'));
    }
    for (const price of ['0', '-1', 'x'])
      expect(await put({ price })).toMatchObject(illegal('price'));
    expect(await put({ quantity: '0.0001' })).toMatchObject({ body: { code: -1013 } });
    expect(await put({ price: '50000.01' })).toMatchObject({ body: { code: -1100 } });
    expect(await put({ quantity: '21' })).toMatchObject({ body: { code: -1013 } });
    expect((await of('GET', { orderId })).body).toMatchObject({
      origQty: '0.010',
      price: '50000.0',
      status: 'NEW',
    });
  });

  test('-2019 PUT without the margin for more leaves order and freeze alone', async () => {
    const poor = await world.newTrader(100);
    const { orderId } = (await world.call(poor, 'POST', path, limit)).body;
    const before = world.stateHash();
    const reply = await of('PUT', { orderId, ...change, quantity: '0.1' }, poor);
    expect(reply).toMatchObject({ status: 400, body: { code: -2019 } });
    expect(world.stateHash()).toBe(before);
  });

  test('-1100 PUT below what is filled; equal to it ends the order FILLED', async () => {
    await ask('60000', '0.004');
    const { orderId } = (await post({ ...limit, price: '60000' })).body;
    const below = { orderId, quantity: '0.003', price: '60000' };
    expect(await of('PUT', below)).toMatchObject(illegal('quantity'));
    const equal = await of('PUT', { ...below, quantity: '0.004' });
    expect(equal.body).toMatchObject({ orderId, status: 'FILLED', origQty: '0.004' });
  });
});

describe('several orders', () => {
  test('openOrders: ascending by time, of one symbol or of all', async () => {
    for (const price of ['50000', '49000', '51000']) {
      await post({ ...limit, price });
      world.clock.advance(1);
    }
    await post({ ...limit, symbol: 'ETHUSDT', price: '5000' });
    const ofOne = await world.call(trader, 'GET', '/fapi/v1/openOrders', { symbol: 'btc-usdt' });
    expect(ofOne.body.map(({ price }: { price: string }) => price)).toEqual([
      '50000.0',
      '49000.0',
      '51000.0',
    ]);
    const ofAll = await world.call(trader, 'GET', '/fapi/v1/openOrders');
    expect(ofAll.body).toHaveLength(4);
    const other = await world.newTrader();
    expect((await world.call(other, 'GET', '/fapi/v1/openOrders')).body).toEqual([]);
  });

  test('allOpenOrders: the convention’s text, without orders too', async () => {
    await post(limit);
    await post({ ...limit, symbol: 'ETHUSDT', price: '5000' });
    const done = { code: 200, msg: 'The operation of cancel all open order is done.' };
    for (let i = 0; i < 2; i += 1) {
      const reply = await world.call(trader, 'DELETE', '/fapi/v1/allOpenOrders', {
        symbol: 'BTCUSDT',
      });
      expect(reply).toMatchObject({ status: 200, body: done });
    }
    expect((await world.call(trader, 'GET', '/fapi/v1/openOrders')).body).toHaveLength(1);
  });

  test('ORD-13 countdownCancelAll cancels unless it is called again; 0 stops', async () => {
    const count = (countdownTime: unknown) =>
      world.call(trader, 'POST', '/fapi/v1/countdownCancelAll', {
        symbol: 'BTCUSDT',
        countdownTime,
      });
    const { orderId } = (await post(limit)).body;
    expect((await count('120000')).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '120000' });
    expect((await count(1000)).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '1000' });
    expect((await count(0)).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '0' });
    world.clock.advance(2000);
    await world.price(600_000);
    const state = async () =>
      (await world.call(trader, 'GET', path, { symbol: 'BTCUSDT', orderId })).body;
    expect((await state()).status).toBe('NEW');
    await count(1000);
    world.clock.advance(1000);
    await world.price(600_000);
    expect(await state()).toMatchObject({ status: 'CANCELED', cancelReason: 'COUNTDOWN' });
    for (const bad of ['x', -1, 1.5, '', 86_400_001, 1e300]) {
      expect(await count(bad)).toMatchObject(missing('countdownTime'));
    }
  });
});
