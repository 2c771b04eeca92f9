// Goal: stock clients trade here unmodified. Method: one account is driven by ccxt, the other by
// the package `binance`, against the running program while it replays recorded prices; they trade
// with each other, and after each step everything that either client reads of either account must
// be the same figures, which add up to the operator's invariants, and the money must be what the
// rules make of the trades (BAL-1, BAL-2, MAR-2, MAR-3).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { exact, feeOf, times } from './exactDecimal.ts';
import {
  expectInvariants,
  openStockWorld,
  roundMark,
  type StockTrader,
  type StockWorld,
} from './stockWorld.ts';

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';
const deposit = '50000';
const makerRate = '0.0002';
const takerRate = '0.0005';

let world: StockWorld;
/** Driven by ccxt. */
let ann: StockTrader;
/** Driven by `binance`. */
let bob: StockTrader;
/** Near the mark when the test began. */
let near: number;
let firstIndex: number;

/** The balance that each wallet must have, and the sum of the fees. */
const expected = { ann: exact(deposit), bob: exact(deposit), fees: 0n };

beforeAll(async () => {
  world = await openStockWorld();
  ann = await world.openTrader(deposit);
  bob = await world.openTrader(deposit);
  near = await roundMark(bob, symbol, 100);
  // The clock may reach a boundary of funding while positions are open: it then moves no money.
  for (const name of Object.values(ann.ccxt.markets!).map(({ id }) => id)) {
    const none = { max_funding_rate: '0', min_funding_rate: '0' };
    await world.server.operator.changeMarket({ symbol: name, ...none });
  }
  firstIndex = await indexOf();
});

afterAll(() => world?.close());

async function indexOf(): Promise<number> {
  const { indexPrice } = await bob.binance.getMarkPrice({ symbol });
  return Number(indexPrice);
}

type Name = 'ann' | 'bob';
const other = (name: Name): Name => (name === 'ann' ? 'bob' : 'ann');
const notionalOf = (lots: string, price: number): bigint =>
  times(exact(lots), exact(String(price)));

/** Books a trade that opens: both sides' fees. */
function trade(taker: Name, quantity: string, price: number): void {
  const notional = notionalOf(quantity, price);
  const paid = { taker: feeOf(notional, takerRate), maker: feeOf(notional, makerRate) };
  expected[taker] -= paid.taker;
  expected[other(taker)] -= paid.maker;
  expected.fees += paid.taker + paid.maker;
}

/** Books the result of closing a position that was opened at `entry`. */
function realise(long: Name, quantity: string, { entry, exit }: { entry: number; exit: number }) {
  const gain = notionalOf(quantity, exit) - notionalOf(quantity, entry);
  expected[long] += gain;
  expected[other(long)] -= gain;
}

/**
 * Compares both accounts, as both clients read them, and the operator's figures with the expected
 * ones.
 */
async function settle(): Promise<void> {
  const { holdings, fees } = await expectInvariants(world, [ann, bob]);
  const [annHas, bobHas] = holdings;
  const found = { ann: annHas!.wallet, bob: bobHas!.wallet, fees };
  expect(found).toEqual(expected);
}

/** The order as `binance` reads it; ccxt must have received the same. */
async function expectSameOrder(trader: StockTrader, id: string): Promise<Record<string, unknown>> {
  const read = await trader.binance.getOrder({ symbol, orderId: id as never });
  const parsed = await trader.ccxt.fetchOrder(id, unified);
  expect(parsed.info).toEqual(read);
  const byClientId = { symbol, origClientOrderId: read.clientOrderId };
  expect(await trader.binance.getOrder(byClientId)).toEqual(read);
  const again = await trader.ccxt.fetchOrder('', unified, {
    clientOrderId: read.clientOrderId,
  });
  expect(again.info).toEqual(read);
  expect(await trader.account.own.native.getNativeOrder({ id })).toMatchObject({
    order_id: id,
    status: read.status,
    executed_qty: read.executedQty,
  });
  return read as unknown as Record<string, unknown>;
}

test('SYM-0 both clients load the same markets', async () => {
  const { symbols } = await bob.binance.getExchangeInfo();
  const markets = Object.values(ann.ccxt.markets!);
  expect(markets.map(({ id }) => id).sort()).toEqual(['AVAXUSDT', 'BTCUSDT', 'ETHUSDT']);
  expect(symbols.map((row) => row.symbol).sort()).toEqual(markets.map(({ id }) => id).sort());
  for (const { id, precision, active, limits } of markets) {
    const row = symbols.find((candidate) => candidate.symbol === id)!;
    expect(row.status).toBe(active ? 'TRADING' : 'HALT');
    expect(precision.price).toBeCloseTo(10 ** -row.pricePrecision, 10);
    expect(precision.amount).toBeCloseTo(10 ** -row.quantityPrecision, 10);
    expect(limits.cost?.min).toBe(5);
  }
  const drift = (await bob.binance.getServerTime()) - Date.now();
  expect(Math.abs(drift)).toBeLessThan(60_000);
  expect(Math.abs((await ann.ccxt.fetchTime())! - Date.now())).toBeLessThan(60_000);
});

test('MAR-5 both clients set leverage, and each sees the setting of the other', async () => {
  await ann.ccxt.setLeverage(10, unified);
  expect(await bob.binance.setLeverage({ symbol, leverage: 25 })).toMatchObject({ leverage: 25 });
  const [config] = (await ann.binance.getFuturesSymbolConfig({ symbol })) as unknown as [object];
  expect(config).toMatchObject({ leverage: 10, marginType: 'CROSSED' });
  expect(await bob.ccxt.fetchLeverage(unified)).toMatchObject({ longLeverage: 25 });
  expect(await bob.ccxt.fetchPositionMode()).toMatchObject({ hedged: false });
  expect(await bob.binance.getMultiAssetsMode()).toEqual({ multiAssetsMargin: false });
  const fee = await ann.ccxt.fetchTradingFee(unified);
  expect(fee).toMatchObject({ maker: Number(makerRate), taker: Number(takerRate) });
  expect(await bob.binance.getAccountCommissionRate({ symbol })).toEqual({
    symbol,
    makerCommissionRate: makerRate,
    takerCommissionRate: takerRate,
  });
});

test('ORD-1 ccxt places, reads, amends and cancels by either id', async () => {
  const low = near - 5000;
  const clientOrderId = 'ann:1/a_b.c-d';
  const placed = await ann.ccxt.createOrder(unified, 'limit', 'buy', 0.1, low, { clientOrderId });
  expect(placed).toMatchObject({ clientOrderId, status: 'open', price: low, amount: 0.1 });
  const id = placed.id!;
  expect(await expectSameOrder(ann, id)).toMatchObject({ status: 'NEW', origQty: '0.100' });
  const amended = await ann.ccxt.editOrder(id, unified, 'limit', 'buy', 0.2, low - 100);
  expect(amended).toMatchObject({ id, price: low - 100, amount: 0.2, status: 'open' });
  const open = await ann.ccxt.fetchOpenOrders(unified);
  expect(open.map((order) => order.id)).toEqual([id]);
  expect(await ann.binance.getAllOpenOrders({ symbol })).toEqual([open[0]!.info]);
  await settle();
  const cancelled = await ann.ccxt.cancelOrder(undefined as never, unified, { clientOrderId });
  expect(cancelled).toMatchObject({ id, status: 'canceled', filled: 0 });
  expect(await expectSameOrder(ann, id)).toMatchObject({ cancelReason: 'USER' });
  await settle();
});

test('ORD-1 `binance` places, reads, amends and cancels by either id', async () => {
  const high = near + 5000;
  const newClientOrderId = `${bob.binance.getOrderIdPrefix()}:1/a_b.c-d`;
  const placed = await bob.binance.submitNewOrder({
    symbol,
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 0.1,
    price: high,
    newClientOrderId,
  });
  expect(placed).toMatchObject({ clientOrderId: newClientOrderId, status: 'NEW' });
  const id = String(placed.orderId);
  await expectSameOrder(bob, id);
  const changed = { symbol, side: 'SELL', quantity: 0.05, price: high + 0.5 } as const;
  const amended = await bob.binance.modifyOrder({
    ...changed,
    origClientOrderId: newClientOrderId,
  });
  expect(amended).toMatchObject({ orderId: id, origQty: '0.050', price: `${high}.5` });
  const current = await bob.binance.getCurrentOpenOrder({ symbol, orderId: id as never });
  expect(current).toMatchObject({ orderId: id, price: `${high}.5` });
  await settle();
  const cancelled = await bob.binance.cancelOrder({ symbol, origClientOrderId: newClientOrderId });
  expect(cancelled).toMatchObject({ orderId: id, status: 'CANCELED' });
  await expectSameOrder(bob, id);
  await settle();
});

test('MAR-2 a post-only order is filled in two parts, amended in between', async () => {
  const resting = await ann.ccxt.createOrder(unified, 'limit', 'sell', 0.1, near, {
    postOnly: true,
  });
  const [ask] = (await ann.ccxt.fetchOrderBook(unified)).asks;
  expect(ask).toEqual([near, 0.1]);
  const taken = await bob.binance.submitNewOrder({
    symbol,
    side: 'BUY',
    type: 'MARKET',
    quantity: 0.04,
    newOrderRespType: 'RESULT',
  });
  trade('bob', '0.04', near);
  expect(taken).toMatchObject({ status: 'FILLED', avgPrice: String(near), executedQty: '0.040' });
  await settle();
  const partly = await ann.ccxt.fetchOrder(resting.id!, unified);
  expect(partly).toMatchObject({ status: 'open', filled: 0.04, remaining: 0.06, average: near });
  await ann.ccxt.editOrder(resting.id!, unified, 'limit', 'sell', 0.08, near);
  await settle();
  const swept = await bob.binance.submitNewOrder({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'IOC',
    quantity: 0.1,
    price: near,
  });
  trade('bob', '0.04', near);
  expect(swept).toMatchObject({ status: 'CANCELED', executedQty: '0.040', cancelReason: 'IOC' });
  const filled = await expectSameOrder(ann, resting.id!);
  expect(filled).toMatchObject({ status: 'FILLED', executedQty: '0.080', cumQty: '0.080' });
  await settle();
});

test('ORD-6 reduce-only orders close a part at a profit and a loss', async () => {
  const exit = near + 50;
  await bob.binance.submitNewOrder({
    symbol,
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTX',
    quantity: 0.03,
    price: exit,
    reduceOnly: 'true',
  });
  const closed = await ann.ccxt.createOrder(unified, 'market', 'buy', 0.03, undefined, {
    reduceOnly: true,
  });
  trade('ann', '0.03', exit);
  realise('bob', '0.03', { entry: near, exit });
  expect(closed).toMatchObject({ status: 'closed', filled: 0.03, average: exit, reduceOnly: true });
  await settle();
  const [position] = await ann.ccxt.fetchPositions([unified]);
  expect(position).toMatchObject({ side: 'short', contracts: 0.05, entryPrice: near });
});

test('ORD-8 batches of both clients meet: positions close and flip, and the rest is cancelled', async () => {
  const bids = [near - 50, near - 60, near - 70];
  const placed = await ann.ccxt.createOrders(
    bids.map((price) => ({ symbol: unified, type: 'limit', side: 'buy', amount: 0.05, price })),
  );
  expect(placed.map(({ status }) => status)).toEqual(['open', 'open', 'open']);
  const sells = [
    { quantity: '0.05', price: String(bids[0]) },
    { quantity: '0.02', price: String(bids[1]) },
    { quantity: '0.0001', price: String(bids[1]) },
  ];
  const answers = await bob.binance.submitMultipleOrders(
    sells.map((sell) => ({ symbol, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', ...sell })),
  );
  trade('bob', '0.05', bids[0]!);
  realise('bob', '0.05', { entry: near, exit: bids[0]! });
  trade('bob', '0.02', bids[1]!);
  expect(answers).toMatchObject([
    { status: 'FILLED' },
    { status: 'FILLED' },
    { code: -1013, msg: 'Filter failure: LOT_SIZE' },
  ]);
  await settle();
  const amended = await ann.ccxt.editOrders([
    {
      id: placed[1]!.id!,
      symbol: unified,
      type: 'limit',
      side: 'buy',
      amount: 0.04,
      price: bids[1]!,
    },
  ] as never);
  expect(amended[0]).toMatchObject({ id: placed[1]!.id, filled: 0.02, remaining: 0.02 });
  await settle();
  const rest = [placed[1]!.id!, placed[2]!.id!];
  const cancelled = await ann.ccxt.cancelOrders(rest, unified);
  expect(cancelled.map(({ id, status }) => [id, status])).toEqual(
    rest.map((id) => [id, 'canceled']),
  );
  await settle();
});

test('ORD-1 a MARKET order by amount closes the rest', async () => {
  const exit = near + 20;
  const entry = near - 60;
  await ann.ccxt.createOrder(unified, 'limit', 'sell', 0.02, exit, { reduceOnly: true });
  const worth = { quoteOrderQty: 0.02 * exit + 1 } as never as { quantity: number };
  const bought = await bob.binance.submitNewOrder({
    symbol,
    side: 'BUY',
    type: 'MARKET',
    ...worth,
  });
  trade('bob', '0.02', exit);
  realise('ann', '0.02', { entry, exit });
  expect(bought).toMatchObject({ status: 'FILLED', origQty: '0.020', cumQuote: `${0.02 * exit}` });
  await settle();
  expect(await ann.ccxt.fetchPositions()).toEqual([]);
  expect(await bob.binance.getPositionsV3()).toEqual([]);
});

test.each([
  ['ETHUSDT', 'ETH/USDT:USDT', 1],
  ['AVAXUSDT', 'AVAX/USDT:USDT', 10],
] as const)('BAL-2 positions on %s stay open in both accounts', async (id, market, amount) => {
  // A price of whole tenths keeps fees whole at their grain.
  const price = Math.round((await roundMark(bob, id, 0.1)) * 10) / 10;
  const resting = { symbol: id, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' } as const;
  await bob.binance.submitNewOrder({ ...resting, quantity: amount, price });
  const bought = await ann.ccxt.createOrder(market, 'limit', 'buy', amount, price, {
    timeInForce: 'FOK',
  });
  trade('ann', String(amount), price);
  expect(bought).toMatchObject({ status: 'closed', filled: amount, average: price });
  await settle();
  const [position] = await bob.ccxt.fetchPositions([market]);
  expect(position).toMatchObject({ side: 'short', contracts: amount, entryPrice: price });
});

test('ORD-13 the countdown cancels the resting orders when it ends', async () => {
  const placed = await bob.ccxt.createOrder(unified, 'limit', 'buy', 0.01, near - 5000);
  await bob.binance.setCancelOrdersOnTimeout({ symbol, countdownTime: 500 });
  await expect.poll(() => bob.binance.getAllOpenOrders({ symbol })).toEqual([]);
  expect(await expectSameOrder(bob, placed.id!)).toMatchObject({
    status: 'CANCELED',
    cancelReason: 'COUNTDOWN',
  });
  await settle();
});

test('the index moved meanwhile, as in the recording', async () => {
  await expect.poll(indexOf).not.toBe(firstIndex);
  // The day's bounds of the recording; where it stands now is before the fall.
  expect(await indexOf()).toBeGreaterThan(107_000);
  expect(await indexOf()).toBeLessThan(122_600);
});
