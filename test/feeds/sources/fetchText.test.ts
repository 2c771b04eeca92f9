// The client behind the HTTP port, on loopback: bounds of time and size, half-open connections,
// redirects, and that no failure says the address. Then the polling feed over it, end to end.

import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { binance } from '../../../src/feeds/sources/binance.ts';
import { createFetchText } from '../../../src/feeds/sources/fetchText.ts';
import { createRestFeed } from '../../../src/feeds/sources/restFeed.ts';
import { systemClock } from '../../../src/std/clock.ts';
import { createPrng } from '../../../src/std/prng.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { fixtureText } from './readFixture.ts';

/** What is answered is answered before, on any machine. */
const patienceMs = 600_000;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`, server };
}

const signal = new AbortController().signal;

test('an answer has its text, its pause and its cache age', async () => {
  const { url } = await serve((request, response) => {
    const { 'user-agent': agent, accept } = request.headers;
    response.writeHead(200, { 'retry-after': '7', age: '2', 'content-type': 'application/json' });
    response.end(JSON.stringify({ method: request.method, agent, accept }));
  });
  expect(await createFetchText(patienceMs)({ url, signal })).toEqual({
    kind: 'answer',
    status: 200,
    text: '{"method":"GET","agent":"evermark","accept":"application/json"}',
    retryAfterMs: 7000,
    cachedSeconds: 2,
  });
});

test('a body is sent as JSON with POST', async () => {
  const { url } = await serve((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      response.end(`${request.method} ${request.headers['content-type']} ${text}`);
    });
  });
  const answer = await createFetchText(patienceMs)({ url, body: '{"id":1}', signal });
  expect(answer).toMatchObject({ text: 'POST application/json {"id":1}' });
});

test('another status gives no text, and a pause of at most ten minutes', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '86400' });
    response.end('banned');
  });
  expect(await createFetchText(patienceMs)({ url, signal })).toMatchObject({
    status: 429,
    text: '',
    retryAfterMs: 600_000,
  });
});

test.each([
  ['announced', { 'content-length': '65537' }],
  ['streamed without end', {}],
])('an oversized body, %s, is not read', async (_, headers) => {
  let sent = 0;
  const { url } = await serve((_request, response) => {
    response.writeHead(200, headers);
    const more = (): void => {
      if (response.destroyed || sent > 50_000_000) return;
      sent += 16_384;
      response.write('x'.repeat(16_384), more);
    };
    more();
  });
  const answer = await createFetchText(patienceMs)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'its answer has more than 64 KiB' });
  expect(sent).toBeLessThan(10_000_000);
});

test('a small body that unpacks to a large one is not read', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync('x'.repeat(10_000_000)));
  });
  const answer = await createFetchText(patienceMs)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'its answer has more than 64 KiB' });
});

test('an answer of exactly the bound is read', async () => {
  const { url } = await serve((_, response) => response.end('x'.repeat(65_536)));
  expect(await createFetchText(patienceMs)({ url, signal })).toMatchObject({ status: 200 });
});

test('a request to a server that accepts and stays silent ends in time', async () => {
  const { url } = await serve(() => {});
  const answer = await createFetchText(200)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'it does not answer in time' });
});

test('a body that stops half way ends the request in time', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":');
  });
  const answer = await createFetchText(200)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'it does not answer in time' });
});

test('a half-open connection that is cut ends the request at once', async () => {
  const server = createTcpServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await createFetchText(patienceMs)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'it cannot be reached' });
});

test('a redirect is not followed', async () => {
  let asked = 0;
  const { url } = await serve((_, response) => {
    asked += 1;
    response.writeHead(302, { location: '/elsewhere' });
    response.end();
  });
  const answer = await createFetchText(patienceMs)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'it cannot be reached' });
  expect(asked).toBe(1);
});

test('a refused connection is an error without the address', async () => {
  const { url, server } = await serve(() => {});
  await new Promise((done) => server.close(done));
  const answer = await createFetchText(patienceMs)({ url, signal });
  expect(answer).toEqual({ kind: 'failed', problem: 'it cannot be reached' });
});

test('an aborted request ends its connection', async () => {
  let gone = false;
  const { url } = await serve((request) => {
    request.on('close', () => {
      gone = true;
    });
    leaving.abort();
  });
  const leaving = new AbortController();
  const answer = await createFetchText(patienceMs)({ url, signal: leaving.signal });
  expect(answer.kind).toBe('failed');
  await expect.poll(() => gone).toBe(true);
});

test('PRC-2: the polling feed over loopback, through an outage and back', async () => {
  let dead = false;
  let connections = 0;
  const { url, server } = await serve((_, response) => {
    if (!dead) response.end(fixtureText('binance'));
  });
  server.on('connection', () => {
    connections += 1;
  });
  const fetchText = createFetchText(1500);
  const reports: string[] = [];
  const feed = createRestFeed({
    exchange: binance,
    symbols: new Map([
      ['BTCUSDT', 'BTCUSDT'],
      ['ETHUSDT', 'ETHUSDT'],
    ]),
    fetchText: (request) =>
      fetchText({ ...request, url: request.url.replace('https://api.binance.com', url) }),
    clock: systemClock,
    scheduler: systemScheduler,
    prng: createPrng(1),
    report: (message) => reports.push(message),
  });
  const live = () => feed.poll(systemClock.now()).map(({ price }) => price);
  const until = async (count: number): Promise<void> => {
    while (live().length !== count) await new Promise((done) => setTimeout(done, 20));
  };
  await until(2);
  expect(live()).toEqual(['115020.015', '4210.505']);
  await new Promise((done) => setTimeout(done, 1500));
  // Requests follow each other on one connection.
  expect(connections).toBe(1);
  dead = true;
  await until(0);
  dead = false;
  await until(2);
  expect(reports).toEqual([
    'index source binance: all its prices: it does not answer in time',
    'index source binance: all its prices: works again',
  ]);
  await feed.close();
  const held = await new Promise<number>((done) =>
    server.getConnections((_, count) => done(count)),
  );
  expect(held).toBeLessThanOrEqual(1);
});
