// Goal: an armed connection that ends in any way ends the orders of its account, exactly once, and
// in the order of the log (COD-4, COD-5, COD-7). Method: streams over a replica whose turns and
// syncs are the test's.

import { beforeEach, expect, test } from 'vitest';
import { armedMarketsMax, armedPerAccountMax } from '../../src/engine/limits.ts';
import { endFormerConnections } from '../../src/replica/endFormerConnections.ts';
import { defaultReplicaBounds } from '../../src/replica/replicaBounds.ts';
import { directValues } from '../../src/std/directMap.ts';
import type { AccountId, OrderId, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { type FakeReader, openStreamWorld, priced, type StreamWorld } from './streamWorld.ts';

/** An account of the stream with money and nothing else. */
const owner = 2 as AccountId;
const request = 'cancel_on_disconnect';

let world: StreamWorld;
let reader: FakeReader;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
  reader = world.connect();
});

const settle = async (): Promise<void> => {
  for (let i = 0; i < 4; i += 1) await Promise.resolve();
};

async function login(as: FakeReader = reader, token = `${owner}`): Promise<void> {
  as.say({ type: 'auth', token });
  await settle();
  expect(as.take()).toMatchObject([{ type: 'authenticated' }]);
}

/** Places an order, and sees that it rests. */
function rest(...accounts: readonly AccountId[]): void {
  world.run(priced(world.clock.now() as Time));
  const before = world.state.exchange.orders.size;
  world.run(...accounts.map(bid));
  expect(world.state.exchange.orders.size).toBe(before + accounts.length);
}

/** Time passes in steps, and the log goes on. */
function pass(milliseconds: number, step = 5000): void {
  for (let passed = 0; passed <= milliseconds; passed += step) {
    world.pass(step);
    commit();
  }
}

/** Closes the batch and syncs it. */
function commit(): void {
  world.turn();
  world.log.sync();
}

async function arm(as: FakeReader = reader, symbols?: readonly string[]): Promise<void> {
  await login(as);
  as.say({ type: request, enabled: true, symbols });
  commit();
  expect(as.take()).toEqual([{ type: request, enabled: true, ...(symbols && { symbols }) }]);
}

const bid = (account: AccountId) =>
  orderCommand({ account, market: 0, side: 1, lots: 20, ticks: 49_000 });

const openOrders = (account = owner): number =>
  directValues(world.state.exchange.orders).filter((order) => order.account === account).length;

const armedNow = (): number => world.state.exchange.connections.armed.size;

test('COD-7 a connection is armed for all symbols or for some, and the answer waits for the sync', async () => {
  await login();
  reader.say({ type: request, enabled: true, symbols: ['eth-usd', 'BTCUSDT', 'BTCUSDT'] });
  world.turn();
  expect(reader.take()).toEqual([]);
  world.log.sync();
  const symbols = ['BTCUSDT', 'ETHUSDT'];
  expect(reader.take()).toEqual([{ type: request, enabled: true, symbols }]);
  expect([...world.state.exchange.connections.armed.values()]).toMatchObject([
    { account: owner, markets: [0, 1] },
  ]);
  reader.say({ type: request, enabled: true });
  commit();
  expect(reader.take()).toEqual([{ type: request, enabled: true }]);
  expect([...world.state.exchange.connections.armed.values()]).toMatchObject([{ markets: [] }]);
  reader.say({ type: request, enabled: false });
  commit();
  expect(reader.take()).toEqual([{ type: request, enabled: false }]);
  expect(armedNow()).toBe(0);
  // What is not armed can be disarmed.
  reader.say({ type: request, enabled: false });
  expect(reader.take()).toEqual([{ type: request, enabled: false }]);
});

const malformed: readonly (readonly [code: string, members: object])[] = [
  ['INVALID_PARAMETER', {}],
  ['INVALID_PARAMETER', { enabled: 'true' }],
  ['INVALID_PARAMETER', { enabled: 1 }],
  ['INVALID_PARAMETER', { enabled: null }],
  ['INVALID_PARAMETER', { enabled: true, symbols: 'BTCUSDT' }],
  ['INVALID_PARAMETER', { enabled: true, symbols: [] }],
  ['INVALID_PARAMETER', { enabled: true, symbols: null }],
  ['INVALID_PARAMETER', { enabled: false, symbols: ['BTCUSDT'] }],
  ['INVALID_PARAMETER', { enabled: true, symbol: 'BTCUSDT' }],
  ['INVALID_PARAMETER', { enabled: true, account: 3 }],
  ['INVALID_PARAMETER', { enabled: true, symbols: Array(armedMarketsMax + 1).fill('BTCUSDT') }],
  ['INVALID_MARKET', { enabled: true, symbols: ['BTCUSDT', 'NOPEUSDT'] }],
  ['INVALID_MARKET', { enabled: true, symbols: [7] }],
  ['INVALID_MARKET', { enabled: true, symbols: ['x'.repeat(30_000)] }],
];

test.each(malformed)('COD-7 %s: what is malformed arms nothing, case %#', async (code, members) => {
  await login();
  reader.say({ type: request, ...members });
  commit();
  expect(reader.take()).toMatchObject([{ type: 'error', code, request }]);
  expect(armedNow()).toBe(0);
  expect(reader.closed()).toBeUndefined();
});

test('COD-7 INVALID_TOKEN: without a token, or with one that has expired, nothing is armed', async () => {
  const failure = { type: 'error', code: 'INVALID_TOKEN', request };
  reader.say({ type: request, enabled: true });
  expect(reader.take()).toMatchObject([failure]);
  await login(reader, `${owner}/1000`);
  world.clock.advance(1000);
  reader.say({ type: request, enabled: true });
  expect(reader.take()).toMatchObject([failure]);
  expect(armedNow()).toBe(0);
});

test('COD-3 COD-7 LIMIT_REACHED, TOO_MANY_REQUESTS: bounds of connections and of requests', async () => {
  const readers = Array.from({ length: armedPerAccountMax }, () => world.connect());
  for (const each of readers) await arm(each);
  await login();
  const ask = (): unknown => {
    reader.say({ type: request, enabled: true });
    commit();
    return reader.take()[0];
  };
  expect(ask()).toMatchObject({ type: 'error', code: 'LIMIT_REACHED', request });
  // A connection that was refused is not armed, and its end is no command.
  const { position } = world.state;
  reader.session.onClose();
  commit();
  expect(world.state.position).toBe(position);
  // Each request weighs five of the 1,200 of a minute.
  reader = world.connect();
  await login();
  let asked = armedPerAccountMax + 1;
  while ((ask() as { code: string }).code === 'LIMIT_REACHED') {
    asked += 1;
    world.clock.advance(100);
  }
  expect(asked).toBe(240);
  expect(ask()).toMatchObject({ code: 'TOO_MANY_REQUESTS', request });
});

test('COD-7 a repeated disarming is answered when the first one is durable', async () => {
  await arm();
  reader.say({ type: request, enabled: false });
  world.turn();
  reader.say({ type: request, enabled: false });
  expect(reader.take()).toEqual([]);
  world.log.sync();
  const done = { type: request, enabled: false };
  expect(reader.take()).toEqual([done, done]);
});

test('COD-3 COD-7 of several requests in one batch the last that succeeds counts', async () => {
  const readers = Array.from({ length: armedPerAccountMax - 1 }, () => world.connect());
  for (const each of readers) await arm(each);
  await arm();
  rest(owner);
  reader.say({ type: request, enabled: false });
  reader.say({ type: request, enabled: true, symbols: ['ETHUSDT'] });
  reader.say({ type: request, enabled: true });
  commit();
  expect(armedNow()).toBe(armedPerAccountMax);
  // Both are refused: it is not armed, and its end is no command.
  const another = world.connect();
  await login(another);
  for (let i = 0; i < 2; i += 1) another.say({ type: request, enabled: true });
  commit();
  expect(another.take()).toMatchObject([{ code: 'LIMIT_REACHED' }, { code: 'LIMIT_REACHED' }]);
  const { position } = world.state;
  another.session.onClose();
  commit();
  expect(world.state.position).toBe(position);
  expect(openOrders()).toBe(1);
  reader.session.onClose();
  commit();
  expect(openOrders()).toBe(0);
});

test('COD-4 the end of the socket ends the orders at once, without an answer of its peer', async () => {
  await arm();
  rest(owner, owner);
  reader.session.onClose();
  commit();
  expect(openOrders()).toBe(0);
  expect(armedNow()).toBe(0);
});

const closings: readonly (readonly [name: string, close: () => void])[] = [
  [
    'too many messages',
    () => {
      for (let i = 0; i < 120; i += 1) reader.say({ type: 'ping' });
    },
  ],
  ['a frame that is not text', () => reader.session.onBinary()],
  [
    'a reader that is too slow',
    () => {
      reader.stall();
      reader.say({ type: 'subscribe', channel: 'depth:BTCUSDT' });
      for (let i = 0; i < 90; i += 1) reader.sayText(`{"type":"ping"}`);
    },
  ],
  [
    'silence',
    () => {
      pass(60_000);
    },
  ],
  ['the end of the exchange', () => world.streams.close()],
];

test.each(closings)(
  'COD-4 a connection that the exchange closes ends the orders too: %s',
  async (name, close) => {
    if (name === 'a reader that is too slow') {
      world = openStreamWorld({ bounds: { backlogBytesMax: 600 } });
      world.open();
      reader = world.connect();
    }
    await arm();
    rest(owner);
    close();
    expect(reader.closed()).toBeDefined();
    commit();
    expect(openOrders()).toBe(0);
  },
);

test('COD-4 an armed connection is pinged often, and a peer that answers stays', async () => {
  // It was silent, as far as the usual pings show, for longer than an armed one may be.
  rest(owner);
  pass(120_000);
  await arm();
  for (let passed = 0; passed < 300_000; passed += 5000) {
    const before = reader.pings();
    world.pass(5000);
    if (reader.pings() > before) reader.session.onPong();
  }
  expect(reader.closed()).toBeUndefined();
  expect(reader.pings()).toBeGreaterThan(20);
  expect(openOrders()).toBe(1);
  // Then it vanishes without a word.
  pass(40_000);
  expect(reader.closed()).toBe(1008);
  commit();
  expect(openOrders()).toBe(0);
});

test('COD-4 an exchange that stood still, or whose clock has jumped, ends nothing', async () => {
  await arm();
  rest(owner);
  for (const jump of [60_000, 86_000_000, -3_600_000]) {
    world.pass(jump);
    commit();
    expect([reader.closed(), openOrders()]).toEqual([undefined, 1]);
    // The peer was there all the time, and answers.
    reader.session.onPong();
    pass(20_000);
    reader.session.onPong();
  }
  pass(35_000);
  expect(reader.closed()).toBe(1008);
  commit();
  expect(openOrders()).toBe(0);
});

test('COD-4 AUTH-11 what the login has armed ends with its session, without any channel', async () => {
  const other = world.connect();
  world.run({
    kind: 'login',
    address: world.state.exchange.accounts[owner]!.address,
    nonce: 'n',
    expiresAt: (world.clock.now() + 60_000) as never,
  });
  const [session] = world.state.exchange.accounts[owner]!.sessions;
  await login(reader, `${owner}/86400000/${session!.id}`);
  reader.say({ type: request, enabled: true });
  await arm(other);
  rest(owner);
  world.run({ kind: 'endSessions', account: owner, session, kept: 0 as OrderId });
  commit();
  expect(openOrders()).toBe(0);
  // It learns it, although it reads no channel. The other one has another login.
  expect(reader.take().at(-1)).toMatchObject({ type: 'error', code: 'INVALID_TOKEN', request });
  expect(other.take()).toEqual([]);
  expect(armedNow()).toBe(1);
  expect(reader.closed()).toBeUndefined();
});

test('COD-4 a token that expires, and a token of another account, end what was armed', async () => {
  await login(reader, `${owner}/60000`);
  reader.say({ type: request, enabled: true });
  commit();
  reader.take();
  rest(owner);
  // A renewed token of the account keeps it.
  await login(reader, `${owner}/120000`);
  for (let passed = 0; passed < 100_000; passed += 5000) {
    world.pass(5000);
    reader.session.onPong();
  }
  commit();
  expect(openOrders()).toBe(1);
  reader.take();
  await login(reader, '4');
  commit();
  expect(openOrders()).toBe(0);
  reader.say({ type: request, enabled: true });
  commit();
  rest(4 as AccountId, owner);
  pass(86_400_000, 20_000_000);
  commit();
  expect(reader.take().filter(({ type }) => type === 'error')).toMatchObject([
    { code: 'INVALID_TOKEN', request },
  ]);
  expect(openOrders(4 as AccountId)).toBe(0);
  expect(openOrders()).toBe(1);
});

test('COD-5 the end comes behind what was sent before it, and before what comes after it', async () => {
  await arm();
  world.send('before', bid(owner));
  reader.session.onClose();
  world.send('after', bid(owner));
  commit();
  expect(openOrders()).toBe(1);
  const [left] = directValues(world.state.exchange.orders);
  expect(left!.id).toBe(world.state.exchange.sequence);
});

test('COD-5 a connection that ends before it was armed is armed and ended', async () => {
  await login();
  rest(owner);
  reader.say({ type: request, enabled: true });
  reader.session.onClose();
  commit();
  expect(openOrders()).toBe(0);
  expect(armedNow()).toBe(0);
});

test('COD-4 no end is lost when the log takes no command, or too late', async () => {
  await arm();
  rest(owner);
  // The lane is full while the log is busy.
  world.apply(bid(owner), bid(owner));
  for (let i = 0; i < 4; i += 1) world.apply(bid(owner));
  for (let i = world.replica.waiting(); i < defaultReplicaBounds.reserveLaneMax; i += 1) {
    world.replica.submit(
      { kind: 'cancelAllOrders', account: 1 as AccountId, market: undefined },
      'reserve',
      { capture: () => {}, release: () => {} },
    );
  }
  expect(world.replica.waiting()).toBe(defaultReplicaBounds.reserveLaneMax);
  reader.session.onClose();
  expect(world.replica.waiting()).toBe(defaultReplicaBounds.reserveLaneMax);
  world.pass(25);
  for (let i = 0; i < 8; i += 1) commit();
  expect(openOrders()).toBeGreaterThan(0);
  world.pass(25);
  for (let i = 0; i < 8; i += 1) commit();
  expect(openOrders()).toBe(0);

  // It waits for longer than its deadline.
  const another = world.connect();
  await arm(another);
  rest(owner);
  for (let i = 0; i < 4; i += 1) world.apply(bid(owner));
  another.session.onClose();
  world.clock.advance(6000);
  for (let i = 0; i < 8; i += 1) commit();
  expect(openOrders()).toBeGreaterThan(0);
  world.pass(25);
  for (let i = 0; i < 8; i += 1) commit();
  expect(openOrders()).toBe(0);
});

test('COD-5 thousands of ends at one moment take a few places of the log', async () => {
  const readers = Array.from({ length: 3000 }, () => world.connect());
  const { exchange } = world.state;
  // Eight for each account.
  const accounts = [2, 4, 6, 8] as AccountId[];
  for (const [index, account] of accounts.entries()) {
    for (const each of readers.slice(index * 8, index * 8 + 8)) {
      await login(each, `${account}`);
      each.say({ type: request, enabled: true });
    }
  }
  commit();
  expect(exchange.connections.armed.size).toBe(32);
  const before = world.replica.waiting();
  for (const each of readers) each.session.onClose();
  expect(world.replica.waiting() - before).toBe(32);
  commit();
  expect(exchange.connections.armed.size).toBe(0);
});

test('COD-6 a start ends what the log shows as armed, durably, and a start without any writes nothing', async () => {
  // By the process before.
  world.run({ kind: 'armConnection', account: owner, connection: 77, markets: [] });
  rest(owner);
  const reported: string[] = [];
  const report = (message: string): void => void reported.push(message);
  const ended = endFormerConnections(world.replica, report);
  world.turn();
  expect(openOrders()).toBe(0);
  let resolved = false;
  const done = ended.then(() => {
    resolved = true;
  });
  await settle();
  expect(resolved).toBe(false);
  world.log.sync();
  await done;
  expect(reported).toEqual(['1 armed connections of the process before have ended']);
  const { position } = world.state;
  await endFormerConnections(world.replica, report);
  expect(reported).toHaveLength(1);
  commit();
  expect(world.state.position).toBe(position);
});
