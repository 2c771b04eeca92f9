// The market maker's client against a real HTTP server: what it signs is what arrives.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMakerClient, type KeyCounts } from '../../src/maker/makerClient.ts';

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
/** A client, and the counts of its key that it has read. */
function clientOf(url: string) {
  const heard: KeyCounts[] = [];
  const client = createMakerClient({ baseUrl: url, apiKey: 'key', secretKey: 'secret', clock });
  client.onCounts((counts) => heard.push(counts));
  return { ...client, heard };
}

/** The signature by the interface's own words: query without signature, then the raw body. */
function verified({ request, url, body }: Seen): boolean {
  const query = request.url!.slice(request.url!.indexOf('?') + 1);
  const payload = query.replace(/&?signature=[0-9a-f]{64}/, '');
  const expected = createHmac('sha256', 'secret')
    .update(payload + body)
    .digest('hex');
  return url.searchParams.get('signature') === expected;
}

test('every method is signed, with its parameters in the place that the interface requires', async () => {
  answer = { status: 200, headers: { 'x-mbx-used-weight-1m': '7' }, text: '[]' };
  const { fapi, heard } = clientOf(baseUrl);
  const batchOrders = [{ symbol: 'BTCUSDT', quantity: '0.001' }];
  await fapi.getOpenOrders({ symbol: 'BTC/USDT & more' });
  await fapi.cancelBatchOrders({ symbol: 'BTCUSDT', orderIdList: ['a', 'b'] });
  await fapi.placeBatchOrders({ batchOrders });
  await fapi.modifyBatchOrders({ batchOrders });
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
  expect(heard).toHaveLength(4);
  expect(heard[0]).toEqual({
    status: 200,
    weightPerMinute: 7,
    ordersPer10s: undefined,
    ordersPerMinute: undefined,
  });
});

test('a refusal is an error whose counts are read; those of a public request are not', async () => {
  const { fapi, heard } = clientOf(baseUrl);
  const batchOrders: unknown[] = [];
  answer = { status: 429, headers: { 'x-mbx-order-count-10s': '200' }, text: '{"code":-1003}' };
  await expect(fapi.placeBatchOrders({ batchOrders })).rejects.toThrow('429 -1003');
  expect(heard).toMatchObject([{ status: 429, ordersPer10s: 200 }]);
  answer = { status: 502, headers: { 'x-mbx-order-count-10s': 'x' }, text: '<html>' };
  await expect(fapi.placeBatchOrders({ batchOrders })).rejects.toThrow('502 UNREADABLE');
  expect(heard[1]).toMatchObject({ status: 502, ordersPer10s: undefined });
  answer = { status: 200, headers: { 'x-mbx-used-weight-1m': '9' }, text: '{}' };
  await fapi.getExchangeInfo();
  expect(seen.at(-1)!.request.headers['x-mbx-apikey']).toBeUndefined();
  expect(heard).toHaveLength(2);
  await expect(clientOf('http://127.0.0.1:1').fapi.getTime()).rejects.toThrow();
});
