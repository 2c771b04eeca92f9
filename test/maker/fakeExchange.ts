// A working exchange in miniature for the market maker's tests: markets, post-only orders, amends,
// cancels, fills by a taker, positions, countdowns and rate limits, behind the maker's client port.
// It checks what the maker promises: a broken promise is kept in `violations`, since an exception
// would be taken for a failed request, which the maker survives.

import { createMakerClient, type MakerClient } from '../../src/maker/makerClient.ts';
import type { Clock } from '../../src/std/clock.ts';
import { formatScaled, parseScaled } from '../../src/units/decimal.ts';
import { type FakeAnswer, fetchOver } from './fetchOver.ts';

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
  /** While it stands in a CLOSE, orders that rest are accepted (PRC-3b). */
  breaker?: boolean;
  index: number;
  position: number;
  /** Resting orders of others. */
  visitors: { readonly side: 'BUY' | 'SELL'; readonly ticks: number; lots: number }[];
};

export type FakeExchange = {
  readonly client: MakerClient;
  readonly markets: Map<string, FakeMarket>;
  readonly orders: Map<string, FakeOrder>;
  /** Sides hit between any two requests, as by a busy market. */
  interfere: () => void;
  /** Requests fail while it is set: before they are carried out, or after. */
  broken: 'before' | 'after' | undefined;
  /** Orders are refused for want of margin while it is set, as in a liquidation. */
  poor: boolean;
  /** Hits the best quote of the maker on a side; gives the filled quantity. */
  readonly hit: (symbol: string, side: 'BUY' | 'SELL', lots: number) => number;
  readonly counts: { orders: number; requests: number; refused: number };
  readonly countdowns: Map<string, number>;
  /** Requests that no correct maker sends. */
  readonly violations: string[];
  /** The largest use seen of the order window of 10 s. */
  peak: number;
};

const reject = (code: number, msg: string): Item => ({ code, msg });

/** The fake with its internal state. */
type World = FakeExchange & {
  readonly clock: Clock;
  readonly ordersPer10s: number;
  serial: number;
  window: number;
};

export function createFakeExchange(clock: Clock, ordersPer10s = 200): FakeExchange {
  const world: World = {
    clock,
    ordersPer10s,
    serial: 0,
    window: -1,
    markets: new Map(),
    orders: new Map(),
    interfere: () => {},
    broken: undefined,
    poor: false,
    counts: { orders: 0, requests: 0, refused: 0 },
    countdowns: new Map(),
    violations: [],
    peak: 0,
    hit: (symbol, side, lots) => hit(world, symbol, side, lots),
    client: createMakerClient({
      baseUrl: 'http://exchange',
      apiKey: 'key',
      secretKey: 'secret',
      clock,
      fetch: fetchOver(async (method, path, parameters) => {
        world.counts.requests += 1;
        expireCountdowns(world);
        world.interfere();
        if (world.broken === 'before') throw new Error('connection refused');
        const answer = served(world, `${method} ${path}`, parameters);
        world.interfere();
        if (world.broken === 'after') throw new Error('connection reset');
        return answer;
      }),
    }),
  };
  return world;
}

function hit(world: World, symbol: string, side: 'BUY' | 'SELL', lots: number): number {
  const market = marketOf(world, symbol);
  let left = lots;
  while (left > 0) {
    const best = [...world.orders.values()]
      .filter((order) => order.symbol === symbol && order.side === side)
      .toSorted((a, b) => (side === 'BUY' ? b.ticks - a.ticks : a.ticks - b.ticks))[0];
    if (best === undefined) break;
    const filled = Math.min(left, best.total - best.filled);
    best.filled += filled;
    left -= filled;
    market.position += side === 'BUY' ? filled : -filled;
    if (best.filled === best.total) world.orders.delete(best.orderId);
  }
  return lots - left;
}

function expireCountdowns(world: World): void {
  for (const [symbol, at] of world.countdowns) {
    if (world.clock.now() < at) continue;
    world.countdowns.delete(symbol);
    for (const order of world.orders.values()) {
      if (order.symbol === symbol) world.orders.delete(order.orderId);
    }
  }
}

function marketOf(world: World, symbol: unknown): FakeMarket {
  const market = world.markets.get(String(symbol));
  if (market === undefined) throw new Error(`unknown symbol ${String(symbol)}`);
  return market;
}

function row(world: World, order: FakeOrder): Item {
  const { priceDecimals, lotDecimals } = marketOf(world, order.symbol);
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

function exact(value: unknown, decimals: number): number {
  const scaled = parseScaled(String(value), decimals);
  if (scaled.kind !== 'exact' || scaled.value <= 0) throw new Error(`off grid: ${String(value)}`);
  return scaled.value;
}

type Priced = { readonly side: string; readonly ticks: number };

const meets = (order: Priced, other: Priced): boolean =>
  other.side !== order.side &&
  (order.side === 'BUY' ? order.ticks >= other.ticks : order.ticks <= other.ticks);

const ownOf = (world: World, symbol: string): FakeOrder[] =>
  [...world.orders.values()].filter((order) => order.symbol === symbol);

function crosses(world: World, order: FakeOrder): boolean {
  const { visitors } = marketOf(world, order.symbol);
  return [...ownOf(world, order.symbol), ...visitors].some((other) => meets(order, other));
}

function place(world: World, item: Item): Item {
  const market = marketOf(world, item.symbol);
  const ioc = item.timeInForce === 'IOC';
  if (item.type !== 'LIMIT' || (item.timeInForce !== 'GTX' && !ioc)) {
    throw new Error('neither post-only nor immediate');
  }
  if (market.status !== 'TRADING' && (ioc || market.breaker !== true)) {
    return reject(-2010, 'Market is closed.');
  }
  if (world.poor) return reject(-2019, 'Margin is insufficient.');
  world.serial += 1;
  const order: FakeOrder = {
    orderId: `order-${world.serial}`,
    clientOrderId: String(item.newClientOrderId),
    symbol: market.symbol,
    side: String(item.side),
    ticks: exact(item.price, market.priceDecimals),
    total: exact(item.quantity, market.lotDecimals),
    filled: 0,
  };
  if (!/^[.A-Z:/a-z0-9_-]{1,36}$/.test(order.clientOrderId)) throw new Error('bad client id');
  for (const other of world.orders.values()) {
    if (other.clientOrderId === order.clientOrderId) return reject(-2014, 'Duplicate.');
  }
  if (ioc) return takeFake(world, market, order);
  if (crosses(world, order)) return reject(-2010, 'Would match.');
  world.orders.set(order.orderId, order);
  return row(world, order);
}

/** Fills the maker against others' orders; its own orders that it meets end (EXPIRE_MAKER). */
function takeFake(world: World, market: FakeMarket, order: FakeOrder): Item {
  for (const own of ownOf(world, market.symbol)) {
    if (meets(order, own)) world.orders.delete(own.orderId);
  }
  const buys = order.side === 'BUY';
  for (const visitor of market.visitors) {
    if (!meets(order, visitor)) continue;
    const lots = Math.min(visitor.lots, order.total - order.filled);
    visitor.lots -= lots;
    order.filled += lots;
    market.position += buys ? lots : -lots;
  }
  market.visitors = market.visitors.filter(({ lots }) => lots > 0);
  return { ...row(world, order), status: 'CANCELED' };
}

/** The best prices of a market, its visitors' and the maker's. */
function bestOf(world: World, market: FakeMarket): Item {
  const all = [...market.visitors, ...ownOf(world, market.symbol)];
  const ticksOf = (side: string) => all.filter((one) => one.side === side).map((one) => one.ticks);
  const text = (ticks: number): string => formatScaled(ticks, market.priceDecimals);
  const asks = ticksOf('SELL');
  return {
    symbol: market.symbol,
    bidPrice: text(Math.max(0, ...ticksOf('BUY'))),
    askPrice: text(asks.length === 0 ? 0 : Math.min(...asks)),
  };
}

function amend(world: World, item: Item): Item {
  const order = world.orders.get(String(item.orderId));
  if (order === undefined) return reject(-2011, 'Unknown order sent.');
  const market = marketOf(world, item.symbol);
  const ticks = exact(item.price, market.priceDecimals);
  const total = exact(item.quantity, market.lotDecimals);
  if (item.side !== order.side) return reject(-1102, 'Side.');
  const towards = order.side === 'BUY' ? ticks > order.ticks : ticks < order.ticks;
  if (towards) throw new Error('an amendment moved towards the market');
  if (total < order.filled) return reject(-1100, 'Quantity.');
  order.ticks = ticks;
  order.total = total;
  if (order.total === order.filled) world.orders.delete(order.orderId);
  return row(world, order);
}

function cancel(world: World, id: string): Item {
  const order = world.orders.get(id);
  if (order === undefined) return reject(-2011, 'Unknown order sent.');
  world.orders.delete(id);
  return { ...row(world, order), status: 'CANCELED' };
}

function counted(world: World): boolean {
  const now = Math.floor(world.clock.now() / 10_000);
  if (now !== world.window) {
    world.window = now;
    world.counts.orders = 0;
  }
  if (world.counts.orders >= world.ordersPer10s) return false;
  world.counts.orders += 1;
  world.peak = Math.max(world.peak, world.counts.orders);
  return true;
}

function listOf(value: unknown, max: number): unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) throw new Error('batch');
  return value;
}

function answerOf(world: World, body: unknown, status = 200): FakeAnswer {
  const current = world.window === Math.floor(world.clock.now() / 10_000);
  const ordersPer10s = current ? world.counts.orders : 0;
  return { status, body, ordersPer10s };
}

function batch(world: World, items: unknown, each: (world: World, item: Item) => Item): FakeAnswer {
  if (!counted(world)) {
    world.counts.refused += 1;
    return answerOf(world, reject(-1003, 'Too many requests.'), 429);
  }
  return answerOf(
    world,
    listOf(items, 5).map((item) => each(world, item as Item)),
  );
}

function served(world: World, route: string, parameters: Item): FakeAnswer {
  try {
    return serve(world, route, parameters);
  } catch (error) {
    world.violations.push(String(error));
    throw error;
  }
}

function serve(world: World, route: string, parameters: Item): FakeAnswer {
  const markets = [...world.markets.values()];
  const answer = (body: unknown): FakeAnswer => answerOf(world, body);
  switch (route) {
    case 'GET /fapi/v1/exchangeInfo':
      return answer({ symbols: markets.map(symbolOf) });
    case 'GET /api/v1/markets':
      return answer(
        markets.map(({ symbol, breaker }) => ({
          symbol,
          restriction: breaker === true ? 'breaker' : 'none',
        })),
      );
    case 'GET /fapi/v1/premiumIndex':
      return answer(
        markets.map(({ symbol, index, priceDecimals }) => ({
          symbol,
          indexPrice: formatScaled(index, priceDecimals),
        })),
      );
    case 'GET /fapi/v1/ticker/bookTicker':
      return answer(markets.map((market) => bestOf(world, market)));
    case 'GET /fapi/v2/positionRisk':
      return answer(
        markets
          .filter(({ position }) => position !== 0)
          .map(({ symbol, position, lotDecimals }) => ({
            symbol,
            positionAmt: formatScaled(position, lotDecimals),
          })),
      );
    case 'GET /fapi/v1/openOrders':
      return answer(
        [...world.orders.values()]
          .filter(({ symbol }) => symbol === parameters.symbol)
          .map((order) => row(world, order)),
      );
    case 'DELETE /fapi/v1/batchOrders':
      return answer(listOf(parameters.orderIdList, 10).map((id) => cancel(world, String(id))));
    case 'POST /fapi/v1/batchOrders':
      return batch(world, parameters.batchOrders, place);
    case 'PUT /fapi/v1/batchOrders':
      return batch(world, parameters.batchOrders, amend);
    case 'POST /fapi/v1/countdownCancelAll':
      return answer(setCountdown(world, parameters));
    default:
      throw new Error(`the fake exchange does not know ${route}`);
  }
}

function setCountdown(world: World, parameters: Item): Item {
  const symbol = String(parameters.symbol);
  const milliseconds = Number(parameters.countdownTime);
  if (milliseconds === 0) world.countdowns.delete(symbol);
  else world.countdowns.set(symbol, world.clock.now() + milliseconds);
  return { symbol, countdownTime: String(milliseconds) };
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
