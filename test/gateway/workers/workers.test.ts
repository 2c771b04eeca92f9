// Gateway workers can fail, be slow, and must end: limits that count across workers, the death of a
// worker, sockets through workers, and the drain at a stop.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { publicOperations } from '../../../src/api/operations.ts';
import { checkWorkers } from '../../../src/bin/listenToClients.ts';
import { sizesOf } from '../../../src/engine/views/exchange.ts';
import { recordOf } from '../../../src/gateway/rateLimits.ts';
import { openSocketGate } from '../../../src/gateway/workers/openSocketGate.ts';
import {
  type GatewayWorkers,
  startGatewayWorkers,
} from '../../../src/gateway/workers/startGatewayWorkers.ts';
import { startTestWorkers } from '../../fixtures/listenWithWorkers.ts';
import { openWorld, signatureOf, type Trader, type World } from '../gatewayWorld.ts';
import { exchangeOnce, type Line, openLine, rawText } from './rawExchange.ts';

let world: World;
let workers: GatewayWorkers;
let port: number;

async function open(options: Parameters<typeof openWorld>[0] = {}, count = 2): Promise<void> {
  world = await openWorld(options);
  const { app, gateway } = world;
  workers = await startTestWorkers({ app, gateway, rows: publicOperations }, count);
  port = workers.address.port;
}

afterEach(async () => {
  world.gateway.streams.close();
  expect(world.faults).toEqual([]);
  await world.close();
});

const patienceMs = 600_000;
const ping = rawText({ method: 'GET', target: '/fapi/v1/ping' });

function orderText(trader: Trader, name: string): string {
  const body = JSON.stringify({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.01',
    price: '50000',
    newClientOrderId: name,
  });
  const query = `timestamp=${world.clock.now()}`;
  const target = `/fapi/v1/order?${query}&signature=${signatureOf(trader, query + body)}`;
  const headers = { 'X-MBX-APIKEY': trader.apiKey };
  return rawText({ method: 'POST', target, headers, body });
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > patienceMs) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Orders that the serving thread has taken, applied or about to be. */
const submitted = (): number => sizesOf(world.replica.exchange).orders + world.replica.waiting();

/** This many connections; the kernel shares them among the workers. */
async function openLines(count: number): Promise<Line[]> {
  return Promise.all(Array.from({ length: count }, () => openLine(port)));
}

test('AUTH-7 limits count across workers: forty connections use one bucket', async () => {
  await open();
  const lines = await openLines(40);
  const weights: number[] = [];
  for (const { send, next } of lines) {
    send(ping);
    weights.push(Number(/USED-WEIGHT-1M: (\d+)/.exec(await next())?.[1]));
  }
  expect(weights).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  for (const { socket } of lines) socket.destroy();
});

test('a worker that dies loses only its own connections, and a new worker replaces it', async () => {
  await open();
  const trader = await world.newTrader();
  const lines = await openLines(24);
  for (const { send, next } of lines) {
    send(ping);
    await next();
  }
  // Applied and not durable: no answer has left.
  world.log.hold();
  for (const [i, { send }] of lines.entries()) send(orderText(trader, `o${i}`));
  await until(() => submitted() === 24);
  expect(workers.figures()).toEqual({ running: 2, ended: 0 });
  const [victim] = workers.threads();
  await victim!.terminate();
  world.log.release();
  const heard = await Promise.all(lines.map(({ next }) => next()));
  const answered = heard.filter((text) => text.startsWith('HTTP/1.1 200'));
  expect(heard.filter((text) => text !== '')).toEqual(answered);
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.length).toBeLessThan(24);
  for (const text of answered) expect(text).toContain('"clientOrderId":"o');
  // Commands in the log stay, answered or not.
  expect(sizesOf(world.replica.exchange).orders).toBe(24);
  await until(() => workers.threads().length === 2);
  await until(async () => (await exchangeOnce(port, ping)).startsWith('HTTP/1.1 200'));
  // The worker listens again, and the end of the second one has no other effect, too.
  const [, second] = workers.threads();
  await second!.terminate();
  await until(async () => (await exchangeOnce(port, ping)).startsWith('HTTP/1.1 200'));
  await until(() => workers.figures().running === 2);
  expect(workers.figures().ended).toBe(2);
  for (const { socket } of lines) socket.destroy();
});

test('CON-1 refusals of all workers are added up and stay when a worker ends', async () => {
  world = await openWorld();
  const { app, gateway } = world;
  const served = { app, gateway, rows: publicOperations };
  // One for each of the two workers.
  workers = await startTestWorkers(served, 2, { perAddress: 2 });
  const { port: bound } = workers.address;
  const lines = Array.from({ length: 20 }, () =>
    connect({ port: bound, host: '127.0.0.1', localAddress: '127.0.0.9' }).on('error', () => {}),
  );
  const alive = (): number => lines.filter(({ closed }) => !closed).length;
  await until(() => alive() <= 2 && workers.connections().refused.address === 20 - alive());
  const { refused } = workers.connections();
  expect(refused).toMatchObject({ site: 0, all: 0 });
  const [one] = workers.threads();
  await one!.terminate();
  await until(() => workers.figures().ended === 1 && workers.figures().running === 2);
  expect(workers.connections().refused).toEqual(refused);
  for (const line of lines) line.destroy();
});

test('without any worker requests fail at once, and later they are served as before', async () => {
  await open({}, 1);
  const [only] = workers.threads();
  await only!.terminate();
  const refused = connect(port, '127.0.0.1');
  const [error] = await once(refused, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  await until(() =>
    exchangeOnce(port, ping).then(
      (text) => text.startsWith('HTTP/1.1 200'),
      () => false,
    ),
  );
});

test('a stop answers received requests and accepts no new ones', async () => {
  await open();
  const trader = await world.newTrader();
  const lines = await openLines(8);
  world.log.hold();
  for (const [i, { send }] of lines.entries()) send(orderText(trader, `o${i}`));
  await until(() => submitted() === 8);
  const ends = lines.map(({ socket }) => once(socket, 'close'));
  // Longer than the test may take: it ends because all requests are answered.
  const closed = workers.close(patienceMs);
  await until(() =>
    openLine(port).then(
      ({ socket }) => !socket.destroy(),
      () => true,
    ),
  );
  world.log.release();
  for (const [i, { next }] of lines.entries()) {
    expect(await next()).toContain(`"clientOrderId":"o${i}"`);
  }
  await Promise.all(ends);
  await closed;
  expect(workers.threads()).toEqual([]);
});

test('a stop does not wait for requests that never end', async () => {
  await open();
  const trader = await world.newTrader();
  const [line] = await openLines(1);
  world.log.hold();
  line!.send(orderText(trader, 'a'));
  await until(() => submitted() === 1);
  const ended = once(line!.socket, 'close');
  await workers.close(50);
  await ended;
  expect(await line!.next()).toBe('');
  world.log.release();
});

test('a port of another process is not shared', async () => {
  await open();
  const { gateway } = world;
  const start = (taken: number) =>
    startGatewayWorkers({
      gateway,
      rows: publicOperations,
      count: 1,
      host: '127.0.0.1',
      port: taken,
      randomBytes,
      report: () => {},
    });
  await expect(start(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  await expect(start((other.address() as AddressInfo).port)).rejects.toThrow(/EADDRINUSE/);
  other.close();
});

test('where threads cannot share a port, workers are refused with an explanation', () => {
  expect(() => checkWorkers({ workers: 2 }, 'darwin')).toThrow(/--workers needs Linux/);
  checkWorkers({ workers: 0 }, 'darwin');
  checkWorkers({ workers: 2 }, 'linux');
});

async function openSocket(path = '/ws', headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  await once(socket, 'open');
  return { socket, heard };
}

/** The answer to a refused upgrade. */
async function refusedUpgrade(path: string, headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode as number;
}

test('WS-1 a socket through a worker gives the same messages as without one', async () => {
  await open();
  const { socket, heard } = await openSocket();
  socket.send(JSON.stringify({ type: 'subscribe', channel: 'ticker:BTCUSDT' }));
  await until(() => heard.length > 0);
  expect(heard[0]).toContain('ticker:BTCUSDT');
  const large = JSON.stringify({ type: 'subscribe', channel: 'x'.repeat(30_000) });
  socket.send(large);
  await until(() => heard.some((text) => text.includes('"error"')));
  socket.close();
  await once(socket, 'close');
});

test('WS-6 an order over a socket through a worker', async () => {
  await open();
  const { socket, heard } = await openSocket('/ws-fapi/v1');
  socket.send(JSON.stringify({ id: 7, method: 'time' }));
  await until(() => heard.length > 0);
  expect(JSON.parse(heard[0]!)).toMatchObject({ id: 7, status: 200 });
  socket.close();
});

test('WS-5 sockets of an address are counted across workers, by the true address', async () => {
  await open({ gateway: { socketCeilings: { perAddress: 3, all: 100 } } });
  const opened = [await openSocket(), await openSocket(), await openSocket()];
  for (let i = 0; i < 4; i += 1) expect(await refusedUpgrade('/ws')).toBe(429);
  // A client cannot use the header of workers to pass as another client.
  const pass = { 'X-Evermark-Pass': 'a 1 1 192.0.2.9' };
  expect(await refusedUpgrade('/ws', pass)).toBe(429);
  expect(await refusedUpgrade('/nowhere')).toBe(404);
  const elsewhere = await openSocket('/ws', { 'X-Forwarded-For': '192.0.2.7' });
  const closed = once(opened[0]!.socket, 'close');
  opened[0]!.socket.terminate();
  await closed;
  await until(async () => {
    try {
      opened.push(await openSocketQuietly());
      return true;
    } catch {
      return false;
    }
  });
  for (const { socket } of [...opened, elsewhere]) socket.terminate();
});

test('a worker itself refuses a socket at an unknown address; the trading thread sees nothing', async () => {
  await open();
  const { gateway, clock } = world;
  const { native } = recordOf(gateway.limits.addresses, '127.0.0.1', clock.now());
  for (const path of ['/nowhere', '/ws-fapi/v2', '/stream/x', '/%']) {
    expect(await refusedUpgrade(path)).toBe(404);
  }
  expect(native.used).toBe(0);
  const { socket } = await openSocket();
  expect(native.used).toBe(1);
  socket.terminate();
});

async function openSocketQuietly() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  return { socket, heard: [] };
}

test('a socket that the trading thread ends is closed, whether its client reads or not', async () => {
  await open();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  const headers = { ...upgrade, 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  socket.write(rawText({ method: 'GET', target: '/ws', headers }));
  await once(socket, 'data');
  socket.pause();
  world.gateway.streams.close();
  await workers.close(patienceMs);
  socket.destroy();
});

test('a stop closes sockets with 1001 through workers', async () => {
  await open();
  const { socket } = await openSocket();
  const closed = once(socket, 'close');
  world.gateway.streams.close();
  await workers.close(3000);
  expect((await closed)[0]).toBe(1001);
});

test('sockets of a dead worker are closed at both ends', async () => {
  await open({}, 1);
  const { socket } = await openSocket();
  const closed = once(socket, 'close');
  await workers.threads()[0]!.terminate();
  await closed;
  await until(() => world.gateway.streams.figures().readers === 0);
});

test('the socket gate opens only with the secret of this start', async () => {
  await open({}, 1);
  let taken = 0;
  const gate = await openSocketGate({
    randomBytes,
    takeUpgrade: ({ stream }) => {
      taken += 1;
      stream.destroy();
    },
    onEnded: () => {},
  });
  const { path, word } = gate.key;
  const knock = async (headers: Readonly<Record<string, string>>): Promise<void> => {
    const socket = connect(path);
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };
    socket.on('error', () => {});
    socket.write(rawText({ method: 'GET', target: '/ws', headers: { ...upgrade, ...headers } }));
    await once(socket, 'close');
  };
  await knock({});
  await knock({ 'X-Evermark-Pass': `${word.slice(1)} 1 1 192.0.2.1` });
  expect(taken).toBe(0);
  const plain = connect(path);
  plain.on('error', () => {});
  plain.write(ping);
  await once(plain, 'close');
  await knock({ 'X-Evermark-Pass': `${word} 1 1 192.0.2.1` });
  expect(taken).toBe(1);
  await gate.close();
});
