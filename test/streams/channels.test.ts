// The messages of the channels (spec, Events; WS-1, WS-2): subscribing, names, members, errors.

import { crc32 } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import { guestLifeMs } from '../../src/engine/limits.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import type { AccountId, MarketId, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import {
  type FakeReader,
  openStreamWorld,
  priced,
  type StreamWorld,
  worldEpoch,
} from './streamWorld.ts';

let world: StreamWorld;
let reader: FakeReader;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
  reader = world.connect();
});

type Terms = {
  readonly type?: 'LIMIT' | 'MARKET';
  readonly reduceOnly?: boolean;
  readonly id?: string;
};

const order = (
  account: number,
  side: Side,
  lots: number,
  ticks: number,
  { type = 'LIMIT', reduceOnly = false, id = '' }: Terms = {},
): PlaceOrder =>
  orderCommand({ market: 0, account, side, type, lots, ticks, reduceOnly, clientOrderId: id });

const tickerNames = [
  'type',
  'symbol',
  'last_price',
  'mark_price',
  'index_price',
  'price_change_24h',
  'price_change_percent_24h',
  'high_24h',
  'low_24h',
  'volume_24h',
  'volume_24h_usd',
  'open_interest_long',
  'open_interest_short',
  'open_interest_long_percent',
  'open_interest_short_percent',
  'available_liquidity_long',
  'available_liquidity_short',
  'funding_rate_long_1h',
  'funding_rate_short_1h',
];

async function login(account: number, of: FakeReader = reader): Promise<void> {
  of.say({ type: 'auth', token: `${account}` });
  await Promise.resolve();
  await Promise.resolve();
}

test('WS-1 a subscription gives the snapshot and then updates until unsubscribed', () => {
  reader.say({ type: 'subscribe', channel: 'depth:BTCUSDT' });
  expect(reader.take()).toMatchObject([
    { type: 'subscribed', channel: 'depth:BTCUSDT' },
    { type: 'depth', channel: 'depth:BTCUSDT', snapshot: true, bids: [], asks: [] },
  ]);
  world.run(order(2, 1, 100, 49_000));
  world.pass(100);
  expect(reader.take()).toMatchObject([{ snapshot: false, bids: [['4900.0', '0.100']], asks: [] }]);
  reader.say({ type: 'unsubscribe', channel: 'depth:BTCUSDT' });
  expect(reader.take()).toEqual([{ type: 'unsubscribed', channel: 'depth:BTCUSDT' }]);
  world.run(order(2, 1, 100, 48_000));
  world.pass(100);
  expect(reader.take()).toEqual([]);
});

test('WS-1 ping is answered with pong', () => {
  reader.say({ type: 'ping' });
  expect(reader.take()).toEqual([{ type: 'pong' }]);
});

test('WS-1 the ticker has exactly the members of the interface, all strings, every two seconds', () => {
  world.run(order(2, -1, 100, 50_100), order(4, 1, 40, 50_100));
  reader.say({ type: 'subscribe', channel: 'ticker:BTCUSDT' });
  const [subscribed, ticker] = reader.take();
  expect(subscribed).toEqual({ type: 'subscribed', channel: 'ticker:BTCUSDT' });
  expect(Object.keys(ticker)).toEqual(tickerNames);
  for (const value of Object.values(ticker)) expect(typeof value).toBe('string');
  expect(ticker).toMatchObject({ symbol: 'BTCUSDT', last_price: '5010.0', volume_24h: '0.040' });
  for (let i = 0; i < 4; i += 1) {
    world.pass(1999);
    expect(reader.take()).toEqual([]);
    world.pass(1);
    expect(reader.take()).toHaveLength(1);
  }
});

test('WS-1 FUND-4 the ticker has funding per hour and side, and negative means that side pays', () => {
  // Everybody on the short side is of the house: open interest is all long, and longs pay 1 % for
  // the 400 s of the hour that are left.
  const house = (account: number): Command => {
    const { address } = world.state.exchange.accounts[account]!;
    return { kind: 'flagAccount', address, house: true, feeTier: undefined };
  };
  world.run(house(2), order(2, -1, 100, 50_100), order(4, 1, 40, 50_100));
  reader.say({ type: 'subscribe', channel: 'ticker:BTCUSDT' });
  expect(reader.take()[1]).toMatchObject({
    open_interest_long_percent: '100',
    open_interest_short_percent: '0',
    funding_rate_long_1h: '-0.00111111',
    funding_rate_short_1h: '0.00111111',
  });
});

test('WS-2 each message has the number of the one before it, and the snapshot has its own number', () => {
  reader.say({ type: 'subscribe', channel: 'trades:BTCUSDT' });
  const [, snapshot] = reader.take();
  const { seq } = snapshot;
  expect(snapshot).toMatchObject({ prev_seq: seq, epoch: worldEpoch, snapshot: true, trades: [] });
  world.run(order(2, -1, 100, 50_000), order(4, 1, 10, 50_000));
  world.run(order(4, 1, 10, 50_000));
  expect(reader.take()).toMatchObject([
    { seq: seq + 1, prev_seq: seq, epoch: worldEpoch },
    { seq: seq + 2, prev_seq: seq + 1, epoch: worldEpoch },
  ]);
});

test('WS-2 depth: at most every 100 ms, absolute quantities, "0" takes a price away', () => {
  reader.say({ type: 'subscribe', channel: 'depth:BTCUSDT' });
  world.run(order(2, 1, 100, 49_000, { id: 'a' }), order(2, 1, 50, 48_990));
  world.pass(0);
  expect(reader.take()).toHaveLength(3);
  world.run(order(4, -1, 30, 49_000), order(2, -1, 70, 51_000));
  world.pass(99);
  expect(reader.take()).toEqual([]);
  world.pass(1);
  expect(reader.take()).toMatchObject([
    { bids: [['4900.0', '0.070']], asks: [['5100.0', '0.070']], symbol: 'BTCUSDT' },
  ]);
  const reference = { clientOrderId: 'a' };
  world.run({ kind: 'cancelOrder', account: 2 as AccountId, market: undefined, order: reference });
  world.pass(100);
  expect(reader.take()).toMatchObject([{ bids: [['4900.0', '0']], asks: [] }]);
  world.pass(100);
  expect(reader.take()).toEqual([]);
});

test('WS-2 depth: the checksum is the CRC32 of bid 1, ask 1, bid 2, … of 25 levels', () => {
  const bids = Array.from({ length: 30 }, (_, index) => order(2, 1, 10 + index, 49_000 - index));
  world.run(...bids, order(4, -1, 7, 51_000), order(4, -1, 8, 51_010));
  reader.say({ type: 'subscribe', channel: 'depth:BTCUSDT' });
  const [, { checksum, bids: shown }] = reader.take();
  expect(shown).toHaveLength(30);
  const rest = shown.slice(2, 25).flat();
  const parts = [...shown[0], '5100.0', '0.007', ...shown[1], '5101.0', '0.008', ...rest];
  expect(parts.slice(0, 4)).toEqual(['4900.0', '0.010', '5100.0', '0.007']);
  expect(checksum).toBe(crc32(parts.join(':')));
});

test('WS-2 depth: an order that comes and goes within one command is not shown', () => {
  reader.say({ type: 'subscribe', channel: 'depth:BTCUSDT' });
  reader.take();
  world.run({ ...order(2, 1, 100, 49_000), timeInForce: 'IOC' });
  world.pass(100);
  expect(reader.take()).toEqual([]);
});

test('WS-2 trades: the trades of one command are one message, in order; a subscription gives the last ones', () => {
  world.run(order(2, -1, 10, 50_000), order(2, -1, 10, 50_010), order(4, 1, 15, 50_100));
  reader.say({ type: 'subscribe', channel: 'trades:BTCUSDT' });
  const [, snapshot] = reader.take();
  expect(snapshot.trades).toEqual([
    { trade_id: 1, price: '5000.0', qty: '0.010', taker_side: 'BUY', time: expect.any(Number) },
    { trade_id: 2, price: '5001.0', qty: '0.005', taker_side: 'BUY', time: expect.any(Number) },
  ]);
  world.run(order(4, 1, 3, 50_100), order(4, -1, 3, 49_000), order(2, 1, 10, 50_000));
  expect(reader.take()).toMatchObject([
    { trades: [{ trade_id: 3, qty: '0.003', taker_side: 'BUY' }] },
    { trades: [{ trade_id: 4, qty: '0.003', price: '4900.0' }] },
  ]);
});

test('WS-2 candles: the current one at most every 250 ms, and the closed one when the next begins', () => {
  world.run(order(2, -1, 100, 50_000), order(4, 1, 10, 50_000));
  reader.say({ type: 'subscribe', channel: 'candles:BTCUSDT:1m' });
  const [, first] = reader.take();
  expect(first).toMatchObject({
    type: 'candle',
    channel: 'candles:BTCUSDT:1m',
    interval: '1m',
    open: '5000.0',
    close: '5000.0',
    volume: '0.010',
    quote_volume: '50',
    trades: 1,
    closed: false,
  });
  world.pass(0);
  world.run(order(4, 1, 5, 50_000));
  world.pass(0);
  world.run(order(4, 1, 5, 50_000));
  world.pass(249);
  const updates = reader.take();
  expect(updates).toMatchObject([{ volume: '0.015', trades: 2, prev_seq: first.seq }]);
  world.pass(1);
  expect(reader.take()).toMatchObject([{ volume: '0.020', trades: 3, closed: false }]);
  world.clock.advance(60_000);
  world.run(priced(world.clock.now() as Time), order(4, 1, 5, 50_000));
  world.pass(0);
  expect(reader.take()).toMatchObject([
    { open_time: first.open_time, volume: '0.020', closed: true },
    { open_time: first.open_time + 60_000, volume: '0.005', closed: false },
  ]);
});

test('AUTH-5a when an account is removed its private channel closes, and its number shows nothing', async () => {
  const address = `0x${'ab'.repeat(20)}`;
  const now = (): number => world.clock.now();
  world.run({ kind: 'login', address, nonce: 'n', expiresAt: (now() + 1000) as Time });
  const { exchange } = world.state;
  const account = exchange.accountByAddress.get(address)!;
  const idle = world.connect();
  for (const each of [reader, idle]) {
    // A token that outlives the account, as no login makes one.
    each.say({ type: 'auth', token: `${account}/999999999` });
    await Promise.resolve();
    await Promise.resolve();
  }
  reader.say({ type: 'subscribe', channel: 'account' });
  expect(reader.take().at(-1)).toMatchObject({ type: 'account', snapshot: true });
  const listenKey = world.streams.listenKeys.open(account)!;
  world.clock.advance(guestLifeMs);
  world.run();
  world.run({
    kind: 'login',
    address: `0x${'cd'.repeat(20)}`,
    nonce: 'm',
    expiresAt: (now() + 1000) as Time,
  });
  expect(exchange.accounts[account]).toBeUndefined();
  expect(reader.closed()).toBe(1008);
  expect(world.streams.listenKeys.find(listenKey)).toBeUndefined();
  // The other one had only shown its token.
  idle.take();
  idle.say({ type: 'subscribe', channel: 'account' });
  expect(idle.take()).toMatchObject([{ type: 'error', code: 'INVALID_TOKEN' }]);
  expect(world.faults).toEqual([]);
});

test('WS-2 account: a good token gives balances, positions and orders, then every change', async () => {
  world.run(order(2, 1, 100, 49_000, { id: 'mine' }));
  await login(2);
  reader.say({ type: 'subscribe', channel: 'account' });
  const [authenticated, subscribed, snapshot] = reader.take();
  const { address } = world.state.exchange.accounts[2]!;
  const expires = Math.floor(world.clock.now() / 1000) + 86_400;
  expect(authenticated).toEqual({ type: 'authenticated', address, expires_at: expires });
  expect(subscribed).toEqual({ type: 'subscribed', channel: 'account' });
  expect(snapshot).toMatchObject({
    type: 'account',
    channel: 'account',
    snapshot: true,
    balances: [{ asset: 'USDT', balance: '1000' }],
    positions: [],
    orders: [{ client_order_id: 'mine', status: 'NEW' }],
  });
  world.run(order(4, -1, 40, 49_000));
  const reported = reader.take();
  expect(reported.map(({ event }) => event)).toEqual(['fill', 'order', 'position', 'balance']);
  expect(reported.map(({ data }) => data)).toMatchObject([
    { symbol: 'BTCUSDT', id: 1, price: '4900.0', qty: '0.040', maker: true, side: 'BUY' },
    { client_order_id: 'mine', status: 'PARTIALLY_FILLED', executed_qty: '0.040' },
    { symbol: 'BTCUSDT', position_amt: '0.040', entry_price: '4900' },
    { asset: 'USDT' },
  ]);
  expect(reported[0].data.order_id).toBe(reported[1].data.order_id);
});

test('WS-2 account: funding, liquidation and the position that closed', async () => {
  // Account 1 has little money: a fall of a fifth leaves it too little.
  world.run(order(2, 1, 5000, 40_000), order(1, 1, 200, 50_000), order(4, -1, 200, 50_000));
  await login(1);
  reader.say({ type: 'subscribe', channel: 'account' });
  reader.take();
  world.clock.advance(1);
  world.run({ kind: 'settleFunding', market: 0 as MarketId });
  const funded = reader.take();
  expect(funded.map(({ event }) => event)).toContain('funding');
  expect(funded.find(({ event }) => event === 'funding').data).toMatchObject({
    symbol: 'BTCUSDT',
    position_size: '0.200',
    position_side: 'LONG',
    asset: 'USDT',
  });
  const fall = (): Command => {
    world.clock.advance(1000);
    const tick = priced(world.clock.now() as Time);
    if (tick.kind !== 'indexTick') throw new Error('prices');
    const prices = tick.prices.map((price) => ({ ...price, ticks: (price.ticks * 0.92) as Ticks }));
    return { ...tick, prices };
  };
  world.run(fall());
  world.run(fall());
  const reported = reader.take();
  const kinds = reported
    .filter(({ event }) => event === 'liquidation')
    .map(({ data }) => data.kind);
  expect(kinds[0]).toBe('flagged');
  const [last] = reported.filter(({ event }) => event === 'position').slice(-1);
  expect(last.data).toMatchObject({ symbol: 'BTCUSDT', position_amt: '0', position_side: 'BOTH' });
});

test('SYM-0 channel names are read in any spelling of the symbol and returned in one', () => {
  for (const name of ['ticker:btc-usd', 'ticker:BTC_USDT', 'ticker:btc/usdt']) {
    reader.say({ type: 'subscribe', channel: name });
    expect(reader.take()[0]).toEqual({ type: 'subscribed', channel: 'ticker:BTCUSDT' });
    reader.say({ type: 'unsubscribe', channel: name });
    expect(reader.take()).toEqual([{ type: 'unsubscribed', channel: 'ticker:BTCUSDT' }]);
  }
});

test.each([
  ['INVALID_MARKET', { type: 'subscribe', channel: 'ticker:NOPEUSDT' }],
  ['ERR_INVALID_PERIOD', { type: 'subscribe', channel: 'candles:BTCUSDT:7m' }],
  ['ERR_INVALID_PERIOD', { type: 'subscribe', channel: 'candles:BTCUSDT:1D' }],
  ['INVALID_PARAMETER', { type: 'subscribe', channel: 'candles:BTCUSDT' }],
  ['INVALID_PARAMETER', { type: 'subscribe', channel: 'ticker:BTCUSDT:1m' }],
  ['INVALID_PARAMETER', { type: 'subscribe', channel: 'ticker' }],
  ['INVALID_PARAMETER', { type: 'subscribe', channel: 'news:BTCUSDT' }],
  ['INVALID_PARAMETER', { type: 'unsubscribe', channel: 'news' }],
  ['INVALID_TOKEN', { type: 'subscribe', channel: 'account' }],
  ['INVALID_TOKEN', { type: 'resume', channel: 'account', epoch: worldEpoch, seq: 1 }],
  ['INVALID_PARAMETER', { type: 'resume', channel: 'depth:BTCUSDT', epoch: 1, seq: 1 }],
  ['INVALID_PARAMETER', { type: 'resume', channel: 'depth:BTCUSDT', epoch: 'x', seq: '1' }],
])('WS-1 error %s with the channel: %j', (code, message) => {
  reader.say(message);
  expect(reader.take()).toEqual([
    { type: 'error', code, message: expect.any(String), channel: message.channel },
  ]);
  expect(reader.closed()).toBeUndefined();
});

test.each([
  ['{"type":"subscribe"}'],
  ['{"type":"subscribe","channel":7}'],
  ['{"type":"shout"}'],
  ['{"type":["subscribe"]}'],
  ['{}'],
  ['[]'],
  ['null'],
  ['7'],
  ['"subscribe"'],
  ['{"type":'],
  [''],
  ['{"type":"ping"}{"type":"ping"}'],
])('WS-1 error INVALID_PARAMETER: %s', (text) => {
  reader.sayText(text);
  expect(reader.take()).toEqual([
    { type: 'error', code: 'INVALID_PARAMETER', message: expect.any(String) },
  ]);
  reader.say({ type: 'ping' });
  expect(reader.take()).toEqual([{ type: 'pong' }]);
});

test('WS-1 INVALID_TOKEN: an invalid token does not change the account of the connection', async () => {
  await login(2);
  reader.take();
  reader.say({ type: 'auth', token: 'nobody' });
  reader.say({ type: 'auth' });
  reader.say({ type: 'subscribe', channel: 'account' });
  await login(2);
  expect(reader.take().map(({ type, code }) => code ?? type)).toEqual([
    'INVALID_TOKEN',
    'INVALID_TOKEN',
    'subscribed',
    'account',
    'authenticated',
  ]);
});

test('WS-2 messages that arrive while a token is checked wait for it', async () => {
  reader.say({ type: 'auth', token: '2' });
  reader.say({ type: 'subscribe', channel: 'account' });
  reader.say({ type: 'ping' });
  expect(reader.take()).toEqual([]);
  await Promise.resolve();
  await Promise.resolve();
  expect(reader.take().map(({ type }) => type)).toEqual([
    'authenticated',
    'subscribed',
    'account',
    'pong',
  ]);
});

test('WS-2 another token replaces the first account, and an expired one ends the messages', async () => {
  await login(2);
  reader.say({ type: 'subscribe', channel: 'account' });
  reader.say({ type: 'auth', token: '4/30000' });
  await Promise.resolve();
  await Promise.resolve();
  reader.take();
  world.run(order(2, 1, 100, 49_000));
  expect(reader.take()).toEqual([]);
  reader.say({ type: 'subscribe', channel: 'account' });
  world.run(order(4, 1, 100, 49_000));
  expect(reader.take().map(({ type, event }) => event ?? type)).toEqual([
    'subscribed',
    'account',
    'order',
    'balance',
  ]);
  world.pass(30_000);
  expect(reader.take()).toMatchObject([
    { type: 'error', code: 'INVALID_TOKEN', channel: 'account' },
  ]);
  world.run(order(4, 1, 100, 49_000));
  expect(reader.take()).toEqual([]);
});

test('WS-2 the numbers of the channel of one account say nothing about another', async () => {
  const other = world.connect();
  for (const [account, of] of [
    [2, reader],
    [4, other],
  ] as const) {
    await login(account, of);
    of.say({ type: 'subscribe', channel: 'account' });
    world.run(order(account, 1, 100, 49_000));
    world.run(order(account, 1, 100, 48_000));
  }
  const { epoch, seq } = reader.take().at(-2);
  // The same socket, or one that came back, with the token of another wallet.
  await login(4);
  reader.take();
  reader.say({ type: 'resume', channel: 'account', epoch, seq });
  expect(reader.take()).toMatchObject([
    { type: 'reset', channel: 'account' },
    { type: 'account', snapshot: true, orders: [{}, {}] },
  ]);
  await login(2);
  reader.take();
  reader.say({ type: 'resume', channel: 'account', epoch, seq });
  expect(reader.take()).toMatchObject([{ type: 'account', event: 'balance', epoch }]);
});

test('WS-2 a token that has just expired is refused even before the regular check for expired tokens', async () => {
  reader.say({ type: 'auth', token: '2/1000' });
  await Promise.resolve();
  await Promise.resolve();
  expect(reader.take()).toMatchObject([{ type: 'authenticated' }]);
  world.clock.advance(1000);
  reader.say({ type: 'subscribe', channel: 'account' });
  expect(reader.take()).toMatchObject([{ type: 'error', code: 'INVALID_TOKEN' }]);
});
