// The running program at its most talkative level writes no secret that a client, an operator or
// the environment has handed it. Goal: whatever comes in, in the places where secrets lie and in
// those where they have no business. Method: one of everything, then a search through standard
// error.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fapiOperations } from '../../src/api/fapi/fapiOperations.ts';
import { createClient } from '../../src/client/createClient.ts';
import { rowRequest } from '../../src/client/rowRequest.ts';
import {
  operatorToken,
  quietFlags,
  type RunningServer,
  startServer,
} from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { openStockAccount, type StockAccount } from './stockAccount.ts';

const jwtSecret = 'a jwt secret of the journal tests';
const masterKey = 'c0ffee11'.repeat(8);
const idempotencyKey = 'idempotency-of-the-journal-tests';
const wrongToken = 'wrong-operator-token-of-the-tests';
const directory = createTemporaryDirectory();

let server: RunningServer;
let account: StockAccount;

beforeAll(async () => {
  server = await startServer({
    data: directory.path,
    flags: [...quietFlags, '--log-level', 'trace'],
    environment: { EVERMARK_JWT_SECRET: jwtSecret, EVERMARK_MASTER_KEY: masterKey },
  });
  await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
  account = await openStockAccount(server, { seed: 9100, usdt: '1000' });
});

afterAll(() => directory[Symbol.dispose]());

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;

/** Sends one signed request by hand and gives its signature and the answer. */
async function sendSigned(
  name: 'placeOrder' | 'getOpenOrders' | 'startListenKey',
  parameters: Readonly<Record<string, unknown>>,
): Promise<{ readonly signature: string; readonly body: Readonly<Record<string, string>> }> {
  const { apiKey, secret: secretKey } = account;
  const signing = { apiKey, secretKey, idempotencyKey, now: Date.now() };
  const request = await rowRequest(fapiOperations[name], parameters, signing);
  const { method, path, headers, body } = request;
  const response = await fetch(server.http + path, { method, headers, ...(body && { body }) });
  const signature = /signature=([0-9a-f]+)/.exec(path)?.[1] ?? '';
  return { signature, body: (await response.json()) as Record<string, string> };
}

/** Opens a socket at this address, says something, and waits until it has ended. */
async function visitSocket(path: string, message?: unknown): Promise<void> {
  const socket = new WebSocket(server.http.replace('http:', 'ws:') + path);
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.on('open', () => {
    if (message !== undefined) socket.send(JSON.stringify(message));
    socket.close();
  });
  await closed;
}

test('the output of the program at trace contains no secret', async () => {
  const { apiKey, secret, own } = account;
  const placed = await sendSigned('placeOrder', { ...order, quantity: '0.01', price: '49000' });
  expect(placed.body.orderId).toBeDefined();
  const read = await sendSigned('getOpenOrders', { symbol: 'BTCUSDT' });
  const { listenKey = '' } = (await sendSigned('startListenKey', {})).body;
  expect(listenKey).toHaveLength(64);
  const fresh = await own.native.createApiKey({ label: 'another' });
  const token = await tokenOfLogin();
  // Where they belong.
  await visitSocket(`/ws/${listenKey}`);
  await visitSocket(`/private/ws?listenKey=${listenKey}`);
  await visitSocket(`/stream?streams=${listenKey}`);
  await visitSocket('/ws', { type: 'auth', token });
  await get('/api/v1/balances', { authorization: `Bearer ${token}` });
  // Where they do not.
  const secrets = { apiKey, secret, listenKey, token, jwtSecret, masterKey, operatorToken };
  for (const value of Object.values(secrets)) {
    const text = encodeURIComponent(value);
    await get(`/fapi/v1/time?x=${text}`);
    await get(`/nowhere/ws/${text}`);
    await get('/api/v1/balances', { authorization: `Bearer ${value}` });
    await get(`/fapi/v2/balance?timestamp=1&signature=${text}`, { 'x-mbx-apikey': value });
    await fetch(`${server.http}/api/v1/orders`, { method: 'POST', body: `{"x":"${value}` });
  }
  await fetch(`${server.operatorUrl}/operator/api-keys/${apiKey}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${wrongToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rate_tier: 'ext-mm' }),
  });
  await server.operator.changeApiKey({ api_key: apiKey, rate_tier: 'ext-mm' });
  expect(await server.stop()).toBe(0);

  const written = server.errors();
  // The journal reports the requests, so the search has something to find.
  for (const reported of [
    '"operation":"placeOrder"',
    '"target":"POST /fapi/v1/order?',
    'nativeUnserved',
  ]) {
    expect(written).toContain(reported);
  }
  const hidden = {
    ...secrets,
    idempotencyKey,
    wrongToken,
    placedSignature: placed.signature,
    readSignature: read.signature,
    freshKey: fresh.api_key,
    freshSecret: fresh.secret_key,
    generatedFiles: secretFiles(),
  };
  for (const [name, value] of Object.entries(hidden)) {
    for (const text of [value].flat()) {
      expect(text.length, name).toBeGreaterThan(15);
      for (const form of [text, encodeURIComponent(text)]) {
        expect(written.includes(form), `${name} is in what was written`).toBe(false);
      }
    }
  }
});

/** Secrets that the first start made by itself. */
function secretFiles(): readonly string[] {
  const names = ['operator-token', 'master-key', 'jwt-secret'];
  return names.flatMap((name) => {
    try {
      return [readFileSync(join(directory.path, name), 'utf8').trim()];
    } catch {
      return [];
    }
  });
}

async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  await (await fetch(server.http + path, { headers })).text();
}

/** A token of the same wallet, as the wire gives it. */
async function tokenOfLogin(): Promise<string> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const wallet = privateKeyToAccount(`0x${(9100).toString(16).padStart(64, '0')}`);
  const visitor = createClient({ baseUrl: server.http });
  const issued = await visitor.native.getLoginNonce({ address: wallet.address });
  const { address, nonce, timestamp } = issued;
  const signature = await wallet.signTypedData(issued.typed_data as never);
  return (await visitor.native.login({ address, nonce, timestamp, signature })).token;
}
