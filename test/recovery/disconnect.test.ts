// Goal: after SIGKILL no order rests whose account had armed a connection, and the orders of all
// others do (COD-6). Method: the real program, with clients over native channels, trading sockets
// and HTTP. It is killed at random moments while they place orders; the first answers after each
// restart are compared with what was acknowledged before.

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { must } from '../../src/std/assert.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { createWallet } from '../identity/wallet.ts';

const kills = 5;
const seed = 20_261_123;
const flags = [...quietFlags, '--log-level', 'info', '--rate-limit-scale', '1000'];

// biome-ignore lint/suspicious/noExplicitAny: messages of sockets.
type Said = any;
type Line = { readonly socket: WebSocket; readonly ask: (message: object) => Promise<Said> };

/** How a trader arms its connection. */
type Way = 'channel' | 'tradingSocket' | 'oneSymbol' | 'disarmed' | 'never';
const ways: readonly Way[] = ['channel', 'tradingSocket', 'oneSymbol', 'disarmed', 'never'];

type Trader = {
  readonly way: Way;
  readonly wallet: ReturnType<typeof createWallet>;
  token: string;
  key: { readonly apiKey: string; readonly secretKey: string };
  client: Client | undefined;
  names: number;
  /** Acknowledged orders that rest, by symbol. */
  readonly resting: Map<string, string>;
};

function clientOf({ http, operatorUrl }: RunningServer, { token, key }: Partial<Trader>): Client {
  return createClient({ baseUrl: http, operatorUrl, token, ...key });
}

async function openTrader(server: RunningServer, way: Way, number: number): Promise<Trader> {
  const wallet = createWallet(0xc0d0 + number);
  const { address, sign } = wallet;
  const { native } = clientOf(server, {});
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  await server.operator.creditAccount({ address, amount: '100000', reference: `cod ${number}` });
  const made = await clientOf(server, { token }).native.createApiKey({ label: 'cod' });
  const key = { apiKey: made.api_key, secretKey: made.secret_key };
  return { way, wallet, token, key, client: undefined, names: number * 10_000, resting: new Map() };
}

async function openLine(server: RunningServer, path: string): Promise<Line> {
  const socket = new WebSocket(`${server.http.replace('http', 'ws')}${path}`);
  socket.on('error', () => {});
  await once(socket, 'open');
  const ask = async (message: object): Promise<Said> => {
    const answer = once(socket, 'message');
    socket.send(JSON.stringify(message));
    return JSON.parse(String((await answer)[0]));
  };
  return { socket, ask };
}

/** Resolves when the arming was acknowledged. */
async function arm(server: RunningServer, trader: Trader): Promise<void> {
  const { way, token, key } = trader;
  if (way === 'never') return;
  if (way === 'channel') {
    const { ask } = await openLine(server, '/ws');
    expect(await ask({ type: 'auth', token })).toMatchObject({ type: 'authenticated' });
    const request = { type: 'cancel_on_disconnect', enabled: true };
    expect(await ask(request)).toEqual(request);
    return;
  }
  const { ask } = await openLine(server, '/ws-fapi/v1');
  const timestamp = Date.now();
  const text = `apiKey=${key.apiKey}&timestamp=${timestamp}`;
  const signature = createHmac('sha256', key.secretKey).update(text).digest('hex');
  const params = { apiKey: key.apiKey, timestamp, signature };
  expect(await ask({ id: 1, method: 'session.logon', params })).toMatchObject({ status: 200 });
  const cancel = async (wanted: object): Promise<void> => {
    const sent = { ...wanted, timestamp: Date.now() };
    const request = { id: 2, method: 'session.cancelOnDisconnect', params: sent };
    expect(await ask(request)).toMatchObject({ status: 200 });
  };
  await cancel(way === 'oneSymbol' ? { enabled: true, symbols: '["BTCUSDT"]' } : { enabled: true });
  if (way === 'disarmed') await cancel({ enabled: false });
}

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

/** Places orders that rest, over HTTP, until the server has ended. */
async function load(trader: Trader, prng: Prng): Promise<void> {
  const { fapi } = must(trader.client, 'a trader is connected');
  for (;;) {
    trader.names += 1;
    const newClientOrderId = `n${trader.names}`;
    const isBitcoin = prng.below(2) === 0;
    const symbol = isBitcoin ? 'BTCUSDT' : 'ETHUSDT';
    const price = isBitcoin ? String(96_000 + prng.below(1000)) : String(3850 + prng.below(40));
    const terms = { symbol, side: 'BUY', quantity: isBitcoin ? '0.001' : '0.01', price };
    const order = { ...terms, type: 'LIMIT', timeInForce: 'GTC', newClientOrderId };
    const placed = await fapi.placeOrder(order as never).then(
      () => true,
      () => false,
    );
    if (!placed) return;
    trader.resting.set(newClientOrderId, symbol);
    if (trader.resting.size > 60) return;
  }
}

/** The names of the orders that rest now. */
async function openNames(server: RunningServer, trader: Trader): Promise<Set<string>> {
  const { fapi } = clientOf(server, trader);
  const orders = (await fapi.getOpenOrders({})) as readonly { readonly clientOrderId: string }[];
  return new Set(orders.map(({ clientOrderId }) => clientOrderId));
}

const endsWith: Readonly<Record<Way, readonly string[]>> = {
  channel: ['BTCUSDT', 'ETHUSDT'],
  tradingSocket: ['BTCUSDT', 'ETHUSDT'],
  oneSymbol: ['BTCUSDT'],
  disarmed: [],
  never: [],
};

async function checkOrders(server: RunningServer, trader: Trader): Promise<void> {
  const { way, resting } = trader;
  const open = await openNames(server, trader);
  const ended = endsWith[way];
  for (const [name, symbol] of resting) {
    expect(open.has(name), `${way}: ${name} on ${symbol}`).toBe(!ended.includes(symbol));
    if (ended.includes(symbol)) resting.delete(name);
  }
  // What was not acknowledged may be there only where nothing ends it.
  if (ended.length === 2) expect(open.size, way).toBe(0);
  const [one] = [...resting.keys()];
  if (resting.size > 40 && one !== undefined) {
    await clientOf(server, trader).fapi.cancelAllOpenOrders({ symbol: 'BTCUSDT' });
    await clientOf(server, trader).fapi.cancelAllOpenOrders({ symbol: 'ETHUSDT' });
    resting.clear();
  }
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

test('COD-6 after each of five kills the orders of armed connections have ended, and others rest', async () => {
  using directory = createTemporaryDirectory();
  const prng = createPrng(seed);
  let server = await startServer({ data: directory.path, flags });
  await setPrices(server);
  const traders: Trader[] = [];
  for (const [number, way] of ways.entries()) traders.push(await openTrader(server, way, number));
  let ended = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    for (const trader of traders) {
      trader.client = clientOf(server, trader);
      await arm(server, trader);
    }
    const working = Promise.all(traders.map((trader) => load(trader, createPrng(prng.below(1e9)))));
    const begun = traders.reduce((sum, { resting }) => sum + resting.size, 0);
    await wait(prng.below(300));
    while (traders.reduce((sum, { resting }) => sum + resting.size, 0) < begun + 25) await wait(10);
    await server.kill();
    await working;
    const left = verifyDirectory(findDataDirectory(directory.path));
    expect(left.invariants.failures).toEqual([]);
    server = await startServer({ data: directory.path, flags });
    expect(server.errors()).toContain('3 armed connections of the process before have ended');
    ended += traders[0]!.resting.size;
    for (const trader of traders) await checkOrders(server, trader);
    await setPrices(server);
  }
  expect(ended).toBeGreaterThan(kills);

  // A stop in order ends them itself: the next start finds none.
  for (const trader of traders) {
    trader.client = clientOf(server, trader);
    await arm(server, trader);
    await load(trader, prng);
  }
  expect(await server.stop()).toBe(0);
  server = await startServer({ data: directory.path, flags });
  expect(server.errors()).not.toContain('armed connections');
  for (const trader of traders) await checkOrders(server, trader);
  expect(await server.stop()).toBe(0);
});
