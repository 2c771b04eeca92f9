// The typed client: its requests on the wire, its results, and the verbs of the operator
// that use it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getOrder } from '../../src/api/fapi/getOrder.ts';
import { placeOrder } from '../../src/api/fapi/placeOrder.ts';
import { getNativeOrder } from '../../src/api/native/getNativeOrder.ts';
import { runAccounts } from '../../src/bin/accounts.ts';
import { runCredit } from '../../src/bin/credit.ts';
import { runFees } from '../../src/bin/fees.ts';
import { runFund } from '../../src/bin/fund.ts';
import { runFunding } from '../../src/bin/funding.ts';
import { runInvariants } from '../../src/bin/invariants.ts';
import { runKeys } from '../../src/bin/keys.ts';
import { runMarkets } from '../../src/bin/markets.ts';
import type { VerbIo } from '../../src/bin/operatorVerb.ts';
import { runPrice } from '../../src/bin/price.ts';
import { runReferral } from '../../src/bin/referral.ts';
import { runSnapshot } from '../../src/bin/snapshot.ts';
import { runStateHash } from '../../src/bin/stateHash.ts';
import { runWithdrawals } from '../../src/bin/withdrawals.ts';
import { ApiError } from '../../src/client/apiError.ts';
import { createClient } from '../../src/client/createClient.ts';
import { rowRequest } from '../../src/client/rowRequest.ts';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { twoTraders } from '../fixtures/twoTraders.ts';
import { useExchange, world } from '../fixtures/useTraders.ts';

useExchange();

const keyed = { apiKey: 'key', secretKey: 'secret', now: 1_700_000_000_000 };

test('spec signing: query and timestamp, then the raw body, HMAC-SHA256 in hex', async () => {
  const get = await rowRequest(getOrder, { symbol: 'BTC/USD', orderId: undefined }, keyed);
  expect(get).toEqual({
    method: 'GET',
    path:
      '/fapi/v1/order?symbol=BTC%2FUSD&timestamp=1700000000000&signature=' +
      '62fbf3813b789bc28e69af8715f58bb2f12d6d542da56f78cab94a106538c732',
    headers: { 'x-mbx-apikey': 'key' },
    body: undefined,
  });
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '1' };
  const post = await rowRequest(placeOrder, order, { ...keyed, idempotencyKey: 'once' });
  expect(post.body).toBe('{"symbol":"BTCUSDT","side":"BUY","type":"MARKET","quantity":"1"}');
  expect(post.path).toBe(
    '/fapi/v1/order?timestamp=1700000000000&signature=' +
      'e829cb9b55faf93ee93fb3f4604d2c14a97d18fc54df61806bdc3b6769da39c1',
  );
  expect(post.headers).toEqual({
    'content-type': 'application/json',
    'x-mbx-apikey': 'key',
    'idempotency-key': 'once',
  });
});

test('path parameters are escaped, and a missing credential or parameter is an error', async () => {
  const path = await rowRequest(getNativeOrder, { id: 'a/b:c' }, { ...keyed, token: 't' });
  expect(path.path).toBe('/api/v1/orders/a%2Fb%3Ac');
  expect(path.headers).toEqual({ authorization: 'Bearer t' });
  await expect(rowRequest(getNativeOrder, {}, keyed)).rejects.toThrow('needs the parameter id');
  await expect(rowRequest(placeOrder, {}, { now: 0 })).rejects.toThrow('needs an API key');
});

test('ID-2 a client order id with a slash finds its order on the native surface', async () => {
  const { alice } = await twoTraders(world);
  const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: '49000' } as const;
  const order = { ...limit, quantity: '0.01', client_order_id: 'grid/7:b' };
  const { order_id } = await alice.native.placeNativeOrder(order);
  expect((await alice.native.getNativeOrder({ id: 'grid/7:b' })).order_id).toBe(order_id);
});

test('a failure of any envelope becomes an ApiError with status, code and text', async () => {
  const { alice } = await twoTraders(world);
  const failure = await alice.fapi
    .getOrder({ symbol: 'NOPE', orderId: 'x' })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ operation: 'getOrder', status: 400, code: -1121 });
  expect(String(failure)).toBe('ApiError: getOrder: 400 -1121: Invalid symbol.');
  const { fapi } = world.client({ apiKey: alice.apiKey, secretKey: 'wrong' });
  await expect(fapi.getOpenOrders()).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
  const html = async () => new Response('<p>proxy</p>', { status: 502 });
  const behind = createClient({ baseUrl: 'http://x', fetch: html as typeof fetch });
  await expect(behind.probes.getHealth()).rejects.toMatchObject({
    status: 502,
    code: 'UNREADABLE',
  });
});

test('FAPI through the client: place, amend, cancel, with the names of the convention', async () => {
  const { alice } = await twoTraders(world);
  const { fapi } = alice;
  const placed = await fapi.placeOrder({
    symbol: 'BTC-USDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.1',
    price: '48000',
  });
  const { orderId } = placed;
  const amended = await fapi.modifyOrder({
    symbol: 'BTCUSDT',
    orderId,
    quantity: '0.2',
    price: '47000',
  });
  expect(amended).toMatchObject({ orderId, origQty: '0.200', price: '47000.0' });
  const cancelled = await fapi.cancelOrder({ symbol: 'BTCUSDT', orderId });
  expect(cancelled).toMatchObject({ orderId, status: 'CANCELED' });
});

type Ran = { readonly code: number; readonly out: string[]; readonly err: string[] };

async function run(
  verb: (args: readonly string[], io: VerbIo) => Promise<number>,
  args: readonly string[],
  environment: VerbIo['environment'] = { EVERMARK_OPERATOR_TOKEN: operatorToken },
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await verb(args, {
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
    environment: { EVERMARK_OPERATOR_URL: await listening(), ...environment },
  });
  return { code, out, err };
}

async function listening(): Promise<string> {
  const { server } = world.operatorApp;
  if (!server.listening) await world.operatorApp.listen({ host: '127.0.0.1', port: 0 });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

const parsed = ({ out }: Ran): unknown => JSON.parse(out.join('\n'));
const address = '0x00000000000000000000000000000000000000aa';

test('OPS-1 every verb of the operator asks the running server', async () => {
  const members = ['symbol=BTCUSDT', 'base_asset=BTC', 'tick_size=0.1', 'lot_size=0.001'];
  const sources = 'index_sources=[{"source":"manual","weight":3}]';
  expect(await run(runMarkets, ['list', ...members, sources])).toMatchObject({ code: 0, err: [] });
  expect(parsed(await run(runMarkets, ['change', 'btc-usd', 'max_leverage=10']))).toMatchObject({
    symbol: 'BTCUSDT',
    max_leverage: 10,
  });
  expect(parsed(await run(runMarkets, []))).toMatchObject([
    { symbol: 'BTCUSDT', index_sources: [{ source: 'manual', weight: 3 }] },
  ]);
  expect(parsed(await run(runPrice, ['BTCUSDT', '50000']))).toMatchObject({
    index_price: '50000.0',
  });
  expect((await run(runPrice, ['BTCUSDT', 'none'])).code).toBe(0);
  expect(parsed(await run(runCredit, [address, '10', 'ref']))).toEqual({
    address,
    amount: '10',
    reference: 'ref',
  });
  expect(parsed(await run(runAccounts, [address, '--house', 'true']))).toMatchObject({
    house: true,
  });
  const { client } = await world.login(1);
  const { api_key } = await client.native.createApiKey();
  expect(parsed(await run(runKeys, ['tier', api_key, 'house']))).toMatchObject({
    rate_tier: 'house',
  });
  expect(parsed(await run(runStateHash, []))).toMatchObject({ state_hash: world.stateHash() });
  expect(parsed(await run(runInvariants, []))).toMatchObject({ ok: true });
  expect((await run(runSnapshot, [])).code).toBe(0);
});

test('OPS-1 the verbs for money: funding, fund, withdrawals, fees', async () => {
  const { alice } = await twoTraders(world);
  expect(parsed(await run(runFunding, ['btc-usd']))).toMatchObject({ symbol: 'BTCUSDT' });
  const credit = { amount: '1000', reference: 'seed' };
  expect(parsed(await run(runFund, ['credit', '1000', 'seed']))).toEqual(credit);
  const { id } = await alice.native.requestWithdrawal({ amount: '5' });
  const other = await alice.native.requestWithdrawal({ amount: '6' });
  expect(parsed(await run(runWithdrawals, []))).toMatchObject([{ id }, { id: other.id }]);
  expect(parsed(await run(runWithdrawals, ['--limit', '1']))).toMatchObject([{ id }]);
  expect(parsed(await run(runWithdrawals, ['complete', id]))).toMatchObject({
    status: 'completed',
  });
  expect(parsed(await run(runWithdrawals, ['release', other.id]))).toMatchObject({
    status: 'released',
  });
  expect((await run(runWithdrawals, ['release', other.id])).code).toBe(1);

  const shown = await run(runFees, []);
  const plain = { min_volume: '0', maker_discount: '0', taker_discount: '0' };
  expect(parsed(shown)).toEqual({ tiers: [plain] });
  expect(parsed(await run(runFees, ['show']))).toEqual({ tiers: [plain] });
  using directory = createTemporaryDirectory();
  const file = join(directory.path, 'fees.json');
  const tiers = [plain, { min_volume: '5000000', maker_discount: '0.1', taker_discount: '0.2' }];
  for (const content of [tiers, { tiers }]) {
    writeFileSync(file, JSON.stringify(content));
    expect(parsed(await run(runFees, [file]))).toEqual({ tiers });
  }
  writeFileSync(file, '{"tiers":{}}');
  expect(await run(runFees, [file])).toMatchObject({ code: 1, out: [] });
});

test('OPS-1 NAT-4 the verb for referral shows and changes its terms', async () => {
  const terms = { enabled: true, discount: '0.04', share: '0.1' };
  expect(parsed(await run(runReferral, []))).toEqual({ terms, codes: 0, payable: '0' });
  const more = await run(runReferral, ['--share', '0.2', '--discount', '0.05']);
  expect(parsed(more)).toEqual({ terms: { enabled: true, discount: '0.05', share: '0.2' } });
  expect(parsed(await run(runReferral, ['off']))).toMatchObject({ terms: { enabled: false } });
  const on = parsed(await run(runReferral, ['on', '--share', '0.1']));
  expect(on).toEqual({ terms: { enabled: true, discount: '0.05', share: '0.1' } });
  expect((await run(runReferral, ['on', '--share', '0.6'])).code).toBe(1);
  for (const words of [['maybe'], ['on', 'off'], ['on', '--rate', '1']]) {
    expect((await run(runReferral, words)).code).toBe(2);
  }
});

test('a market record can also come from a file', async () => {
  using directory = createTemporaryDirectory();
  const file = join(directory.path, 'market.json');
  const record = { symbol: 'ETHUSDT', base_asset: 'ETH', tick_size: '0.01', lot_size: '0.01' };
  writeFileSync(file, JSON.stringify(record));
  const ran = await run(runMarkets, ['list', '--file', file, 'max_leverage=10']);
  expect(parsed(ran)).toMatchObject({ ...record, max_leverage: 10 });
  writeFileSync(file, '[]');
  expect(await run(runMarkets, ['list', '--file', file])).toMatchObject({ code: 1 });
});

test('a mistyped verb prints its usage, and a refusal prints its code', async () => {
  for (const [verb, args] of [
    [runCredit, [address, '1']],
    [runCredit, [address, '1', 'ref', 'more']],
    [runAccounts, [address]],
    [runAccounts, [address, '--house', 'yes']],
    [runKeys, ['tier', 'x', 'gold']],
    [runMarkets, ['change', 'BTCUSDT', 'max_leverage']],
    [runMarkets, ['drop', 'BTCUSDT']],
    [runPrice, ['BTCUSDT']],
    [runFunding, []],
    [runFund, ['credit', '1']],
    [runFund, ['debit', '1', 'ref']],
    [runWithdrawals, ['complete']],
    [runWithdrawals, ['refuse', 'x']],
    [runWithdrawals, ['release', 'x', '--limit', '1']],
    [runFees, ['show', 'more']],
    [runSnapshot, ['now']],
    [runStateHash, ['--unknown', 'x']],
  ] as const) {
    const ran = await run(verb, args);
    expect(ran.code, args.join(' ')).toBe(2);
    expect(ran.err.at(-1)).toMatch(/^usage: evermark /);
  }
  const refused = await run(runCredit, [address, '0', 'ref']);
  expect(refused).toMatchObject({ code: 1, out: [] });
  expect(refused.err[0]).toContain('INVALID_AMOUNT');
});

test('the operator token comes from the variable or from the data directory', async () => {
  using directory = createTemporaryDirectory();
  const data = join(directory.path, 'data');
  mkdirSync(data);
  const none = {};
  const missing = await run(runSnapshot, ['--data', data], none);
  expect(missing).toMatchObject({ code: 1, out: [] });
  expect(missing.err[0]).toContain('operator-token');
  writeFileSync(join(data, 'operator-token'), `${operatorToken}\n`);
  expect((await run(runSnapshot, ['--data', data], none)).code).toBe(0);
  expect((await run(runSnapshot, [], { EVERMARK_DATA: data })).code).toBe(0);
  const wrong = await run(runSnapshot, [], { EVERMARK_OPERATOR_TOKEN: 'wrong' });
  expect(wrong.err[0]).toContain('INVALID_TOKEN');
  expect((await run(runSnapshot, ['--operator-token', 'x'])).code).toBe(2);
  const nowhere = await run(runSnapshot, ['--operator-url', 'http://127.0.0.1:1']);
  expect(nowhere).toMatchObject({ code: 1, out: [] });
  expect(nowhere.err[0]).toMatch(/^No answer came \(.+\): look whether/);
});
