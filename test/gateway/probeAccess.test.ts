// The weight of probes and documents, and which clients see the metrics (CON-3). The serving thread
// decides, so requests go to its handlers without a socket.

import { afterEach, expect, test } from 'vitest';
import { createNetworkList, parseNetwork } from '../../src/gateway/identity/networkList.ts';
import { openWorld, type World } from './gatewayWorld.ts';

let world: World | undefined;
afterEach(() => world?.close());

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('CON-3 probes and documents are counted for the address, as native requests are', async () => {
  world = await openWorld();
  const { send } = world;
  const client = from('203.0.113.9');
  // A document counts 20, a probe 1: 5 × 20 + 5899 + 1 are 6000.
  for (let i = 0; i < 5; i += 1) {
    expect((await send('GET', '/docs/asyncapi.json', client)).status).toBe(200);
  }
  for (let i = 0; i < 5899; i += 1) {
    expect((await send('GET', '/health', client)).status).toBe(200);
  }
  expect((await send('GET', '/docs', client)).status).toBe(429);
  expect((await send('HEAD', '/health', client)).status).toBe(200);
  for (const path of ['/health', '/', '/docs', '/docs/openapi.json', '/favicon.ico']) {
    expect((await send('GET', path, client)).status, path).toBe(429);
  }
  expect((await send('GET', '/api/v1/markets', client)).status).toBe(429);
  expect((await send('GET', '/nothing', client)).status).toBe(429);
  expect((await send('GET', '/health', from('203.0.113.10'))).status).toBe(200);
  // The text of the metrics counts 10.
  const scraper = from('10.0.0.9');
  for (let i = 0; i < 600; i += 1) {
    expect((await send('GET', '/metrics', scraper)).status).toBe(200);
  }
  expect((await send('GET', '/metrics', scraper)).status).toBe(429);
});

test('CON-3 the metrics are served to loopback and private networks; for others the path does not exist', async () => {
  world = await openWorld();
  const { send } = world;
  for (const address of ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.7.7', '::1', 'fd00::1']) {
    expect((await send('GET', '/metrics', from(address))).status, address).toBe(200);
  }
  const unknown = await send('GET', '/metricz', from('8.8.8.8'));
  expect(unknown.status).toBe(404);
  for (const address of ['8.8.8.8', '172.32.0.1', '2001:db8::1', '100.64.0.1']) {
    const refused = await send('GET', '/metrics', from(address));
    expect([refused.status, refused.text], address).toEqual([404, unknown.text]);
  }
});

test('CON-3 --metrics-from names other networks, or none', async () => {
  world = await openWorld({ gateway: { metricsFrom: ['203.0.113.0/24', '2001:db8::/32'] } });
  const statusOf = async (address: string): Promise<number> =>
    (await world!.send('GET', '/metrics', from(address))).status;
  expect(await statusOf('203.0.113.77')).toBe(200);
  expect(await statusOf('2001:db8:1::2')).toBe(200);
  expect(await statusOf('203.0.114.1')).toBe(404);
  expect(await statusOf('127.0.0.1')).toBe(404);
  expect(createNetworkList([])('127.0.0.1')).toBe(false);
  for (const text of ['', '10.0.0.0/33', '::/129', '10.0.0/8', 'x', '10.0.0.0/8/8', '10.0.0.0/']) {
    expect(parseNetwork(text), text).toBeUndefined();
  }
});

test('AUTH-6 a path that nothing serves has the members of both kinds of failure', async () => {
  world = await openWorld();
  for (const path of [
    '/sapi/v1/system/status',
    '/api/v3/account',
    '/nothing',
    '/document/nothing',
  ]) {
    const { status, body } = await world.send('GET', path);
    expect([status, path]).toEqual([404, path]);
    expect(body).toMatchObject({
      code: -1000,
      msg: 'Not found.',
      success: false,
      data: null,
      error: { code: 'NOT_FOUND', message: 'Not found.' },
    });
  }
});
