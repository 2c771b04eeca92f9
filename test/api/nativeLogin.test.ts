// Native login (AUTH-5) and API keys (spec, API key; AUTH-4, AUTH-6), as a wallet sees them.

import { expect, test } from 'vitest';
import { createAccount } from '../../src/engine/account.ts';
import { beginBatch } from '../../src/engine/apply.ts';
import { guestLifeMs } from '../../src/engine/limits.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { newAccountsPerClientMax } from '../../src/gateway/identity/newAccountLimit.ts';
import type { Time } from '../../src/units/units.ts';
import { forgedNonce } from '../fixtures/forgedNonce.ts';
import { openMemoryExchange } from '../fixtures/memoryExchange.ts';
import { useExchange, world } from '../fixtures/useTraders.ts';
import { createWallet } from '../identity/wallet.ts';

useExchange();

const wallet = createWallet(3);
const open = () => world.client().native;

async function signedLogin(seed = 3) {
  const { address, sign } = createWallet(seed);
  const { nonce, timestamp } = await open().getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  return { address, nonce, timestamp, signature };
}

test('AUTH-5 the nonce route writes nothing and returns the message to sign', async () => {
  const before = world.stateHash();
  const issued = await open().getLoginNonce({ address: wallet.checksummed });
  const seconds = world.clock.now() / 1000;
  expect(issued).toMatchObject({
    address: wallet.address,
    timestamp: seconds,
    expires_at: seconds + 300,
    typed_data: {
      domain: { name: 'Evermark', version: '1', chainId: 43113 },
      primaryType: 'Login',
      message: { wallet: wallet.address, nonce: issued.nonce, timestamp: seconds },
    },
  });
  expect(world.stateHash()).toBe(before);
  expect(world.replica.head().position).toBe(0);
});

test('AUTH-5 a login creates the account and gives a token; its nonce works once', async () => {
  const login = await signedLogin();
  const { token, token_type, expires_at, address } = await open().login(login);
  expect({ token_type, address }).toEqual({ token_type: 'Bearer', address: wallet.address });
  const life = expires_at - world.clock.now() / 1000;
  expect(life).toBeGreaterThan(0);
  expect(life).toBeLessThanOrEqual(86_400);
  expect(await world.client({ token }).native.listApiKeys()).toEqual([]);
  await expect(open().login(login)).rejects.toMatchObject({
    status: 401,
    code: 'SIGNATURE_INVALID',
  });
});

test('AUTH-5 each error of a login has its own code and changes nothing', async () => {
  const login = await signedLogin();
  const before = world.stateHash();
  const other = await signedLogin(4);
  const cases = [
    [{ address: 'bob' }, 400, 'INVALID_ADDRESS'],
    [{ signature: login.signature.slice(2) }, 400, 'SIGNATURE_FORMAT_INVALID'],
    [{ signature: '0x12' }, 400, 'SIGNATURE_FORMAT_INVALID'],
    [{ nonce: 'x'.repeat(72) }, 404, 'USER_NOT_FOUND'],
    [{ nonce: other.nonce }, 404, 'USER_NOT_FOUND'],
    [{ timestamp: login.timestamp - 301 }, 401, 'TIMESTAMP_EXPIRED'],
    [{ timestamp: login.timestamp + 301 }, 401, 'TIMESTAMP_EXPIRED'],
    [{ timestamp: login.timestamp + 1 }, 401, 'SIGNATURE_INVALID'],
    [{ signature: other.signature }, 401, 'SIGNATURE_INVALID'],
    [{ timestamp: '12x' }, 400, 'INVALID_PARAMETER'],
  ] as const;
  for (const [change, status, code] of cases) {
    const answer = open().login({ ...login, ...change } as typeof login);
    await expect(answer, JSON.stringify(change)).rejects.toMatchObject({ status, code });
  }
  expect(world.stateHash()).toBe(before);
  world.clock.advance(300_000);
  await expect(open().login(login)).rejects.toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
});

test('AUTH-5a one client makes at most two hundred new accounts a day, and a known wallet is never refused', async () => {
  const { accountByAddress } = stateOf.exchange(world.replica.exchange);
  for (let seed = 100; accountByAddress.size < newAccountsPerClientMax + 1; seed += 1) {
    await open().login(await signedLogin(seed));
  }
  const before = world.stateHash();
  const tooMany = { status: 429, code: 'TOO_MANY_REQUESTS' };
  await expect(open().login(await signedLogin(3))).rejects.toMatchObject(tooMany);
  expect(world.stateHash()).toBe(before);
  expect(await open().login(await signedLogin(100))).toMatchObject({ token_type: 'Bearer' });
  world.clock.advance(86_400_000);
  expect(await open().login(await signedLogin(3))).toMatchObject({ address: wallet.address });
});

test('AUTH-5a the token of a removed account gives no access, not even to requests already under way', async () => {
  const { client } = await world.login(3);
  const exchange = stateOf.exchange(world.replica.exchange);
  expect(await client.native.listApiKeys()).toEqual([]);
  const account = exchange.accounts[exchange.accountByAddress.get(wallet.address)!]!;
  // The exchange's clock has run ahead, as it does when the machine's is set back afterwards.
  beginBatch(exchange, (exchange.time + guestLifeMs) as Time);
  expect(exchange.accountByAddress.has(wallet.address)).toBe(false);
  const refused = { status: 401, code: 'INVALID_TOKEN' };
  await expect(client.native.listApiKeys()).rejects.toMatchObject(refused);
  await expect(client.native.createApiKey()).rejects.toMatchObject(refused);
  // Another wallet under the same number.
  const other = createAccount(account.id, createWallet(4).address, exchange.time);
  exchange.accounts[account.id] = other;
  await expect(client.native.listApiKeys()).rejects.toMatchObject(refused);
  await expect(client.native.createApiKey()).rejects.toMatchObject(refused);
  expect(other.apiKeys).toEqual([]);
});

test('AUTH-6 a native error has the envelope, with seconds', async () => {
  const response = await world.app.inject({ url: '/api/v1/api-keys' });
  expect(response.statusCode).toBe(401);
  expect(response.json()).toEqual({
    success: false,
    data: null,
    error: { code: 'INVALID_TOKEN', message: expect.any(String) },
    timestamp: Math.floor(world.clock.now() / 1000),
  });
});

test('AUTH-4 the secret is shown once, never listed, and signs FAPI requests', async () => {
  const { client } = await world.login(3);
  const { native } = client;
  const created = await native.createApiKey({ label: 'bot ☃', ip_whitelist: '10.0.0.1, ::1' });
  expect(Object.keys(created).sort()).toEqual([
    'api_key',
    'created_at',
    'id',
    'ip_whitelist',
    'label',
    'permissions',
    'secret_key',
    'status',
  ]);
  expect(created).toMatchObject({
    api_key: expect.stringMatching(/^[0-9a-f]{64}$/),
    secret_key: expect.stringMatching(/^[0-9a-f]{64}$/),
    label: 'bot ☃',
    ip_whitelist: '10.0.0.1,::1',
    permissions: 'trading,deposit',
    status: 'active',
    created_at: new Date(world.clock.now()).toISOString(),
  });
  const { secret_key, ...shown } = created;
  const listed = await native.listApiKeys();
  expect(listed).toEqual([{ ...shown, last_used_at: null, rate_tier: 'standard' }]);
  expect(JSON.stringify(listed)).not.toContain(secret_key);
});

test('spec API key: simultaneous changes all hold, and none restores a replaced value', async () => {
  const { client } = await world.login(4);
  const { native } = client;
  const { id } = await native.createApiKey({ label: 'a' });
  await Promise.all([
    native.updateApiKey({ id, ip_whitelist: '10.9.9.9' }),
    native.updateApiKey({ id, label: 'b' }),
    native.updateApiKey({ id, status: 'disabled' }),
  ]);
  expect(await native.listApiKeys()).toMatchObject([
    { label: 'b', ip_whitelist: '10.9.9.9', status: 'disabled' },
  ]);
});

test('spec API key: disabled, active again, renamed, cleared, deleted', async () => {
  const { client } = await world.login(3);
  const { native } = client;
  const { id, api_key, secret_key } = await native.createApiKey({ label: 'a' });
  const keyed = world.client({ apiKey: api_key, secretKey: secret_key });
  expect(await keyed.fapi.getOpenOrders()).toEqual([]);
  const used = new Date(world.clock.now()).toISOString();
  expect(await native.listApiKeys()).toMatchObject([{ last_used_at: used }]);

  expect(await native.updateApiKey({ id, status: 'disabled' })).toMatchObject({
    label: 'a',
    status: 'disabled',
  });
  await expect(keyed.fapi.getOpenOrders()).rejects.toMatchObject({ code: 'API_KEY_DISABLED' });
  await native.updateApiKey({ id, status: 'active', ip_whitelist: '10.9.9.9' });
  await expect(keyed.fapi.getOpenOrders()).rejects.toMatchObject({ code: 'IP_NOT_ALLOWED' });
  expect(await native.updateApiKey({ id, label: 'b' })).toMatchObject({ ip_whitelist: '10.9.9.9' });
  expect(await native.updateApiKey({ id, ip_whitelist: '', label: '' })).toMatchObject({
    label: '',
    ip_whitelist: '',
  });
  expect(await keyed.fapi.getOpenOrders()).toEqual([]);

  const { headers, statusCode, body } = await world.app.inject({
    method: 'DELETE',
    url: `/api/v1/api-keys/${id}`,
    headers: { authorization: `Bearer ${(await world.login(3)).token}` },
  });
  expect({ statusCode, body }).toEqual({ statusCode: 204, body: '' });
  expect(headers['content-length']).toBeUndefined();
  await expect(keyed.fapi.getOpenOrders()).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  expect(world.secretStore.secretOf(api_key)).toBeUndefined();
  await expect(native.deleteApiKey({ id })).rejects.toMatchObject({ status: 404 });
});

test('INVALID_IP for a malformed whitelist, at creation and at update, without any effect', async () => {
  const { client } = await world.login(3);
  const { native } = client;
  const { id } = await native.createApiKey();
  const before = world.stateHash();
  for (const ip_whitelist of ['1.2.3', '1.2.3.4,', '10.0.0.0/8', 'localhost', '1.2.3.4 5.6.7.8']) {
    const wrong = { status: 400, code: 'INVALID_IP' };
    await expect(native.createApiKey({ ip_whitelist }), ip_whitelist).rejects.toMatchObject(wrong);
    await expect(native.updateApiKey({ id, ip_whitelist })).rejects.toMatchObject(wrong);
  }
  expect(world.stateHash()).toBe(before);
});

test('LIMIT_REACHED at the thirty-first key of an account, also for simultaneous requests', async () => {
  const { native } = (await world.login(3)).client;
  for (let count = 0; count < 28; count += 1) await native.createApiKey();
  const race = await Promise.allSettled([1, 2, 3, 4].map(() => native.createApiKey()));
  expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(native.createApiKey()).rejects.toMatchObject({ status: 400, code: 'LIMIT_REACHED' });
  expect(await native.listApiKeys()).toHaveLength(30);
  const other = (await world.login(4)).client.native;
  expect(await other.createApiKey()).toMatchObject({ status: 'active' });
});

test('the id of a foreign key gets the same answer as an id that never existed', async () => {
  const { native } = (await world.login(3)).client;
  const { id } = await native.createApiKey();
  const other = (await world.login(4)).client.native;
  for (const named of [id, '00000000-0000-4000-8000-000000000000']) {
    const unknown = { status: 404, code: 'NOT_FOUND' };
    await expect(other.updateApiKey({ id: named, label: 'x' })).rejects.toMatchObject(unknown);
    await expect(other.deleteApiKey({ id: named })).rejects.toMatchObject(unknown);
  }
  await expect(native.deleteApiKey({ id: 'nonsense' })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
  });
  expect(await native.listApiKeys()).toHaveLength(1);
});

test('AUTH-5 SYM-0 a token of another deployment, or no API key, gives no access', async () => {
  const elsewhere = await openMemoryExchange({ chainId: 43114 });
  try {
    const { token } = await elsewhere.login(3);
    await world.login(3);
    const { native } = world.client({ token });
    await expect(native.listApiKeys()).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  } finally {
    await elsewhere.close();
  }
  const { client } = await world.login(3);
  const { api_key } = await client.native.createApiKey();
  const response = await world.app.inject({
    url: '/api/v1/balances',
    headers: { 'x-mbx-apikey': api_key },
  });
  expect(response.statusCode).toBe(401);
});

test('a forged nonce always differs from the nonce', () => {
  for (const nonce of ['xabc', 'yabc', 'Aabc', '-abc']) {
    expect(forgedNonce(nonce)).not.toBe(nonce);
    expect(forgedNonce(nonce)).toHaveLength(nonce.length);
  }
});
