// A working exchange in miniature for the market maker's tests: markets, post-only orders, amends,
// cancels, fills by a taker, positions, countdowns and rate limits, behind the maker's client port.
// It checks what the maker promises: a broken promise is kept in `violations`, since an exception
// would be taken for a failed request, which the maker survives.

import type { MakerAnswer, MakerClient } from '../../src/keeper/makerClient.ts';
import type { Clock } from '../../src/std/clock.ts';
import { formatScaled, parseScaled } from '../../src/units/decimal.ts';

export type FakeOrder = {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  ticks: number;
  total: number;
  filled: number;
};

type Item = Record<string, unknown>;

export type FakeMarket = {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly lotDecimals: number;
  status: string;
  index: number;
  position: number;
};

export type FakeExchange = {
  readonly client: MakerClient;
  readonly markets: Map<string, FakeMarket>;
  readonly orders: Map<string, FakeOrder>;
  /** Sides hit between any two requests, as by a busy market. */
  interfere: () => void;
  /** Requests fail while it is set: before they are carried out, or after. */
  broken: 'before' | 'after' | undefined;
  /** Hits the best quote of the maker on a side; what was filled. */
  readonly hit: (symbol: string, side: 'BUY' | 'SELL', lots: number) => number;
  readonly counts: { orders: number; requests: number; refused: number };
  readonly countdowns: Map<string, number>;
  /** Requests that no correct maker sends. */
  readonly violations: string[];
  /** The largest use seen of the order window of 10 s. */
  peak: number;
};

function rowOf(order: FakeOrder, priceDecimals: number, lotDecimals: number): Item {
  return {
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    price: formatScaled(order.ticks, priceDecimals),
    origQty: formatScaled(order.total, lotDecimals),
    executedQty: formatScaled(order.filled, lotDecimals),
    status: 'NEW',
  };
}

const reject = (code: number, msg: string): Item => ({ code, msg });

export function createFakeExchange(clock: Clock, ordersPer10s = 200): FakeExchange {
  let serial = 0;
  let window = -1;
  const markets = new Map<string, FakeMarket>();
  const orders = new Map<string, FakeOrder>();
  const marketOf = (symbol: unknown): FakeMarket => {
    const market = markets.get(String(symbol));
    if (market === undefined) throw new Error(`unknown symbol ${String(symbol)}`);
    return market;
  };
  const row = (order: FakeOrder): Item => {
    const { priceDecimals, lotDecimals } = marketOf(order.symbol);
    return rowOf(order, priceDecimals, lotDecimals);
  };
  const exact = (value: unknown, decimals: number): number => {
    const scaled = parseScaled(String(value), decimals);
    if (scaled.kind !== 'exact' || scaled.value <= 0) throw new Error(`off grid: ${String(value)}`);
    return scaled.value;
  };
  const crosses = (order: { symbol: string; side: string; ticks: number }): boolean =>
    [...orders.values()].some(
      (other) =>
        other.symbol === order.symbol &&
        other.side !== order.side &&
        (order.side === 'BUY' ? order.ticks >= other.ticks : order.ticks <= other.ticks),
    );
  const place = (item: Item): Item => {
    const market = marketOf(item.symbol);
    if (item.type !== 'LIMIT' || item.timeInForce !== 'GTX') throw new Error('not post-only');
    if (market.status !== 'TRADING') return reject(-2010, 'Market is closed.');
    serial += 1;
    const order: FakeOrder = {
      orderId: `order-${serial}`,
      clientOrderId: String(item.newClientOrderId),
      symbol: market.symbol,
      side: String(item.side),
      ticks: exact(item.price, market.priceDecimals),
      total: exact(item.quantity, market.lotDecimals),
      filled: 0,
    };
    if (!/^[.A-Z:/a-z0-9_-]{1,36}$/.test(order.clientOrderId)) throw new Error('bad client id');
    for (const other of orders.values()) {
      if (other.clientOrderId === order.clientOrderId) return reject(-2014, 'Duplicate.');
    }
    if (crosses(order)) return reject(-2010, 'Would match.');
    orders.set(order.orderId, order);
    return row(order);
  };
  const amend = (item: Item): Item => {
    const order = orders.get(String(item.orderId));
    if (order === undefined) return reject(-2011, 'Unknown order sent.');
    const market = marketOf(item.symbol);
    const ticks = exact(item.price, market.priceDecimals);
    const total = exact(item.quantity, market.lotDecimals);
    if (item.side !== order.side) return reject(-1102, 'Side.');
    const towards = order.side === 'BUY' ? ticks > order.ticks : ticks < order.ticks;
    if (towards) throw new Error('an amendment moved towards the market');
    if (total < order.filled) return reject(-1100, 'Quantity.');
    order.ticks = ticks;
    order.total = total;
    if (order.total === order.filled) orders.delete(order.orderId);
    return row(order);
  };
  const cancel = (id: string): Item => {
    const order = orders.get(id);
    if (order === undefined) return reject(-2011, 'Unknown order sent.');
    orders.delete(id);
    return { ...row(order), status: 'CANCELED' };
  };
  const fake: FakeExchange = {
    markets,
    orders,
    interfere: () => {},
    broken: undefined,
    counts: { orders: 0, requests: 0, refused: 0 },
    countdowns: new Map(),
    violations: [],
    peak: 0,
    hit: (symbol, side, lots) => {
      const market = marketOf(symbol);
      let left = lots;
      while (left > 0) {
        const best = [...orders.values()]
          .filter((order) => order.symbol === symbol && order.side === side)
          .toSorted((a, b) => (side === 'BUY' ? b.ticks - a.ticks : a.ticks - b.ticks))[0];
        if (best === undefined) break;
        const filled = Math.min(left, best.total - best.filled);
        best.filled += filled;
        left -= filled;
        market.position += side === 'BUY' ? filled : -filled;
        if (best.filled === best.total) orders.delete(best.orderId);
      }
      return lots - left;
    },
    client: async (method, path, parameters) => {
      fake.counts.requests += 1;
      expireCountdowns();
      fake.interfere();
      if (fake.broken === 'before') throw new Error('connection refused');
      const answer = served(`${method} ${path}`, parameters);
      fake.interfere();
      if (fake.broken === 'after') throw new Error('connection reset');
      return answer;
    },
  };
  const expireCountdowns = (): void => {
    for (const [symbol, at] of fake.countdowns) {
      if (clock.now() < at) continue;
      fake.countdowns.delete(symbol);
      for (const order of orders.values())
        if (order.symbol === symbol) orders.delete(order.orderId);
    }
  };
  const counted = (): boolean => {
    const now = Math.floor(clock.now() / 10_000);
    if (now !== window) {
      window = now;
      fake.counts.orders = 0;
    }
    if (fake.counts.orders >= ordersPer10s) return false;
    fake.counts.orders += 1;
    fake.peak = Math.max(fake.peak, fake.counts.orders);
    return true;
  };
  const listOf = (value: unknown, max: number): unknown[] => {
    if (!Array.isArray(value) || value.length === 0 || value.length > max) throw new Error('batch');
    return value;
  };
  const answerOf = (body: unknown, status = 200): MakerAnswer => ({
    status,
    body,
    weightPerMinute: undefined,
    ordersPer10s: fake.counts.orders,
    ordersPerMinute: undefined,
  });
  const tooMany = (): MakerAnswer => {
    fake.counts.refused += 1;
    return answerOf(reject(-1003, 'Too many requests.'), 429);
  };
  const batch = (items: unknown, each: (item: Item) => Item): MakerAnswer => {
    if (!counted()) return tooMany();
    return answerOf(listOf(items, 5).map((item) => each(item as Item)));
  };
  const served = (route: string, parameters: Item): MakerAnswer => {
    try {
      return serve(route, parameters);
    } catch (error) {
      fake.violations.push(String(error));
      throw error;
    }
  };
  const serve = (route: string, parameters: Item): MakerAnswer => {
    switch (route) {
      case 'GET /fapi/v1/exchangeInfo':
        return answerOf({ symbols: [...markets.values()].map(symbolOf) });
      case 'GET /fapi/v1/premiumIndex':
        return answerOf(
          [...markets.values()].map(({ symbol, index, priceDecimals }) => ({
            symbol,
            indexPrice: formatScaled(index, priceDecimals),
          })),
        );
      case 'GET /fapi/v2/positionRisk':
        return answerOf(
          [...markets.values()]
            .filter(({ position }) => position !== 0)
            .map(({ symbol, position, lotDecimals }) => ({
              symbol,
              positionAmt: formatScaled(position, lotDecimals),
            })),
        );
      case 'GET /fapi/v1/openOrders':
        return answerOf(
          [...orders.values()].filter(({ symbol }) => symbol === parameters.symbol).map(row),
        );
      case 'DELETE /fapi/v1/batchOrders':
        return answerOf(listOf(parameters.orderIdList, 10).map((id) => cancel(String(id))));
      case 'POST /fapi/v1/batchOrders':
        return batch(parameters.batchOrders, place);
      case 'PUT /fapi/v1/batchOrders':
        return batch(parameters.batchOrders, amend);
      case 'POST /fapi/v1/countdownCancelAll': {
        const symbol = String(parameters.symbol);
        const milliseconds = Number(parameters.countdownTime);
        if (milliseconds === 0) fake.countdowns.delete(symbol);
        else fake.countdowns.set(symbol, clock.now() + milliseconds);
        return answerOf({ symbol, countdownTime: String(milliseconds) });
      }
      default:
        throw new Error(`the fake exchange does not know ${route}`);
    }
  };
  return fake;
}

function symbolOf(market: FakeMarket): Item {
  const step = (decimals: number): string => formatScaled(1, decimals);
  return {
    symbol: market.symbol,
    status: market.status,
    filters: [
      { filterType: 'PRICE_FILTER', tickSize: step(market.priceDecimals) },
      { filterType: 'LOT_SIZE', stepSize: step(market.lotDecimals) },
      { filterType: 'MIN_NOTIONAL', notional: '5' },
    ],
  };
}
