// The routes on which stock clients place triggers: ccxt sends them all to algoOrder, the package
// `binance` to the one that its user names. How each route places, reads and cancels.

import type { StockTrader } from './stockWorld.ts';

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';

export const orderedTypes = ['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'] as const;

export type TriggerTerms = {
  readonly type: (typeof orderedTypes)[number];
  readonly side: 'BUY' | 'SELL';
  readonly quantity: number;
  readonly stop: number;
  /** Of STOP and TAKE_PROFIT. */
  readonly price?: number | undefined;
  readonly reduceOnly?: boolean;
};

export type TriggerEndpoint = {
  readonly name: string;
  readonly route: '/fapi/v1/order' | '/fapi/v1/algoOrder';
  /** Gives the id of the trigger. */
  readonly place: (trader: StockTrader, terms: TriggerTerms) => Promise<string>;
  /** Asked where it was placed. */
  readonly cancel: (trader: StockTrader, id: string) => Promise<unknown>;
};

/** The package types ids as numbers; here, as the interface says, they are texts. */
export const numberOf = (id: string): never => id as never;

const limited = ({ price }: TriggerTerms): object =>
  price === undefined ? {} : { price, timeInForce: 'GTC' };

const reducing = ({ reduceOnly }: TriggerTerms): object =>
  reduceOnly === true ? { reduceOnly: 'true' } : {};

const ccxtAlgo: TriggerEndpoint = {
  name: 'ccxt',
  route: '/fapi/v1/algoOrder',
  place: async ({ ccxt }, { type, side, quantity, stop, price, reduceOnly = false }) => {
    const name = type.startsWith('STOP') ? 'stopLossPrice' : 'takeProfitPrice';
    const kind = price === undefined ? 'market' : 'limit';
    const parameters = { [name]: stop, reduceOnly };
    const direction = side === 'BUY' ? 'buy' : 'sell';
    const { id } = await ccxt.createOrder(unified, kind, direction, quantity, price, parameters);
    return id!;
  },
  cancel: ({ ccxt }, id) => ccxt.cancelOrder(id, unified, { trigger: true }),
};

const binanceAlgo: TriggerEndpoint = {
  name: '`binance` on the algo route',
  route: '/fapi/v1/algoOrder',
  place: async ({ binance }, terms) => {
    const { type, side, quantity, stop } = terms;
    const { algoId } = await binance.submitNewAlgoOrder({
      ...{ algoType: 'CONDITIONAL', symbol, side, type, quantity, triggerPrice: stop },
      ...limited(terms),
      ...reducing(terms),
    });
    return String(algoId);
  },
  cancel: ({ binance }, id) => binance.cancelAlgoOrder({ algoId: numberOf(id) }),
};

const binanceOrder: TriggerEndpoint = {
  name: '`binance` on the order route',
  route: '/fapi/v1/order',
  place: async ({ binance }, terms) => {
    const { type, side, quantity, stop } = terms;
    const { orderId } = await binance.submitNewOrder({
      ...{ symbol, side, type, quantity, stopPrice: stop },
      ...limited(terms),
      ...reducing(terms),
    });
    return String(orderId);
  },
  cancel: ({ binance }, id) => binance.cancelOrder({ symbol, orderId: numberOf(id) }),
};

export const triggerEndpoints: readonly TriggerEndpoint[] = [ccxtAlgo, binanceAlgo, binanceOrder];
