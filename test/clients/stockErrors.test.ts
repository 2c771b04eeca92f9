// How stock clients report refusals: each client's own kind of error, from which its users know
// what to do (conventions, 4). The clients are unmodified and talk to the running program.

import ccxt, { type binanceusdm } from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CcxtRefusal, expectCcxt, refusal } from './refusal.ts';
import { createBinance, createCcxt } from './stockAccount.ts';
import { openStockWorld, roundMark, type StockTrader, type StockWorld } from './stockWorld.ts';
import { triggerErrorCases } from './triggerErrorCases.ts';

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';

let world: StockWorld;
let ann: StockTrader;
let near: number;

beforeAll(async () => {
  world = await openStockWorld();
  ann = await world.openTrader('1000');
  near = await roundMark(ann, symbol, 100);
  await world.server.operator.changeMarket({ symbol: 'ETHUSDT', status: 'HALT' } as never);
  await world.server.operator.changeMarket({ symbol: 'AVAXUSDT', status: 'CLOSE' } as never);
});

afterAll(() => world?.close());

type Parameters = Readonly<Record<string, unknown>>;
type Call = (trader: StockTrader) => Promise<unknown>;
type Case = CcxtRefusal & {
  readonly when: string;
  readonly ccxt: Call;
  readonly binance: Call;
};

/** A LIMIT order that differs from a good one in this, sent by both clients as it stands. */
function placing(when: string, { code, kind }: CcxtRefusal, changes: () => Parameters): Case {
  const order = (): Parameters => ({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: String(near - 5000),
    ...changes(),
  });
  return {
    when,
    code,
    kind,
    ccxt: (trader) => trader.ccxt.fapiPrivatePostOrder(order()),
    binance: (trader) => trader.binance.submitNewOrder(order() as never),
  };
}

const { BadRequest, BadSymbol, ExchangeError, InvalidOrder, MarketClosed, OperationRejected } =
  ccxt;
const { OrderImmediatelyFillable, OrderNotFound, InvalidNonce, AuthenticationError } = ccxt;
const trailing = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'TRAILING_STOP_MARKET',
  quantity: '0.001',
} as const;
const nobodysOrder = '01900000-0000-7000-8000-000000000001';

const cases: readonly Case[] = [
  placing('below one lot', { code: -1013, kind: InvalidOrder }, () => ({ quantity: '0.0001' })),
  placing('off the tick', { code: -1100, kind: InvalidOrder }, () => ({ price: `${near}.05` })),
  placing('unknown symbol', { code: -1121, kind: BadSymbol }, () => ({ symbol: 'DOGEUSDT' })),
  placing('no such type', { code: -1130, kind: BadRequest }, () => ({ type: 'ICEBERG' })),
  placing('no quantity', { code: -1102, kind: BadRequest }, () => ({ quantity: '' })),
  placing('both amounts', { code: -1106, kind: BadRequest }, () => ({
    type: 'MARKET',
    quoteOrderQty: '100',
  })),
  placing('too little margin', { code: -2019, kind: ExchangeError }, () => ({ quantity: '5' })),
  placing('nothing to reduce', { code: -2022, kind: ExchangeError }, () => ({
    reduceOnly: 'true',
  })),
  placing('a halted market', { code: -2010, kind: MarketClosed }, () => ({
    symbol: 'ETHUSDT',
    quantity: '1',
    price: '1000',
  })),
  placing('an opening order on a closed market', { code: -2010, kind: MarketClosed }, () => ({
    symbol: 'AVAXUSDT',
    quantity: '1',
    price: '10',
  })),
  placing('a trailing stop on the order route', { code: -1130, kind: BadRequest }, () => ({
    type: 'TRAILING_STOP_MARKET',
    callbackRate: '1',
  })),
  {
    when: 'a trailing stop that gives way by too much',
    code: -1102,
    kind: BadRequest,
    ccxt: (trader) => trader.ccxt.fapiPrivatePostAlgoOrder({ ...trailing, callbackRate: '11' }),
    binance: (trader) =>
      trader.binance.submitNewAlgoOrder({ ...trailing, callbackRate: 11 } as never),
  },
  {
    when: 'a trigger that never was',
    code: -2013,
    kind: OrderNotFound,
    ccxt: (trader) => trader.ccxt.fetchOrder(nobodysOrder, unified, { trigger: true }),
    binance: (trader) => trader.binance.getAlgoOrder({ algoId: nobodysOrder as never }),
  },
  {
    when: 'an order that never was',
    code: -2013,
    kind: OrderNotFound,
    ccxt: (trader) => trader.ccxt.fetchOrder(nobodysOrder, unified),
    binance: (trader) => trader.binance.getOrder({ symbol, orderId: nobodysOrder as never }),
  },
  {
    when: 'leverage above the maximum',
    code: -4028,
    kind: BadRequest,
    ccxt: (trader) => trader.ccxt.setLeverage(51, unified),
    binance: (trader) => trader.binance.setLeverage({ symbol, leverage: 51 }),
  },
  {
    when: 'isolated margin',
    code: -4046,
    kind: OperationRejected,
    ccxt: (trader) => trader.ccxt.setMarginMode('isolated', unified),
    binance: (trader) => trader.binance.setMarginType({ symbol, marginType: 'ISOLATED' }),
  },
  {
    when: 'hedge mode',
    code: -4059,
    kind: OperationRejected,
    ccxt: (trader) => trader.ccxt.setPositionMode(true),
    binance: (trader) => trader.binance.setPositionMode({ dualSidePosition: 'true' }),
  },
];

test.each(cases)('$when is $code', async (one) => {
  await expectCcxt(ann.ccxt, one.ccxt(ann), one);
  const { code, message } = await refusal(one.binance(ann));
  expect(code).toBe(one.code);
  expect(message).not.toBe('');
});

test.each(triggerErrorCases)('$when is $code through every endpoint', async (one) => {
  await expectCcxt(ann.ccxt, one.ccxt(ann.ccxt, near), one);
  const { stopPrice: triggerPrice, ...terms } = one.order(near);
  const algo = { algoType: 'CONDITIONAL', triggerPrice, ...terms };
  const refused = [
    await refusal(ann.binance.submitNewOrder(one.order(near) as never)),
    await refusal(ann.binance.submitNewAlgoOrder(algo as never)),
  ];
  expect(refused.map(({ code }) => code)).toEqual([one.code, one.code]);
});

test('ORD-9 the two hundred and first waiting trigger is -2010', async () => {
  const eve = await world.openTrader('2000');
  const stop = {
    symbol,
    side: 'BUY',
    type: 'STOP_MARKET',
    quantity: '0.001',
    stopPrice: String(near + 5000),
  } as const;
  for (let batch = 0; batch < 40; batch += 1) {
    const placed = await eve.binance.submitMultipleOrders(Array(5).fill(stop));
    expect(placed.map((each) => (each as { status?: string }).status)).toEqual(
      Array(5).fill('NEW'),
    );
  }
  expect((await refusal(eve.binance.submitNewOrder(stop as never))).code).toBe(-2010);
  const further = { triggerPrice: near + 5000 };
  const call = eve.ccxt.createOrder(unified, 'market', 'buy', 0.001, undefined, further);
  await expectCcxt(eve.ccxt, call, { code: -2010, kind: InvalidOrder });
  await eve.binance.cancelAllOpenOrders({ symbol });
  expect(await eve.binance.getOpenAlgoOrders({ symbol })).toEqual([]);
});

test('ORD-2 a post-only order that would match, and an order that has ended', async () => {
  const bob = await world.openTrader('50000');
  const ask = { symbol, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' } as const;
  const { orderId } = await bob.binance.submitNewOrder({ ...ask, quantity: 0.001, price: near });
  const taking = ann.ccxt.createOrder(unified, 'limit', 'buy', 0.001, near, { postOnly: true });
  await expectCcxt(ann.ccxt, taking, { code: -2010, kind: OrderImmediatelyFillable });
  await bob.binance.cancelOrder({ symbol, orderId });
  expect((await refusal(bob.binance.cancelOrder({ symbol, orderId }))).code).toBe(-2011);
  const again = bob.ccxt.cancelOrder(String(orderId), unified);
  await expectCcxt(bob.ccxt, again, { code: -2011, kind: OrderNotFound });
});

test('AUTH-2 a clock that is two minutes wrong gets -1021, and the clients correct it', async () => {
  const off = 120_000;
  const late: binanceusdm = createCcxt(world.server.http, ann.account);
  late.milliseconds = () => Date.now() - off;
  await expectCcxt(late, late.fetchBalance(), { code: -1021, kind: InvalidNonce });
  await late.loadTimeDifference();
  expect((await late.fetchBalance()).info.totalWalletBalance).toBe('1000');
  const early = createBinance(world.server.http, ann.account);
  early.setTimeOffset(off);
  expect((await refusal(early.getBalance())).code).toBe(-1021);
  early.setTimeOffset(await early.fetchTimeOffset());
  expect(await early.getBalance()).toMatchObject([{ balance: '1000' }]);
});

test('AUTH-2 wrong secrets, disabled keys and deleted keys have different errors', async () => {
  const carol = await world.openTrader('10');
  const { own, apiKey } = carol.account;
  const wrong = { apiKey, secret: 'ab'.repeat(32) };
  const tries = async (code: number, { account } = carol): Promise<void> => {
    const both = { code, kind: AuthenticationError };
    const client = createCcxt(world.server.http, account);
    await expectCcxt(client, client.fetchBalance(), both);
    expect((await refusal(createBinance(world.server.http, account).getBalance())).code).toBe(code);
  };
  await tries(-1022, { ...carol, account: { ...carol.account, ...wrong } });
  const [key] = await own.native.listApiKeys();
  await own.native.updateApiKey({ id: key!.id, status: 'disabled' } as never);
  await tries(-2015);
  await own.native.updateApiKey({ id: key!.id, status: 'active' } as never);
  expect(await carol.binance.getBalance()).toMatchObject([{ balance: '10' }]);
  await own.native.deleteApiKey({ id: key!.id });
  await tries(-2015);
});

/** The first of at most so many refusals that is no BadSymbol. */
async function refusalAfter(most: number, ask: () => Promise<Error>): Promise<Error> {
  for (let i = 1; i < most; i += 1) {
    const error = await ask();
    if (!(error instanceof BadSymbol)) return error;
  }
  return ask();
}

test('AUTH-7 the headers show the order buckets, and full buckets answer 429', async () => {
  const dave = await world.openTrader('10');
  const order = { symbol: 'NONE', side: 'BUY', type: 'MARKET', quantity: 1 } as const;
  // A window may end in between, so that a second fifty pass.
  let sent = 0;
  let code: number | undefined;
  while (code !== -1003 && sent <= 100) {
    ({ code } = await refusal(dave.binance.submitNewOrder(order)));
    sent += 1;
  }
  expect(sent).toBeGreaterThan(50);
  expect(code).toBe(-1003);
  const states = dave.binance.getRateLimitStates();
  expect(states['x-mbx-order-count-10s']).toBe(50);
  expect(states['x-mbx-order-count-1m']).toBeGreaterThanOrEqual(50);
  expect(states['x-mbx-used-weight-1m']).toBeGreaterThanOrEqual(50);
  const refused = await refusalAfter(51, () =>
    refusal(dave.ccxt.fapiPrivatePostOrder({ ...order, quantity: '1' })),
  );
  expect(refused.constructor.name).toBe(ccxt.DDoSProtection.name);
  // Cancels never count (spec, Limits, rule 3).
  expect(await dave.binance.cancelAllOpenOrders({ symbol })).toMatchObject({ code: 200 });
});
