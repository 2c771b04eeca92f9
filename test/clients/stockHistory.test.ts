// Goal: what stock clients read of an account's past is what happened, at once and to the last
// digit (ORD-12, BAL-3). Method: two accounts trade on the running program, whose history is
// written and read by threads of its own; both clients read it right after each write.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { exact, sum } from './exactDecimal.ts';
import { openStockWorld, type StockTrader, type StockWorld } from './stockWorld.ts';

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';

let world: StockWorld;
let ann: StockTrader;
let bob: StockTrader;

beforeAll(async () => {
  world = await openStockWorld({ [symbol]: 100_000 });
  ann = await world.openTrader('10000');
  bob = await world.openTrader('100000');
  // Of the others all are long: they pay the highest rate.
  await world.server.operator.changeAccount({ address: bob.account.address, house: true } as never);
});

afterAll(() => world?.close());

const limit = { symbol, type: 'LIMIT', timeInForce: 'GTC' } as const;

type Row = Readonly<Record<string, string>>;

test('ORD-12 HIST-3 a read that follows a write sees it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const order = { ...limit, side: 'BUY', quantity: 0.001, price: 90_000 } as const;
    const { orderId } = await ann.binance.submitNewOrder(order);
    const [placed] = (await ann.binance.getAllOrders({ symbol, limit: 1 })) as unknown as Row[];
    expect(placed).toMatchObject({ orderId, status: 'NEW' });
    await ann.binance.cancelOrder({ symbol, orderId });
    const [cancelled] = (await ann.binance.getAllOrders({ symbol, limit: 1 })) as unknown as Row[];
    expect(cancelled).toMatchObject({ orderId, status: 'CANCELED' });
  }
});

test('ORD-12 orders, fills and their fees, by both clients', async () => {
  const rest = { ...limit, side: 'SELL', quantity: 0.02, price: 100_000 } as const;
  await bob.binance.submitNewOrder(rest);
  const bought = await ann.ccxt.createOrder(unified, 'market', 'buy', 0.02);
  await bob.binance.submitNewOrder({ ...rest, side: 'BUY', quantity: 0.01, price: 99_990 });
  await ann.ccxt.createOrder(unified, 'market', 'sell', 0.01);
  const trades = await ann.ccxt.fetchMyTrades(unified);
  expect(trades).toMatchObject([
    { id: '1', order: bought.id, side: 'buy', price: 100_000, amount: 0.02, takerOrMaker: 'taker' },
    {
      id: '2',
      side: 'sell',
      price: 99_990,
      amount: 0.01,
      fee: { cost: 0.49995, currency: 'USDT' },
    },
  ]);
  expect(await ann.binance.getAccountTrades({ symbol })).toEqual(trades.map(({ info }) => info));
  expect(await ann.ccxt.fetchMyTrades(unified, trades[1]!.timestamp!, 1)).toMatchObject([
    { id: '2' },
  ]);
  const orders = await ann.ccxt.fetchOrders(unified);
  expect(orders).toHaveLength(12);
  expect(await ann.binance.getAllOrders({ symbol })).toEqual(orders.map(({ info }) => info));
  const closed = await ann.ccxt.fetchClosedOrders(unified);
  expect(closed).toMatchObject([
    { id: bought.id, status: 'closed', filled: 0.02, average: 100_000, cost: 2000 },
    { side: 'sell', filled: 0.01, average: 99_990 },
  ]);
  const cancelled = await ann.ccxt.fetchCanceledOrders(unified);
  expect(cancelled).toHaveLength(10);
  expect(await bob.ccxt.fetchClosedOrders(unified)).toHaveLength(2);
});

test('BAL-3 FUND-4 income sums up to the change of the balance', async () => {
  await world.server.operator.settleFunding({ symbol });
  const ledger = await ann.ccxt.fetchLedger('USDT', undefined, undefined, { type: 'swap' });
  // 0.05 % of 2000 and of 999.9; 0.01 × −10; 1 % of at most 2000 for the part of eight hours that
  // has passed since they were bought.
  const paid = ledger.at(-1)!.info.income;
  const lasted = (Date.now() - ledger[0]!.timestamp!) / (8 * 3_600_000);
  expect(Number(paid)).toBeLessThan(0);
  expect(Number(paid)).toBeGreaterThanOrEqual(-20 * lasted - 0.000_001);
  expect(ledger.map(({ info }) => [info.incomeType, info.income])).toEqual([
    ['COMMISSION', '-1'],
    ['REALIZED_PNL', '-0.1'],
    ['COMMISSION', '-0.49995'],
    ['FUNDING_FEE', paid],
  ]);
  expect(await ann.binance.getIncomeHistory()).toEqual(ledger.map(({ info }) => info));
  const [funding] = await ann.ccxt.fetchFundingHistory(unified);
  expect(funding).toMatchObject({ amount: Number(paid), code: 'USDT', symbol: unified });
  const [fee] = (await ann.binance.getPrivate('fapi/v1/fundingFeeHistory')) as Row[];
  expect(fee).toMatchObject({ fundingFee: paid, positionSide: 'LONG', tranId: funding!.id });
  const total = sum(ledger.map(({ info }) => exact(info.income)));
  const [balance] = await ann.binance.getBalance();
  expect(exact(String(balance!.balance))).toBe(exact('10000') + total);
  const rows = await ann.account.own.native.listLedger();
  expect(sum(rows.map(({ amount }) => exact(amount)))).toBe(exact(String(balance!.balance)));
});

test('TRG-1 the fills of a stop of the algo route', async () => {
  const stop = { ...limit, side: 'SELL', quantity: 0.01, price: 90_000 } as const;
  const { algoId } = await ann.binance.submitNewAlgoOrder({
    algoType: 'CONDITIONAL',
    symbol,
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: 0.01,
    triggerPrice: 99_000,
  });
  await bob.binance.submitNewOrder({ ...stop, side: 'BUY', price: 98_950 });
  await world.moveIndex(symbol, 98_960);
  const fired = await ann.ccxt.fetchOrder(String(algoId), unified, { trigger: true });
  expect(fired).toMatchObject({ status: 'closed', filled: 0.01, remaining: 0, average: 98_950 });
  const all = await ann.ccxt.fetchOrders(unified, undefined, undefined, { trigger: true });
  expect(all).toMatchObject([{ id: String(algoId), filled: 0.01, average: 98_950 }]);
});
