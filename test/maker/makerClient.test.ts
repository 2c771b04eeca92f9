// The market maker's client against a real HTTP server: what it signs is what arrives.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMakerClient } from '../../src/maker/makerClient.ts';

type Seen = { readonly request: IncomingMessage; readonly url: URL; readonly body: string };

const seen: Seen[] = [];
let answer: { status: number; headers: Record<string, string>; text: string };
let server: Server;
let baseUrl = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const url = new URL(request.url!, 'http://here');
      seen.push({ request, url, body: Buffer.concat(parts).toString() });
      response.writeHead(answer.status, answer.headers).end(answer.text);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const clock = { now: () => 1_760_000_000_123 };
const clientOf = (url: string) =>
  createMakerClient({ baseUrl: url, apiKey: 'key', secret: 'secret', clock });

/** The signature by the interface's own words: query without signature, then the raw body. */
function verified({ request, url, body }: Seen): boolean {
  const query = request.url!.slice(request.url!.indexOf('?') + 1);
  const payload = query.replace(/&?signature=[0-9a-f]{64}/, '');
  const expected = createHmac('sha256', 'secret')
    .update(payload + body)
    .digest('hex');
  return url.searchParams.get('signature') === expected;
}

test('every method is signed, with its parameters where the interface wants them', async () => {
  answer = { status: 200, headers: { 'x-mbx-used-weight-1m': '7' }, text: '{"a":"ü"}' };
  const client = clientOf(baseUrl);
  const batchOrders = [{ symbol: 'BTCUSDT', quantity: '0.001' }];
  await client('GET', '/fapi/v1/openOrders', { symbol: 'BTC/USDT & more' });
  await client('DELETE', '/fapi/v1/batchOrders', { symbol: 'BTCUSDT', orderIdList: ['a', 'b'] });
  await client('POST', '/fapi/v1/batchOrders', { batchOrders });
  const last = await client('PUT', '/fapi/v1/batchOrders', { batchOrders });
  expect(seen.map(({ request }) => request.method)).toEqual(['GET', 'DELETE', 'POST', 'PUT']);
  for (const one of seen) {
    expect(verified(one)).toBe(true);
    expect(one.request.headers['x-mbx-apikey']).toBe('key');
    expect(one.url.searchParams.get('timestamp')).toBe('1760000000123');
  }
  expect(seen[0]!.url.searchParams.get('symbol')).toBe('BTC/USDT & more');
  expect(seen[1]!.url.searchParams.get('orderIdList')).toBe('["a","b"]');
  expect(seen[1]!.body).toBe('');
  expect(JSON.parse(seen[2]!.body)).toEqual({ batchOrders });
  expect(seen[2]!.request.headers['content-type']).toBe('application/json');
  expect(last).toEqual({
    status: 200,
    body: { a: 'ü' },
    weightPerMinute: 7,
    ordersPer10s: undefined,
    ordersPerMinute: undefined,
  });
});

test('an error status is an answer, no JSON is no body, no server is a rejection', async () => {
  const client = clientOf(baseUrl);
  answer = { status: 429, headers: { 'x-mbx-order-count-10s': '200' }, text: '{"code":-1003}' };
  const refused = await client('POST', '/fapi/v1/batchOrders', {});
  expect(refused).toMatchObject({ status: 429, body: { code: -1003 }, ordersPer10s: 200 });
  answer = { status: 502, headers: { 'x-mbx-order-count-10s': 'x' }, text: '<html>' };
  const broken = await client('GET', '/fapi/v1/time', {});
  expect(broken).toMatchObject({ status: 502, body: undefined, ordersPer10s: undefined });
  await expect(clientOf('http://127.0.0.1:1')('GET', '/', {})).rejects.toThrow();
});
