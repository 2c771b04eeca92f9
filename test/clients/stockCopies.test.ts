// Stock clients that listen through heavy random trading (WS-3). Goal: their own local order books,
// by their own algorithms, end equal to ours, and an account hears of every change of every order,
// in order. Method: two accounts place, amend and cancel at random over HTTP; ccxt.pro keeps a
// book, binance's WebsocketClient hears diffs of the book, kept as its documentation says, and the
// events of an account; at the end all is compared with what HTTP answers.

import { WebsocketClient } from 'binance';
import ccxt from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { openStockWorld, roundMark, type StockTrader, type StockWorld } from './stockWorld.ts';

let world: StockWorld;
let traders: readonly [StockTrader, StockTrader];
let mark: number;

const symbol = 'BTCUSDT';
const unified = 'BTC/USDT:USDT';
const operations = 800;
const closers: (() => Promise<unknown>)[] = [];

// biome-ignore lint/suspicious/noExplicitAny: the packages define these types.
type Heard = any;

beforeAll(async () => {
  world = await openStockWorld(undefined, ['--rate-limit-scale', '1000']);
  traders = [await world.openTrader('1000000'), await world.openTrader('1000000')];
  mark = await roundMark(traders[0], symbol, 100);
});
afterAll(async () => {
  for (const close of closers) await close();
  await world.close();
});

/** One action of a trader; gives the id of an order that it placed. */
async function act(
  prng: Prng,
  { binance }: StockTrader,
  open: string[],
): Promise<string | undefined> {
  const side = prng.below(2) === 0 ? 'BUY' : 'SELL';
  const away = (side === 'BUY' ? -1 : 1) * (prng.below(30) - 8);
  const terms = { quantity: (1 + prng.below(20)) / 1000, price: mark + away / 10 };
  const orderId = open[prng.below(open.length + 1)] as unknown as number;
  const dice = prng.below(10);
  try {
    if (dice < 2 && orderId !== undefined) await binance.cancelOrder({ symbol, orderId });
    else if (dice === 2 && orderId !== undefined) {
      const { side: of } = (await binance.getOrder({ symbol, orderId })) as Heard;
      await binance.modifyOrder({ symbol, orderId, side: of, ...terms });
    } else {
      const timeInForce = (['GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTX'] as const)[prng.below(6)]!;
      const order = { symbol, side, type: 'LIMIT', timeInForce, ...terms } as const;
      return String(((await binance.submitNewOrder(order)) as Heard).orderId);
    }
  } catch (error) {
    // A filled order can be neither cancelled nor amended; a GTX order would have crossed.
    expect([-2010, -2011, -2013, -1013]).toContain((error as Heard).code);
  }
  return undefined;
}

/** A book kept by the documented algorithm: a snapshot over HTTP, and the diffs that follow it. */
type DiffBook = {
  readonly diffs: Heard[];
  /** Applies everything heard to a snapshot; throws where the chain is broken. */
  readonly levels: (snapshot: Heard) => { readonly bids: string[][]; readonly asks: string[][] };
};

function createDiffBook(): DiffBook {
  const diffs: Heard[] = [];
  const levels: DiffBook['levels'] = (snapshot) => {
    const bids = new Map<string, string>(snapshot.bids);
    const asks = new Map<string, string>(snapshot.asks);
    const fresh = diffs.filter(({ u }) => u >= snapshot.lastUpdateId);
    let last: number | undefined;
    for (const { U, u, pu, b, a } of fresh) {
      if (last === undefined) expect(U).toBeLessThanOrEqual(snapshot.lastUpdateId + 1);
      else expect(pu).toBe(last);
      last = u;
      for (const [side, changes] of [
        [bids, b],
        [asks, a],
      ] as const) {
        for (const [price, quantity] of changes) {
          if (Number(quantity) === 0) side.delete(price);
          else side.set(price, quantity);
        }
      }
    }
    const sorted = (side: Map<string, string>, sign: number): string[][] =>
      [...side].sort(([one], [other]) => sign * (Number(one) - Number(other)));
    return { bids: sorted(bids, -1), asks: sorted(asks, 1) };
  };
  return { diffs, levels };
}

async function openPro({
  account,
}: StockTrader): Promise<InstanceType<typeof ccxt.pro.binanceusdm>> {
  const pro = new ccxt.pro.binanceusdm({
    apiKey: account.apiKey,
    secret: account.secret,
    enableRateLimit: false,
    options: { fetchCurrencies: false },
  });
  const addresses = pro.urls.api as Record<string, Heard>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === 'string') {
      addresses[name] = address.replace(/^https:\/\/[^/]+/, world.server.http);
    }
  }
  addresses.ws.future = `${world.server.http.replace('http:', 'ws:')}/ws`;
  await pro.loadMarkets();
  await pro.loadHttpProxyAgent();
  closers.push(() => pro.close());
  return pro;
}

async function listen(
  { account }: StockTrader,
  onMessage: (message: Heard) => void,
): Promise<void> {
  const client = new WebsocketClient(
    {
      api_key: account.apiKey,
      api_secret: account.secret,
      wsUrl: world.server.http.replace('http:', 'ws:'),
      restOptions: { baseUrl: world.server.http },
    } as never,
    { trace: () => {}, info: () => {}, error: () => {} } as never,
  );
  closers.push(async () => client.closeAll(true));
  client.on('message', (data: Heard) => onMessage(data.data ?? data));
  await client.subscribe(['btcusdt@depth@100ms'], 'usdmPublic');
  await client.subscribeUsdFuturesUserDataStream();
}

test('WS-3 books and orders of stock clients equal ours after heavy random trading', async () => {
  const prng = createPrng(77);
  const pro = await openPro(traders[0]);
  let book: Heard;
  let watching = true;
  const watch = (async () => {
    while (watching) book = await pro.watchOrderBook(unified);
  })();
  // When the test fails before it waits for this.
  watch.catch(() => {});
  const diffBook = createDiffBook();
  const reported: Heard[] = [];
  await listen(traders[0], (message) => {
    if (message.e === 'depthUpdate') diffBook.diffs.push(message);
    if (message.e === 'ORDER_TRADE_UPDATE') reported.push(message.o);
  });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const placed: [string[], string[]] = [[], []];
  let snapshot: Heard;
  for (let i = 0; i < operations; i += 1) {
    const which = prng.below(2);
    const id = await act(prng, traders[which]!, placed[which]!.slice(-20));
    if (id !== undefined) placed[which]!.push(id);
    // In the middle: the earlier diffs are thrown away, as the algorithm says.
    if (i === operations / 4)
      snapshot = await traders[1].binance.getOrderBook({ symbol, limit: 1000 });
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const ours: Heard = await traders[1].binance.getOrderBook({ symbol, limit: 1000 });
  expect(ours.bids.length + ours.asks.length).toBeGreaterThan(10);
  expect(diffBook.levels(snapshot)).toEqual({ bids: ours.bids, asks: ours.asks });
  const numbers = (levels: string[][]): number[][] => levels.map((level) => level.map(Number));
  const theirs = (levels: Heard): number[][] =>
    [...levels].map(([price, size]: number[]) => [price!, size!]);
  expect({ bids: theirs(book.bids), asks: theirs(book.asks) }).toEqual({
    bids: numbers(ours.bids),
    asks: numbers(ours.asks),
  });
  await compareOrders(traders[0], placed[0], reported);
  // A call that waits for a book gets one more.
  watching = false;
  const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
  await traders[1].binance.submitNewOrder({ ...order, quantity: 0.01, price: mark - 900 });
  await watch;
});

const ended = new Set(['FILLED', 'CANCELED', 'REJECTED', 'EXPIRED']);

/**
 * For every order: NEW comes first, its fills grow, it ends once and last, and HTTP shows the same.
 */
async function compareOrders(
  { binance }: StockTrader,
  placed: readonly string[],
  reported: readonly Heard[],
): Promise<void> {
  expect(placed.length).toBeGreaterThan(200);
  expect([...new Set(reported.map(({ i }) => i))]).toEqual(placed);
  let fills = 0;
  for (const orderId of placed) {
    const changes = reported.filter(({ i }) => i === orderId);
    expect(changes[0].x).toBe('NEW');
    expect(changes.slice(1).map(({ x }) => x)).not.toContain('NEW');
    expect(changes.slice(0, -1).some(({ X }) => ended.has(X))).toBe(false);
    let filled = 0;
    for (const { x, l, z } of changes) {
      if (x === 'TRADE') fills += 1;
      filled += Math.round(Number(l) * 1000);
      expect(Math.round(Number(z) * 1000)).toBe(filled);
    }
    const last = changes.at(-1);
    const order: Heard = await binance.getOrder({ symbol, orderId: orderId as never });
    expect([last.X, last.z, last.q, last.p]).toEqual([
      order.status,
      order.executedQty,
      order.origQty,
      order.price,
    ]);
  }
  expect(fills).toBeGreaterThan(50);
}
