// Bad input over real sockets: the listener never answers 5xx, never has a fault, and serves the
// next request (Bad input).

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, signatureOf, type World } from './gatewayWorld.ts';

let world: World;
let port: number;

beforeAll(async () => {
  world = await openWorld();
  port = await world.listen();
});
afterAll(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

/** Everything that the server sends until it closes, or until the answer is complete. */
async function talk(...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
    const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? Number.NaN);
    if (heard.length >= heard.indexOf('\r\n\r\n') + 4 + length) socket.end();
  });
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return heard;
}

const order = 'POST /fapi/v1/order HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

const login = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

test('AUTH-10 -1102 a body of more than 16 KiB, announced or in chunks', async () => {
  const trader = await world.newTrader();
  const signed = `${order}X-MBX-APIKEY: ${trader.apiKey}\r\n`;
  const large = Buffer.alloc(16 * 1024 + 1, 97);
  const announced = await talk(`${signed}Content-Length: ${large.length}\r\n\r\n`, large);
  const chunk = `${large.length.toString(16)}\r\n`;
  const chunked = await talk(
    `${signed}Transfer-Encoding: chunked\r\n\r\n`,
    chunk,
    large,
    '\r\n0\r\n\r\n',
  );
  for (const heard of [announced, chunked]) {
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard).toContain('"code":-1102');
    expect(heard).toMatch(/X-MBX-USED-WEIGHT-1M: 0/);
    expect(heard).toMatch(/Connection: close/);
  }
});

test('AUTH-10 a refusal by the head alone is answered before the body has arrived', async () => {
  const unsent = ['Content-Length: 1000000', 'Transfer-Encoding: chunked', 'Content-Length: 1000'];
  for (const length of unsent) {
    const heard = await talk(`${order}${length}\r\n\r\n`);
    expect(heard, length).toMatch(/^HTTP\/1\.1 401 /);
  }
});

test('AUTH-10 a small body of a refused request is skipped, and the connection continues', async () => {
  const refused = `${order}Content-Length: 4\r\n\r\n{}{}`;
  const ping = 'GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const heard = await listen(`${refused}${refused}${ping}`);
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 200']);
});

test('AUTH-10 a large body of a refused request: the answer arrives, and the connection ends', async () => {
  const sent = [
    [`${order}Content-Length: 1000000\r\n\r\n`, 'a'.repeat(1_000_000)],
    [`${order}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(50_000)],
    [`${login}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(50_000)],
  ] as const;
  for (const [head, body] of sent) {
    const heard = await listen(`${head}${body}`);
    expect(heard.match(/HTTP\/1\.1 \d+/g), head).toHaveLength(1);
    expect(heard).toMatch(/^HTTP\/1\.1 40[01] /);
    expect(heard).toMatch(/Connection: close/);
  }
  // The parser of such a connection is used again.
  for (let i = 0; i < 20; i += 1) {
    const heard = await talk(`${login}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard).toContain('is missing');
  }
});

test.each([
  ['no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['an unknown method', 'FOO /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a head that is too large', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['a bad chunk', `${login}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['two lengths', `${order}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
  ['a bad escape in the path', 'GET /fapi/v1/p%zzing HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  [
    'a content type that is none',
    `${login.replace('application/json', ';;')}Content-Length: 2\r\n\r\n{}`,
    400,
  ],
  ['bytes that are no UTF-8', 'GET /fapi/v1/depth?symbol=%ff HTTP/1.1\r\nHost: x\r\n\r\n', 400],
])('%s', async (_name, text, status) => {
  const heard = await talk(text);
  expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(heard).toMatch(/"code":(-1102|"INVALID_PARAMETER")/);
});

test('requests without a Host header, or with a host in the address, are served', async () => {
  expect(await talk('GET /fapi/v1/ping HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const absolute = 'GET http://x/fapi/v1/ping?a=1 HTTP/1.1\r\nHost: x\r\n\r\n';
  expect(await talk(absolute)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that disconnects in the middle of its body causes no fault', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${order}Content-Length: 100\r\n\r\n{"a":`);
  await once(socket, 'connect');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  await once(socket, 'close');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(world.faults).toEqual([]);
  expect(await talk('GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a complete request is answered before malformed bytes after it are refused', async () => {
  const trader = await world.newTrader();
  const body = '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.01","price":"50000"}';
  const query = `timestamp=${world.clock.now()}`;
  const signature = signatureOf(trader, query + body);
  const placing =
    `POST /fapi/v1/order?${query}&signature=${signature} HTTP/1.1\r\nHost: x\r\n` +
    `X-MBX-APIKEY: ${trader.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const heard = await listen(`${placing}NONSENSE\r\n\r\n`);
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('an unknown expectation is ignored', async () => {
  const heard = await talk('GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n');
  expect(heard).toMatch(/^HTTP\/1\.1 200 /);
});

test('requests that expect 100, sent together, get answers whose lengths are true', async () => {
  const get = 'GET /docs/openapi.json HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n';
  const heard = await listen(`${`${get}\r\n`.repeat(5)}${get}Connection: close\r\n\r\n`);
  const statuses: string[] = [];
  for (let at = 0; at < heard.length; ) {
    const end = heard.indexOf('\r\n\r\n', at) + 4;
    const head = heard.slice(at, end);
    statuses.push(head.slice(9, 12));
    at = end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  }
  // Without a body no client waits for a 100.
  expect(statuses).toEqual(Array(6).fill('200'));
});

test('a client that expects 100 before its body gets it, and then the answer', async () => {
  const heard = await talk(`${login}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`, '{}');
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400']);
});

/** Everything that the server sends until it closes. */
async function listen(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  socket.write(text);
  await once(socket, 'close');
  return heard;
}
