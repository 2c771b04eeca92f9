// The streaming feed under virtual time, with a stream behind the transport port: what counts as
// alive, silence, half-open connections, reconnecting, and the messages of both exchanges.

import { describe, expect, test } from 'vitest';
import { binanceStream } from '../../../src/feeds/sources/binanceStream.ts';
import { coinbaseStream } from '../../../src/feeds/sources/coinbaseStream.ts';
import type { StreamExchange } from '../../../src/feeds/sources/streamExchange.ts';
import { createStreamFeed } from '../../../src/feeds/sources/streamFeed.ts';
import { createPrng } from '../../../src/std/prng.ts';
import { createVirtualTime } from '../../fixtures/virtualTime.ts';
import { createFakeStream, type FakeConnection } from './fakeStream.ts';
import { readFixture } from './readFixture.ts';

const start = 1_760_000_000_000;

function listen(exchange: StreamExchange, names: Record<string, string>) {
  const time = createVirtualTime(start);
  const stream = createFakeStream();
  const reports: string[] = [];
  const feed = createStreamFeed({
    exchange,
    symbols: new Map(Object.entries(names)),
    openSocket: stream.openSocket,
    clock: time.clock,
    scheduler: time.scheduler,
    prng: createPrng(7),
    report: (message) => reports.push(message),
  });
  const live = () => feed.poll(time.clock.now());
  return { time, stream, reports, feed, live };
}

const pair = { BTCUSDT: 'BTCUSDT' };

function depth(price: string, id: number, stream = 'btcusdt@depth5@100ms') {
  return { stream, data: { lastUpdateId: id, bids: [[price, '1']], asks: [[price, '1']] } };
}

/** Answers heartbeats like Binance, with its stream. */
function answerHeartbeats(connection: FakeConnection, text: string): void {
  const { id } = JSON.parse(text);
  connection.say({ result: ['btcusdt@depth5@100ms'], id });
}

describe('messages', () => {
  const binance = readFixture('binanceStream');
  const coinbase = readFixture('coinbaseStream');

  test('Binance: address, heartbeat and recorded messages', () => {
    expect(binanceStream.url(['BTCUSDT', 'ETHUSDT'])).toBe(
      'wss://stream.binance.com:9443/stream?streams=btcusdt@depth5@100ms/ethusdt@depth5@100ms',
    );
    expect(binanceStream.greeting(['BTCUSDT'])).toEqual([]);
    expect(binanceStream.heartbeat!(3)).toBe('{"method":"LIST_SUBSCRIPTIONS","id":3}');
    expect(binanceStream.read(binance.depth)).toEqual({
      kind: 'ticker',
      ticker: {
        name: 'BTCUSDT',
        bid: '115020.01000000',
        ask: '115020.03000000',
        order: 76_543_210_001,
      },
    });
    const names = ['BTCUSDT', 'ETHUSDT'];
    expect(binanceStream.read(binance.subscriptions)).toEqual({ kind: 'alive', names });
    expect(binanceStream.read(binance.error)).toEqual({ kind: 'refused' });
    expect(binanceStream.read({ code: 3, msg: 'Invalid JSON' })).toEqual({ kind: 'refused' });
  });

  test('Coinbase: address, subscriptions and recorded messages', () => {
    expect(coinbaseStream.url(['BTC-USDT'])).toBe('wss://ws-feed.exchange.coinbase.com');
    expect(coinbaseStream.greeting(['BTC-USDT', 'ETH-USDT'])).toEqual([
      '{"type":"subscribe","product_ids":["BTC-USDT"],"channels":["ticker","heartbeat"]}',
      '{"type":"subscribe","product_ids":["ETH-USDT"],"channels":["ticker","heartbeat"]}',
    ]);
    expect(coinbaseStream.read(coinbase.ticker)).toEqual({
      kind: 'ticker',
      ticker: { name: 'BTC-USDT', bid: '115019.50', ask: '115021.75', order: 7_388_547_310 },
    });
    expect(coinbaseStream.read(coinbase.heartbeat)).toEqual({ kind: 'alive', names: ['BTC-USDT'] });
    expect(coinbaseStream.read(coinbase.subscriptions)).toEqual({ kind: 'nothing' });
    expect(coinbaseStream.read(coinbase.error)).toEqual({ kind: 'refused' });
  });

  test.each([binanceStream, coinbaseStream])(
    '$source accepts no other form of a price',
    (exchange) => {
      const strange = [
        null,
        0,
        'text',
        [],
        {},
        { stream: 'btcusdt@depth5@100ms', data: null },
        { stream: 'btcusdt@depth5@100ms', data: { lastUpdateId: 'x' } },
        { stream: '../x@depth5@100ms', data: { lastUpdateId: 1 } },
        { stream: ['btcusdt@depth5@100ms'], data: {} },
        { type: 'ticker' },
        { type: 'ticker', product_id: 5, sequence: 1 },
        { type: 'heartbeat', product_id: 'BTC-USDT', sequence: -0.5 },
      ];
      for (const message of strange) {
        expect(['nothing', 'malformed']).toContain(exchange.read(message).kind);
      }
    },
  );

  test('a side without offers gives no price', async () => {
    const { stream, reports, feed, live } = listen(binanceStream, pair);
    stream.last().open();
    const empty = { lastUpdateId: 5, bids: [], asks: [['5', '1']] };
    stream.last().say({ stream: 'btcusdt@depth5@100ms', data: empty });
    expect(live()).toEqual([]);
    expect(reports).toEqual([
      'index source binance: BTCUSDT: a message is dropped: it states no plain decimal',
    ]);
    await feed.close();
  });
});

describe('PRC-2: alive and silent', () => {
  test('a price is live at once, and stays while the exchange confirms its stream', async () => {
    const { time, stream, feed, live } = listen(binanceStream, pair);
    stream.onHeard = answerHeartbeats;
    stream.last().open();
    expect(live()).toEqual([]);
    stream.last().say(depth('5', 1));
    expect(live()).toEqual([
      { symbol: 'BTCUSDT', source: 'binance', price: '5', observedAt: start },
    ]);
    let last = start;
    for (let second = 0; second < 59; second += 1) {
      await time.advanceSettling(1000);
      const [price] = live();
      expect(price!.observedAt).toBeGreaterThan(last);
      last = price!.observedAt;
    }
    expect(stream.connections).toHaveLength(1);
    await feed.close();
    expect(stream.held()).toBe(0);
    expect(time.waiting()).toBe(0);
  });

  test('a price that is not sent again for a minute is frozen, even with a confirmed stream', async () => {
    const { time, stream, reports, feed, live } = listen(binanceStream, pair);
    stream.onHeard = answerHeartbeats;
    stream.last().open();
    stream.last().say(depth('5', 1));
    await time.advanceSettling(65_000);
    expect(live()).toEqual([]);
    expect(reports).toEqual([
      'index source binance: BTCUSDT: no price of its own has come for a minute',
    ]);
    stream.last().say(depth('6', 2));
    expect(live()).toMatchObject([{ price: '6' }]);
    expect(reports.at(-1)).toBe('index source binance: BTCUSDT: works again');
    await feed.close();
  });

  test('on a half-open connection silence ends the prices after 3 s and the connection after 5 s', async () => {
    const { time, stream, reports, feed, live } = listen(binanceStream, pair);
    stream.last().open();
    stream.last().say(depth('5', 1));
    await time.advanceSettling(3000);
    expect(live()).toHaveLength(1);
    await time.advanceSettling(1);
    expect(live()).toEqual([]);
    expect(stream.held()).toBe(1);
    await time.advanceSettling(3999);
    expect(reports).toEqual(['index source binance: all its prices: it is silent']);
    expect(stream.connections[0]!.closed).toBe(true);
    expect(stream.connections.length).toBe(2);
    // Messages of the old connection do not count.
    stream.last().open();
    stream.connections[0]!.say(depth('4', 2));
    stream.connections[0]!.end('the connection broke');
    expect(live()).toEqual([]);
    expect(stream.held()).toBe(1);
    stream.last().say(depth('6', 1));
    expect(live()).toMatchObject([{ price: '6' }]);
    expect(reports.at(-1)).toBe('index source binance: all its prices: works again');
    await feed.close();
  });

  test('a new connection does not confirm prices of the old one', async () => {
    const { time, stream, feed, live } = listen(binanceStream, pair);
    stream.onHeard = answerHeartbeats;
    stream.last().open();
    stream.last().say(depth('5', 1));
    stream.last().end('it has closed the connection');
    await time.advanceSettling(1000);
    stream.last().open();
    await time.advanceSettling(2500);
    expect(live()).toEqual([]);
    await feed.close();
  });

  test('a connection that never opens is ended and tried again after growing pauses', async () => {
    const { time, stream, reports, feed } = listen(binanceStream, pair);
    await time.advanceSettling(300_000);
    expect(stream.held()).toBeLessThanOrEqual(1);
    expect(stream.connections.length).toBeGreaterThan(8);
    expect(stream.connections.length).toBeLessThan(25);
    expect(reports).toEqual(['index source binance: all its prices: it does not answer in time']);
    await feed.close();
  });

  test('a connection that ends at once is tried again only after pauses', async () => {
    const { time, stream, feed } = listen(binanceStream, pair);
    for (let second = 0; second < 300; second += 1) {
      if (!stream.last().closed) {
        stream.last().open();
        stream.last().say(depth('5', 1));
        stream.last().end('it has closed the connection');
      }
      await time.advanceSettling(1000);
    }
    expect(stream.connections.length).toBeLessThan(25);
    await feed.close();
  });

  test('after half a minute of work a broken connection is replaced within a second', async () => {
    const { time, stream, feed, live } = listen(binanceStream, pair);
    await time.advanceSettling(100_000);
    stream.onHeard = answerHeartbeats;
    while (stream.last().closed) await time.advanceSettling(1000);
    const worked = stream.connections.length;
    stream.last().open();
    for (let second = 0; second < 31; second += 1) {
      stream.last().say(depth('5', second));
      await time.advanceSettling(1000);
    }
    stream.last().end('it has closed the connection');
    await time.advanceSettling(1000);
    expect(stream.connections).toHaveLength(worked + 1);
    stream.last().open();
    stream.last().say(depth('6', 1));
    expect(live()).toMatchObject([{ price: '6' }]);
    await feed.close();
  });

  test('Coinbase: its own heartbeat keeps a calm market live', async () => {
    const { time, stream, feed, live } = listen(coinbaseStream, { BTCUSDT: 'BTC-USDT' });
    const { ticker, heartbeat } = readFixture('coinbaseStream');
    stream.last().open();
    expect(stream.last().heard).toHaveLength(1);
    stream.last().say(ticker);
    for (let second = 0; second < 30; second += 1) {
      await time.advanceSettling(1000);
      stream.last().say({ ...heartbeat, sequence: heartbeat.sequence + second });
      expect(live()).toMatchObject([{ price: '115020.625', observedAt: time.clock.now() }]);
    }
    expect(stream.last().heard).toHaveLength(1);
    await feed.close();
  });
});

describe('what is dropped', () => {
  test('messages out of order, of other pairs, malformed or refused are each reported once', async () => {
    const { time, stream, reports, feed, live } = listen(binanceStream, pair);
    stream.last().open();
    stream.last().say(depth('5', 10));
    await time.advanceSettling(100);
    for (let i = 0; i < 3; i += 1) {
      stream.last().say(depth('4', 9));
      stream.last().say(depth('4', 11, 'ethusdt@depth5@100ms'));
      stream.last().say('{"stream":');
      stream.last().say({ stream: 'btcusdt@depth5@100ms', data: {} });
      stream.last().say({ code: 2, msg: 'stranger' });
      stream.last().say({ stream: 'btcusdt@kline_1m', data: {} });
    }
    expect(live()).toMatchObject([{ price: '5', observedAt: start }]);
    expect(reports).toEqual([
      'index source binance: BTCUSDT: a message is dropped: it is older than the one before it',
      'index source binance: a pair that was not asked for: it is dropped',
      'index source binance: a message: it is dropped: it is malformed',
      'index source binance: a request: it is refused',
    ]);
    await feed.close();
  });

  test('a message beyond the bound ends the connection', async () => {
    const { stream, reports, feed } = listen(binanceStream, pair);
    stream.last().open();
    stream.last().say(`"${'x'.repeat(65_536)}"`);
    expect(stream.last().closed).toBe(true);
    expect(reports).toEqual([
      'index source binance: all its prices: it sends a message of more than 64 KiB',
    ]);
    await feed.close();
  });

  test('a stream without readable messages counts as silent', async () => {
    const { time, stream, reports, feed } = listen(binanceStream, pair);
    stream.last().open();
    for (let second = 0; second < 6; second += 1) {
      stream.connections[0]!.say('nonsense');
      await time.advanceSettling(1000);
    }
    expect(stream.connections[0]!.closed).toBe(true);
    expect(reports).toContain('index source binance: all its prices: it is silent');
    await feed.close();
  });

  test('a pair that never appears in a live stream is reported once', async () => {
    const { time, stream, reports, feed } = listen(binanceStream, {
      BTCUSDT: 'BTCUSDT',
      LUNAUSDT: 'LUNAUSDT',
    });
    stream.onHeard = answerHeartbeats;
    stream.last().open();
    for (let second = 0; second < 40; second += 1) {
      stream.last().say(depth('5', second));
      await time.advanceSettling(1000);
    }
    expect(reports).toEqual(['index source binance: LUNAUSDT: the stream brings no price of it']);
    await feed.close();
  });

  test('a fault of the program ends the connection, not the exchange', async () => {
    const broken: StreamExchange = {
      ...binanceStream,
      read: () => {
        throw new Error('a fault');
      },
    };
    const { stream, reports, feed } = listen(broken, pair);
    stream.last().open();
    stream.last().say({});
    expect(stream.last().closed).toBe(true);
    expect(reports).toEqual([
      'index source binance: all its prices: a fault of this program: a fault',
    ]);
    await feed.close();
  });
});
