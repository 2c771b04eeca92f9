// Streams over real sockets: which requests become sockets, what a hostile peer may do, and how
// many sockets an address may open (WS-1, WS-4, WS-5). The messages are tested in test/streams.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createAccessTokens } from '../../src/gateway/identity/accessToken.ts';
import {
  countInMinute,
  recordOf,
  socketMessagesMax,
  socketsPerAddressMax,
  usedInMinute,
} from '../../src/gateway/rateLimits.ts';
import { createSocketCounts } from '../../src/gateway/sockets/socketCounts.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { openWorld, type Trader, type World } from './gatewayWorld.ts';
import { openSocketClient, type SocketClient } from './openSocketClient.ts';

let world: World;
let port: number;
let ticking: NodeJS.Timeout;

beforeEach(async () => {
  world = await openWorld();
  port = await world.listen();
  ticking = setInterval(world.gateway.streams.tick, 5);
});
afterEach(async () => {
  clearInterval(ticking);
  world.gateway.streams.close();
  expect(world.faults).toEqual([]);
  await world.close();
});

const open = (
  headers: Readonly<Record<string, string>> = {},
  path = '/ws',
): Promise<SocketClient> => openSocketClient(port, path, headers);

const key = 'dGhlIHNhbXBsZSBub25jZQ==';
const upgradeText = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n${headers}\r\n`;

/** Everything that the server sends until it closes. */
async function talk(...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  const closed = once(socket, 'close');
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await closed;
  return heard;
}

/** A frame as a client sends it, masked with zeros. */
function frame(first: number, payload: Buffer | string, length?: number): Buffer {
  const bytes = Buffer.from(payload);
  const said = length ?? bytes.length;
  const head = said < 126 ? Buffer.from([first, 0x80 | said]) : Buffer.alloc(10);
  if (said >= 126) {
    head[0] = first;
    head[1] = 0xff;
    head.writeBigUInt64BE(BigInt(said), 2);
  }
  return Buffer.concat([head, Buffer.alloc(4), bytes]);
}

/** The code of the close frame at the end of the received bytes. */
function closeCode(heard: string): number | undefined {
  const bytes = Buffer.from(heard.slice(heard.indexOf('\r\n\r\n') + 4), 'latin1');
  const at = bytes.indexOf(0x88);
  return at < 0 ? undefined : bytes.readUInt16BE(at + 2);
}

test('WS-1 a socket at /ws: subscribe, snapshot, updates', async () => {
  const client = await open();
  client.say({ type: 'subscribe', channel: 'ticker:BTCUSDT' });
  expect(await client.next()).toEqual({ type: 'subscribed', channel: 'ticker:BTCUSDT' });
  expect(await client.next()).toMatchObject({ type: 'ticker', mark_price: '60000.0' });
  client.say({ type: 'subscribe', channel: 'depth:ETH-USD' });
  expect(await client.next('depth')).toMatchObject({ snapshot: true, symbol: 'ETHUSDT' });
  const trader = await world.newTrader();
  const order = { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '5900' };
  await world.call(trader, 'POST', '/fapi/v1/order', order);
  expect(await client.next('depth')).toMatchObject({ bids: [['5900.00', '1.00']] });
  client.socket.close();
  expect(await client.closed).toBe(1005);
});

test('WS-2 the account of a token of a login, and of no other token', async () => {
  const { account, address } = await world.newTrader();
  const { token } = await world.gateway.tokens.issue({ address, account }, world.clock.now());
  const client = await open();
  client.say({ type: 'auth', token: `${token}x` });
  client.say({ type: 'subscribe', channel: 'account' });
  client.say({ type: 'auth', token });
  client.say({ type: 'subscribe', channel: 'account' });
  expect(await client.next()).toMatchObject({ code: 'INVALID_TOKEN' });
  expect(await client.next()).toMatchObject({ code: 'INVALID_TOKEN', channel: 'account' });
  expect(await client.next()).toMatchObject({ type: 'authenticated', address });
  expect(await client.next()).toEqual({ type: 'subscribed', channel: 'account' });
  const snapshot = await client.next();
  expect(snapshot).toMatchObject({ type: 'account', balances: [{ balance: '100000' }] });
  // A token is invalid if its number belongs to another account by now.
  const stale = await world.gateway.tokens.issue(
    { address: `0x${'9'.repeat(40)}`, account },
    world.clock.now(),
  );
  client.say({ type: 'auth', token: stale.token });
  expect(await client.next()).toMatchObject({ code: 'INVALID_TOKEN' });
  client.socket.close();
});

test.each<[string, (holder: Holder) => Promise<{ readonly token: string }>]>([
  ['has expired', (holder) => issue(holder, -86_400_001)],
  [
    'another deployment has signed',
    (holder) => foreign('another secret of 32 bytes and more!', holder),
  ],
  ['is for another chain', (holder) => foreign('a secret of the tests, 32 bytes and more', holder)],
  ['is no token', async () => ({ token: 'a.b.c' })],
  ['is of 30,000 characters', async () => ({ token: 'a'.repeat(30_000) })],
])('WS-1 INVALID_TOKEN: a token that %s', async (_name, make) => {
  const { account, address } = await world.newTrader();
  const { token } = await make({ account, address });
  const client = await open();
  client.say({ type: 'auth', token });
  client.say({ type: 'subscribe', channel: 'account' });
  expect(await client.next()).toMatchObject({ type: 'error', code: 'INVALID_TOKEN' });
  expect(await client.next()).toMatchObject({ code: 'INVALID_TOKEN', channel: 'account' });
  client.socket.close();
});

type Holder = Pick<Trader, 'account' | 'address'>;

const issue = (holder: Holder, ageMs: number) =>
  world.gateway.tokens.issue(holder, world.clock.now() + ageMs);
const foreign = (secret: string, holder: Holder) =>
  createAccessTokens(secret, 43114).issue(holder, world.clock.now());

test.each([
  ['an unknown listen key', async () => 'A'.repeat(64)],
  ['one that was closed', async (trader: Trader) => closedKey(trader)],
])('WS-3 %s in the address closes with 1008', async (_name, keyOf) => {
  const key = await keyOf(await world.newTrader());
  const client = await open({}, `/ws/${key}`);
  expect(await client.closed).toBe(1008);
});

async function closedKey(trader: Trader): Promise<string> {
  const { listenKey } = (await world.call(trader, 'POST', '/fapi/v1/listenKey')).body;
  await world.call(trader, 'DELETE', '/fapi/v1/listenKey');
  return listenKey;
}

test('WS-5 of ten thousand subscriptions 100 are read, and the reader is closed', async () => {
  const client = await open();
  for (let i = 0; i < 10_000; i += 1) {
    client.say({ type: 'subscribe', channel: `candles:BTCUSDT:${['1m', '5m', '1h'][i % 3]}` });
  }
  expect(await client.closed).toBe(1008);
  expect(world.gateway.streams.figures().subscriptions).toBe(0);
});

test.each(['/ws', '/stream', '/ws-fapi/v1'])(
  'WS-5 100 pings at once are answered, and one more closes %s with 1008',
  async (path) => {
    const { socket, closed } = await open({}, path);
    let pongs = 0;
    socket.on('pong', () => {
      pongs += 1;
    });
    for (let i = 0; i < 101; i += 1) socket.ping();
    expect(await closed).toBe(1008);
    expect(pongs).toBeGreaterThanOrEqual(100);
  },
);

test.each([['/ws'], ['/stream'], ['/ws-fapi/v1']])(
  'WS-5 after the server has closed %s it reads almost nothing more from its peer',
  async (path) => {
    const served = once(world.app.server, 'connection');
    const peer = connect({ port, host: '127.0.0.1' });
    peer.on('error', () => {});
    peer.write(upgradeText(path));
    await once(peer, 'data');
    const [stream] = (await served) as [Socket];
    const closed = once(stream, 'close');
    const ping = frame(0x89, '');
    const pings = Buffer.alloc(1_000_000 * ping.length, ping);
    peer.resume().write(pings);
    await closed;
    expect(stream.bytesRead).toBeLessThan(pings.length / 4);
  },
);

test('WS-5 of ten thousand names in few messages unknown streams are ignored', async () => {
  const client = await open({}, '/public/ws');
  for (let i = 0; i < 10; i += 1) {
    const params = Array.from({ length: 1000 }, (_, n) => `x${i * 1000 + n}usdt@depth`);
    client.say({ method: 'SUBSCRIBE', params: [...params, 'btcusdt@depth'], id: i });
  }
  for (let i = 0; i < 10; i += 1) expect(await client.next()).toEqual({ result: null, id: i });
  client.say({ method: 'LIST_SUBSCRIPTIONS', id: 10 });
  expect(await client.next()).toEqual({ result: ['btcusdt@depth'], id: 10 });
  client.socket.close();
});

test('WS-4 a half-open peer that answers no ping is closed after ten minutes', async () => {
  // The tests before have let time pass without a look: the next one counts everything anew.
  world.gateway.streams.tick();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { autoPong: false });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  let pings = 0;
  socket.on('ping', () => {
    pings += 1;
  });
  await once(socket, 'open');
  // The exchange looks every five seconds.
  for (let passed = 0; passed < 600_000; passed += 5000) {
    world.clock.advance(5000);
    world.gateway.streams.tick();
  }
  expect(await closed).toBe(1008);
  expect(pings).toBe(3);
});

test.each([
  ['/wsx', 404, 'NOT_FOUND'],
  ['/fapi/v1/ping', 404, 'NOT_FOUND'],
  ['/', 404, 'NOT_FOUND'],
])('a socket at %s is refused with %i', async (path, status, code) => {
  const heard = await talk(upgradeText(path));
  expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(heard).toContain(`"code":"${code}"`);
});

test('a request for another protocol is served as plain HTTP', async () => {
  const heard = await talk(
    'GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n' +
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
  );
  expect(heard).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request for a socket without its key is refused', async () => {
  const heard = await talk(upgradeText('/ws').replace(/Sec-WebSocket-Key.*\r\n/, ''));
  expect(heard).toMatch(/^HTTP\/1\.1 400 /);
});

const ping = '{"type":"ping"}';

test.each<[string, readonly Buffer[], number]>([
  ['a binary frame', [frame(0x82, ping)], 1003],
  ['a frame of a megabyte, announced', [frame(0x81, '{', 1024 * 1024)], 1009],
  ['a frame of 2^60 bytes, announced', [frame(0x81, '{', 2 ** 60)], 1009],
  [
    'a message of pieces that is too long',
    [frame(0x01, Buffer.alloc(20_000, 32)), frame(0x80, Buffer.alloc(20_000, 32))],
    1009,
  ],
  [
    'a message of very many pieces',
    [frame(0x01, '{'), ...Array.from({ length: 70 }, () => frame(0x00, ' '))],
    1008,
  ],
  ['a frame without a mask', [Buffer.from([0x81, 0x02, 0x7b, 0x7d])], 1002],
  ['an unknown opcode', [frame(0x83, ping)], 1002],
  ['reserved bits', [frame(0xc1, ping)], 1002],
  ['a piece of nothing', [frame(0x80, ping)], 1002],
  ['a ping of 126 bytes', [frame(0x89, Buffer.alloc(126))], 1002],
  ['text that is no UTF-8', [frame(0x81, Buffer.from([0xff, 0xfe]))], 1007],
  ['a close code that does not exist', [frame(0x88, Buffer.from([0x03, 0xed]))], 1002],
])('WS-5 %s closes with its code', async (_name, frames, code) => {
  const heard = await talk(upgradeText('/ws'), ...frames);
  expect(heard).toMatch(/^HTTP\/1\.1 101 /);
  expect(closeCode(heard)).toBe(code);
  // The next client is served.
  const client = await open();
  client.say({ type: 'ping' });
  expect(await client.next()).toEqual({ type: 'pong' });
  client.socket.close();
});

test('a message in pieces with a ping between them is read', async () => {
  const parts = [frame(0x01, '{"type":'), frame(0x89, 'x'), frame(0x80, '"ping"}')];
  const goodbye = frame(0x88, '');
  const heard = await talk(upgradeText('/ws'), Buffer.concat(parts), goodbye);
  expect(heard).toContain('{"type":"pong"}');
});

test('a peer that disconnects in the middle of a frame causes no fault', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(upgradeText('/ws'));
  await once(socket, 'data');
  socket.write(frame(0x81, '{"type":', 100));
  socket.destroy();
  await once(socket, 'close');
  const before = performance.now();
  while (world.gateway.streams.figures().readers > 0 && performance.now() - before < 600_000) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(world.gateway.streams.figures().readers).toBe(0);
});

test('WS-4 a client that does not read is closed once it is 4 MiB behind', async () => {
  const slow = await open();
  const quick = await open();
  for (const each of [slow, quick]) {
    each.say({ type: 'subscribe', channel: 'trades:BTCUSDT' });
    await each.next('trade');
  }
  const gone = slow.closed;
  slow.socket.pause();
  const [maker, taker] = [await world.newTrader(1e9), await world.newTrader(1e9)];
  const terms = { market: 0, ticks: 600_000 };
  let trades = 0;
  while (world.gateway.streams.figures().readers === 2 && trades < 100_000) {
    const orders = [
      orderCommand({ ...terms, account: maker.account, side: 1, lots: 100 }),
      ...Array.from({ length: 100 }, () =>
        orderCommand({ ...terms, account: taker.account, side: -1, lots: 1 }),
      ),
    ];
    await Promise.all(orders.map((order) => world.command(order)));
    trades += 100;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(trades).toBeLessThan(100_000);
  slow.socket.resume();
  expect(await gone).toBe(1006);
  let heard = 0;
  while (heard < trades) heard += (await quick.next('trade')).trades.length;
  expect(heard).toBe(trades);
  quick.socket.close();
});

test('WS-5 the simultaneous sockets of an address are bounded, and another address has its own bound', async () => {
  const counts = world.gateway.limits.ceilings.sockets;
  expect(counts).toEqual({ perAddress: socketsPerAddressMax, all: 10_000 });
  const few = await openWorld({ gateway: { socketCeilings: { perAddress: 2, all: 3 } } });
  const mine = port;
  port = await few.listen();
  try {
    const [first] = [await open(), await open()];
    const refused = await talk(upgradeText('/ws'));
    expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests/);
    expect(refused).toContain('"code":"TOO_MANY_REQUESTS"');
    // Loopback is a trusted proxy here (AUTH-1).
    await open({ 'x-forwarded-for': '192.0.2.7' });
    // All three are taken: the address with two of them gives way, with its older one.
    const third = await open({ 'x-forwarded-for': '192.0.2.8' });
    await first!.closed;
    expect(await talk(upgradeText('/ws'))).toMatch(/^HTTP\/1\.1 429 /);
    third.socket.close();
    await third.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    await open();
    few.gateway.streams.close();
  } finally {
    port = mine;
    await few.close();
  }
});

test('when the exchange stops, sockets are closed with 1001', async () => {
  const client = await open();
  world.gateway.streams.close();
  expect(await client.closed).toBe(1001);
});

test.each([
  ['another method', upgradeText('/ws').replace('GET', 'POST')],
  ['another version', upgradeText('/ws').replace('13', '99')],
  ['no key', upgradeText('/ws').replace(key, '')],
  ['a list of protocols that is none', upgradeText('/ws', 'Sec-WebSocket-Protocol: ,\r\n')],
])('a handshake that is none is refused as every request: %s', async (_what, text) => {
  const heard = await talk(text);
  expect(heard).toMatch(/^HTTP\/1\.1 400 /);
  expect(heard).toContain('Sec-WebSocket-Version: 13');
  const body = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4));
  expect(body).toMatchObject({ success: false, error: { code: 'INVALID_PARAMETER' } });
});

test.each([
  ['a refused handshake with bytes behind it', `${upgradeText('/nothing')}more`],
  ['nonsense', 'NONSENSE\r\n\r\n'],
])('%s does not keep its socket, whose peer keeps its side open', async (_what, text) => {
  const { server } = world.app;
  const served = once(server, 'connection');
  const peer = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  peer.on('error', () => {});
  peer.resume().write(text);
  const [socket] = await served;
  await once(peer, 'end');
  if (!socket.destroyed) await once(socket, 'close');
  peer.destroy();
});

test('WS-5 a long text counts as several messages, and a list of names is bounded', async () => {
  const names = (size: number, name: string) => Array<string>(size).fill(name);
  const listing = await open({}, '/stream');
  listing.say({ method: 'SUBSCRIBE', params: names(1025, 'a'), id: 1 });
  expect(await listing.next()).toMatchObject({ code: 2, id: 1 });
  listing.say({ method: 'SUBSCRIBE', params: names(1024, 'btcusdt@trade'), id: 2 });
  expect(await listing.next()).toEqual({ result: null, id: 2 });
  // 100 messages at once are 204,800 characters: the seventh text of 32 KB is too much.
  const talking = await open({}, '/stream');
  for (let i = 0; i < 7; i += 1) {
    talking.say({ method: 'SUBSCRIBE', params: ['x'.repeat(32_000)], id: i });
  }
  expect(await talking.closed).toBe(1008);
});

test('WS-5 all sockets of an address share a limit of messages, and another address has its own', async () => {
  const { limits } = world.gateway;
  const now = world.clock.now();
  const mine = { 'x-forwarded-for': '192.0.2.7' };
  const { messages } = recordOf(limits.addresses, '192.0.2.7', now);
  countInMinute(messages, socketMessagesMax - 5, now);
  const [first, second] = [await open(mine), await open(mine)];
  // Pings count, too, and a text of 4,096 characters is two messages.
  first.socket.ping();
  first.say({ type: 'ping' });
  expect(await first.next()).toEqual({ type: 'pong' });
  second.say({ type: 'ping', more: 'x'.repeat(4000) });
  expect(await second.next()).toEqual({ type: 'pong' });
  first.say({ type: 'ping' });
  expect(await first.next()).toEqual({ type: 'pong' });
  expect(usedInMinute(messages, now)).toBe(socketMessagesMax);
  second.say({ type: 'ping' });
  expect(await second.closed).toBe(1008);
  first.socket.ping();
  expect(await first.closed).toBe(1008);
  const other = await open({ 'x-forwarded-for': '192.0.2.8' });
  other.say({ type: 'ping' });
  expect(await other.next()).toEqual({ type: 'pong' });
  world.clock.advance(60_000);
  const later = await open(mine);
  later.say({ type: 'ping' });
  expect(await later.next()).toEqual({ type: 'pong' });
});

test('WS-5 the /64s of one IPv6 /48 have four shares of an address together', () => {
  const counts = createSocketCounts({ perAddress: 2, all: 100 });
  const opened: PassThrough[] = [];
  const open = (client: string): boolean => {
    const stream = new PassThrough();
    opened.push(stream);
    return counts.take(client, stream);
  };
  const networks = ['0', '1', '2', '3', '4'].map((group) => `2001:db8:1:${group}::/64`);
  const full = [true, true, false];
  expect(networks.map((client) => [open(client), open(client), open(client)])).toEqual([
    full,
    full,
    full,
    full,
    [false, false, false],
  ]);
  expect(open('2001:db8:2:0::/64')).toBe(true);
  opened[0]!.emit('close');
  expect([open(networks[4]!), open(networks[4]!)]).toEqual([true, false]);
});

test('WS-5 when all sockets are taken, one of the site with the most gives way', () => {
  const counts = createSocketCounts({ perAddress: 4, all: 12 });
  const open = (client: string) => {
    const stream = new PassThrough();
    return { stream, client, isOpen: () => !stream.destroyed, taken: counts.take(client, stream) };
  };
  const desk = Array.from({ length: 4 }, () => open('192.0.2.1'));
  const crowd = Array.from({ length: 8 }, (_, at) => open(`2001:db8:1:${at.toString(16)}::/64`));
  expect([...desk, ...crowd].every(({ taken }) => taken)).toBe(true);
  // The eight networks of one /48 have one socket each; the desk has four of one address.
  expect(open('198.51.100.7').taken).toBe(true);
  expect(desk.every(({ isOpen }) => isOpen())).toBe(true);
  expect(crowd.map(({ isOpen }) => isOpen())).toEqual([false, ...crowd.slice(1).map(() => true)]);
  // One more of the site with the most takes the place of another of its own.
  expect(open('2001:db8:1:0::/64').taken).toBe(true);
  expect(crowd.map(({ isOpen }) => isOpen()).slice(0, 3)).toEqual([false, false, true]);
  expect(desk.every(({ isOpen }) => isOpen())).toBe(true);
});

test('WS-5 when all sockets are taken, a client with the most is refused and closes none', () => {
  const counts = createSocketCounts({ perAddress: 4, all: 3 });
  const streams = Array.from({ length: 3 }, () => new PassThrough());
  const open = (client: string, stream: PassThrough): boolean => counts.take(client, stream);
  expect(streams.map((stream) => open('192.0.2.1', stream))).toEqual([true, true, true]);
  expect(open('192.0.2.1', new PassThrough())).toBe(false);
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  expect(open('192.0.2.2', new PassThrough())).toBe(true);
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
});

test('WS-5 AUTH-10 a request for a socket is counted before its address is read', async () => {
  const { limits } = world.gateway;
  const { native } = recordOf(limits.addresses, '127.0.0.1', world.clock.now());
  const ask = async (path: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await once(socket, 'close');
    return heard;
  };
  const many = `/stream?streams=${'a/'.repeat(2000)}`;
  expect(await ask(many)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await ask(`/stream?${'a&'.repeat(2000)}`)).toMatch(/^HTTP\/1\.1 404 /);
  native.used = limits.ceilings.nativeAddress;
  expect(await ask(many)).toMatch(/^HTTP\/1\.1 429 /);
  expect(native.used).toBe(limits.ceilings.nativeAddress);
});
