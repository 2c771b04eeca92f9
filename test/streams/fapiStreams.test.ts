// The convention's market streams (WS-3; conventions, 13): addresses, control messages, and the
// messages of each stream.

import { beforeEach, describe, expect, test } from 'vitest';
import { parseSocketPath } from '../../src/gateway/sockets/socketPath.ts';
import type { AccountId, MarketId } from '../../src/units/units.ts';
import { order, prices } from './streamOrders.ts';
import { type FakeReader, openStreamWorld, type Said, type StreamWorld } from './streamWorld.ts';

let world: StreamWorld;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
});

const join = (name: string): FakeReader => world.connect(`/ws/${name}`);
const trade = (lots = 10, ticks = 50_000) => [
  order([2, -1, lots, ticks]),
  order([4, 1, lots, ticks]),
];

describe('WS-3 addresses', () => {
  const raw = { protocol: 'fapi', wraps: false, listenKeys: [], events: undefined };
  const wrapped = { ...raw, wraps: true };
  test.each([
    ['/ws', { ...raw, protocol: undefined, names: [] }],
    ['/ws/', { ...raw, protocol: undefined, names: [] }],
    ['/ws/ws', { ...raw, protocol: undefined, names: [] }],
    ['/ws/btcusdt@trade', { ...raw, names: ['btcusdt@trade'] }],
    ['/ws/a@trade/b@depth', { ...raw, names: ['a@trade', 'b@depth'] }],
    ['/ws/btcusdt%40trade', { ...raw, names: ['btcusdt@trade'] }],
    ['/public/ws', { ...raw, names: [] }],
    ['/public/ws/0', { ...raw, names: ['0'] }],
    ['/ws/public/ws/0', { ...raw, names: ['0'] }],
    ['/market/ws/3', { ...raw, names: ['3'] }],
    ['/stream', { ...wrapped, names: [] }],
    ['/ws/stream?streams=a@trade/b@depth', { ...wrapped, names: ['a@trade', 'b@depth'] }],
    ['/stream?streams=a%40trade/b@depth', { ...wrapped, names: ['a@trade', 'b@depth'] }],
    ['/public/stream?streams=', { ...wrapped, names: [] }],
    ['/ws/market/stream?streams=!ticker@arr', { ...wrapped, names: ['!ticker@arr'] }],
    ['/ws-fapi/v1', { ...raw, protocol: 'trading', names: [] }],
    ['/ws/ws-fapi/v1?returnRateLimits=false', { ...raw, protocol: 'trading', names: [] }],
    ['/private/ws?listenKey=K', { ...raw, names: [], listenKeys: ['K'] }],
    [
      '/private/stream?listenKey=K&events=A/B&listenKey=L',
      { ...wrapped, names: [], listenKeys: ['K', 'L'], events: new Set(['A', 'B']) },
    ],
  ])('%s', (path, opening) => {
    expect(parseSocketPath(path)).toEqual(opening);
  });

  test.each([
    '/',
    '/wss',
    '/stream/x',
    '/public',
    '/private/x',
    '/ws-fapi',
    '/ws-fapi/v2',
    '/public/ws-fapi/v1',
    '/ws/%zz',
    '',
    'ws',
  ])('no socket at "%s"', (path) => expect(parseSocketPath(path)).toBeUndefined());
});

describe('WS-3 at /ws the first message decides the protocol', () => {
  test('`type` selects the channels and `method` the streams, for the whole connection', () => {
    const native = world.connect();
    native.say({ type: 'ping' });
    native.say({ method: 'LIST_SUBSCRIPTIONS', id: 1 });
    expect(native.take()).toMatchObject([{ type: 'pong' }, { code: 'INVALID_PARAMETER' }]);
    const fapi = world.connect();
    fapi.say({ method: 'LIST_SUBSCRIPTIONS', id: 1 });
    fapi.say({ type: 'ping' });
    expect(fapi.take()).toMatchObject([{ result: [], id: 1 }, { code: 2 }]);
  });

  test('a message with neither is answered and decides nothing', () => {
    const reader = world.connect();
    reader.sayText('nonsense');
    reader.say({ method: 'LIST_SUBSCRIPTIONS', id: 'a' });
    expect(reader.take()).toMatchObject([{ type: 'error' }, { result: [], id: 'a' }]);
  });

  test('other addresses use the protocol of the convention', () => {
    const reader = world.connect('/public/ws');
    reader.say({ type: 'ping' });
    reader.sayText('[]');
    expect(reader.take()).toEqual([
      { code: 2, msg: 'Invalid request: unknown method.' },
      { code: 3, msg: expect.any(String) },
    ]);
  });
});

describe('WS-5 a message of many arrays and objects is refused before it is parsed', () => {
  /** In one another, beside each other, and both. */
  const shapes: Readonly<Record<string, (count: number) => string>> = {
    nested: (count) => '['.repeat(count) + ']'.repeat(count),
    wide: (count) => `[${'{},'.repeat(count - 2)}{}]`,
    both: (count) => `[${'[[[{"a":{}}]]],'.repeat(Math.ceil(count / 5))}1]`,
  };
  const ping = (more: string): string => `{"type":"ping","more":${more}}`;
  const sentence = 'a message has at most 16 arrays and objects.';
  const refused = { type: 'error', code: 'INVALID_PARAMETER', message: `A${sentence.slice(1)}` };

  test.each(Object.entries(shapes))('%s', (_name, shape) => {
    const reader = world.connect();
    for (const count of [5, 18, 5000]) reader.sayText(ping(shape(count)));
    reader.say({ type: 'ping', more: '[{'.repeat(1000) });
    expect(reader.take()).toEqual([{ type: 'pong' }, refused, refused, { type: 'pong' }]);
  });

  test('sixteen are allowed, and the message itself is one of them', () => {
    const reader = world.connect();
    reader.sayText(ping(shapes.nested!(15)));
    reader.sayText(ping(shapes.nested!(16)));
    expect(reader.take()).toEqual([{ type: 'pong' }, refused]);
  });

  test('in the protocol of the convention', () => {
    const reader = world.connect('/public/ws');
    reader.sayText(ping(shapes.nested!(16)));
    reader.say({ method: 'LIST_SUBSCRIPTIONS', id: 1 });
    expect(reader.take()).toEqual([
      { code: 2, msg: `Invalid request: ${sentence}` },
      { result: [], id: 1 },
    ]);
  });

  test.each(Object.entries(shapes))('%s: it costs no more than a long text', (_name, shape) => {
    const hostile = ping(shape(6000));
    const plain = JSON.stringify({ type: 'ping', more: 'x'.repeat(hostile.length) });
    // The shortest of several times, to leave out other work of the machine.
    const cost = (text: string): number => {
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 10; i += 1) {
        const reader = world.connect();
        const begun = process.hrtime.bigint();
        reader.sayText(text);
        best = Math.min(best, Number(process.hrtime.bigint() - begun));
      }
      return best;
    };
    expect(cost(hostile)).toBeLessThan(5 * cost(plain));
  });
});

describe('WS-3 control messages', () => {
  let reader: FakeReader;
  const ask = (message: object): Said => {
    reader.say(message);
    return reader.take();
  };
  beforeEach(() => {
    reader = world.connect('/public/ws');
  });

  test('subscribe, list and unsubscribe return ids as they were sent', () => {
    const params = ['btcusdt@trade', 'BTC-USD@depth@100ms', 'nobody@trade', 'nonsense', ''];
    expect(ask({ method: 'SUBSCRIBE', params, id: 1 })).toEqual([{ result: null, id: 1 }]);
    const names = ['btcusdt@trade', 'btcusdt@depth@100ms'];
    expect(ask({ method: 'LIST_SUBSCRIPTIONS', id: 'f00' })).toEqual([
      { result: names, id: 'f00' },
    ]);
    const gone = ['btcusdt@trade', 'unknown'];
    expect(ask({ method: 'UNSUBSCRIBE', params: gone, id: 0 })).toEqual([{ result: null, id: 0 }]);
    expect(ask({ method: 'LIST_SUBSCRIPTIONS' })).toEqual([{ result: [names[1]], id: null }]);
    world.run(...trade());
    expect(reader.take()).toEqual([]);
  });

  test('the property `combined` wraps the messages', () => {
    ask({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 1 });
    expect(ask({ method: 'GET_PROPERTY', params: ['combined'], id: 2 })).toEqual([
      { result: false, id: 2 },
    ]);
    expect(ask({ method: 'SET_PROPERTY', params: ['combined', true], id: 3 })).toEqual([
      { result: null, id: 3 },
    ]);
    world.run(...trade());
    expect(reader.take()).toMatchObject([{ stream: 'btcusdt@trade', data: { e: 'trade' } }]);
    expect(ask({ method: 'SET_PROPERTY', params: ['combined', 'yes'], id: 4 })).toMatchObject([
      { code: 1, id: 4 },
    ]);
    expect(ask({ method: 'GET_PROPERTY', params: ['other'], id: 5 })).toMatchObject([{ code: 0 }]);
  });

  test.each<[object, number]>([
    [{ id: 1 }, 2],
    [{ method: 'SHOUT', id: 1 }, 2],
    [{ method: 'SUBSCRIBE', id: 1 }, 2],
    [{ method: 'SUBSCRIBE', params: 'btcusdt@trade', id: 1 }, 2],
    [{ method: 'SUBSCRIBE', params: [7], id: 1 }, 2],
    [{ method: 'LIST_SUBSCRIPTIONS', id: -1 }, 2],
    [{ method: 'LIST_SUBSCRIPTIONS', id: 1.5 }, 2],
    [{ method: 'LIST_SUBSCRIPTIONS', id: {} }, 2],
    [{ method: 'LIST_SUBSCRIPTIONS', id: 'x'.repeat(65) }, 2],
  ])('%j is answered with %i and leaves the socket open', (message, code) => {
    expect(ask(message)).toMatchObject([{ code, msg: expect.any(String) }]);
    expect(ask({ method: 'LIST_SUBSCRIPTIONS', id: 9 })).toEqual([{ result: [], id: 9 }]);
  });

  test('messages are wrapped from the start at /stream', () => {
    const wrapped = world.connect('/stream?streams=btcusdt@trade/!nonsense');
    world.run(...trade());
    expect(wrapped.take()).toMatchObject([{ stream: 'btcusdt@trade', data: { s: 'BTCUSDT' } }]);
  });

  test('all readers of a stream share one message, and all wrapped readers share another', () => {
    const raw = [join('btcusdt@trade'), join('btcusdt@trade')];
    const wrapped = [1, 2].map(() => world.connect('/stream?streams=btcusdt@trade'));
    world.run(...trade());
    for (const [one, other] of [raw, wrapped]) {
      expect(one!.buffers.at(-1)).toBe(other!.buffers.at(-1));
    }
  });

  test('WS-5 more than 1024 streams close the socket', () => {
    world = openStreamWorld({ bounds: { streamsMax: 2 } });
    world.open();
    const greedy = world.connect('/stream?streams=btcusdt@trade/ethusdt@trade');
    expect(greedy.closed()).toBeUndefined();
    greedy.say({ method: 'SUBSCRIBE', params: ['btcusdt@trade', 'avaxusdt@trade'], id: 1 });
    expect(greedy.closed()).toBe(1008);
  });
});

describe('WS-3 streams', () => {
  test('depth: absolute quantities, "0" removes; U, u, pu chain and fit REST’s snapshot', () => {
    const reader = join('btcusdt@depth@100ms');
    world.run(order([2, 1, 100, 49_000], { clientOrderId: 'a' }), order([2, -1, 50, 51_000]));
    const lastUpdateId = world.state.exchange.markets[0]!.book.updateId;
    world.pass(100);
    const [first] = reader.take();
    expect(first).toEqual({
      e: 'depthUpdate',
      E: world.clock.now(),
      T: expect.any(Number),
      s: 'BTCUSDT',
      U: 1,
      u: lastUpdateId,
      pu: 0,
      b: [['4900.0', '0.100']],
      a: [['5100.0', '0.050']],
    });
    // Placed and killed: a number without its own message.
    world.run(order([2, 1, 10, 48_000], { timeInForce: 'IOC' }));
    const a = { clientOrderId: 'a' };
    world.run({ kind: 'cancelOrder', account: 2 as AccountId, market: undefined, order: a });
    world.pass(100);
    const [second] = reader.take();
    expect(second).toMatchObject({ pu: first.u, U: first.u + 1, b: [['4900.0', '0']], a: [] });
    expect(second.u).toBe(world.state.exchange.markets[0]!.book.updateId);
    world.pass(100);
    expect(reader.take()).toEqual([]);
  });

  test('depth: every 250 ms unless the name says 100 or 500, each with its own chain', () => {
    const readers = ['@depth@100ms', '@depth', '@depth@500ms'].map((name) =>
      join(`btcusdt${name}`),
    );
    const counts = [0, 0, 0];
    const chains: Said[][] = [[], [], []];
    world.pass(0);
    for (let i = 0; i < 40; i += 1) {
      world.run(order([2, 1, 10, 49_000 - i]));
      world.pass(25);
      for (const [index, reader] of readers.entries()) {
        const reported = reader.take();
        counts[index]! += reported.length;
        chains[index]!.push(...reported);
      }
    }
    expect(counts).toEqual([10, 4, 2]);
    for (const chain of chains) {
      for (let i = 1; i < chain.length; i += 1) expect(chain[i].pu).toBe(chain[i - 1].u);
      expect(chain.flatMap(({ b }) => b).length).toBeGreaterThanOrEqual(chain.length);
    }
  });

  test('depth5: the best prices whenever they have changed', () => {
    const reader = join('btcusdt@depth5@100ms');
    world.run(...Array.from({ length: 7 }, (_, i) => order([2, 1, 10, 49_000 - i])));
    world.pass(100);
    const [first] = reader.take();
    expect(first.b).toHaveLength(5);
    expect(first.b[0]).toEqual(['4900.0', '0.010']);
    world.run(order([2, 1, 10, 40_000]));
    world.pass(100);
    expect(reader.take()).toEqual([]);
    world.run(order([2, 1, 10, 49_001]));
    world.pass(100);
    const [second] = reader.take();
    expect(second).toMatchObject({ pu: first.u, U: first.u + 1 });
    expect(second.b.slice(0, 2)).toEqual([
      ['4900.1', '0.010'],
      ['4900.0', '0.010'],
    ]);
  });

  test('bookTicker: every batch that changed the best price, of one market or of all', () => {
    const one = join('btcusdt@bookTicker');
    const all = join('!bookTicker');
    world.run(order([2, 1, 100, 49_000]));
    world.run(order([2, 1, 100, 48_000]), order([2, -1, 10, 52_000]));
    world.run(order([2, 1, 100, 48_001]));
    world.run(order([2, -1, 100, 3_100], { market: 1 }));
    expect(one.take()).toMatchObject([
      { e: 'bookTicker', s: 'BTCUSDT', b: '4900.0', B: '0.100', a: '0', A: '0' },
      { b: '4900.0', a: '5200.0', A: '0.010' },
    ]);
    expect(all.take().map(({ s }) => s)).toEqual(['BTCUSDT', 'BTCUSDT', 'ETHUSDT']);
  });

  test('trade and aggTrade: every trade, and the sum that one order took at one price', () => {
    const trades = join('btcusdt@trade');
    const aggregates = join('btcusdt@aggTrade');
    world.run(
      ...[order([2, -1, 10, 50_000]), order([6, -1, 10, 50_000]), order([2, -1, 10, 50_010])],
      order([4, 1, 25, 50_100]),
    );
    world.run(order([4, -1, 1, 49_000]), order([2, 1, 1, 49_000]));
    expect(trades.take().map(({ e, t, p, q, m, X }) => [e, t, p, q, m, X])).toEqual([
      ['trade', 1, '5000.0', '0.010', false, 'MARKET'],
      ['trade', 2, '5000.0', '0.010', false, 'MARKET'],
      ['trade', 3, '5001.0', '0.005', false, 'MARKET'],
      ['trade', 4, '4900.0', '0.001', false, 'MARKET'],
    ]);
    expect(aggregates.take()).toMatchObject([
      { e: 'aggTrade', a: 1, p: '5000.0', q: '0.020', nq: '0.020', f: 1, l: 2, m: false },
      { a: 2, p: '5001.0', q: '0.005', f: 3, l: 3 },
      { a: 3, f: 4, l: 4 },
    ]);
  });

  test('kline and continuousKline: the current one at most every 250 ms, the closed one at its end', () => {
    world.run(...trade());
    const kline = join('btcusdt@kline_1m');
    const continuous = join('btcusdt_perpetual@continuousKline_1m');
    world.pass(0);
    kline.take();
    world.run(...trade(5), ...trade(5, 50_100));
    world.pass(250);
    const [reported] = kline.take();
    expect(reported).toEqual({
      e: 'kline',
      E: world.clock.now(),
      s: 'BTCUSDT',
      k: {
        ...{ t: expect.any(Number), T: reported.k.t + 59_999, s: 'BTCUSDT', i: '1m', f: 1, L: 3 },
        ...{ o: '5000.0', c: '5010.0', h: '5010.0', l: '5000.0', v: '0.020', n: 3, x: false },
        ...{ q: '100.05', V: '0', Q: '0', B: '0' },
      },
    });
    world.clock.advance(60_000);
    world.run(prices(world), ...trade(1));
    world.pass(0);
    expect(kline.take().map(({ k }) => [k.t, k.n, k.f, k.L, k.x])).toEqual([
      [reported.k.t, 3, 1, 3, true],
      [reported.k.t + 60_000, 1, 4, 4, false],
    ]);
    const [last] = continuous.take().slice(-1);
    expect(last).toMatchObject({ e: 'continuous_kline', ps: 'BTCUSDT', ct: 'PERPETUAL' });
    expect(last.k.s).toBeUndefined();
    expect(join('btcusdt@kline_1M').closed()).toBeUndefined();
  });

  test('markPrice: every 3 s or every second, and of all markets', () => {
    const [slow, quick, all] = [
      join('btcusdt@markPrice'),
      join('btcusdt@markPrice@1s'),
      join('!markPrice@arr@1s'),
    ];
    world.pass(0);
    for (let i = 0; i < 6; i += 1) world.pass(1000);
    expect([slow, quick, all].map((reader) => reader!.buffers.length)).toEqual([3, 7, 7]);
    expect(quick!.take()[0]).toEqual({
      e: 'markPriceUpdate',
      E: expect.any(Number),
      s: 'BTCUSDT',
      p: '5000.0',
      i: '5000.0',
      P: '5000.0',
      r: '0',
      T: expect.any(Number),
    });
    expect(all!.take()[0].map(({ s }: Said) => s)).toEqual(['BTCUSDT', 'ETHUSDT', 'AVAXUSDT']);
  });

  test('ticker and miniTicker: every 2 s of one market, every second of all that changed', () => {
    const [one, mini, all] = [
      join('btcusdt@ticker'),
      join('btcusdt@miniTicker'),
      join('!miniTicker@arr'),
    ];
    world.run(...trade(10, 50_000), ...trade(10, 50_500));
    world.pass(0);
    expect(one!.take()).toMatchObject([
      {
        ...{ e: '24hrTicker', s: 'BTCUSDT', p: '50.0', P: '1.000', c: '5050.0', Q: '0.010' },
        ...{ o: '5000.0', h: '5050.0', l: '5000.0', v: '0.020', q: '100.5', n: 2, F: 1, L: 2 },
      },
    ]);
    expect(mini!.take()).toMatchObject([{ e: '24hrMiniTicker', c: '5050.0', v: '0.020' }]);
    expect(all!.take()[0].map(({ s }: Said) => s)).toEqual(['BTCUSDT', 'ETHUSDT', 'AVAXUSDT']);
    world.run(order([2, -1, 50, 3_000], { market: 1 }), order([4, 1, 50, 3_000], { market: 1 }));
    world.pass(1000);
    expect(one!.take()).toEqual([]);
    expect(all!.take()[0].map(({ s }: Said) => s)).toEqual(['ETHUSDT']);
    world.pass(1000);
    expect(all!.take()).toEqual([]);
    expect(one!.take()).toHaveLength(1);
  });

  test('forceOrder: the last liquidation of each second in each market', () => {
    const one = join('btcusdt@forceOrder');
    const all = join('!forceOrder@arr');
    world.run(order([4, 1, 300, 47_200]), order([1, 1, 200, 50_000]), order([4, -1, 200, 50_000]));
    world.run(prices(world, 0.949));
    world.pass(1000);
    for (const reader of [one, all]) {
      const [reported] = reader.take();
      expect(reported).toMatchObject({
        e: 'forceOrder',
        o: { s: 'BTCUSDT', S: 'SELL', o: 'LIMIT', f: 'IOC', ap: '4720' },
      });
      expect(reported.o.z).toBe(reported.o.l);
      expect(JSON.stringify(reported)).not.toContain('autoclose');
    }
  });

  test('contractInfo: a market that changed', () => {
    const reader = join('!contractInfo');
    world.run({ kind: 'changeMarket', market: 1 as MarketId, terms: {}, status: 'HALT' });
    expect(reader.take()).toMatchObject([
      { e: 'contractInfo', s: 'ETHUSDT', ps: 'ETHUSDT', ct: 'PERPETUAL', cs: 'HALT' },
    ]);
  });

  test('SYM-0 names are read in any case and spelling', () => {
    const reader = world.connect('/public/ws');
    const params = [
      ...['BTCUSDT@TRADE', 'btc_usdt@MarkPrice@1S', 'eth-usd@DEPTH20@500MS', 'ETHUSDT@kline_1M'],
      ...['!BOOKTICKER', 'BTCUSDT_PERPETUAL@continuouskline_5m', 'btcusdt@kline_7m', 'x@'],
    ];
    reader.say({ method: 'SUBSCRIBE', params, id: 1 });
    reader.say({ method: 'LIST_SUBSCRIPTIONS', id: 2 });
    expect(reader.take()[1].result).toEqual([
      ...['btcusdt@trade', 'btcusdt@markPrice@1s', 'ethusdt@depth20@500ms', 'ethusdt@kline_1M'],
      ...['!bookTicker', 'btcusdt_perpetual@continuousKline_5m'],
    ]);
  });

  test('nothing leaves before it is durable', () => {
    const reader = world.connect(
      '/stream?streams=btcusdt@trade/btcusdt@bookTicker/btcusdt@aggTrade',
    );
    world.apply(...trade());
    world.pass(100);
    expect(reader.take()).toEqual([]);
    world.log.sync();
    expect(reader.take().map(({ data }) => data.e)).toEqual(['trade', 'aggTrade']);
  });
});
