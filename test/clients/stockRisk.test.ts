// Goal: what risk does to an account is what stock clients see: liquidation prices and margin
// ratios, leverage beside a position, funding, liquidation, deleveraging, markets that are halted
// or only reduce (LIQ-1, LIQ-4, LIQ-7, FUND-2, MAR-5, SYM-1). Method: the operator moves the index,
// every figure is read by both clients, and the money is what the rules make of it.

import ccxt from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exact } from './exactDecimal.ts';
import { expectCcxt, refusal } from './refusal.ts';
import {
  expectInvariants,
  openStockWorld,
  readHoldings,
  type StockTrader,
  type StockWorld,
} from './stockWorld.ts';

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';
const ether = { symbol: 'ETHUSDT', unified: 'ETH/USDT:USDT' } as const;
const avax = { symbol: 'AVAXUSDT', unified: 'AVAX/USDT:USDT' } as const;

let world: StockWorld;
/** Is liquidated through the book. */
let ann: StockTrader;
/** Is on the other side of everything. */
let bob: StockTrader;
/** Goes bankrupt. */
let carol: StockTrader;

beforeAll(async () => {
  world = await openStockWorld({ [symbol]: 100_000, ETHUSDT: 4000, AVAXUSDT: 20 });
  ann = await world.openTrader('1500');
  bob = await world.openTrader('100000');
  carol = await world.openTrader('1500');
});

afterAll(() => world?.close());

type Quote = { readonly side: 'BUY' | 'SELL'; readonly quantity: number; readonly price: number };

async function rest({ binance }: StockTrader, quote: Quote, at: string = symbol): Promise<string> {
  const order = { symbol: at, type: 'LIMIT', timeInForce: 'GTC', ...quote } as const;
  const { orderId, status } = await binance.submitNewOrder(order);
  expect(status).toBe('NEW');
  return String(orderId);
}

/** Buys 0.5 BTC of bob at 100000: a long of 50 times the margin behind it. */
async function openLong(trader: StockTrader): Promise<void> {
  await trader.ccxt.setLeverage(50, unified);
  await rest(bob, { side: 'SELL', quantity: 0.5, price: 100_000 });
  const bought = await trader.ccxt.createOrder(unified, 'market', 'buy', 0.5);
  expect(bought).toMatchObject({ status: 'closed', filled: 0.5, average: 100_000 });
}

const walletOf = async ({ binance }: StockTrader): Promise<string> => {
  const [row] = await binance.getBalance();
  return String(row!.balance);
};

type Text = Readonly<Record<string, string>>;

test('LIQ-7 both clients see liquidation price, margin ratio and rank of a position', async () => {
  await openLong(ann);
  const [risk] = (await ann.binance.getPositionsV3({ symbol })) as unknown as Text[];
  // Equity 1475 − 0.5 × (100000 − p) meets maintenance 0.5 × p × 1 % at 98030.30….
  expect(risk).toMatchObject({ liquidationPrice: '98030.4', maintMargin: '500', adl: 4 });
  const [position] = await ann.ccxt.fetchPositions([unified]);
  expect(position).toMatchObject({
    liquidationPrice: 98_030.4,
    maintenanceMargin: 500,
    maintenanceMarginPercentage: 0.01,
    initialMargin: 1000,
    leverage: 50,
    // 500 / 1475.
    marginRatio: 0.339,
    marginMode: 'cross',
  });
  const [counted] = await ann.ccxt.fetchAccountPositions([unified]);
  expect(counted).toMatchObject({ collateral: 1475, marginRatio: 0.339 });
  expect(await bob.ccxt.fetchPositionsADLRank([unified])).toMatchObject([{ rank: 4 }]);
  expect(await bob.binance.getADLQuantileEstimation({ symbol })).toEqual([
    { symbol, adlQuantile: { LONG: 0, SHORT: 0, BOTH: 4 } },
  ]);
  // Far richer than its position: no mark up to twice this one liquidates it.
  const [other] = await bob.ccxt.fetchPositions([unified]);
  expect(other!.liquidationPrice).toBeGreaterThan(200_000);
});

test('MAR-10 both read every bracket of a market', async () => {
  const tiers = await ann.ccxt.fetchLeverageTiers([unified]);
  const read = tiers[unified]!.map((tier) => [
    tier.tier,
    tier.minNotional,
    tier.maxNotional,
    tier.maintenanceMarginRate,
    tier.maxLeverage,
  ]);
  expect(read).toEqual([
    [1, 0, 1_200_000, 0.01, 50],
    [2, 1_200_000, 3_000_000, 0.02, 25],
    [3, 3_000_000, 4_000_000, 0.025, 20],
    [4, 4_000_000, 8_000_000, 0.05, 10],
    [5, 8_000_000, 20_000_000, 0.1, 5],
  ]);
  const [table] = await ann.binance.getNotionalAndLeverageBrackets({ symbol });
  expect(table!.symbol).toBe(symbol);
  // 1,200,000 × 1 %; and 3,000,000 × 0.5 %; and 4,000,000 × 2.5 %; and 8,000,000 × 5 %.
  const cums = [0, 12_000, 27_000, 127_000, 527_000];
  expect(table!.brackets.map(({ cum }) => cum)).toEqual(cums);
});

test('MAR-5 a change of leverage affects later orders, not the open position', async () => {
  const before = await readHoldings(ann);
  await ann.ccxt.setLeverage(10, unified);
  // The figure beside the setting is the margin of that setting: 50000 / 10; 1000 are locked.
  const shown = { leverage: 10, initialMargin: 5000, initialMarginPercentage: 0.1 };
  expect(await ann.ccxt.fetchPositions([unified])).toMatchObject([shown]);
  expect(await ann.ccxt.fetchAccountPositions([unified], { useV2: true })).toMatchObject([shown]);
  const [position] = (await ann.binance.getPositionsV3({ symbol })) as unknown as Text[];
  expect(position).toMatchObject({
    leverage: '10',
    initialMargin: '5000',
    positionInitialMargin: '1000',
    isolatedMargin: '1000',
  });
  expect(await readHoldings(ann)).toEqual(before);
  // 0.002 × 90000 / 10 × 1.005.
  const id = await rest(ann, { side: 'BUY', quantity: 0.002, price: 90_000 });
  expect(await readHoldings(ann)).toMatchObject({ freezes: exact('18.09') });
  await ann.binance.cancelOrder({ symbol, orderId: id as never });
  expect(await ann.binance.setLeverage({ symbol, leverage: 50 })).toMatchObject({ leverage: 50 });
  expect(await readHoldings(ann)).toEqual(before);
});

test('LIQ-1 an account is liquidated through the book, and both clients see it', async () => {
  const orderId = await rest(ann, { side: 'BUY', quantity: 0.1, price: 3000 }, ether.symbol);
  const stop = { stopLossPrice: 90_000, closePosition: true };
  const closing = await ann.ccxt.createOrder(unified, 'market', 'sell', 0.5, undefined, stop);
  await rest(bob, { side: 'BUY', quantity: 0.6, price: 97_920 });
  await world.moveIndex(symbol, 98_100);
  const [near] = await ann.ccxt.fetchPositions([unified]);
  expect(near).toMatchObject({ contracts: 0.5, unrealizedPnl: -950, liquidationPrice: 98_030.4 });
  expect(near!.marginRatio).toBeGreaterThan(0.33);

  await world.moveIndex(symbol, 97_900);
  expect(await ann.ccxt.fetchPositions()).toEqual([]);
  expect(await ann.binance.getPositionsV3()).toEqual([]);
  // 1500 − 25 fee − 0.5 × (100000 − 97920) − 0.5 % of 48960.
  expect(await walletOf(ann)).toBe('190.2');
  const [liquidation] = await ann.ccxt.fetchMyLiquidations(unified);
  expect(liquidation).toMatchObject({ contracts: 0.5, price: 97_920, side: 'sell' });
  const rows = await ann.binance.getForceOrders({ autoCloseType: 'LIQUIDATION' });
  expect(rows).toEqual([liquidation!.info]);
  expect(rows[0]).toMatchObject({
    clientOrderId: expect.stringMatching(/^autoclose-\d+$/),
    type: 'LIMIT',
    timeInForce: 'IOC',
    status: 'FILLED',
    executedQty: '0.500',
    reduceOnly: true,
  });
  const closed = await ann.ccxt.fetchOrder(String(rows[0]!.orderId), unified);
  expect(closed).toMatchObject({ status: 'closed', filled: 0.5, average: 97_920, side: 'sell' });
  // All its orders have ended, in other markets too; triggers that close no position expire.
  const cancelled = await ann.binance.getOrder({ symbol: ether.symbol, orderId: orderId as never });
  expect(cancelled).toMatchObject({ status: 'CANCELED', cancelReason: 'LIQUIDATION' });
  const expired = await ann.ccxt.fetchOrder(closing.id!, unified, { trigger: true });
  expect(expired).toMatchObject({ status: 'expired' });
  expect(await ann.ccxt.fetchOpenOrders()).toEqual([]);
  const { holdings } = await expectInvariants(world, [ann, bob, carol]);
  expect(holdings[0]).toMatchObject({ available: exact('190.2'), collateral: 0n, freezes: 0n });
  // It trades with the rest.
  await world.moveIndex(symbol, 100_000);
  await rest(ann, { side: 'BUY', quantity: 0.01, price: 97_000 });
  await ann.ccxt.cancelAllOrders(unified);
});

test('LIQ-4 a bankrupt position is closed against the other side, and both sides see it', async () => {
  await bob.binance.cancelAllOpenOrders({ symbol });
  await openLong(carol);
  const before = exact(await walletOf(bob));
  // There are no bids. The fund has a liquidation fee, but may not take half a bitcoin.
  await world.moveIndex(symbol, 96_500);
  expect(await carol.ccxt.fetchPositions()).toEqual([]);
  expect(await bob.ccxt.fetchPositions()).toEqual([]);
  // Carol's 1475 are gone, and Bob has them: at 97050 her equity was zero.
  expect(await walletOf(carol)).toBe('0');
  expect(exact(await walletOf(bob)) - before).toBe(exact('1475'));
  const [own] = await carol.ccxt.fetchMyLiquidations(unified);
  expect(own).toMatchObject({ contracts: 0.5, price: 97_050, side: 'sell' });
  expect(await bob.ccxt.fetchMyLiquidations(unified)).toEqual([]);
  const adl = { autoCloseType: 'ADL' } as const;
  const [his] = await bob.ccxt.fetchMyLiquidations(unified, undefined, undefined, adl);
  expect(his).toMatchObject({ contracts: 0.5, price: 97_050, side: 'buy' });
  expect(his!.info.clientOrderId).toBe('adl_autoclose');
  expect(await bob.binance.getForceOrders(adl)).toEqual([his!.info]);
  const log = await bob.account.own.native.listDeleveragings({});
  expect(log).toMatchObject([
    { symbol, cause: 'deleveraging', side: 'SELL', price: '97050.0', quantity: '0.500' },
  ]);
  await expectInvariants(world, [ann, bob, carol]);
});

test('FUND-2 one side pays funding to the other, and both read the rate', async () => {
  // The house counts in no open interest, so that longs alone have any: the rate is its cap, for
  // the part of eight hours that is left.
  await world.server.operator.changeAccount({ address: bob.account.address, house: true } as never);
  await rest(bob, { side: 'SELL', quantity: 50, price: 20 }, avax.symbol);
  await ann.ccxt.createOrder(avax.unified, 'market', 'buy', 50);
  const next = await ann.ccxt.fetchFundingRate(avax.unified);
  const interval = 8 * 3_600_000;
  const left = (next.fundingTimestamp! - Date.now()) / interval;
  expect(next.fundingRate).toBeCloseTo(0.01 * left, 4);
  expect(next).toMatchObject({ markPrice: 20, indexPrice: 20 });
  expect(next.fundingTimestamp! % interval).toBe(0);
  expect(Object.keys(await ann.ccxt.fetchFundingRates())).toHaveLength(3);
  const before = [exact(await walletOf(ann)), exact(await walletOf(bob))] as const;
  await world.server.operator.settleFunding({ symbol: avax.symbol });
  const paid = before[0] - exact(await walletOf(ann));
  const received = exact(await walletOf(bob)) - before[1];
  expect(paid > 0n).toBe(true);
  // One rounds up, the other down.
  expect([0n, exact('0.000001')]).toContain(paid - received);
  const [settled] = await ann.ccxt.fetchFundingRateHistory(avax.unified);
  expect(settled).toMatchObject({ fundingRate: expect.any(Number), symbol: avax.unified });
  expect(await ann.binance.getFundingRateHistory({ symbol: avax.symbol })).toEqual([settled!.info]);
  await expectInvariants(world, [ann, bob, carol]);
});

test('SYM-1 a halted market accepts no order, a closed one only reducing orders; cancels always pass', async () => {
  const status = (value: string) =>
    world.server.operator.changeMarket({ symbol: avax.symbol, status: value } as never);
  const closed = { code: -2010, kind: ccxt.MarketClosed };
  const id = await rest(ann, { side: 'BUY', quantity: 1, price: 19 }, avax.symbol);
  const reduce = { reduceOnly: true };
  await status('HALT');
  for (const params of [{}, reduce, { ...reduce, stopLossPrice: 19 }]) {
    const order = ann.ccxt.createOrder(avax.unified, 'market', 'sell', 1, undefined, params);
    await expectCcxt(ann.ccxt, order, closed);
  }
  expect(await ann.ccxt.cancelOrder(id, avax.unified)).toMatchObject({ status: 'canceled' });
  expect((await ann.ccxt.loadMarkets(true))[avax.unified]).toMatchObject({ active: false });
  await status('CLOSE');
  const opening = ann.ccxt.createOrder(avax.unified, 'limit', 'buy', 1, 19);
  await expectCcxt(ann.ccxt, opening, closed);
  const order = { symbol: avax.symbol, side: 'BUY', type: 'MARKET', quantity: 1 } as const;
  expect((await refusal(ann.binance.submitNewOrder(order))).code).toBe(-2010);
  const bid = { side: 'BUY', quantity: 50, price: 20, reduceOnly: 'true' } as const;
  await rest(bob, bid, avax.symbol);
  const sold = await ann.ccxt.createOrder(avax.unified, 'market', 'sell', 50, undefined, reduce);
  expect(sold).toMatchObject({ status: 'closed', filled: 50 });
  expect(await ann.ccxt.fetchPositions()).toEqual([]);
  await status('TRADING');
  expect((await ann.ccxt.loadMarkets(true))[avax.unified]).toMatchObject({ active: true });
  await expectInvariants(world, [ann, bob, carol]);
});
