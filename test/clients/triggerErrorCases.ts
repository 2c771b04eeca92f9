// Triggers that both routes refuse: by ccxt's own calls, and as the package `binance` sends them to
// the order route and to the algo route.

import ccxt, { type binanceusdm } from 'ccxt';
import type { CcxtRefusal } from './refusal.ts';

type Parameters = Readonly<Record<string, unknown>>;

export type TriggerErrorCase = CcxtRefusal & {
  readonly when: string;
  readonly ccxt: (client: binanceusdm, near: number) => Promise<unknown>;
  /** Of the order route; on the algo route the stop price has another name. */
  readonly order: (near: number) => Parameters;
};

const { BadRequest, ExchangeError, MarketClosed, OrderImmediatelyFillable } = ccxt;
const unified = 'BTC/USDT:USDT';

/** A SELL stop that waits, except this. */
const stop = (near: number, changes: Parameters): Parameters => ({
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'STOP_MARKET',
  quantity: '0.001',
  stopPrice: String(near - 5000),
  ...changes,
});

/** The same by ccxt; `limited`: with a price. */
const stopByCcxt = (
  client: binanceusdm,
  near: number,
  changes: Parameters,
  limited = false,
): Promise<unknown> => {
  const parameters = { stopLossPrice: near - 5000, ...changes };
  const [type, price] = limited ? (['limit', near - 6000] as const) : (['market'] as const);
  return client.createOrder(unified, type, 'sell', 0.001, price, parameters);
};

/** A BUY stop on another market, far above any price. */
const elsewhere = (symbol: string): Pick<TriggerErrorCase, 'ccxt' | 'order'> => ({
  ccxt: (client) => {
    const market = `${symbol.replace('USDT', '')}/USDT:USDT`;
    return client.createOrder(market, 'market', 'buy', 1, undefined, { triggerPrice: 50_000 });
  },
  order: (near) => stop(near, { symbol, side: 'BUY', quantity: '1', stopPrice: '50000' }),
});

export const triggerErrorCases: readonly TriggerErrorCase[] = [
  {
    when: 'a stop that has been passed',
    code: -2021,
    kind: OrderImmediatelyFillable,
    ccxt: (client, near) => stopByCcxt(client, near, { stopLossPrice: near + 5000 }),
    order: (near) => stop(near, { stopPrice: String(near + 5000) }),
  },
  {
    when: 'a take-profit that has been reached',
    code: -2021,
    kind: OrderImmediatelyFillable,
    ccxt: (client, near) =>
      client.createOrder(unified, 'market', 'sell', 0.001, undefined, {
        takeProfitPrice: near - 5000,
      }),
    order: (near) => stop(near, { type: 'TAKE_PROFIT_MARKET' }),
  },
  {
    when: 'a stop with nothing to reduce',
    code: -2022,
    kind: ExchangeError,
    ccxt: (client, near) => stopByCcxt(client, near, { reduceOnly: true }),
    order: (near) => stop(near, { reduceOnly: 'true' }),
  },
  {
    when: 'a stop without a position to close',
    code: -2022,
    kind: ExchangeError,
    ccxt: (client, near) => stopByCcxt(client, near, { closePosition: true }),
    order: (near) => stop(near, { closePosition: 'true', quantity: '' }),
  },
  {
    when: 'a reduce-only stop that closes the position',
    code: -1106,
    kind: BadRequest,
    ccxt: (client, near) => stopByCcxt(client, near, { closePosition: true, reduceOnly: true }),
    order: (near) => stop(near, { closePosition: 'true', reduceOnly: 'true', quantity: '' }),
  },
  {
    when: 'a limited stop that closes the position',
    code: -1106,
    kind: BadRequest,
    ccxt: (client, near) => stopByCcxt(client, near, { closePosition: true }, true),
    order: (near) =>
      stop(near, { type: 'STOP', price: String(near - 6000), closePosition: 'true' }),
  },
  {
    when: 'a stop on a halted market',
    code: -2010,
    kind: MarketClosed,
    ...elsewhere('ETHUSDT'),
  },
  {
    when: 'a stop that would open on a market that only reduces',
    code: -2010,
    kind: MarketClosed,
    ...elsewhere('AVAXUSDT'),
  },
];
