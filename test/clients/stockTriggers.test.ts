// Goal: triggers work for stock clients on both routes (TRG-1 to TRG-4). Method: each client places
// triggers of every type through each endpoint that it has, both clients read them, and they are
// cancelled. Then the operator moves the index, and both clients poll until they see the triggers
// fire and their orders fill.

import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCcxt, refusal } from './refusal.ts';
import {
  expectInvariants,
  openStockWorld,
  type StockTrader,
  type StockWorld,
} from './stockWorld.ts';
import {
  numberOf,
  orderedTypes,
  type TriggerEndpoint,
  type TriggerTerms,
  triggerEndpoints,
} from './triggerEndpoints.ts';
import { type RequestWatch, watchRequests } from './watchRequests.ts';

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';
/** The index when a test begins. */
const calm = 100_000;
const trigger = { trigger: true };
const trailing = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'TRAILING_STOP_MARKET',
  quantity: '0.01',
} as const;

let world: StockWorld;
let watch: RequestWatch;
/** Meets whatever fires. */
let maker: StockTrader;
const traders: StockTrader[] = [];

beforeAll(async () => {
  world = await openStockWorld({ [symbol]: calm });
  maker = await openTrader('1000000');
  watch = watchRequests();
});

afterAll(async () => {
  watch?.stop();
  await world?.close();
});

async function openTrader(usdt = '10000'): Promise<StockTrader> {
  const trader = await world.openTrader(usdt);
  traders.push(trader);
  return trader;
}

async function quote(side: 'BUY' | 'SELL', quantity: number, price: number): Promise<void> {
  const order = { symbol, side, type: 'LIMIT', timeInForce: 'GTC', quantity, price } as const;
  expect(await maker.binance.submitNewOrder(order)).toMatchObject({ status: 'NEW' });
}

/** Sells this much to the trader. One side of the book alone leaves the mark on the index. */
async function openLong({ ccxt: client }: StockTrader, quantity: number): Promise<void> {
  await world.moveIndex(symbol, calm);
  await maker.binance.cancelAllOpenOrders({ symbol });
  await quote('SELL', quantity, calm);
  const bought = await client.createOrder(unified, 'market', 'buy', quantity);
  expect(bought).toMatchObject({ status: 'closed', filled: quantity });
}

type Row = Readonly<Record<string, unknown>>;

/** The trigger as both clients read it, which must be the same. */
async function readTrigger({ ccxt: client, binance }: StockTrader, id: string): Promise<Row> {
  const read = await binance.getAlgoOrder({ algoId: numberOf(id) });
  expect((await client.fetchOrder(id, unified, trigger)).info).toEqual(read);
  return read as unknown as Row;
}

/** The order as both clients read it, which must be the same. */
async function readOrder({ ccxt: client, binance }: StockTrader, id: string): Promise<Row> {
  const read = await binance.getOrder({ symbol, orderId: numberOf(id) });
  expect((await client.fetchOrder(id, unified)).info).toEqual(read);
  return read as unknown as Row;
}

type Poller = {
  /** What it has seen so far, without repetitions. */
  readonly seen: readonly unknown[];
  readonly done: Promise<void>;
};

/** Asks until it sees the last status, for a while at most. */
function poll(last: string, read: () => Promise<unknown>): Poller {
  const seen: unknown[] = [];
  const ask = async (): Promise<void> => {
    for (let asked = 0; asked < 300 && seen.at(-1) !== last; asked += 1) {
      const status = await read();
      if (status !== seen.at(-1)) seen.push(status);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { seen, done: ask() };
}

const pollTrigger = ({ ccxt: client }: StockTrader, id: string): Poller =>
  poll('FINISHED', async () => (await client.fetchOrder(id, unified, trigger)).info.algoStatus);

const pollOrder = ({ binance }: StockTrader, id: string): Poller =>
  poll('FILLED', async () => (await binance.getOrder({ symbol, orderId: numberOf(id) })).status);

describe.each(triggerEndpoints)('$name', (endpoint) => {
  let ann: StockTrader;
  beforeAll(async () => {
    ann = await openTrader();
  });

  test.each(orderedTypes)(
    'TRG-2 %s waits among the algo orders until it is cancelled',
    async (type) => {
      const stop = type.startsWith('STOP') ? calm + 1000 : calm - 1000;
      const price = type === 'STOP' || type === 'TAKE_PROFIT' ? stop + 500 : undefined;
      watch.take();
      const id = await endpoint.place(ann, { type, side: 'BUY', quantity: 0.01, stop, price });
      expect(watch.take()).toEqual([`POST ${endpoint.route}`]);
      const read = await readTrigger(ann, id);
      expect(read).toMatchObject({
        algoStatus: 'NEW',
        orderType: type,
        quantity: '0.010',
        triggerPrice: `${stop}.0`,
        price: price === undefined ? '0' : `${price}.0`,
        actualOrderId: '',
      });
      expect(await ann.binance.getOpenAlgoOrders({ symbol })).toEqual([read]);
      const [parsed] = await ann.ccxt.fetchOpenOrders(unified, undefined, undefined, trigger);
      expect(parsed).toMatchObject({ id, status: 'open', side: 'buy', amount: 0.01, filled: 0 });
      expect(parsed).toMatchObject({
        triggerPrice: stop,
        type: price === undefined ? 'market' : 'limit',
      });
      expect(await ann.binance.getAllOpenOrders({ symbol })).toEqual([]);
      await endpoint.cancel(ann, id);
      expect(await readTrigger(ann, id)).toMatchObject({ algoStatus: 'CANCELED' });
      const again = ann.ccxt.cancelOrder(id, unified, trigger);
      await expectCcxt(ann.ccxt, again, { code: -2011, kind: ccxt.OrderNotFound });
      expect((await refusal(endpoint.cancel(ann, id))).code ?? -2011).toBe(-2011);
      const all = await ann.ccxt.fetchOrders(unified, undefined, undefined, trigger);
      expect(all.at(-1)).toMatchObject({ id, status: 'canceled' });
    },
  );
});

/** A reduce-only SELL of a type, so that a fall or a rise of the index fires it. */
const falling = (type: TriggerTerms['type']): boolean => type.startsWith('STOP');

test('TRG-1 a fired trigger fills with the same id on the order route, with another on the algo route', async () => {
  const bob = await openTrader('20000');
  await openLong(bob, 0.2);
  await quote('BUY', 1, calm - 1600);
  const placed: { readonly endpoint: TriggerEndpoint; readonly id: string }[] = [];
  for (const endpoint of triggerEndpoints) {
    for (const type of orderedTypes) {
      const stop = falling(type) ? calm - 1000 : calm + 1000;
      const price = type === 'STOP' || type === 'TAKE_PROFIT' ? calm - 2000 : undefined;
      const terms = { type, side: 'SELL', quantity: 0.01, stop, price, reduceOnly: true } as const;
      placed.push({ endpoint, id: await endpoint.place(bob, terms) });
    }
  }
  const asTriggers = placed.map(({ id }) => pollTrigger(bob, id));
  const byOrder = placed.filter(({ endpoint }) => endpoint.route === '/fapi/v1/order');
  const asOrders = byOrder.map(({ id }) => pollOrder(bob, id));
  const pollers = [...asTriggers, ...asOrders];
  await expect.poll(() => pollers.every(({ seen }) => seen.length > 0)).toBe(true);
  await world.moveIndex(symbol, calm - 1500);
  await world.moveIndex(symbol, calm + 1500);
  await Promise.all(pollers.map(({ done }) => done));
  for (const { seen } of asTriggers) expect(seen).toEqual(['NEW', 'FINISHED']);
  for (const { seen } of asOrders) expect(seen).toEqual(['NEW', 'FILLED']);
  for (const { endpoint, id } of placed) {
    const { actualOrderId, orderType, ...rest } = await readTrigger(bob, id);
    expect(rest).toMatchObject({ actualPrice: '98400', actualQty: '0.010' });
    expect(actualOrderId === id).toBe(endpoint.route === '/fapi/v1/order');
    const order = await readOrder(bob, String(actualOrderId));
    expect(order).toMatchObject({ status: 'FILLED', origType: orderType, avgPrice: '98400' });
    expect(order.type).toBe(String(orderType).endsWith('_MARKET') ? 'MARKET' : 'LIMIT');
  }
  const [position] = await bob.ccxt.fetchPositions([unified]);
  expect(position).toMatchObject({ contracts: 0.08, side: 'long' });
});

test('TRG-2 the order of a trigger rests, both clients find it, and it is cancelled', async () => {
  const carol = await openTrader();
  await world.moveIndex(symbol, calm);
  await maker.binance.cancelAllOpenOrders({ symbol });
  const ids: Record<string, string> = {};
  for (const { name, place } of triggerEndpoints) {
    ids[name] = await place(carol, {
      ...{ type: 'STOP', side: 'BUY', quantity: 0.01, stop: calm + 500, price: calm - 200 },
    });
  }
  await world.moveIndex(symbol, calm + 600);
  const orders: string[] = [];
  for (const { name, route } of triggerEndpoints) {
    const read = await readTrigger(carol, ids[name]!);
    expect(read).toMatchObject({
      algoStatus: 'TRIGGERED',
      actualType: 'LIMIT',
      actualQty: '0.000',
    });
    orders.push(String(read.actualOrderId));
    expect(read.actualOrderId === ids[name]).toBe(route === '/fapi/v1/order');
  }
  const open = await carol.ccxt.fetchOpenOrders(unified);
  expect(open.map(({ id }) => id).sort()).toEqual([...orders].sort());
  expect(open[0]).toMatchObject({ status: 'open', type: 'limit', price: calm - 200, filled: 0 });
  expect(await carol.binance.getOpenAlgoOrders({ symbol })).toEqual([]);
  for (const id of orders) {
    expect(await carol.ccxt.cancelOrder(id, unified)).toMatchObject({ id, status: 'canceled' });
  }
  for (const { name } of triggerEndpoints) {
    expect(await readTrigger(carol, ids[name]!)).toMatchObject({ algoStatus: 'FINISHED' });
  }
});

test('TRG-3 closePosition closes the whole position; other triggers of the position expire or fail', async () => {
  const dave = await openTrader();
  await openLong(dave, 0.05);
  await quote('BUY', 1, calm - 1000);
  const stop = { stopLossPrice: calm - 1000, closePosition: true };
  const closing = await dave.ccxt.createOrder(unified, 'market', 'sell', 0.05, undefined, stop);
  const target = await dave.binance.submitNewOrder({
    ...{ symbol, side: 'SELL', type: 'TAKE_PROFIT_MARKET', stopPrice: calm + 1000 },
    closePosition: 'true',
  });
  const reducing: TriggerTerms = {
    ...{ type: 'STOP_MARKET', side: 'SELL', quantity: 0.02, stop: calm - 2000, reduceOnly: true },
  };
  const late: string[] = [];
  for (const endpoint of triggerEndpoints) late.push(await endpoint.place(dave, reducing));
  await world.moveIndex(symbol, calm - 1000);
  expect(await dave.ccxt.fetchPositions()).toEqual([]);
  const closed = await readTrigger(dave, closing.id!);
  expect(closed).toMatchObject({ algoStatus: 'FINISHED', closePosition: true, actualQty: '0.050' });
  expect(await readOrder(dave, String(target.orderId))).toMatchObject({ status: 'CANCELED' });
  expect(await readTrigger(dave, String(target.orderId))).toMatchObject({ algoStatus: 'EXPIRED' });
  await world.moveIndex(symbol, calm - 2000);
  for (const id of late) {
    const failed = await readTrigger(dave, id);
    expect(failed).toMatchObject({ algoStatus: 'FAILED', failure: { code: -2022 } });
  }
  const rejected = await dave.ccxt.fetchOrder(late[2]!, unified);
  expect(rejected).toMatchObject({ id: late[2], status: 'rejected', filled: 0 });
});

test('TRG-4 trailing stops: ccxt itself refuses them and sends them raw; both clients see them fire', async () => {
  const erin = await openTrader();
  await openLong(erin, 0.05);
  await quote('BUY', 1, calm + 1500);
  watch.take();
  // It knows the types of the order route alone, which a trailing stop is not among (spec).
  const unsent = erin.ccxt.createOrder(unified, 'market', 'sell', 0.01, undefined, {
    trailingPercent: 1,
  });
  expect((await refusal(unsent)).constructor.name).toBe(ccxt.InvalidOrder.name);
  expect(watch.take()).toEqual([]);
  const raw = await erin.ccxt.fapiPrivatePostAlgoOrder({
    ...{ ...trailing, callbackRate: '1', activationPrice: String(calm + 2000) },
  });
  const { algoId } = await erin.binance.submitNewAlgoOrder({
    ...{ ...trailing, quantity: 0.02, callbackRate: 0.5, activatePrice: calm + 2000 },
  });
  const ids = [String(raw.algoId), String(algoId)];
  for (const id of ids) {
    expect(await readTrigger(erin, id)).toMatchObject({ algoStatus: 'NEW', triggerPrice: '0' });
  }
  await world.moveIndex(symbol, calm + 3000);
  const stops = [];
  for (const id of ids) stops.push((await readTrigger(erin, id)).triggerPrice);
  expect(stops).toEqual(['101970.0', '102485.0']);
  await world.moveIndex(symbol, calm + 2400);
  expect(await readTrigger(erin, ids[0]!)).toMatchObject({ algoStatus: 'NEW' });
  expect(await readTrigger(erin, ids[1]!)).toMatchObject({ algoStatus: 'FINISHED' });
  await world.moveIndex(symbol, calm + 1900);
  for (const [at, quantity] of ['0.010', '0.020'].entries()) {
    const { actualOrderId } = await readTrigger(erin, ids[at]!);
    const order = await readOrder(erin, String(actualOrderId));
    expect(order).toMatchObject({ status: 'FILLED', executedQty: quantity, avgPrice: '101500' });
    expect(order).toMatchObject({ type: 'MARKET', origType: 'TRAILING_STOP_MARKET' });
  }
});

test('TRG-2 a mass cancel acts on its own route; client ids find triggers of either route', async () => {
  const fred = await openTrader();
  await world.moveIndex(symbol, calm);
  const stop = { triggerPrice: calm + 5000, clientOrderId: 'fred:algo' };
  await fred.ccxt.createOrder(unified, 'market', 'buy', 0.01, undefined, stop);
  // ccxt calls the triggers of a batch by the algo route's name for the id.
  const batch = [
    { triggerPrice: calm + 6000, clientOrderId: 'fred:batch' },
    { takeProfitPrice: calm - 6000, clientOrderId: 'fred:target' },
  ].map((params) => ({ symbol: unified, type: 'market', side: 'buy', amount: 0.01, params }));
  const placed = await fred.ccxt.createOrders(batch as never);
  expect(placed.map((each) => each.clientOrderId)).toEqual(['fred:batch', 'fred:target']);
  const find = (clientOrderId: string, how: object) =>
    fred.ccxt.fetchOrder('', unified, { ...how, clientOrderId });
  expect(await find('fred:algo', trigger)).toMatchObject({ status: 'open' });
  expect(await find('fred:batch', {})).toMatchObject({ id: placed[0]!.id, status: 'open' });
  const one = { clientAlgoId: 'fred:target' };
  expect(await fred.binance.getAlgoOrder(one)).toMatchObject({ algoId: placed[1]!.id });
  await fred.ccxt.cancelAllOrders(unified);
  const left = await fred.ccxt.fetchOpenOrders(unified, undefined, undefined, trigger);
  expect(left.map((each) => each.clientOrderId)).toEqual(['fred:algo']);
  expect(await find('fred:batch', {})).toMatchObject({ status: 'canceled' });
  await fred.ccxt.cancelAllOrders(unified, trigger);
  expect(await find('fred:algo', trigger)).toMatchObject({ status: 'canceled' });
});

test('BAL-2 the operator sees every unit of money', async () => {
  await maker.binance.cancelAllOpenOrders({ symbol });
  await expectInvariants(world, traders);
});
