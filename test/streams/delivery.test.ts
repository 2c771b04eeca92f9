// How messages reach readers: nothing before it is durable, each made once, in the order of the
// log, again from the ring for clients that come back, and never waiting for a client (WS-2, WS-4,
// WS-5).

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import { parseSocketPath } from '../../src/gateway/sockets/socketPath.ts';
import { must } from '../../src/std/assert.ts';
import type { Wire } from '../../src/streams/reader.ts';
import type { AccountId, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import {
  type FakeReader,
  openStreamWorld,
  priced,
  type StreamWorld,
  type StreamWorldOptions,
  worldEpoch,
} from './streamWorld.ts';

let world: StreamWorld;
let reader: FakeReader;

function open(options: StreamWorldOptions = {}): void {
  world = openStreamWorld(options);
  world.open();
  reader = world.connect();
}
beforeEach(() => open());
afterEach(() => {
  expect(world.fatal).toEqual([]);
});

const bid = (ticks: number, lots = 100): PlaceOrder =>
  orderCommand({ account: 2, market: 0, side: 1, lots, ticks });
const ask = (ticks: number, lots = 100): PlaceOrder => {
  return { ...bid(ticks, lots), account: 4 as AccountId, side: -1 };
};
/** One trade of 0.01 BTC at that price. */
const trade = (ticks: number): Command[] => [bid(ticks, 10), ask(ticks, 10)];

const subscribe = (channel: string, of = reader): void => of.say({ type: 'subscribe', channel });
const last = (of = reader): { seq: number; epoch: string } => {
  const messages = of.buffers.map((bytes) => JSON.parse(String(bytes)));
  return messages.findLast(({ seq }) => seq !== undefined);
};
const resume = (of: FakeReader, channel: string, seq: number, epoch = worldEpoch): void =>
  of.say({ type: 'resume', channel, epoch, seq });

test('nothing leaves before its batch is durable: no snapshot, trade, account or book', async () => {
  reader.say({ type: 'auth', token: '2' });
  await Promise.resolve();
  await Promise.resolve();
  for (const channel of ['trades:BTCUSDT', 'account', 'depth:BTCUSDT']) subscribe(channel);
  reader.take();
  world.apply(...trade(50_000));
  world.pass(100);
  expect(reader.take()).toEqual([]);
  const late = world.connect();
  subscribe('trades:BTCUSDT', late);
  subscribe('depth:BTCUSDT', late);
  expect(late.take().map(({ type }) => type)).toEqual(['subscribed', 'subscribed']);
  world.apply(bid(49_000));
  world.log.sync(1);
  expect(reader.take().map(({ type, event }) => event ?? type)).toEqual([
    ...['order', 'balance'],
    ...['fill', 'order', 'position', 'balance'],
    ...['trade', 'depth'],
  ]);
  expect(late.take()).toMatchObject([
    { type: 'trade', snapshot: true, trades: [{ price: '5000.0' }] },
    { type: 'depth', snapshot: true },
  ]);
  world.log.sync();
  expect(reader.take().map(({ event }) => event)).toEqual(['order', 'balance']);
});

test('a batch that never became durable never leaves', () => {
  subscribe('trades:BTCUSDT');
  reader.take();
  world.apply(...trade(50_000));
  world.log.fail(new Error('the disk is gone'));
  world.pass(100);
  expect(reader.take()).toEqual([]);
  expect(world.fatal).toHaveLength(1);
  world.fatal.length = 0;
});

test('a message is encoded once, and every reader gets the same bytes', () => {
  const readers = Array.from({ length: 20 }, () => world.connect());
  for (const each of readers) subscribe('trades:BTCUSDT', each);
  world.run(...trade(50_000));
  const [first] = readers;
  for (const each of readers) {
    expect(each.buffers.at(-1)).toBe(first!.buffers.at(-1));
  }
  // The snapshot too, for all who come at once.
  for (const each of readers.slice(5)) expect(each.buffers[1]).toBe(readers[5]!.buffers[1]);
});

test('the order of a channel is the order of the log', () => {
  subscribe('trades:BTCUSDT');
  reader.take();
  for (let i = 0; i < 50; i += 1) world.apply(...trade(50_000 + i));
  world.log.sync();
  while (world.replica.waiting() > 0) {
    world.turn();
    world.log.sync();
  }
  const prices = reader
    .take()
    .flatMap(({ trades }) => trades.map(({ price }: { price: string }) => Number(price)));
  expect(prices).toEqual(Array.from({ length: 50 }, (_, i) => 5000 + i / 10));
});

test('WS-2 resume gives every message after the last received one and then continues', () => {
  subscribe('trades:BTCUSDT');
  for (let i = 0; i < 10; i += 1) world.run(...trade(50_000));
  const { seq } = last();
  reader.session.onClose();
  for (let i = 0; i < 10; i += 1) world.run(...trade(50_000));
  const back = world.connect();
  resume(back, 'trades:BTCUSDT', seq - 3);
  world.run(...trade(50_000));
  expect(back.take().map((each) => each.seq)).toEqual(
    Array.from({ length: 14 }, (_, i) => seq - 2 + i),
  );
});

test('WS-2 resume without missed messages is silent until the next event', () => {
  subscribe('trades:BTCUSDT');
  world.run(...trade(50_000));
  const { seq } = last();
  const back = world.connect();
  resume(back, 'trades:BTCUSDT', seq);
  expect(back.take()).toEqual([]);
  world.run(...trade(50_000));
  expect(back.take()).toMatchObject([{ seq: seq + 1, prev_seq: seq }]);
  // No message is missed either when the ring is empty because all of it is too old.
  world.pass(world.bounds.ringMs + world.bounds.sweepMs);
  const later = world.connect();
  resume(later, 'trades:BTCUSDT', seq + 1);
  expect(later.take()).toEqual([]);
});

const anew = [
  { type: 'reset', channel: 'trades:BTCUSDT' },
  { type: 'trade', snapshot: true },
];

test('WS-2 another epoch, an unknown number and a channel that was not kept cause a reset', () => {
  subscribe('trades:BTCUSDT');
  world.run(...trade(50_000));
  const { seq } = last();
  for (const [number, epoch] of [
    [seq, 'another'],
    [seq + 1, worldEpoch],
    [-1, worldEpoch],
    [0, worldEpoch],
  ] as const) {
    const back = world.connect();
    resume(back, 'trades:BTCUSDT', number, epoch);
    expect(back.take()).toMatchObject(anew);
  }
  const other = world.connect();
  resume(other, 'trades:ETHUSDT', seq);
  expect(other.take()).toMatchObject([{ type: 'reset' }, { snapshot: true, trades: [] }]);
  resume(other, 'ticker:BTCUSDT', seq);
  expect(other.take()).toMatchObject([{ type: 'reset' }, { type: 'ticker' }]);
});

test('WS-2 the ring is bounded by messages, ten minutes, and bytes of all channels', () => {
  open({ bounds: { ringMessagesMax: 5, silenceMs: 1e9 } });
  subscribe('trades:BTCUSDT');
  for (let i = 0; i < 9; i += 1) world.run(...trade(50_000));
  const { seq } = last();
  const back = world.connect();
  resume(back, 'trades:BTCUSDT', seq - 5);
  expect(back.take()).toHaveLength(5);
  resume(back, 'trades:BTCUSDT', seq - 6);
  expect(back.take()).toMatchObject(anew);

  world.pass(world.bounds.ringMs);
  resume(back, 'trades:BTCUSDT', seq - 5);
  expect(back.take()).toHaveLength(5);
  world.pass(world.bounds.sweepMs);
  resume(back, 'trades:BTCUSDT', seq - 5);
  expect(back.take()).toMatchObject(anew);
  expect(world.streams.figures().ringBytes).toBe(0);

  open({ bounds: { ringBytesMax: 1000 } });
  subscribe('trades:BTCUSDT');
  for (let i = 0; i < 20; i += 1) world.run(...trade(50_000));
  expect(world.streams.figures().ringBytes).toBeLessThanOrEqual(1000);
  expect(world.streams.figures().ringBytes).toBeGreaterThan(500);
});

test('WS-2 a channel without readers is kept for ten minutes, and its numbers are never used again', () => {
  open({ bounds: { silenceMs: 1e9 } });
  subscribe('trades:BTCUSDT');
  world.run(...trade(50_000));
  const { seq } = last();
  reader.session.onClose();
  world.pass(world.bounds.sweepMs);
  world.pass(world.bounds.ringMs);
  expect(world.streams.figures().channels).toBe(1);
  const back = world.connect();
  // After a gap the gate wants three prices that agree (PRC-2).
  for (let i = 0; i < 3; i += 1) {
    world.clock.advance(1000);
    world.run(priced(world.clock.now() as Time));
  }
  world.run(...trade(50_010));
  resume(back, 'trades:BTCUSDT', seq);
  expect(back.take()).toMatchObject([{ seq: seq + 1 }]);
  back.session.onClose();
  world.pass(world.bounds.sweepMs);
  world.pass(world.bounds.ringMs + 1);
  expect(world.streams.figures().channels).toBe(0);
  const later = world.connect();
  resume(later, 'trades:BTCUSDT', seq + 1);
  expect(later.take()).toMatchObject(anew);
  expect(last(later).seq).toBeGreaterThan(seq + 1);
});

test('WS-2a a snapshot is current; with too many requests it is an older one with the changes since', () => {
  subscribe('depth:BTCUSDT');
  for (let i = 0; i < 5; i += 1) {
    world.run(bid(49_000 - i));
    world.pass(100);
  }
  const readers = Array.from({ length: 6 }, () => world.connect());
  for (const each of readers) subscribe('depth:BTCUSDT', each);
  world.run(bid(48_000));
  world.pass(100);
  for (const each of readers) {
    const [, snapshot, ...updates] = each.take();
    expect(snapshot.bids).toHaveLength(5);
    expect(updates).toHaveLength(1);
  }
  // The seventh and eighth within the second: what the sixth got, and the update.
  const late = world.connect();
  subscribe('depth:BTCUSDT', late);
  expect(late.take().map(({ bids }) => bids?.length)).toEqual([undefined, 5, 1]);
  world.pass(1000);
  const later = world.connect();
  subscribe('depth:BTCUSDT', later);
  expect(later.take().map(({ bids }) => bids?.length)).toEqual([undefined, 6]);
});

test('WS-4 a reader that is more than 4 MiB behind is closed, and the exchange does not wait for it', () => {
  open({ bounds: { backlogBytesMax: 2000 } });
  const slow = world.connect();
  subscribe('trades:BTCUSDT', slow);
  subscribe('trades:BTCUSDT');
  slow.stall();
  for (let i = 0; i < 30; i += 1) world.run(...trade(50_000));
  expect(slow.closed()).toBe('cut');
  expect(slow.backlog()).toBeLessThan(2000 + 300);
  expect(slow.buffers.length).toBeLessThan(15);
  // 'subscribed', the snapshot, and every trade.
  expect(reader.take()).toHaveLength(32);
  expect(world.streams.figures()).toMatchObject({ readers: 1, subscriptions: 1 });
});

test('WS-4 unread messages of all readers are bounded, and the readers farthest behind are closed', () => {
  open({ bounds: { backlogBytesAllMax: 6000 } });
  const [far, farther, near] = [world.connect(), world.connect(), world.connect()];
  for (const each of [far, farther, near]) subscribe('trades:BTCUSDT', each);
  farther.stall();
  for (let i = 0; i < 10; i += 1) world.run(...trade(50_000));
  far.stall();
  for (let i = 0; i < 15; i += 1) world.run(...trade(50_000));
  near.stall();
  for (let i = 0; i < 2; i += 1) world.run(...trade(50_000));
  const held = far.backlog() + farther.backlog() + near.backlog();
  expect(held).toBeGreaterThan(6000);
  world.clock.advance(1000);
  world.streams.tick();
  expect([farther.closed(), near.closed()]).toEqual(['cut', undefined]);
  const left = [far, near].filter((each) => each.closed() === undefined);
  expect(left.reduce((sum, each) => sum + each.backlog(), 0)).toBeLessThanOrEqual(6000);
});

test('WS-4 a client that sends requests and does not read is closed too', () => {
  open({ bounds: { backlogBytesMax: 500 } });
  reader.stall();
  for (let i = 0; i < 50; i += 1) reader.say({ type: 'ping' });
  expect(reader.closed()).toBe('cut');
});

test('WS-2 a replay goes as fast as its client reads, and then continues live', () => {
  open({ bounds: { replayBytesMax: 1000, backlogBytesMax: 3000 } });
  subscribe('trades:BTCUSDT');
  for (let i = 0; i < 100; i += 1) world.run(...trade(50_000));
  const { seq } = last();
  const back = world.connect();
  back.stall();
  resume(back, 'trades:BTCUSDT', seq - 90);
  expect(back.backlog()).toBeGreaterThan(1000);
  expect(back.backlog()).toBeLessThan(1500);
  world.run(...trade(50_000));
  for (let i = 0; i < 200; i += 1) {
    back.drain(1);
    world.laterTurn();
  }
  back.drain();
  world.laterTurn();
  world.run(...trade(50_000));
  expect(back.closed()).toBeUndefined();
  expect(back.take().map((each) => each.seq)).toEqual(
    Array.from({ length: 92 }, (_, i) => seq - 89 + i),
  );
});

test('WS-2 a client that reads a replay more slowly than the channel grows is closed', () => {
  open({ bounds: { replayBytesMax: 1000, ringMessagesMax: 50 } });
  subscribe('trades:BTCUSDT');
  for (let i = 0; i < 50; i += 1) world.run(...trade(50_000));
  const back = world.connect();
  back.stall();
  resume(back, 'trades:BTCUSDT', last().seq - 50);
  for (let i = 0; i < 60; i += 1) world.run(...trade(50_000));
  back.drain();
  world.laterTurn();
  expect(back.closed()).toBe('cut');
});

test('many readers are served over several turns, each in order and without a gap', () => {
  open({ bounds: { sendsPerTurn: 7 } });
  const readers = Array.from({ length: 20 }, () => world.connect());
  for (const each of readers) {
    subscribe('trades:BTCUSDT', each);
    each.take();
  }
  world.run(...trade(50_000));
  const heard = (): number => readers.filter(({ buffers }) => buffers.length > 2).length;
  expect(heard()).toBe(7);
  world.run(...trade(50_000));
  // One that comes now has the first two in its snapshot, or after it, but not twice.
  const late = world.connect();
  subscribe('trades:BTCUSDT', late);
  readers[19]!.session.onClose();
  for (let i = 0; i < 30; i += 1) {
    world.laterTurn();
    if (i < 3) world.run(...trade(50_000));
  }
  expect(world.streams.figures().waiting).toBe(0);
  for (const each of readers.slice(0, 19)) {
    const numbers = each.take().map(({ seq }) => seq);
    expect(numbers).toEqual([0, 1, 2, 3, 4].map((i) => numbers[0] + i));
  }
  const [, snapshot, ...rest] = late.take();
  expect(rest.map(({ seq }) => seq)).toEqual(rest.map((_, i) => snapshot.seq + 1 + i));
  expect(rest.at(-1)!.seq).toBe(last(readers[0]!).seq);
});

test('CON-7 a channel with many readers rests after each sending, and loses nothing', () => {
  open({ bounds: { fewReaders: 3, restMsPerReader: 10, restMsMax: 100 } });
  const readers = Array.from({ length: 4 }, () => world.connect());
  for (const each of readers) {
    subscribe('trades:BTCUSDT', each);
    each.take();
  }
  const heard = (): number[] => readers.map((each) => each.take().length);
  world.run(...trade(50_000));
  expect(heard()).toEqual([1, 1, 1, 1]);
  // It rests for 40 ms.
  world.run(...trade(50_000), ...trade(50_000));
  expect(heard()).toEqual([0, 0, 0, 0]);
  expect(world.streams.figures().waiting).toBe(2);
  world.pass(39);
  expect(heard()).toEqual([0, 0, 0, 0]);
  // One that comes while it rests has them in its snapshot.
  const late = world.connect();
  subscribe('trades:BTCUSDT', late);
  const [, snapshot] = late.take();
  world.pass(1);
  const numbers = readers.map((each) => each.take().map(({ seq }) => seq));
  expect(numbers).toEqual(Array(4).fill([snapshot.seq - 1, snapshot.seq]));
  expect(late.take()).toEqual([]);
  expect(world.streams.figures().waiting).toBe(0);
  world.run(...trade(50_000));
  expect(late.take()).toEqual([]);
  world.pass(50);
  expect(late.take().map(({ seq }) => seq)).toEqual([snapshot.seq + 1]);
});

test('an account gets the message about its order before many readers get the trade', async () => {
  open({ bounds: { sendsPerTurn: 10 } });
  for (let i = 0; i < 20; i += 1) subscribe('trades:BTCUSDT', world.connect());
  const own = world.connect();
  own.say({ type: 'auth', token: '2' });
  await Promise.resolve();
  await Promise.resolve();
  subscribe('account', own);
  own.take();
  world.run(...trade(50_000));
  expect(world.streams.figures().waiting).toBe(1);
  world.run(bid(49_000));
  expect(own.take().filter(({ event }) => event === 'order')).not.toEqual([]);
  expect(world.streams.figures().waiting).toBe(1);
});

test('sockets that cannot take all messages are closed, and trading continues', () => {
  open({ bounds: { sendsPerTurn: 1, deliveriesMax: 20 } });
  const readers = Array.from({ length: 3 }, () => world.connect());
  for (const each of readers) subscribe('trades:BTCUSDT', each);
  for (let i = 0; i < 30; i += 1) world.run(...trade(50_000));
  for (const each of readers) expect(each.closed()).toBe(1013);
  expect(world.streams.figures()).toMatchObject({ readers: 0, channels: 0 });
  expect(world.state.exchange.markets[0]!.figures.tradeId).toBe(30);
  const back = world.connect();
  subscribe('trades:BTCUSDT', back);
  expect(back.take()).toMatchObject([{ type: 'subscribed' }, { snapshot: true }]);
});

test('a fault of the program closes readers and never affects trading', () => {
  let broken = false;
  open({
    streams: {
      records: {
        order: () => {
          if (broken) throw new Error('a broken record');
          return '{}';
        },
        trigger: () => '{}',
        positions: () => [],
        balance: () => '{}',
        deposit: () => '{}',
        withdrawal: () => '{}',
        failure: () => '',
        disconnectError: () => ({ code: 'INTERNAL', message: '' }),
      },
    },
  });
  reader.say({ type: 'auth', token: '2' });
  return Promise.resolve()
    .then(() => {})
    .then(() => {
      subscribe('account');
      broken = true;
      world.run(bid(49_000));
      expect(world.faults).toHaveLength(1);
      expect(reader.closed()).toBe(1011);
      expect(world.state.exchange.orders.size).toBe(1);
      broken = false;
      world.run(bid(49_000));
      expect(world.state.exchange.orders.size).toBe(2);
    });
});

test('WS-4 a ping goes out every three minutes, and ten minutes without a pong close the socket', () => {
  world.pass(0);
  reader = world.connect();
  const silent = world.connect();
  const passMinute = (): void => {
    for (let second = 0; second < 60; second += 5) world.pass(5000);
  };
  for (let i = 0; i < 9; i += 1) {
    passMinute();
    reader.session.onPong();
  }
  expect([reader.pings(), silent.pings()]).toEqual([3, 3]);
  passMinute();
  expect(silent.closed()).toBe(1008);
  expect(reader.closed()).toBeUndefined();
});

test('WS-4 COD-4 no peer counts as silent while the exchange itself stood still', () => {
  for (const jump of [3_600_000, -7_200_000]) {
    world.pass(5000);
    const before = reader.pings();
    world.pass(jump);
    expect(reader.closed()).toBeUndefined();
    // It is asked at once, and then has its usual time.
    expect(reader.pings()).toBe(before + 1);
  }
  for (let passed = 0; passed < 595_000; passed += 5000) world.pass(5000);
  expect(reader.closed()).toBeUndefined();
  world.pass(5000);
  expect(reader.closed()).toBe(1008);
});

test('WS-5 the answer to a ping of the exchange counts in no limit, and any other pong does', () => {
  let pings = 0;
  let closed: number | undefined;
  const wire: Wire = {
    send: () => {},
    sendShared: () => {},
    backlog: () => 0,
    ping: () => {
      pings += 1;
    },
    close: (code) => {
      closed = code;
    },
    cut: () => {},
  };
  const opening = must(parseSocketPath('/ws'), 'the path of channels');
  // Others have used up what the address may send.
  const admitMessages = (): boolean => false;
  const session = world.streams.open({ wire, client: '192.0.2.1', opening, admitMessages });
  for (let passed = 0; passed < 180_000; passed += 5000) world.pass(5000);
  expect(pings).toBeGreaterThan(0);
  session.onPong();
  expect(closed).toBeUndefined();
  session.onPong();
  expect(closed).toBe(1008);
});

test('WS-5 a client that sends too many messages is closed: 100 at once, then 10 a second', () => {
  for (let i = 0; i < 100; i += 1) reader.say({ type: 'ping' });
  world.clock.advance(1000);
  for (let i = 0; i < 10; i += 1) reader.session.onPing();
  expect(reader.closed()).toBeUndefined();
  reader.session.onPong();
  expect(reader.closed()).toBe(1008);
  reader.say({ type: 'ping' });
  expect(reader.take()).toHaveLength(100);
});

test('WS-5 LIMIT_REACHED: a connection has at most 200 channels', () => {
  open({ bounds: { subscriptionsMax: 3 } });
  for (const channel of ['ticker', 'depth', 'trades']) subscribe(`${channel}:BTCUSDT`);
  reader.take();
  subscribe('depth:ETHUSDT');
  expect(reader.take()).toMatchObject([{ code: 'LIMIT_REACHED', channel: 'depth:ETHUSDT' }]);
  // One that it has is no further one.
  subscribe('depth:BTCUSDT');
  expect(reader.take()).toMatchObject([{ type: 'subscribed' }, { type: 'depth' }]);
});

test('WS-5 TOO_MANY_REQUESTS: the number of open channels is bounded', () => {
  open({ bounds: { channelsMax: 1 } });
  subscribe('depth:BTCUSDT');
  reader.take();
  subscribe('depth:ETHUSDT');
  expect(reader.take()).toMatchObject([{ code: 'TOO_MANY_REQUESTS', channel: 'depth:ETHUSDT' }]);
});

test('WS-5 a binary frame closes the socket with 1003', () => {
  reader.session.onBinary();
  expect(reader.closed()).toBe(1003);
});

test('when the exchange stops every reader gets a message, and no new ones are accepted', () => {
  world.streams.close();
  expect(reader.closed()).toBe(1001);
  expect(world.connect().closed()).toBe(1001);
});
