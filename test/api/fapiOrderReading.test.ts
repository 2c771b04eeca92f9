// How the parameters of an order are read, and what refuses them before the engine sees them
// (UNIT-4, UNIT-5; conventions, 1.5 and 7.2).

import { describe, expect, test } from 'vitest';
import { illegal, invalid, missing } from '../gateway/parameterRefusals.ts';
import { ask, trader, useTrader, world } from '../gateway/useTrader.ts';

useTrader();

type Parameters = Readonly<Record<string, unknown>>;
const path = '/fapi/v1/order';
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
const post = (parameters: Parameters, headers: Record<string, string> = {}) =>
  world.call(trader, 'POST', path, parameters, headers);
const without = (parameters: Parameters, name: string): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));
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

  test('GTX on MARKET; the other times in force are ignored there', async () => {
    expect(await post({ ...market, timeInForce: 'GTX' })).toMatchObject(missing('timeInForce'));
    expect((await post({ ...market, timeInForce: 'IOC', price: 'x' })).status).toBe(200);
  });

  test.each(['reduceOnly', 'closePosition', 'priceProtect'])(
    '%s that is not a flag',
    async (name) => {
      for (const value of ['yes', 1, [], {}]) {
        expect(await post({ ...limit, [name]: value })).toMatchObject(missing(name));
      }
    },
  );

  test.each(Object.keys(limit))('a list or object as %s', async (name) => {
    for (const value of [['BTCUSDT'], { a: 1 }]) {
      expect(await post({ ...limit, [name]: value })).toMatchObject({
        status: 400,
        body: { code: -1102 },
      });
    }
  });
});

describe('-1130 unknown words', () => {
  test.each([
    ['side', 'buy'],
    ['side', 'HOLD'],
    ['type', 'limit'],
    ['type', 'STOP_LOSS'],
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
