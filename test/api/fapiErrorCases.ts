// A request for every code of the table of FAPI's business errors, with the status and the text
// that the interface and the conventions give it.

import { openMemoryExchange } from '../fixtures/memoryExchange.ts';
import type { ErrorCase, ErrorCases } from './errorCase.ts';
import {
  type ErrorTrader,
  type ErrorWorld,
  type Parameters,
  price,
  type Reply,
} from './errorWorld.ts';

/** The interface's table of FAPI business errors, in its order, with those of the price band. */
export const fapiCodes = [
  -1000, -1001, -1003, -1013, -1021, -1100, -1102, -1106, -1120, -1121, -1125, -1130, -2010, -2011,
  -2013, -2014, -2019, -2021, -2022, -2027, -4016, -4024, -4028, -4046, -4059,
] as const;

export type FapiCode = (typeof fapiCodes)[number];

const orderPath = '/fapi/v1/order';
const algoPath = '/fapi/v1/algoOrder';
const nobodysOrder = '01900000-0000-7000-8000-000000000001';
const limit = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '90000',
};

const place = ({ fapi }: ErrorTrader, changes: Parameters = {}): Promise<Reply> =>
  fapi('POST', orderPath, { ...limit, ...changes });

/** The answer to an order that differs from a good one in this. */
const placing =
  (changes: Parameters, usdt?: number) =>
  async (world: ErrorWorld): Promise<Reply> =>
    place(await world.trader(usdt), changes);

/** A stop above the price of everything. */
const stop = {
  algoType: 'CONDITIONAL',
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'STOP_MARKET',
  quantity: '0.01',
  triggerPrice: '110000',
};

/** The answer to a trigger of the algo route that differs from a good one in this. */
const stopping =
  (changes: Parameters) =>
  async (world: ErrorWorld): Promise<Reply> =>
    (await world.trader()).fapi('POST', algoPath, { ...stop, ...changes });

/** The answer to a signed request of an account that has nothing but money. */
const asking =
  (method: string, path: string, parameters: Parameters) =>
  async (world: ErrorWorld): Promise<Reply> =>
    (await world.trader()).fapi(method, path, parameters);

const bad = (code: 'missing' | 'illegal' | 'invalid' | 'notAllowed', name: string): string =>
  ({
    missing: `Parameter '${name}' is missing or malformed.`,
    illegal: `Parameter '${name}' has an illegal format.`,
    invalid: `Parameter '${name}' has an invalid value.`,
    notAllowed: `Parameter '${name}' is not allowed here.`,
  })[code];

const offTick = (name: string): string => `${bad('illegal', name)} Filter failure: PRICE_FILTER`;

const refusedLimit = (when: string, text: string, changes: Parameters): ErrorCase => ({
  when,
  status: 400,
  text,
  ask: placing(changes),
});

async function tooManyOrders(world: ErrorWorld): Promise<Reply> {
  const trader = await world.trader();
  // An order that is refused later has spent its place in the buckets all the same.
  for (let i = 0; i < 50; i += 1) await place(trader, { symbol: 'NONE' });
  return place(trader);
}

async function cancelledOrder(world: ErrorWorld): Promise<{ trader: ErrorTrader; id: string }> {
  const trader = await world.trader();
  const { orderId: id } = (await place(trader)).body;
  await trader.fapi('DELETE', orderPath, { symbol: 'BTCUSDT', orderId: id });
  return { trader, id };
}

const refusedStop = (when: string, text: string, changes: Parameters): ErrorCase => ({
  when,
  status: 400,
  text,
  ask: stopping(changes),
});

async function triggersFull(world: ErrorWorld): Promise<Reply> {
  const trader = await world.trader();
  const { algoType: _, triggerPrice: stopPrice, ...item } = stop;
  // 200 on all symbols together (ORD-9), five in a request.
  for (let i = 0; i < 40; i += 1) {
    const batchOrders = Array(5).fill({ ...item, stopPrice });
    await trader.fapi('POST', '/fapi/v1/batchOrders', { batchOrders });
  }
  return trader.fapi('POST', algoPath, stop);
}

async function openOrdersFull(world: ErrorWorld): Promise<Reply> {
  const trader = await world.trader();
  const item = { ...limit, quantity: '0.001', price: '50000' };
  // 200 on one symbol (ORD-9), five in a request.
  for (let i = 0; i < 40; i += 1) {
    await trader.fapi('POST', '/fapi/v1/batchOrders', { batchOrders: Array(5).fill(item) });
  }
  return place(trader);
}

const market = { type: 'MARKET', price: undefined, timeInForce: undefined };
const closed = 'Market is closed.';
const immediately = 'Order would trigger immediately.';

export const fapiErrorCases: ErrorCases<FapiCode> = {
  [-1000]: [
    {
      when: 'exchangeInfo is requested while no market is listed',
      status: 500,
      text: 'Market configuration unavailable.',
      ask: async () => {
        const fresh = await openMemoryExchange();
        const {
          statusCode: status,
          payload,
          headers,
        } = await fresh.app.inject({
          method: 'GET',
          url: '/fapi/v1/exchangeInfo',
        });
        await fresh.close();
        return { status, headers, body: JSON.parse(payload) };
      },
    },
    {
      when: 'fundingFeeHistory is requested while the database is down',
      status: 500,
      text: 'Database failure.',
      ask: async (world) => {
        const trader = await world.trader();
        world.exchange.history.setWorking(false);
        const reply = await trader.fapi('GET', '/fapi/v1/fundingFeeHistory');
        world.exchange.history.setWorking(true);
        return reply;
      },
    },
    {
      when: 'v1/balance is requested, which does not exist',
      status: 404,
      text: 'Not found.',
      ask: asking('GET', '/fapi/v1/balance', {}),
    },
  ],
  [-1001]: [
    {
      when: 'the process that writes did not answer a command that was passed on',
      status: 500,
      text: 'Internal error; the fate of the request is unknown. Ask for it before you repeat it.',
      ask: async (world) => {
        const trader = await world.trader();
        world.exchange.setLinkLost(true);
        const reply = await place(trader);
        world.exchange.setLinkLost(false);
        return reply;
      },
    },
  ],
  [-1003]: [
    {
      when: 'the 51st order of ten seconds comes',
      status: 429,
      text: 'Too many requests.',
      ask: tooManyOrders,
    },
  ],
  [-1013]: [
    refusedLimit('the quantity is below one lot', 'Filter failure: LOT_SIZE', {
      quantity: '0.0009',
    }),
    refusedLimit('the notional is below the least', 'Filter failure: MIN_NOTIONAL', {
      quantity: '0.001',
      price: '1000',
    }),
    refusedLimit('the notional is above the most', 'Filter failure: MAX_NOTIONAL', {
      quantity: '12',
    }),
  ],
  [-1021]: [
    {
      when: 'the timestamp is 60.001 s old',
      status: 400,
      text: 'Timestamp is outside the 60000 ms window.',
      ask: async (world) =>
        (await world.trader()).fapi('GET', '/fapi/v2/balance', {}, { skew: -60_001 }),
    },
    {
      when: 'the timestamp is 60.001 s ahead',
      status: 400,
      text: 'Timestamp is outside the 60000 ms window.',
      ask: async (world) =>
        (await world.trader()).fapi('GET', '/fapi/v2/balance', {}, { skew: 60_001 }),
    },
  ],
  [-1100]: [
    refusedLimit('the quantity is no number', bad('illegal', 'quantity'), { quantity: '1..5' }),
    refusedLimit('the price is no number', bad('illegal', 'price'), { price: 'NaN' }),
    refusedLimit('the price is between two ticks', offTick('price'), { price: '90000.05' }),
    refusedLimit('the client id has a space', bad('illegal', 'newClientOrderId'), {
      newClientOrderId: 'a b',
    }),
    {
      when: 'the order id is no UUID',
      status: 400,
      text: bad('illegal', 'orderId'),
      ask: asking('GET', orderPath, { symbol: 'BTCUSDT', orderId: '12345' }),
    },
    refusedStop('the trigger price is between two ticks', offTick('triggerPrice'), {
      triggerPrice: '110000.05',
    }),
    {
      when: 'triggers of more than seven days are requested',
      status: 400,
      text: bad('illegal', 'endTime'),
      ask: asking('GET', '/fapi/v1/allAlgoOrders', {
        symbol: 'BTCUSDT',
        startTime: 1_000,
        endTime: 604_801_001,
      }),
    },
    {
      when: 'an order is modified to a price of zero',
      status: 400,
      text: bad('illegal', 'price'),
      ask: async (world) => {
        const trader = await world.trader();
        const { orderId } = (await place(trader)).body;
        return trader.fapi('PUT', orderPath, {
          symbol: 'BTCUSDT',
          orderId,
          quantity: '0.01',
          price: '0',
        });
      },
    },
  ],
  [-1102]: [
    refusedLimit('the symbol is missing', bad('missing', 'symbol'), { symbol: '' }),
    refusedLimit('the time in force is unknown', bad('missing', 'timeInForce'), {
      timeInForce: 'GTE_GTC',
    }),
    refusedLimit('GTD is asked for on the order route', bad('missing', 'timeInForce'), {
      timeInForce: 'GTD',
    }),
    refusedStop('GTD comes without its date', bad('missing', 'goodTillDate'), {
      timeInForce: 'GTD',
    }),
    refusedStop('the good-till-date is too near', bad('missing', 'goodTillDate'), {
      timeInForce: 'GTD',
      goodTillDate: 1_760_000_000_000,
    }),
    refusedStop('the callback rate is above 10 percent', bad('missing', 'callbackRate'), {
      type: 'TRAILING_STOP_MARKET',
      callbackRate: '10.1',
    }),
    refusedStop('a trigger has no price to wait for', bad('missing', 'triggerPrice'), {
      triggerPrice: undefined,
    }),
    {
      when: 'the side of a modified order differs',
      status: 400,
      text: bad('missing', 'side'),
      ask: async (world) => {
        const trader = await world.trader();
        const { orderId } = (await place(trader)).body;
        const { symbol, quantity, price: asked } = limit;
        return trader.fapi('PUT', orderPath, {
          symbol,
          orderId,
          side: 'SELL',
          quantity,
          price: asked,
        });
      },
    },
    {
      when: 'a batch has six orders',
      status: 400,
      text: bad('missing', 'batchOrders'),
      ask: asking('POST', '/fapi/v1/batchOrders', { batchOrders: Array(6).fill(limit) }),
    },
  ],
  [-1106]: [
    refusedLimit('quantity and quoteOrderQty come together', bad('notAllowed', 'quoteOrderQty'), {
      ...market,
      quoteOrderQty: '100',
    }),
    refusedLimit('closePosition comes with a LIMIT order', bad('notAllowed', 'closePosition'), {
      closePosition: true,
    }),
    refusedLimit('a LIMIT order has a stop price', bad('notAllowed', 'stopPrice'), {
      stopPrice: '80000',
    }),
    refusedStop('closePosition comes with a quantity', bad('notAllowed', 'quantity'), {
      closePosition: true,
    }),
  ],
  [-1120]: [
    {
      when: 'the interval of klines is invalid',
      status: 400,
      text: 'Invalid interval.',
      ask: (world) => world.open('GET', '/fapi/v1/klines', { symbol: 'BTCUSDT', interval: '7m' }),
    },
    {
      when: 'the interval of klines has another spelling, before the symbol is checked',
      status: 400,
      text: 'Invalid interval.',
      ask: (world) =>
        world.open('GET', '/fapi/v1/markPriceKlines', { symbol: 'NONE', interval: '1H' }),
    },
    {
      when: 'the period of open interest is an interval but not one of its periods',
      status: 400,
      text: 'Invalid period.',
      ask: (world) =>
        world.open('GET', '/futures/data/openInterestHist', { symbol: 'BTCUSDT', period: '1m' }),
    },
    {
      when: 'the period of volumes of takers is invalid',
      status: 400,
      text: 'Invalid period.',
      ask: (world) =>
        world.open('GET', '/futures/data/takerlongshortRatio', { symbol: 'BTCUSDT', period: '1' }),
    },
  ],
  [-1121]: [
    refusedLimit('the symbol is not listed', 'Invalid symbol.', { symbol: 'DOGEUSDT' }),
    {
      when: 'a public route gets a symbol that is not listed',
      status: 400,
      text: 'Invalid symbol.',
      ask: (world) => world.open('GET', '/fapi/v1/openInterest', { symbol: 'DOGEUSDT' }),
    },
  ],
  [-1125]: [
    {
      when: 'an account extends a listen key that it does not have',
      status: 404,
      text: 'Listen key does not exist.',
      ask: async (world) => (await world.trader()).fapi('PUT', '/fapi/v1/listenKey'),
    },
  ],
  [-1130]: [
    refusedLimit('the side is unknown', bad('invalid', 'side'), { side: 'HOLD' }),
    refusedLimit('the type is unknown', bad('invalid', 'type'), { type: 'ICEBERG' }),
    refusedLimit('the position side is unknown', bad('invalid', 'positionSide'), {
      positionSide: 'NET',
    }),
    refusedLimit('a trailing stop comes on the order route', bad('invalid', 'type'), {
      type: 'TRAILING_STOP_MARKET',
      callbackRate: '1',
    }),
    refusedStop('the algo type is unknown', bad('invalid', 'algoType'), { algoType: 'TWAP' }),
    refusedStop('a LIMIT order comes on the algo route', bad('invalid', 'type'), {
      type: 'LIMIT',
      price: '90000',
    }),
  ],
  [-2010]: [
    {
      when: 'a GTX order would match at once',
      status: 400,
      text: 'Order would immediately match and take.',
      ask: async (world) => {
        await place(await world.trader(), { side: 'SELL', price });
        return place(await world.trader(), { timeInForce: 'GTX', price });
      },
    },
    refusedLimit('the side would pass its open interest cap', 'Open interest cap exceeded.', {
      symbol: 'CAPUSDT',
      quantity: '0.02',
    }),
    {
      when: 'the account has 200 open orders on the symbol',
      status: 400,
      text: 'Reached max open order limit.',
      ask: openOrdersFull,
    },
    {
      when: 'the account has 200 waiting triggers',
      status: 400,
      text: 'Reached max trigger order limit.',
      ask: triggersFull,
    },
    refusedLimit('the market is halted', closed, { symbol: 'HALTUSDT' }),
    refusedLimit('the market only lets positions be reduced', closed, { symbol: 'CLOSEUSDT' }),
    refusedLimit('the market has no index yet', closed, { symbol: 'DARKUSDT' }),
  ],
  [-2011]: [
    {
      when: 'a cancelled order is cancelled',
      status: 400,
      text: 'Unknown order sent.',
      ask: async (world) => {
        const { trader, id: orderId } = await cancelledOrder(world);
        return trader.fapi('DELETE', orderPath, { symbol: 'BTCUSDT', orderId });
      },
    },
    {
      when: 'a cancelled order is modified',
      status: 400,
      text: 'Unknown order sent.',
      ask: async (world) => {
        const { trader, id: orderId } = await cancelledOrder(world);
        const { symbol, quantity } = limit;
        return trader.fapi('PUT', orderPath, { symbol, orderId, quantity, price });
      },
    },
    {
      when: 'a cancelled trigger is cancelled',
      status: 400,
      text: 'Unknown order sent.',
      ask: async (world) => {
        const trader = await world.trader();
        const { algoId } = (await trader.fapi('POST', algoPath, stop)).body;
        await trader.fapi('DELETE', algoPath, { algoId });
        return trader.fapi('DELETE', algoPath, { algoId });
      },
    },
  ],
  [-2013]: [
    {
      when: 'an unknown order is read',
      status: 404,
      text: 'Order does not exist.',
      ask: asking('GET', orderPath, { symbol: 'BTCUSDT', orderId: nobodysOrder }),
    },
    {
      when: 'an unknown order is cancelled',
      status: 404,
      text: 'Order does not exist.',
      ask: asking('DELETE', orderPath, { symbol: 'BTCUSDT', origClientOrderId: 'never-was' }),
    },
    {
      when: "another account's order is cancelled",
      status: 404,
      text: 'Order does not exist.',
      ask: async (world) => {
        const { orderId } = (await place(await world.trader())).body;
        const stranger = await world.trader();
        return stranger.fapi('DELETE', orderPath, { symbol: 'BTCUSDT', orderId });
      },
    },
    {
      when: 'a cancelled order is read as an open one',
      status: 404,
      text: 'Order does not exist.',
      ask: async (world) => {
        const { trader, id: orderId } = await cancelledOrder(world);
        return trader.fapi('GET', '/fapi/v1/openOrder', { symbol: 'BTCUSDT', orderId });
      },
    },
    {
      when: 'an unknown trigger is read',
      status: 404,
      text: 'Order does not exist.',
      ask: asking('GET', algoPath, { algoId: nobodysOrder }),
    },
    {
      when: 'a trigger is modified',
      status: 404,
      text: 'Order does not exist.',
      ask: async (world) => {
        const trader = await world.trader();
        const { algoType: _, triggerPrice: stopPrice, ...order } = stop;
        const { orderId } = (await trader.fapi('POST', orderPath, { ...order, stopPrice })).body;
        const { symbol, quantity } = limit;
        return trader.fapi('PUT', orderPath, { symbol, orderId, quantity, price });
      },
    },
  ],
  [-2014]: [
    {
      when: 'an active order has the client id already',
      status: 400,
      text: 'Client order id is duplicated.',
      ask: async (world) => {
        const trader = await world.trader();
        await place(trader, { newClientOrderId: 'twice' });
        return place(trader, { newClientOrderId: 'twice' });
      },
    },
  ],
  [-2019]: [
    {
      when: 'the account has too little for the margin',
      status: 400,
      text: 'Margin is insufficient.',
      ask: placing({ quantity: '1' }, 100),
    },
  ],
  [-2021]: [
    refusedStop('the mark is above a buying stop', immediately, { triggerPrice: '99999.9' }),
    refusedLimit('the mark is below a selling stop', immediately, {
      side: 'SELL',
      type: 'STOP',
      stopPrice: '100000',
    }),
    refusedStop('a trailing stop is to be activated where the mark is', immediately, {
      type: 'TRAILING_STOP_MARKET',
      callbackRate: '1',
      activatePrice: price,
    }),
  ],
  [-2022]: [
    refusedLimit('there is no position to reduce', 'ReduceOnly Order is rejected.', {
      reduceOnly: true,
    }),
    refusedStop('there is no position for a trigger to reduce', 'ReduceOnly Order is rejected.', {
      reduceOnly: true,
    }),
  ],
  [-2027]: [
    refusedLimit(
      'the account would hold too much of a side',
      'Exceeded the maximum allowable position at current leverage. The maximum is 2000.',
      { symbol: 'SHAREUSDT', quantity: '0.03' },
    ),
    refusedLimit(
      'the bracket allows less leverage',
      'Exceeded the maximum allowable position at current leverage. ' +
        'At this open interest the leverage may be at most 10.',
      { symbol: 'STEPUSDT', quantity: '0.02' },
    ),
  ],
  [-4016]: [
    refusedLimit('a buy is priced above the band', "Limit price can't be higher than 105000.0.", {
      price: '105000.1',
    }),
    {
      when: 'a buy is to be moved above the band',
      status: 400,
      text: "Limit price can't be higher than 105000.0.",
      ask: async (world) => {
        const trader = await world.trader();
        const { orderId } = (await place(trader)).body;
        return trader.fapi('PUT', orderPath, {
          symbol: 'BTCUSDT',
          side: 'BUY',
          quantity: '0.01',
          price: '105000.1',
          orderId,
        });
      },
    },
    {
      when: 'such a buy is only tested',
      status: 400,
      text: "Limit price can't be higher than 105000.0.",
      ask: async (world) =>
        (await world.trader()).fapi('POST', `${orderPath}/test`, { ...limit, price: '200000' }),
    },
  ],
  [-4024]: [
    refusedLimit('a sell is priced below the band', "Limit price can't be lower than 95000.0.", {
      side: 'SELL',
      price: '94999.9',
    }),
  ],
  [-4028]: [
    {
      when: 'the leverage is above the maximum',
      status: 400,
      text: 'Leverage 51 is not valid',
      ask: asking('POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 51 }),
    },
    {
      when: 'the leverage is zero',
      status: 400,
      text: 'Leverage 0 is not valid',
      ask: asking('POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: '0' }),
    },
  ],
  [-4046]: [
    {
      when: 'isolated margin is requested',
      status: 400,
      text: 'Isolated margin is not available on this API.',
      ask: asking('POST', '/fapi/v1/marginType', { symbol: 'BTCUSDT', marginType: 'ISOLATED' }),
    },
  ],
  [-4059]: [
    {
      when: 'hedge mode is requested',
      status: 400,
      text: 'Hedge mode is not available.',
      ask: asking('POST', '/fapi/v1/positionSide/dual', { dualSidePosition: 'true' }),
    },
  ],
};
