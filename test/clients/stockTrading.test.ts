// Stock clients that trade over the WebSocket trading API (WS-6), unmodified except the address:
// binance's WebsocketAPIClient, by a session and by single signatures, and ccxt.pro's methods that
// end in Ws. What they did is checked over HTTP.

import { WebsocketAPIClient } from 'binance';
import ccxt from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStockWorld, roundMark, type StockTrader, type StockWorld } from './stockWorld.ts';

let world: StockWorld;
let trader: StockTrader;
let mark: number;
const closers: (() => Promise<unknown>)[] = [];

const symbol = 'BTCUSDT';
const unified = 'BTC/USDT:USDT';

// biome-ignore lint/suspicious/noExplicitAny: the packages define these types.
type Heard = any;

beforeAll(async () => {
  world = await openStockWorld();
  trader = await world.openTrader('1000000');
  mark = await roundMark(trader, symbol, 100);
});
afterAll(async () => {
  for (const close of closers) await close();
  await world.close();
});

const wsOf = (path: string): string => world.server.http.replace('http:', 'ws:') + path;

test.each([
  ['after a logon', true],
  ['each request signed', false],
])('WS-6 binance WebsocketAPIClient, %s', async (_name, session) => {
  const { apiKey, secret } = trader.account;
  const silent = { trace: () => {}, info: () => {}, error: () => {} };
  const client = new WebsocketAPIClient(
    {
      api_key: apiKey,
      api_secret: secret,
      wsUrl: wsOf(''),
      attachEventListeners: false,
    } as never,
    silent as never,
  );
  // With a secret it signs every request by default.
  client.getWSClient().setAuthOnConnect(session).setAuthEveryRequest(!session);
  closers.push(async () => client.getWSClient().closeAll(true));
  const newClientOrderId = session ? 'ws:1/a' : 'ws:2/a';
  const placed: Heard = await client.submitNewFuturesOrder('usdm', {
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 0.01,
    price: mark - 700,
    newClientOrderId,
    timestamp: Date.now(),
  } as never);
  expect(placed).toMatchObject({ status: 200, result: { status: 'NEW' } });
  const { orderId } = placed.result;
  const timestamp = Date.now();
  const read: Heard = await client.getFuturesOrderStatus('usdm', { symbol, orderId, timestamp });
  expect(read.result).toEqual(await trader.binance.getOrder({ symbol, orderId }));
  const modified: Heard = await client.modifyFuturesOrder('usdm', {
    ...{ symbol, orderId, timestamp, side: 'BUY', quantity: 0.02, price: mark - 800 },
    ...{ origType: 'LIMIT', positionSide: 'BOTH' },
  } as never);
  expect(modified.result).toMatchObject({ orderId, origQty: '0.020' });
  const cancelled: Heard = await client.cancelFuturesOrder('usdm', { symbol, orderId, timestamp });
  expect(cancelled.result).toMatchObject({ orderId, status: 'CANCELED' });
  const balance: Heard = await client.getFuturesAccountBalanceV2({ timestamp });
  expect(balance.result).toEqual(await trader.binance.getBalance());
  const account: Heard = await client.getFuturesAccountStatusV2({ timestamp });
  expect(account.result.totalWalletBalance).toBe(balance.result[0].balance);
  const positions: Heard = await client.getFuturesPositionV2({ timestamp });
  expect(positions.result).toEqual([]);
  const book: Heard = await client.getFuturesOrderBook({ symbol, limit: 5 } as never);
  expect(book.result).toMatchObject({ bids: [], asks: [] });
  const ticker: Heard = await client.getFuturesSymbolOrderBookTicker({ symbol } as never);
  expect(ticker.result).toMatchObject({ symbol });
  const refusal: Heard = await client
    .cancelFuturesOrder('usdm', { symbol, orderId, timestamp })
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 400, error: { code: -2011 } });
});

test('WS-6 ccxt.pro: createOrderWs, fetchOrderWs, editOrderWs, cancelOrderWs, balances, books', async () => {
  const { apiKey, secret } = trader.account;
  const pro = new ccxt.pro.binanceusdm({
    apiKey,
    secret,
    enableRateLimit: false,
    options: { fetchCurrencies: false },
  });
  closers.push(() => pro.close());
  const addresses = pro.urls.api as Record<string, Heard>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === 'string') {
      addresses[name] = address.replace(/^https:\/\/[^/]+/, world.server.http);
    }
  }
  addresses.ws['ws-api'].future = wsOf('/ws-fapi/v1');
  await pro.loadMarkets();
  await pro.loadHttpProxyAgent();
  const params = { clientOrderId: 'pro:1/a' };
  const placed: Heard = await pro.createOrderWs(unified, 'limit', 'buy', 0.01, mark - 600, params);
  expect(placed).toMatchObject({ symbol: unified, status: 'open', amount: 0.01 });
  const { id } = placed;
  expect(await pro.fetchOrderWs(id, unified)).toMatchObject({ id, clientOrderId: 'pro:1/a' });
  const edited = await pro.editOrderWs(id, unified, 'limit', 'buy', 0.02, mark - 650);
  expect(edited).toMatchObject({ id, amount: 0.02, price: mark - 650 });
  expect(await pro.cancelOrderWs(id, unified)).toMatchObject({ id, status: 'canceled' });
  const stop = { triggerPrice: mark - 1000 };
  const waiting: Heard = await pro.createOrderWs(unified, 'market', 'sell', 0.01, undefined, stop);
  const gone: Heard = await pro.cancelOrderWs(waiting.id, unified, { trigger: true });
  expect(gone.id).toBe(waiting.id);
  const balance: Heard = await pro.fetchBalanceWs();
  const [row] = (await trader.binance.getBalance()) as Heard[];
  expect(balance.USDT.total).toBe(Number(row.balance));
  expect(await pro.fetchPositionsWs()).toEqual([]);
  const book = await pro.fetchOrderBookWs(unified, 5);
  expect(book).toMatchObject({ bids: [], asks: [] });
  const ticker = (await pro.fetchTickerWs(unified)) as Heard;
  expect(ticker.symbol).toBe(unified);
  const refused = await pro.cancelOrderWs(id, unified).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ccxt.OrderNotFound);
});
