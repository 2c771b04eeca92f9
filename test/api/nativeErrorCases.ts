// A request for every code of the table of native errors, with the status of AUTH-6. Those of the
// login are in loginErrorCases.ts.

import type { ErrorCase, ErrorCases } from './errorCase.ts';
import {
  type ErrorTrader,
  type ErrorWorld,
  type Parameters,
  price,
  type Reply,
} from './errorWorld.ts';
import { type LoginCode, loginErrorCases } from './loginErrorCases.ts';

/** The interface's table of native errors, in its order, less the codes of the login. */
export const nativeCodes = [
  'INVALID_TOKEN',
  'LIMIT_REACHED',
  'INVALID_IP',
  'INVALID_SYMBOL',
  'INVALID_LEVERAGE',
  'INVALID_AMOUNT',
  'PRICE_REQUIRED',
  'SLIPPAGE_EXCEEDED',
  'PRICE_OUT_OF_BAND',
  'INSUFFICIENT_BALANCE',
  'OI_CAP_EXCEEDED',
  'POSITION_LIMIT',
  'ORDER_NOT_FOUND',
  'ORDER_NOT_OWNED',
  'ORDER_NOT_CANCELLABLE',
  'HAS_OPEN_ORDERS',
  'HAS_OPEN_POSITIONS',
  'INVALID_MARGIN_MODE',
  'INVALID_MARKET',
  'ERR_INVALID_PERIOD',
  'ERR_NO_DATA',
  'CIRCUIT_OPEN',
  'PRICE_DATA_UNAVAILABLE',
] as const;

export type NativeErrorCode = (typeof nativeCodes)[number] | LoginCode;

const ordersPath = '/api/v1/orders';
const keysPath = '/api/v1/api-keys';
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '90000' };

const place = ({ native }: ErrorTrader, changes: Parameters = {}): Promise<Reply> =>
  native('POST', ordersPath, { ...limit, ...changes });

const placing = (
  when: string,
  { status, text }: Pick<ErrorCase, 'status' | 'text'>,
  changes: Parameters,
): ErrorCase => ({
  when,
  status,
  text,
  ask: async (world) => place(await world.trader(), changes),
});

async function thirtyOneKeys(world: ErrorWorld): Promise<Reply> {
  const { native } = await world.trader();
  // The trader has one.
  for (let i = 1; i < 30; i += 1) await native('POST', keysPath);
  return native('POST', keysPath);
}

async function cancelTwice(world: ErrorWorld): Promise<Reply> {
  const trader = await world.trader();
  const { order_id: id } = (await place(trader)).body;
  await trader.native('DELETE', `${ordersPath}/${id}`);
  return trader.native('DELETE', `${ordersPath}/${id}`);
}

async function farAsk(world: ErrorWorld): Promise<Reply> {
  await place(await world.trader(), { side: 'SELL', price: '101000' });
  const buyer = await world.trader();
  return place(buyer, { type: 'MARKET', price: undefined, max_slippage: '0.009' });
}

const modePath = '/api/v1/account/margin-mode';
const setMode = ({ native }: ErrorTrader, mode = 'isolated'): Promise<Reply> =>
  native('POST', modePath, { mode });

async function switchWithPosition(world: ErrorWorld): Promise<Reply> {
  await place(await world.trader(), { side: 'SELL', price });
  const buyer = await world.trader();
  await place(buyer, { price });
  return setMode(buyer);
}

const tokenText = 'The token is missing, expired or not of this deployment.';

export const nativeErrorCases: ErrorCases<NativeErrorCode> = {
  ...loginErrorCases,
  INVALID_TOKEN: [
    {
      when: 'there is no token',
      status: 401,
      text: tokenText,
      ask: (world) => world.open('GET', keysPath),
    },
    {
      when: 'the token has expired',
      status: 401,
      text: tokenText,
      ask: async (world) => {
        const { native } = await world.trader();
        world.exchange.clock.advance(24 * 3_600_000 + 1000);
        return native('GET', keysPath);
      },
    },
  ],
  LIMIT_REACHED: [
    {
      when: 'the account has 30 keys',
      status: 400,
      text: 'The account already holds 30 keys.',
      ask: thirtyOneKeys,
    },
  ],
  INVALID_IP: [
    {
      when: 'the whitelist of a new key is invalid',
      status: 400,
      text: 'The ip_whitelist is not a comma-separated list of addresses.',
      ask: async (world) =>
        (await world.trader()).native('POST', keysPath, { ip_whitelist: '10.0.0.1,10.0.0.256' }),
    },
  ],
  INVALID_SYMBOL: [
    placing(
      'the symbol of an order is not listed',
      { status: 400, text: 'Invalid symbol.' },
      { symbol: 'DOGEUSDT' },
    ),
  ],
  INVALID_LEVERAGE: [
    {
      when: 'the leverage is above the maximum',
      status: 400,
      text: 'Leverage 51 is not between 1 and 50.',
      ask: async (world) =>
        (await world.trader()).native('POST', '/api/v1/leverage', {
          symbol: 'BTCUSDT',
          leverage: 51,
        }),
    },
  ],
  INVALID_AMOUNT: [
    placing(
      'the quantity is no number',
      { status: 400, text: "Parameter 'quantity' has an illegal format." },
      { quantity: '-1' },
    ),
    placing(
      'the price is between two ticks',
      { status: 400, text: "Parameter 'price' is not a whole number of ticks." },
      { price: '90000.01' },
    ),
    placing(
      'the quantity is below one lot',
      { status: 400, text: 'The quantity is below one lot.' },
      { quantity: '0.0001' },
    ),
    placing(
      'the notional is below the least',
      { status: 400, text: 'The notional is below 5.' },
      { quantity: '0.001', price: '1000' },
    ),
  ],
  PRICE_REQUIRED: [
    placing(
      'a LIMIT order has no price',
      { status: 400, text: 'A LIMIT order needs a price.' },
      { price: undefined },
    ),
  ],
  SLIPPAGE_EXCEEDED: [
    {
      when: 'the only ask is 1 % from the mark',
      status: 422,
      text: 'Slippage would exceed the limit.',
      ask: farAsk,
    },
  ],
  PRICE_OUT_OF_BAND: [
    placing(
      'a buy is priced above the band',
      { status: 422, text: 'A buy order must not be priced above 105000.0.' },
      { price: '105000.1' },
    ),
    placing(
      'a sell is priced below the band',
      { status: 422, text: 'A sell order must not be priced below 95000.0.' },
      { side: 'SELL', price: '94999.9' },
    ),
  ],
  INSUFFICIENT_BALANCE: [
    {
      when: 'the account has nothing',
      status: 422,
      text: 'Margin is insufficient.',
      ask: async (world) => place(await world.trader(0)),
    },
    {
      when: 'a withdrawal exceeds the balance',
      status: 422,
      text: 'The balance is insufficient: at most 100000.',
      ask: async (world) =>
        (await world.trader()).native('POST', '/api/v1/withdraw/request', { amount: '100001' }),
    },
  ],
  OI_CAP_EXCEEDED: [
    placing(
      'the side would pass its cap',
      {
        status: 422,
        text: 'Open interest cap exceeded: current=0, cap=1000, requested_delta=2000.',
      },
      { symbol: 'CAPUSDT', quantity: '0.02', price },
    ),
  ],
  POSITION_LIMIT: [
    placing(
      'the account would hold too much of a side',
      {
        status: 422,
        text: 'Position limit exceeded: current=0, max=2000, requested_delta=3000.',
      },
      { symbol: 'SHAREUSDT', quantity: '0.03', price },
    ),
  ],
  ORDER_NOT_FOUND: [
    {
      when: 'an unknown order is read',
      status: 404,
      text: 'Order does not exist.',
      ask: async (world) => (await world.trader()).native('GET', `${ordersPath}/never-was`),
    },
  ],
  ORDER_NOT_OWNED: [
    {
      when: "another account's order is cancelled",
      status: 403,
      text: 'The order belongs to another account.',
      ask: async (world) => {
        const { order_id: id } = (await place(await world.trader())).body;
        return (await world.trader()).native('DELETE', `${ordersPath}/${id}`);
      },
    },
  ],
  ORDER_NOT_CANCELLABLE: [
    {
      when: 'a cancelled order is cancelled',
      status: 409,
      text: 'The order has ended.',
      ask: cancelTwice,
    },
  ],
  HAS_OPEN_ORDERS: [
    {
      when: 'the margin mode is switched with an open order',
      status: 409,
      text: 'The account has open orders or waiting triggers.',
      ask: async (world) => {
        const trader = await world.trader();
        await place(trader);
        return setMode(trader);
      },
    },
    {
      when: 'the margin mode is switched with a waiting trigger',
      status: 409,
      text: 'The account has open orders or waiting triggers.',
      ask: async (world) => {
        const trader = await world.trader();
        await trader.fapi('POST', '/fapi/v1/algoOrder', {
          algoType: 'CONDITIONAL',
          symbol: 'BTCUSDT',
          side: 'BUY',
          type: 'STOP_MARKET',
          quantity: '0.01',
          triggerPrice: '110000',
        });
        return setMode(trader);
      },
    },
  ],
  HAS_OPEN_POSITIONS: [
    {
      when: 'the margin mode is switched with an open position',
      status: 409,
      text: 'The account has open positions.',
      ask: switchWithPosition,
    },
  ],
  INVALID_MARGIN_MODE: [
    {
      when: 'the margin mode is unknown',
      status: 400,
      text: 'The margin mode is unknown.',
      ask: async (world) => setMode(await world.trader(), 'hedged'),
    },
    {
      when: 'collateral is added to a cross position',
      status: 409,
      text: 'Only an isolated position has collateral of its own.',
      ask: async (world) => {
        const { native } = await world.trader();
        return native('POST', '/api/v1/positions/BTCUSDT/collateral', { delta: '1' });
      },
    },
  ],
  INVALID_MARKET: [
    {
      when: 'the open interest of a symbol that is not listed is requested',
      status: 404,
      text: 'The market is unknown.',
      ask: (world) => world.open('GET', '/api/v1/open-interest/DOGEUSDT'),
    },
    {
      when: 'the candles of a symbol that is not listed are requested',
      status: 404,
      text: 'The market is unknown.',
      ask: (world) => world.open('GET', '/api/v1/candles/DOGEUSDT', { period: '1h' }),
    },
  ],
  ERR_INVALID_PERIOD: [
    {
      when: 'the period of candles is invalid',
      status: 400,
      text: 'Invalid period.',
      ask: (world) => world.open('GET', '/api/v1/candles/BTCUSDT', { period: '10m' }),
    },
  ],
  ERR_NO_DATA: [
    {
      when: 'the ticker of a market without an index is requested',
      status: 404,
      text: 'There are no data yet.',
      ask: (world) => world.open('GET', '/api/v1/ticker/DARKUSDT'),
    },
    {
      when: 'the candles of a market without trades are requested',
      status: 404,
      text: 'There are no data yet.',
      ask: (world) => world.open('GET', '/api/v1/candles/DARKUSDT', { period: '1h' }),
    },
    {
      when: 'a book is empty',
      status: 404,
      text: 'There are no data yet.',
      ask: (world) => world.open('GET', '/api/v1/depth/DARKUSDT'),
    },
  ],
  CIRCUIT_OPEN: [
    placing(
      'the market is halted',
      { status: 503, text: 'The market is halted.' },
      { symbol: 'HALTUSDT' },
    ),
    placing(
      'the market only lets positions be reduced',
      {
        status: 503,
        text:
          'The market takes only orders that reduce a position; ' +
          'after a fast move of the price also limit orders that rest.',
      },
      { symbol: 'CLOSEUSDT' },
    ),
  ],
  PRICE_DATA_UNAVAILABLE: [
    placing(
      'the market has no index yet',
      { status: 503, text: 'There is no fresh index price.' },
      { symbol: 'DARKUSDT' },
    ),
    {
      when: 'the index is half a minute old',
      status: 503,
      text: 'There is no fresh index price.',
      ask: async (world) => {
        const trader = await world.trader();
        world.exchange.clock.advance(30_001);
        return place(trader);
      },
    },
  ],
};
