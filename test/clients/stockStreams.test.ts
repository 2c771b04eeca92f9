// Unmodified stock clients over the socket (WS-3): ccxt.pro and binance's WebsocketClient receive
// about markets and an account what HTTP shows. Their own code parses it, and keeps local order
// books.

import { WebsocketClient } from 'binance';
import ccxt from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStockWorld, roundMark, type StockTrader, type StockWorld } from './stockWorld.ts';

let world: StockWorld;
let maker: StockTrader;
let taker: StockTrader;
let mark: number;

const unified = 'BTC/USDT:USDT';
const symbol = 'BTCUSDT';

// biome-ignore lint/suspicious/noExplicitAny: the packages define these types.
type Heard = any;

beforeAll(async () => {
  world = await openStockWorld();
  maker = await world.openTrader('1000000');
  taker = await world.openTrader('1000000');
  mark = await roundMark(maker, symbol, 100);
});
afterAll(() => world.close());

type ProClient = InstanceType<typeof ccxt.pro.binanceusdm>;

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** ccxt.pro with the key of that trader; `ws` is the address that it appends its own to. */
async function openPro({ account }: StockTrader, ws: string): Promise<ProClient> {
  const client = new ccxt.pro.binanceusdm({
    apiKey: account.apiKey,
    secret: account.secret,
    enableRateLimit: false,
    options: { fetchCurrencies: false, warnOnFetchOpenOrdersWithoutSymbol: false },
  });
  const addresses = client.urls.api as Record<string, Heard>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === 'string') {
      addresses[name] = address.replace(/^https:\/\/[^/]+/, world.server.http);
    }
  }
  addresses.ws.future = ws;
  await client.loadMarkets();
  // It asks for this before a socket without TLS.
  await client.loadHttpProxyAgent();
  closers.push(() => client.close());
  return client;
}

const wsOf = (path: string): string => world.server.http.replace('http:', 'ws:') + path;

/** Both sides rest and then meet; gives the price. */
async function trade(quantity: number): Promise<number> {
  const order = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity, price: mark } as const;
  await maker.binance.submitNewOrder({ ...order, side: 'SELL' });
  await taker.binance.submitNewOrder({ ...order, side: 'BUY' });
  return mark;
}

/** Repeats until the messages are as expected. */
async function until<T>(watch: () => Promise<T>, isThere: (heard: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const heard = await watch();
    if (isThere(heard)) return heard;
  }
  throw new Error('what was waited for did not come');
}

test.each([
  ['the address of the socket', '/ws'],
  ['the same behind /ws', '/ws/ws'],
])('WS-3 ccxt.pro at %s: books, trades, tickers, candles, marks', async (_name, path) => {
  const pro = await openPro(taker, wsOf(path));
  const resting = mark - 500;
  const order = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity: 0.5, side: 'BUY' } as const;
  await maker.binance.submitNewOrder({ ...order, price: resting });
  const watching = until(
    () => pro.watchOrderBook(unified),
    ({ bids }) => bids[0]?.[0] === resting + 1 && bids[0]?.[1] === 0.25,
  );
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await maker.binance.submitNewOrder({ ...order, price: resting + 1, quantity: 0.25 });
  const book: Heard = await watching;
  expect(book.bids.slice(0, 2).map(([price, size]: number[]) => [price, size])).toEqual([
    [resting + 1, 0.25],
    [resting, 0.5],
  ]);
  const trades = pro.watchTrades(unified);
  const ticker = until(
    () => pro.watchTicker(unified),
    ({ last }) => last === mark,
  );
  const candles = pro.watchOHLCV(unified, '1m');
  const best = pro.watchBidsAsks([unified]);
  const marked = pro.watchMarkPrice(unified);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await trade(0.01);
  expect(await trades).toMatchObject([{ symbol: unified, price: mark, amount: 0.01, side: 'buy' }]);
  expect(await ticker).toMatchObject({ symbol: unified, last: mark });
  const [candle] = (await candles) as Heard[];
  expect(candle[4]).toBe(mark);
  expect(await best).toMatchObject({ [unified]: { symbol: unified } });
  expect((await marked).markPrice).toBeGreaterThan(0);
  await maker.binance.cancelAllOpenOrders({ symbol });
});

test('WS-3 ccxt.pro: own orders and trades, balance and positions', async () => {
  const pro = await openPro(taker, wsOf('/ws'));
  const started = Promise.all([pro.watchOrders(), pro.watchMyTrades(), pro.watchBalance()]);
  const positions = until(
    () => pro.watchPositions(),
    (heard) => heard.length > 0,
  );
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await trade(0.02);
  const [orders, fills, balance] = await started;
  expect(orders.at(-1)).toMatchObject({ symbol: unified, side: 'buy', amount: 0.02, price: mark });
  expect(fills.at(-1)).toMatchObject({ symbol: unified, price: mark, amount: 0.02, side: 'buy' });
  const [row] = (await taker.binance.getBalance()) as Heard[];
  expect((balance as Heard).USDT.total).toBe(Number(row.balance));
  const [held] = (await taker.binance.getPositionsV3({ symbol })) as Heard[];
  const [position] = (await positions) as Heard[];
  expect(position).toMatchObject({ symbol: unified, side: 'long' });
  expect(position.contracts).toBe(Number(held.positionAmt));
  const resting = await pro.createOrder(unified, 'limit', 'buy', 0.01, mark - 700);
  // From its own list: a call that watches misses what came before it.
  const heardOf = (): Heard => [...(pro.orders ?? [])].find(({ id }) => id === resting.id);
  await expect.poll(() => heardOf()?.status).toBe('open');
  await pro.cancelOrder(String(resting.id), unified);
  await expect.poll(() => heardOf()?.status).toBe('canceled');
  expect(heardOf()).toMatchObject({ filled: 0 });
});

test('WS-3 binance: markets, and an account by its listen key', async () => {
  const { apiKey, secret } = taker.account;
  const client = new WebsocketClient(
    {
      api_key: apiKey,
      api_secret: secret,
      wsUrl: wsOf(''),
      restOptions: { baseUrl: world.server.http },
    } as never,
    { trace: () => {}, info: () => {}, error: () => {} } as never,
  );
  closers.push(async () => client.closeAll(true));
  const heard: Heard[] = [];
  client.on('message', (data: Heard) => heard.push(data));
  const waitFor = async (isIt: (message: Heard) => boolean): Promise<Heard> => {
    for (let tries = 0; tries < 24_000; tries += 1) {
      const found = heard.find((message) => isIt(message.data ?? message));
      if (found !== undefined) return found.data ?? found;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`not among ${JSON.stringify(heard).slice(0, 2000)}`);
  };
  await client.subscribe(['btcusdt@aggTrade', 'btcusdt@kline_1m'], 'usdmMarket');
  await client.subscribe(['btcusdt@bookTicker', 'btcusdt@depth@100ms'], 'usdmPublic');
  await client.subscribeUsdFuturesUserDataStream();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await trade(0.03);
  expect(await waitFor(({ e }) => e === 'aggTrade')).toMatchObject({ s: symbol, q: '0.030' });
  expect(await waitFor(({ e }) => e === 'kline')).toMatchObject({ s: symbol, k: { i: '1m' } });
  expect(await waitFor(({ e }) => e === 'bookTicker')).toMatchObject({ s: symbol });
  expect(await waitFor(({ e }) => e === 'depthUpdate')).toMatchObject({ s: symbol });
  const filled = await waitFor(({ e, o }) => e === 'ORDER_TRADE_UPDATE' && o.X === 'FILLED');
  expect(filled.o).toMatchObject({ S: 'BUY', q: '0.030', z: '0.030', x: 'TRADE' });
  const account = await waitFor(({ e }) => e === 'ACCOUNT_UPDATE');
  expect(account.a).toMatchObject({ m: 'ORDER', P: [{ s: symbol, ps: 'BOTH' }] });
});
