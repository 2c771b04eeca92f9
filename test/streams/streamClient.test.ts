// The typed client of channels over real sockets that are torn down at random: what it hands on
// makes copies that equal what the exchange answers over HTTP. Whatever it is handed by a hostile
// server is tried with a socket that the test speaks through.

import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { crc32 } from '../../src/client/crc32.ts';
import {
  createStreamClient,
  type SocketEvents,
  type StreamSocket,
} from '../../src/client/createStreamClient.ts';
import { gridOf } from '../../src/client/grid.ts';
import { keepBook } from '../../src/client/keepBook.ts';
import type { MessageOf, StreamClient } from '../../src/client/streamClient.ts';
import { marketsOf } from '../../src/engine/views/exchange.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createAllowance, takeAllowance } from '../../src/streams/allowance.ts';
import { defaultStreamBounds } from '../../src/streams/streamBounds.ts';
import { openWorld } from '../gateway/gatewayWorld.ts';
import {
  applyAccount,
  applyDepth,
  createAccountCopy,
  createBookCopy,
  levelsOf,
} from './localCopies.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Opens sockets of the library and gives away how the last one is torn down. */
function tearable(): {
  readonly openSocket: (url: string, events: SocketEvents) => StreamSocket;
  readonly tear: () => void;
} {
  let last: WebSocket | undefined;
  return {
    openSocket: (url, { onOpen, onText, onClose }) => {
      const socket = new WebSocket(url);
      last = socket;
      socket.on('open', onOpen);
      socket.on('message', (data) => onText(String(data)));
      socket.on('close', onClose);
      socket.on('error', () => {});
      return { send: (text) => socket.send(text), close: () => socket.terminate() };
    },
    tear: () => last?.terminate(),
  };
}

async function until(isSo: () => boolean): Promise<void> {
  const begun = performance.now();
  while (!isSo()) {
    if (performance.now() - begun > 600_000) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('WS-2 a client with random disconnections delivers every message once and in order', async () => {
  const world = await openWorld({ gateway: { rateLimitScale: 1000 } });
  const port = await world.listen();
  const ticking = setInterval(() => {
    world.clock.advance(5);
    world.gateway.streams.tick();
  }, 5);
  closers.push(async () => {
    clearInterval(ticking);
    world.gateway.streams.close();
    await world.close();
  });
  const [own, other] = [await world.newTrader(1e6), await world.newTrader(1e6)];
  const { address, account } = own;
  const { openSocket, tear } = tearable();
  const client: StreamClient = createStreamClient({
    url: `ws://127.0.0.1:${port}/ws`,
    token: async () =>
      (await world.gateway.tokens.issue({ address, account }, world.clock.now())).token,
    openSocket,
    retryMs: 5,
  });
  closers.push(client.close);
  const book = createBookCopy();
  const copy = createAccountCopy();
  const trades: number[] = [];
  const candles: MessageOf<'candles:BTCUSDT:1m'>[] = [];
  let isLive = false;
  client.subscribe(
    'depth:BTCUSDT',
    (message) => applyDepth(book, message),
    (now) => {
      isLive = now;
    },
  );
  client.subscribe('account', (message) => applyAccount(copy, message));
  client.subscribe('trades:BTCUSDT', (message) => {
    if (message.snapshot) trades.length = 0;
    for (const { trade_id } of message.trades) trades.push(trade_id);
  });
  client.subscribe('candles:BTCUSDT:1m', (message) => candles.push(message));
  await until(() => client.figures().connections === 1);
  const prng = createPrng(5);
  for (let i = 0; i < 400; i += 1) {
    const side = prng.below(2) === 0 ? 'BUY' : 'SELL';
    const price = String(60_000 + prng.below(21) - 10);
    const quantity = `0.00${1 + prng.below(9)}`;
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', side, price, quantity };
    await world.call(prng.below(2) === 0 ? own : other, 'POST', '/fapi/v1/order', order);
    if (prng.below(15) === 0) tear();
    if (prng.below(4) === 0) await new Promise((resolve) => setTimeout(resolve, prng.below(8)));
  }
  const { tradeId } = marketsOf(world.replica.exchange)[0]!.figures;
  await until(() => trades.at(-1) === tradeId);
  // What the last step changed comes within 100 ms of the clock, which goes as the machine lets it.
  const end = world.clock.now() + 300;
  await until(() => world.clock.now() >= end && isLive);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { connections, resumes, gaps, resets } = client.figures();
  expect(connections).toBeGreaterThan(10);
  expect(resumes).toBeGreaterThan(30);
  expect({ gaps, resets }).toEqual({ gaps: 0, resets: 0 });
  expect(trades).toEqual(trades.map((_, index) => tradeId - trades.length + 1 + index));
  expect(candles.length).toBeGreaterThan(1);
  const depth = await world.send('GET', '/fapi/v1/depth', { query: 'symbol=BTCUSDT&limit=1000' });
  expect({ bids: levelsOf(book, 'bids'), asks: levelsOf(book, 'asks') }).toEqual({
    bids: depth.body.bids,
    asks: depth.body.asks,
  });
  const open = await world.call(own, 'GET', '/fapi/v1/openOrders', { symbol: 'BTCUSDT' });
  const ids = open.body.map(({ orderId }: { orderId: string }) => orderId);
  expect([...copy.orders.keys()].sort()).toEqual(ids.sort());
  const [balance] = (await world.call(own, 'GET', '/fapi/v2/balance')).body;
  expect(copy.balance).toMatchObject({
    balance: balance.balance,
    available_balance: balance.availableBalance,
  });
  expect(world.faults).toEqual([]);
});

test('WS-2 a message out of sequence restarts its channel', async () => {
  const said: unknown[] = [];
  let events: SocketEvents | undefined;
  const client = createStreamClient({
    url: '',
    openSocket: (_url, given) => {
      events = given;
      return { send: (text) => said.push(JSON.parse(text)), close: () => {} };
    },
  });
  closers.push(client.close);
  const heard: number[] = [];
  client.subscribe('trades:BTCUSDT', ({ seq }) => heard.push(seq));
  events!.onOpen();
  const tell = (message: object): void => events!.onText(JSON.stringify(message));
  const channel = 'trades:BTCUSDT';
  const trade = (seq: number, prev_seq: number, epoch = 'e'): void =>
    tell({ type: 'trade', channel, seq, prev_seq, epoch, snapshot: seq === prev_seq, trades: [] });
  // Before it is confirmed nothing is of this subscription.
  trade(3, 2);
  tell({ type: 'subscribed', channel });
  trade(7, 7);
  trade(8, 7);
  trade(10, 9);
  trade(11, 10);
  tell({ type: 'subscribed', channel });
  trade(12, 12);
  trade(13, 12, 'another');
  tell({ type: 'subscribed', channel });
  trade(1, 1, 'another');
  expect(heard).toEqual([7, 8, 12, 1]);
  const subscribe = { type: 'subscribe', channel };
  expect(said).toEqual([subscribe, subscribe, subscribe]);
  expect(client.figures()).toEqual({ connections: 1, resumes: 0, resets: 0, gaps: 2 });
});

/** A client whose exchange is the test. */
function openSpokenTo(onError?: (failure: { readonly code: string }) => void) {
  const said: Readonly<Record<string, unknown>>[] = [];
  let events: SocketEvents | undefined;
  const client = createStreamClient({
    url: '',
    ...(onError && { onError }),
    openSocket: (_url, given) => {
      events = given;
      return { send: (text) => void said.push(JSON.parse(text)), close: () => {} };
    },
  });
  closers.push(client.close);
  return {
    client,
    takeSaid: () => said.splice(0),
    tell: (message: object) => events!.onText(JSON.stringify(message)),
    open: () => events!.onOpen(),
    close: () => events!.onClose(),
  };
}

const grid = gridOf('1');
const levels = { symbol: 'X', time: 1, bids: [['10', '5']], asks: [['11', '6']] };
const depth = (seq: number, prev_seq: number): object => {
  const checksum = crc32('10:5:11:6');
  const place = { channel: 'depth:X', seq, prev_seq, epoch: 'e', snapshot: seq === prev_seq };
  return { type: 'depth', ...place, ...levels, checksum };
};

test('WS-2 a book is not live while its connection is broken, and is again when it was resumed', () => {
  vi.useFakeTimers();
  closers.push(vi.useRealTimers);
  const { client, takeSaid, tell, open, close } = openSpokenTo();
  const live: boolean[] = [];
  keepBook(client, {
    symbol: 'X',
    tick: grid,
    lot: grid,
    onChange: (isLive) => void live.push(isLive),
  });
  open();
  tell({ type: 'subscribed', channel: 'depth:X' });
  tell(depth(1, 1));
  expect(live.splice(0)).toEqual([true]);
  close();
  expect(live.splice(0)).toEqual([false]);
  takeSaid();
  vi.advanceTimersByTime(1000);
  open();
  expect(takeSaid()).toEqual([
    { type: 'resume', channel: 'depth:X', epoch: 'e', seq: 1 },
    { type: 'ping' },
  ]);
  expect(live).toEqual([]);
  // Nothing has changed meanwhile, so no message of the channel comes.
  tell({ type: 'pong' });
  expect(live.splice(0)).toEqual([true]);
  close();
  vi.advanceTimersByTime(1000);
  open();
  // A reset is not a resumption: the copy is whole with its snapshot.
  tell({ type: 'reset', channel: 'depth:X' });
  tell({ type: 'pong' });
  expect(live.splice(0)).toEqual([false]);
  tell(depth(4, 4));
  expect(live.splice(0)).toEqual([true]);
  // A gap: what is shown until the next snapshot is not the book.
  tell(depth(9, 8));
  expect(live.splice(0)).toEqual([false]);
  tell(depth(10, 9));
  tell({ type: 'subscribed', channel: 'depth:X' });
  expect(live).toEqual([]);
  tell(depth(12, 12));
  expect(live.splice(0)).toEqual([true]);
  client.close();
  expect(live).toEqual([false]);
});

test('WS-2 a channel that is refused is not live, and is asked for again when there was no room', () => {
  vi.useFakeTimers();
  closers.push(vi.useRealTimers);
  const errors: string[] = [];
  const { client, takeSaid, tell, open, close } = openSpokenTo(({ code }) => errors.push(code));
  const live: boolean[] = [];
  client.subscribe(
    'depth:X',
    () => {},
    (isLive) => void live.push(isLive),
  );
  open();
  tell({ type: 'subscribed', channel: 'depth:X' });
  tell(depth(1, 1));
  close();
  vi.advanceTimersByTime(1000);
  open();
  live.splice(0);
  takeSaid();
  tell({ type: 'error', code: 'TOO_MANY_REQUESTS', message: '', channel: 'depth:X' });
  tell({ type: 'pong' });
  expect(live).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(takeSaid()).toEqual([{ type: 'subscribe', channel: 'depth:X' }, { type: 'ping' }]);
  tell({ type: 'subscribed', channel: 'depth:X' });
  tell(depth(3, 3));
  expect(live.splice(0)).toEqual([true]);
  // What will never be served is not asked for again.
  tell({ type: 'error', code: 'INVALID_MARKET', message: '', channel: 'depth:X' });
  expect(live.splice(0)).toEqual([false]);
  vi.advanceTimersByTime(10_000);
  expect(takeSaid()).toEqual([{ type: 'ping' }]);
  expect(errors).toEqual(['TOO_MANY_REQUESTS', 'INVALID_MARKET']);
});

test('WS-2 a subscription that another one replaces learns that it is not live', () => {
  const { client, tell, open } = openSpokenTo();
  const live: [string, boolean][] = [];
  const follow = (name: string) => (isLive: boolean) => void live.push([name, isLive]);
  client.subscribe('depth:X', () => {}, follow('first'));
  open();
  tell({ type: 'subscribed', channel: 'depth:X' });
  tell(depth(1, 1));
  client.subscribe('depth:X', () => {}, follow('second'));
  tell({ type: 'subscribed', channel: 'depth:X' });
  tell(depth(2, 2));
  client.unsubscribe('depth:X');
  expect(live).toEqual([
    ['first', true],
    ['first', false],
    ['second', true],
    ['second', false],
  ]);
});

test('WS-4 a peer that vanishes is noticed within twenty seconds, but not while the token is fetched', async () => {
  vi.useFakeTimers();
  closers.push(vi.useRealTimers);
  let closes = 0;
  let events: SocketEvents | undefined;
  let giveToken = (_: string): void => {};
  const client = createStreamClient({
    url: '',
    token: () =>
      new Promise((resolve) => {
        giveToken = resolve;
      }),
    openSocket: (_url, given) => {
      events = given;
      return {
        send: () => {},
        close: () => {
          closes += 1;
        },
      };
    },
  });
  closers.push(client.close);
  events!.onOpen();
  vi.advanceTimersByTime(60_000);
  expect(closes).toBe(0);
  giveToken('token');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(closes).toBe(1);
});

test('WS-5 a client subscribes to two hundred channels, also after a disconnection, within the limits', () => {
  vi.useFakeTimers();
  closers.push(vi.useRealTimers);
  const {
    messagesBurst: max,
    messagesPerSecond: perSecond,
    subscriptionsMax,
  } = defaultStreamBounds;
  const said: string[][] = [];
  let events: SocketEvents | undefined;
  let refused = 0;
  const client = createStreamClient({
    url: '',
    openSocket: (_url, given) => {
      events = given;
      const allowance = createAllowance({ max, perSecond }, Date.now());
      const heard: string[] = [];
      said.push(heard);
      const send = (text: string): void => {
        if (!takeAllowance(allowance, Date.now())) refused += 1;
        const { type, channel } = JSON.parse(text) as { type: string; channel: string };
        if (type === 'ping') given.onText('{"type":"pong"}');
        else heard.push(channel);
      };
      return { send, close: () => {} };
    },
  });
  closers.push(client.close);
  const names = Array.from({ length: subscriptionsMax }, (_, i) => `trades:M${i}USDT` as const);
  for (const name of names) client.subscribe(name, () => {});
  for (const connection of [0, 1]) {
    events!.onOpen();
    vi.advanceTimersByTime(20_000);
    expect(said[connection]).toEqual(names);
    events!.onClose();
    vi.advanceTimersByTime(1000);
  }
  expect(refused).toBe(0);
});
