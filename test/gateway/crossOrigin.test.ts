// Pages of other origins (AUTH-9): the headers that let a page ask and read, from the serving
// thread and from a gateway worker.

import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type Trader, type World } from './gatewayWorld.ts';

const origin = 'https://page.example';
let world: World;
let trader: Trader;
let port: number;

describe.each([0, 1])('with %i workers', (workers) => {
  beforeAll(async () => {
    world = await openWorld();
    trader = await world.newTrader();
    port = await world.listen(workers);
  });
  afterAll(() => world.close());

  type Heard = { readonly status: number; readonly headers: NodeJS.Dict<string | string[]> };

  /** As a browser sends it: the platform's `fetch` would leave Origin out. */
  const ask = (method: string, path: string, headers: Record<string, string>): Promise<Heard> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
        const { statusCode: status = 0, headers: heard } = response;
        response.resume().on('end', () => resolve({ status, headers: heard }));
      });
      asked.on('error', reject).end();
    });

  test('AUTH-9 a page of another origin can read every answer, including refusals and counters', async () => {
    const answers: readonly [path: string, status: number][] = [
      ['/api/v1/markets', 200],
      ['/api/v1/balances', 401],
      ['/api/v1/ticker/NOPE', 404],
      ['/api/v1/nothing', 404],
      ['/api/v1/ticker/%', 400],
      ['/fapi/v1/ping', 200],
      ['/fapi/v2/balance', 401],
      ['/futures/data/nothing', 404],
      ['/health', 200],
      ['/docs/openapi.json', 200],
      ['/docs/asyncapi.json', 200],
    ];
    for (const [path, status] of answers) {
      const heard = await ask('GET', path, { origin });
      expect([path, heard.status]).toEqual([path, status]);
      expect(heard.headers['access-control-allow-origin']).toBe('*');
      expect(heard.headers['access-control-allow-credentials']).toBeUndefined();
    }
    const { headers } = await ask('GET', '/fapi/v1/time', { origin });
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
    const counters = ['x-mbx-used-weight-1m', 'x-mbx-order-count-10s', 'x-mbx-order-count-1m'];
    expect(exposed).toEqual(counters);
    expect(headers).toHaveProperty('x-mbx-used-weight-1m');
  });

  test('AUTH-9 a preflight answers what a page may send and counts in no limit', async () => {
    const weight = async () => {
      const { headers } = await ask('GET', '/fapi/v1/ping', {});
      return Number(headers['x-mbx-used-weight-1m']);
    };
    const before = await weight();
    for (const [path, method] of [
      ['/api/v1/orders', 'POST'],
      ['/api/v1/api-keys/1', 'PUT'],
      ['/api/v1/orders/1?x=1', 'DELETE'],
      ['/fapi/v1/order', 'PUT'],
      ['/futures/data/openInterestHist', 'GET'],
    ] as const) {
      const heard = await ask('OPTIONS', path, {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key,x-mbx-apikey',
      });
      expect(heard.status).toBe(204);
      expect(heard.headers['access-control-allow-origin']).toBe('*');
      expect(heard.headers['access-control-allow-methods']).toContain(method);
      expect(heard.headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, Idempotency-Key, X-MBX-APIKEY',
      );
      expect(heard.headers['access-control-max-age']).toBe('7200');
    }
    expect(await weight()).toBe(before + 1);
  });

  test('AUTH-9 other probes and requests without an origin stay unchanged', async () => {
    const preflight = { origin, 'access-control-request-method': 'GET' };
    expect((await ask('OPTIONS', '/metrics', preflight)).status).toBe(404);
    expect((await ask('OPTIONS', '/api/v1/orders', { origin })).status).toBe(404);
    expect((await ask('OPTIONS', '/apis', preflight)).status).toBe(404);
    for (const [path, headers] of [
      ['/metrics', { origin }],
      ['/', { origin }],
      ['/docs', { origin }],
      ['/fapi/v1/ping', {}],
    ] as const) {
      const heard = await ask('GET', path, headers);
      expect(heard.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('AUTH-9 a page can read that its head was too large', async () => {
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`GET /fapi/v1/ping?x=${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`);
      });
      socket.on('data', (data) => {
        text += String(data);
      });
      socket.on('close', () => resolve(text));
    });
    expect(heard).toContain('431 Request Header Fields Too Large');
    expect(heard).toContain('Access-Control-Allow-Origin: *');
  });

  test('AUTH-9 a signed request of a page is served like any other', async () => {
    const reply = await world.call(trader, 'GET', '/fapi/v2/balance', {}, { origin });
    expect(reply.status).toBe(200);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
  });
});
