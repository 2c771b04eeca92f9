// The user data stream (WS-3; conventions, 12): listen keys, the content and time of each event,
// and that a client that applies the events has the account.

import { beforeEach, describe, expect, test } from 'vitest';
import { balanceOf } from '../../src/engine/account.ts';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import type { Command } from '../../src/engine/command.ts';
import { entryPriceText } from '../../src/engine/views/entryPriceText.ts';
import { openOrdersOf } from '../../src/engine/views/openOrdersOf.ts';
import { listenKeyLifeMs } from '../../src/streams/fapi/listenKeys.ts';
import { formatSteps, formatTrimmed } from '../../src/units/decimal.ts';
import type { AccountId, Lots, MarketId, Money, Ticks } from '../../src/units/units.ts';
import { formatUuid } from '../../src/units/uuid.ts';
import { order, prices, stop } from './streamOrders.ts';
import { type FakeReader, openStreamWorld, type Said, type StreamWorld } from './streamWorld.ts';

let world: StreamWorld;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
});

const keyOf = (account: number): string => world.streams.listenKeys.open(account as AccountId)!;
const listen = (account: number): FakeReader => world.connect(`/ws/${keyOf(account)}`);
const kinds = (reported: readonly Said[]): string[] =>
  reported.map(({ e, o, a }) => [e, o?.x ?? o?.X ?? a?.m].filter(Boolean).join(' '));

describe('WS-3 listen keys', () => {
  test('have 64 letters and digits, one for each account, and last 60 minutes from the last use', () => {
    const { listenKeys } = world.streams;
    const key = keyOf(2);
    expect(key).toMatch(/^[A-Za-z0-9]{64}$/);
    world.clock.advance(listenKeyLifeMs - 1);
    expect(keyOf(2)).toBe(key);
    world.clock.advance(listenKeyLifeMs - 1);
    expect(listenKeys.keepAlive(2 as AccountId)).toBe(key);
    expect(listenKeys.keepAlive(4 as AccountId)).toBeUndefined();
    expect(keyOf(4)).not.toBe(key);
    world.clock.advance(listenKeyLifeMs);
    expect(listenKeys.keepAlive(2 as AccountId)).toBeUndefined();
    expect(keyOf(2)).not.toBe(key);
  });

  test.each([
    ['/ws/KEY', false],
    ['/private/ws/KEY', false],
    ['/private/ws?listenKey=KEY', false],
    ['/private/stream?listenKey=KEY', true],
    ['/stream?streams=KEY', true],
    ['/ws/stream?streams=KEY/btcusdt@trade', true],
  ])('opens the stream at %s', (path, wrapped) => {
    const key = keyOf(2);
    const reader = world.connect(path.replace('KEY', key));
    world.run(order([2, 1, 100, 49_000]));
    const [reported] = reader.take();
    if (wrapped) expect(reported).toMatchObject({ stream: key, data: { e: 'ORDER_TRADE_UPDATE' } });
    else expect(reported).toMatchObject({ e: 'ORDER_TRADE_UPDATE' });
  });

  test('opens the stream with SUBSCRIBE and is listed', () => {
    const key = keyOf(2);
    const reader = world.connect('/private/stream?streams=');
    reader.say({ method: 'SUBSCRIBE', params: [key], id: 'f0' });
    reader.say({ method: 'LIST_SUBSCRIPTIONS', id: 'f1' });
    expect(reader.take()).toEqual([
      { result: null, id: 'f0' },
      { result: [key], id: 'f1' },
    ]);
    reader.say({ method: 'SUBSCRIBE', params: ['A'.repeat(64)], id: 'f2' });
    expect(reader.take()).toEqual([{ result: null, id: 'f2' }]);
  });

  test('an unknown key in the address closes the socket with 1008', () => {
    const unknown = 'A'.repeat(64);
    const paths = [
      `/ws/${unknown}`,
      `/private/ws?listenKey=${unknown}`,
      `/stream?streams=${unknown}`,
    ];
    for (const path of paths) expect(world.connect(path).closed()).toBe(1008);
    expect(world.connect('/public/ws/0').closed()).toBeUndefined();
  });

  test('`events` selects the events', () => {
    const reader = world.connect(
      `/private/ws?listenKey=${keyOf(2)}&events=ACCOUNT_UPDATE/TRADE_LITE`,
    );
    world.run(order([2, 1, 100, 49_000]), order([4, -1, 40, 49_000]));
    expect(reader.take().map(({ e }) => e)).toEqual(['TRADE_LITE', 'ACCOUNT_UPDATE']);
  });

  test('when a key is deleted or expires, its readers get a message and are closed', () => {
    const reader = listen(2);
    const wrapped = world.connect(`/stream?streams=${keyOf(4)}`);
    const key = keyOf(2);
    world.streams.listenKeys.close(2 as AccountId);
    expect(reader.take()).toEqual([
      { e: 'listenKeyExpired', E: world.clock.now(), listenKey: key },
    ]);
    expect(reader.closed()).toBe(1000);
    expect(world.connect(`/ws/${key}`).closed()).toBe(1008);
    for (let i = 0; i < 8; i += 1) {
      world.pass(listenKeyLifeMs / 8 + 1);
      wrapped.session.onPong();
    }
    expect(wrapped.take()).toMatchObject([{ data: { e: 'listenKeyExpired' } }]);
    expect(wrapped.closed()).toBe(1000);
    expect(world.streams.figures()).toMatchObject({ readers: 0, subscriptions: 0 });
  });
});

// The holder of the API key may know the listen key.
test('WS-3 a listen key ends when an API key of its account is deleted or disabled', () => {
  const account = 2 as AccountId;
  const apiKey = 'first';
  world.run({ kind: 'createApiKey', account, apiKey, profile: 'p' });
  const { id, createdAt } = world.state.exchange.accounts[account]!.apiKeys[0]!;
  const named = { account, id, createdAt };
  const [other, others] = [listen(4), keyOf(4)];
  const ends: Command[] = [
    { kind: 'updateApiKey', ...named, status: 'disabled', profile: undefined },
    { kind: 'deleteApiKey', ...named },
  ];
  for (const end of ends) {
    const [reader, key] = [listen(account), keyOf(account)];
    world.run(end);
    expect(reader.take()).toMatchObject([{ e: 'listenKeyExpired', listenKey: key }]);
    expect(reader.closed()).toBe(1000);
    expect(world.connect(`/ws/${key}`).closed()).toBe(1008);
  }
  expect(other.closed()).toBeUndefined();
  expect(keyOf(4)).toBe(others);
});

describe('WS-3 events', () => {
  test('ORDER_TRADE_UPDATE: placed, amended, filled in parts, cancelled', () => {
    const reader = listen(2);
    world.run(order([2, 1, 100, 49_000], { clientOrderId: 'mine' }));
    const [placed, none] = reader.take();
    expect(none).toBeUndefined();
    const { id, createdAt } = openOrdersOf(world.state.exchange.accounts[2]!)[0]!;
    const base = {
      ...{ s: 'BTCUSDT', c: 'mine', S: 'BUY', o: 'LIMIT', f: 'GTC', q: '0.100', p: '4900.0' },
      ...{ ap: '0', sp: '0', x: 'NEW', X: 'NEW', i: formatUuid(createdAt, id), l: '0.000' },
      ...{ z: '0.000', L: '0', T: createdAt, t: 0, b: '0', a: '0', m: false, R: false },
      ...{ wt: 'CONTRACT_PRICE', ot: 'LIMIT', ps: 'BOTH', cp: false, pP: false, si: 0, ss: 0 },
      ...{ rp: '0', V: 'EXPIRE_MAKER', pm: 'NONE', gtd: 0, er: '0' },
    };
    expect(placed).toEqual({
      e: 'ORDER_TRADE_UPDATE',
      E: world.clock.now(),
      T: createdAt,
      o: base,
    });
    world.run({
      kind: 'modifyOrder',
      account: 2 as AccountId,
      market: 0 as MarketId,
      order: { clientOrderId: 'mine' },
      side: undefined,
      lots: 90 as never,
      ticks: 49_100 as never,
    });
    expect(reader.take().map(({ o }) => o)).toEqual([
      { ...base, q: '0.090', p: '4910.0', x: 'AMENDMENT' },
    ]);
    world.run(order([4, -1, 30, 49_100]));
    const reported = reader.take();
    expect(kinds(reported)).toEqual([
      'TRADE_LITE',
      'ORDER_TRADE_UPDATE TRADE',
      'ACCOUNT_UPDATE ORDER',
    ]);
    expect(reported[0]).toEqual({
      ...{ e: 'TRADE_LITE', E: world.clock.now(), T: expect.any(Number), s: 'BTCUSDT' },
      ...{ q: '0.090', p: '4910.0', m: true, c: 'mine', S: 'BUY', L: '4910.0', l: '0.030', t: 1 },
      i: base.i,
    });
    expect(reported[1].o).toEqual({
      ...base,
      ...{ q: '0.090', p: '4910.0', x: 'TRADE', X: 'PARTIALLY_FILLED', l: '0.030', z: '0.030' },
      ...{ L: '4910.0', ap: '4910', t: 1, m: true, N: 'USDT', n: expect.any(String) },
    });
    const cancel = { account: 2 as AccountId, market: undefined, order: { clientOrderId: 'mine' } };
    world.run({ kind: 'cancelOrder', ...cancel });
    const [cancelled, rest] = reader.take();
    expect(rest).toBeUndefined();
    expect(cancelled.o).toMatchObject({
      x: 'CANCELED',
      X: 'CANCELED',
      z: '0.030',
      l: '0.000',
      er: '0',
    });
    expect(cancelled.o.n).toBeUndefined();
  });

  test('each fill of one command shows the order as it was then; only the last is FILLED', () => {
    world.run(order([2, -1, 10, 50_000]), order([6, -1, 10, 50_010]), order([2, -1, 10, 50_020]));
    const reader = listen(4);
    world.run(order([4, 1, 30, 50_100]));
    const updates = reader.take().filter(({ e }) => e === 'ORDER_TRADE_UPDATE');
    expect(updates.map(({ o }) => [o.x, o.X, o.l, o.z, o.L, o.ap])).toEqual([
      ['NEW', 'NEW', '0.000', '0.000', '0', '0'],
      ['TRADE', 'PARTIALLY_FILLED', '0.010', '0.010', '5000.0', '5000'],
      ['TRADE', 'PARTIALLY_FILLED', '0.010', '0.020', '5001.0', '5000.5'],
      ['TRADE', 'FILLED', '0.010', '0.030', '5002.0', '5001'],
    ]);
  });

  test.each([
    ['IOC', '2', { timeInForce: 'IOC' }],
    ['MARKET', '9', { type: 'MARKET' }],
  ] as const)('the rest of %s is cancelled with er %s', (_name, er, terms) => {
    world.run(order([2, -1, 10, 50_000]));
    const reader = listen(4);
    const ticks = 'type' in terms ? 0 : 50_000;
    world.run(order([4, 1, 30, ticks], terms));
    const updates = reader.take().filter(({ e }) => e === 'ORDER_TRADE_UPDATE');
    expect(updates.map(({ o }) => [o.x, o.X, o.er])).toEqual([
      ['NEW', 'NEW', '0'],
      ['TRADE', 'PARTIALLY_FILLED', '0'],
      ['CANCELED', 'CANCELED', er],
    ]);
  });

  test('a killed FOK is reported as CANCELED with the status REJECTED', () => {
    world.run(order([2, -1, 10, 50_000]));
    const reader = listen(4);
    world.run(order([4, 1, 30, 50_000], { timeInForce: 'FOK' }));
    const reported = reader.take();
    expect(reported.at(-1).o).toMatchObject({ x: 'CANCELED', X: 'REJECTED', z: '0.000' });
    expect(reported.every(({ e }) => e === 'ORDER_TRADE_UPDATE')).toBe(true);
  });

  test('ACCOUNT_UPDATE: deposits, withdrawals, funding; nothing for an order without a fill', () => {
    // All short accounts are internal: longs pay.
    const { address: maker } = world.state.exchange.accounts[2]!;
    world.run({ kind: 'flagAccount', address: maker, house: true, feeTier: undefined });
    world.run(order([2, -1, 100, 50_000]), order([8, 1, 100, 50_000]));
    const reader = listen(8);
    const { address } = world.state.exchange.accounts[8]!;
    world.run(order([8, 1, 100, 49_000]));
    expect(kinds(reader.take())).toEqual(['ORDER_TRADE_UPDATE NEW']);
    world.run({ kind: 'credit', address, amount: 5_000_000 as Money, reference: 'x' });
    expect(reader.take()).toMatchObject([
      { e: 'ACCOUNT_UPDATE', a: { m: 'DEPOSIT', B: [{ a: 'USDT', bc: '5' }], P: [] } },
    ]);
    const keys = { idempotencyKey: '', idempotencyRequest: '' };
    const amount = 2_000_000 as Money;
    world.run({ kind: 'requestWithdrawal', account: 8 as AccountId, amount, ...keys });
    expect(reader.take()).toMatchObject([{ a: { m: 'WITHDRAW', B: [{ bc: '-2' }] } }]);
    world.clock.advance(1);
    world.run({ kind: 'settleFunding', market: 0 as MarketId });
    const [funded] = reader.take();
    const balance = formatTrimmed(balanceOf(world.state.exchange.accounts[8]!), 6);
    expect(funded.a).toEqual({
      m: 'FUNDING_FEE',
      B: [{ a: 'USDT', wb: balance, cw: balance, bc: '0' }],
      P: [],
    });
  });

  test('ACCOUNT_UPDATE: a closed position comes once, with its realised profit', () => {
    const reader = listen(4);
    world.run(order([2, -1, 100, 50_000]), order([4, 1, 100, 50_000]));
    const [opened] = reader.take().slice(-1);
    expect(opened.a.P).toEqual([
      {
        ...{ s: 'BTCUSDT', pa: '0.100', ep: '5000', bep: '5000', cr: '0', up: '0', mt: 'cross' },
        ...{ iw: '0', ps: 'BOTH', ma: 'USDT' },
      },
    ]);
    world.run(order([2, 1, 100, 50_100]), order([4, -1, 100, 50_100]));
    const [closed] = reader.take().slice(-1);
    expect(closed.a.P).toMatchObject([{ pa: '0', ep: '0', cr: '1' }]);
    world.run(order([4, 1, 100, 49_000]));
    expect(kinds(reader.take())).toEqual(['ORDER_TRADE_UPDATE NEW']);
  });

  test('ALGO_UPDATE: a stop that waits, fires and is finished', () => {
    world.run(order([2, -1, 100, 50_500]));
    const reader = listen(4);
    world.run(stop([4, 1, 50, 50_400], { clientOrderId: 'sl' }));
    const [waits, more] = reader.take();
    expect(more).toBeUndefined();
    expect(waits).toMatchObject({
      e: 'ALGO_UPDATE',
      o: {
        ...{ caid: 'sl', at: 'CONDITIONAL', o: 'STOP_MARKET', s: 'BTCUSDT', S: 'BUY', ps: 'BOTH' },
        ...{ f: 'GTC', q: '0.050', X: 'NEW', ai: '', ap: '0.00000', aq: '0', act: '0' },
        ...{ tp: '5040.0', p: '0', tt: 0, gtd: 0, cp: false, R: false },
      },
    });
    world.run(prices(world, 1.01));
    const reported = reader.take();
    expect(kinds(reported)).toEqual([
      'ALGO_UPDATE TRIGGERED',
      'ORDER_TRADE_UPDATE NEW',
      'TRADE_LITE',
      'ORDER_TRADE_UPDATE TRADE',
      'ALGO_UPDATE FINISHED',
      'ACCOUNT_UPDATE ORDER',
    ]);
    const [fired, placed, , , finished] = reported;
    expect(fired.o).toMatchObject({ ai: placed.o.i, aq: '0.000', act: 'MARKET' });
    expect(placed.o).toMatchObject({ o: 'MARKET', ot: 'STOP_MARKET', sp: '5040.0' });
    expect(finished.o).toMatchObject({ ai: placed.o.i, aq: '0.050', ap: '5050' });
    expect(fired.o.aid).not.toBe(fired.o.ai);
  });

  test('a stop of the order route is an order too: same id before and after it fires', () => {
    world.run(order([2, -1, 100, 50_500]));
    const reader = listen(4);
    world.run(stop([4, 1, 50, 50_400], { route: 'order' }));
    const reported = reader.take();
    expect(kinds(reported)).toEqual(['ALGO_UPDATE NEW', 'ORDER_TRADE_UPDATE NEW']);
    const { i } = reported[1].o;
    expect(reported[1].o).toMatchObject({
      o: 'STOP_MARKET',
      X: 'NEW',
      sp: '5040.0',
      i: reported[0].o.aid,
    });
    world.run(prices(world, 1.01));
    const fired = reader.take().filter(({ e }) => e === 'ORDER_TRADE_UPDATE');
    expect(fired.map(({ o }) => [o.i === i, o.x])).toEqual([
      [true, 'NEW'],
      [true, 'TRADE'],
    ]);
    world.run(stop([4, 1, 50, 52_000], { route: 'order', clientOrderId: 'late' }));
    reader.take();
    const late = { account: 4 as AccountId, market: undefined, order: { clientOrderId: 'late' } };
    world.run({ kind: 'cancelOrder', ...late });
    const ended = reader.take();
    expect(kinds(ended)).toEqual(['ALGO_UPDATE CANCELED', 'ORDER_TRADE_UPDATE CANCELED']);
  });

  test('TRG-9 a changed stop is an ALGO_UPDATE with its new terms, as an order an AMENDMENT', () => {
    const reader = listen(4);
    world.run(stop([4, 1, 50, 50_400], { route: 'order', clientOrderId: 'moved' }));
    world.run(stop([4, 1, 50, 50_400], { route: 'algo', clientOrderId: 'other' }));
    reader.take();
    const kept = { ticks: undefined, callbackRate: undefined };
    const changed = (clientOrderId: string): Command => ({
      kind: 'modifyTrigger',
      account: 4 as AccountId,
      market: 0 as MarketId,
      order: { clientOrderId },
      ...kept,
      lots: 60 as Lots,
      stopTicks: 50_500 as Ticks,
    });
    world.run(changed('moved'));
    const moved = reader.take();
    expect(kinds(moved)).toEqual(['ALGO_UPDATE NEW', 'ORDER_TRADE_UPDATE AMENDMENT']);
    expect(moved[0].o).toMatchObject({ caid: 'moved', X: 'NEW', q: '0.060', tp: '5050.0' });
    expect(moved[1].o).toMatchObject({ c: 'moved', X: 'NEW', q: '0.060', sp: '5050.0' });
    world.run(changed('other'));
    expect(kinds(reader.take())).toEqual(['ALGO_UPDATE NEW']);
  });

  test('ALGO_UPDATE: FAILED states the reason', () => {
    const reader = listen(4);
    world.run(stop([4, 1, 20_000, 50_400]));
    reader.take();
    world.run(prices(world, 1.01));
    const [failed] = reader.take().slice(-1);
    expect(failed).toMatchObject({ e: 'ALGO_UPDATE', o: { X: 'FAILED', ai: '' } });
    expect(failed.o.rm).toBe('Open interest cap exceeded.');
  });

  test('TRG-8 each try of a stop that fills nothing is an ALGO_UPDATE with its reason', () => {
    const account = world.state.exchange.accounts.length as AccountId;
    const address = `0x${'7'.repeat(40)}`;
    const amount = 30_000_000 as Money;
    world.run({ kind: 'credit', address, amount, reference: 'for a try' });
    world.run({ kind: 'setLeverage', account, market: 0 as MarketId, leverage: 50 });
    world.run(order([2, -1, 200, 50_000]), order([account, 1, 200, 50_000]));
    // The sale would lose 40 of 24.
    world.run(order([1, 1, 200, 47_750]));
    const reader = listen(account);
    world.run(stop([account, -1, 200, 49_900], { reduceOnly: true, route: 'order' }));
    reader.take();
    world.run(prices(world, 0.995));
    const tried = reader.take();
    expect(kinds(tried)).toEqual(['ALGO_UPDATE NEW']);
    expect(tried[0].o).toMatchObject({ X: 'NEW', ai: '', tt: 0, rm: 'Margin is insufficient.' });
    world.clock.advance(1000);
    world.run(prices(world, 0.995));
    expect(kinds(reader.take())).toEqual(['ALGO_UPDATE NEW']);
    world.run(order([2, 1, 200, 49_700]));
    world.clock.advance(1000);
    world.run(prices(world, 0.995));
    const filled = reader.take();
    expect(kinds(filled).slice(0, 2)).toEqual(['ALGO_UPDATE TRIGGERED', 'ORDER_TRADE_UPDATE NEW']);
    expect(filled.some(({ o }) => o?.rm !== undefined)).toBe(false);
  });

  test('ACCOUNT_CONFIG_UPDATE: leverage', () => {
    const reader = listen(4);
    const market = 0 as MarketId;
    world.run({ kind: 'setLeverage', account: 4 as AccountId, market, leverage: 7 });
    expect(reader.take()).toMatchObject([
      { e: 'ACCOUNT_CONFIG_UPDATE', ac: { s: 'BTCUSDT', l: 7 } },
    ]);
  });

  test('LIQ-7 MARGIN_CALL once, when the margin ratio rises through 0.8', () => {
    world.run(order([4, -1, 200, 50_000]), order([1, 1, 200, 50_000]));
    const reader = listen(1);
    world.pass(0);
    reader.take();
    for (const rate of [0.953, 0.952, 0.97, 0.952]) {
      world.run(prices(world, rate));
      world.pass(1000);
    }
    const calls = reader.take().filter(({ e }) => e === 'MARGIN_CALL');
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({
      p: [{ s: 'BTCUSDT', ps: 'BOTH', pa: '0.200', mt: 'CROSSED', iw: '0', mp: '4760.0' }],
    });
    expect(calls[0].T).toBeUndefined();
    expect(calls[0].cw).toMatch(/^\d+\.\d+$/);
  });

  test('ORD-5 ORD-6 an amended reduceOnly order is reported with the quantity that closes', () => {
    world.run(order([2, 1, 100, 50_000]), order([4, -1, 100, 50_000]));
    const reader = listen(2);
    const terms = { reduceOnly: true, clientOrderId: 'out' };
    world.run(order([2, -1, 60, 51_000], terms));
    world.run({
      kind: 'modifyOrder',
      account: 2 as AccountId,
      market: 0 as MarketId,
      order: { clientOrderId: 'out' },
      side: undefined,
      lots: 500 as never,
      ticks: 51_100 as never,
    });
    const [placed, amended] = reader.take();
    expect(placed.o).toMatchObject({ x: 'NEW', q: '0.060' });
    const [held] = openOrdersOf(world.state.exchange.accounts[2]!);
    expect(held).toMatchObject({ lots: 100, open: 100 });
    expect(amended.o).toMatchObject({ x: 'AMENDMENT', X: 'NEW', q: '0.100', p: '5110.0' });
  });

  test('a liquidation: CALCULATED under autoclose, ADL under adl_autoclose', () => {
    world.run(order([4, 1, 300, 47_200]), order([1, 1, 200, 50_000]), order([4, -1, 200, 50_000]));
    const reader = listen(1);
    world.run(prices(world, 0.949));
    const updates = reader.take().filter(({ e }) => e === 'ORDER_TRADE_UPDATE');
    expect(updates.map(({ o }) => o.x)).toEqual(['NEW', 'CALCULATED']);
    expect(updates[1].o).toMatchObject({ X: 'FILLED', R: true, ap: '4720' });
    expect(updates[1].o.c).toMatch(/^autoclose-/);
  });

  test('ID-1 a deleveraging has the next number of its market after the takeover', () => {
    world.run(order([1, 1, 200, 50_000]), order([4, -1, 200, 50_000]));
    const reader = listen(4);
    const { figures } = world.state.exchange.markets[0]!;
    // The part that the fund does not take over.
    const takenOver = figures.tradeId + 1;
    world.run(prices(world, 0.8));
    const [update] = reader.take().filter(({ e }) => e === 'ORDER_TRADE_UPDATE');
    expect(update.o).toMatchObject({
      c: 'adl_autoclose',
      x: 'CALCULATED',
      t: takenOver + 1,
      m: true,
    });
    // An average is trimmed, whatever it is of (UNIT-4), and a price is not.
    expect([update.o.p, update.o.ap]).toEqual(['4701.0', '4701']);
  });
});

test('WS-3 a client that applies the events has the same orders, wallet and positions', () => {
  const accounts = Array.from({ length: 12 }, (_, index) => index + 1);
  const readers = accounts.map(listen);
  const drawn = world.stream(21);
  const stream = { ...drawn, next: () => nextOf(drawn) };
  for (let step = 0; step < 300; step += 1) {
    // An hour without a word would end the keys.
    for (const account of accounts) world.streams.listenKeys.keepAlive(account as AccountId);
    world.trade(stream, 5);
    for (const account of accounts) world.streams.listenKeys.keepAlive(account as AccountId);
    for (const reader of readers) reader.session.onPong();
    world.pass(30);
  }
  expect(world.faults).toEqual([]);
  let compared = 0;
  for (const [index, account] of accounts.entries()) {
    const reader = readers[index]!;
    if (reader.closed() !== undefined) continue;
    compared += 1;
    compare(account, reader.take());
  }
  expect(compared).toBeGreaterThan(8);
});

/** The next command that ends no listen key. */
function nextOf(stream: ReturnType<StreamWorld['stream']>): Command {
  for (;;) {
    const command = stream.next();
    if (command.kind !== 'deleteApiKey' && command.kind !== 'updateApiKey') return command;
  }
}

/** Compares the result of the events with the state. */
function compare(number: number, reported: readonly Said[]): void {
  const { exchange } = world.state;
  const account = exchange.accounts[number]!;
  const orders = new Map<string, Said>();
  const positions = new Map<string, Said>();
  let wallet: string | undefined;
  for (const { e, o, a } of reported) {
    if (e === 'ORDER_TRADE_UPDATE' && ['NEW', 'PARTIALLY_FILLED'].includes(o.X)) {
      orders.set(o.i, o);
    } else if (e === 'ORDER_TRADE_UPDATE') orders.delete(o.i);
    if (e !== 'ACCOUNT_UPDATE') continue;
    for (const { wb } of a.B) wallet = wb;
    for (const row of a.P) {
      if (row.pa === '0') positions.delete(row.s);
      else positions.set(row.s, row);
    }
  }
  // Waiting triggers of the order route are orders here.
  const kept = [...orders.values()].filter(({ o }) => o === 'LIMIT' || o === 'MARKET');
  const byId = (one: string[], other: string[]): number => (one[0]! < other[0]! ? -1 : 1);
  expect(kept.map((o) => [o.i, o.c, o.q, o.p, o.z, o.X]).sort(byId)).toEqual(
    openOrdersOf(account)
      .map((each) => {
        const market = exchange.markets[each.market]!;
        return [
          formatUuid(each.createdAt, each.id),
          clientOrderIdOf(each),
          formatSteps(each.lots, market.lot),
          formatSteps(each.ticks, market.tick),
          formatSteps(each.filled, market.lot),
          each.status,
        ];
      })
      .sort(byId),
  );
  if (wallet !== undefined) expect(wallet).toBe(formatTrimmed(balanceOf(account), 6));
  const open = account.positions.filter((each) => each !== undefined && each.lots !== 0);
  expect([...positions.values()].map(({ s, pa, ep }) => [s, pa, ep]).sort(byId)).toEqual(
    open
      .map((each) => {
        const market = exchange.markets[each!.market]!;
        const quantity = formatSteps(each!.lots, market.lot);
        return [market.symbol, quantity, entryPriceText(market, each!)];
      })
      .sort(byId),
  );
}
