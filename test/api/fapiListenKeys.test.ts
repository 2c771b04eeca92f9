// Listen keys by HTTP (conventions, 12.1; WS-3): with the API key alone, as stock clients ask.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type Reply, type Trader, type World } from '../gateway/gatewayWorld.ts';

let world: World;
let trader: Trader;

beforeAll(async () => {
  world = await openWorld();
  trader = await world.newTrader();
});
afterAll(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

const ask = (method: string, { apiKey } = trader, query = ''): Promise<Reply> =>
  world.send(method, '/fapi/v1/listenKey', { query, headers: { 'x-mbx-apikey': apiKey } });

test('WS-3 POST gives the one key of the account, PUT extends it, DELETE ends it', async () => {
  const made = await ask('POST');
  expect(made).toMatchObject({ status: 200, body: { listenKey: expect.any(String) } });
  expect((await ask('POST')).body).toEqual(made.body);
  // Clients name the key; there is only one.
  expect((await ask('PUT', trader, 'listenKey=another')).body).toEqual(made.body);
  expect(await ask('DELETE')).toMatchObject({ status: 200, body: {} });
  expect(await ask('DELETE')).toMatchObject({ status: 200, body: {} });
  const gone = await ask('PUT');
  expect(gone).toMatchObject({
    status: 404,
    body: { code: -1125, msg: 'Listen key does not exist.' },
  });
  expect((await ask('POST')).body).not.toEqual(made.body);
});

test('WS-3 another account has another key', async () => {
  const [mine, other] = [await ask('POST'), await ask('POST', await world.newTrader())];
  expect(other.body.listenKey).not.toBe(mine.body.listenKey);
});

test('WS-3 its weight counts for the API key, and a signature that is sent must be valid', async () => {
  const { headers } = await ask('POST', await world.newTrader());
  expect(headers['x-mbx-used-weight-1m']).toBe('1');
  const signed = await world.call(trader, 'POST', '/fapi/v1/listenKey');
  expect(signed.status).toBe(200);
  const bad = await ask('POST', trader, `timestamp=${world.clock.now()}&signature=00`);
  expect(bad).toMatchObject({ status: 401, body: { error: { code: 'SIGNATURE_INVALID' } } });
  const nobody = await world.send('POST', '/fapi/v1/listenKey');
  expect(nobody).toMatchObject({ status: 401, body: { error: { code: 'INVALID_API_KEY' } } });
  await world.setKeyStatus(trader, 'disabled');
  expect(await ask('PUT')).toMatchObject({
    status: 401,
    body: { error: { code: 'API_KEY_DISABLED' } },
  });
});
