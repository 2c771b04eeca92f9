// The operator's surface (OPS-1): its token, credits, flags, tiers, and the archivist's answers.

import { expect, test } from 'vitest';
import { operatorToken } from '../fixtures/memoryExchange.ts';
import { useExchange, world } from '../fixtures/useTraders.ts';
import { createWallet } from '../identity/wallet.ts';

useExchange();

const operator = () => world.client({ operatorToken }).operator;
const wallet = createWallet(7);

test('OPS-1 no path is answered without the token', async () => {
  for (const token of [undefined, '', 'wrong', `${operatorToken}x`, operatorToken.slice(1)]) {
    const credentials = token === undefined ? {} : { operatorToken: token };
    const answer = world.client(credentials).operator.listOperatorMarkets();
    await expect(answer).rejects.toMatchObject({ status: 401, code: 'INVALID_TOKEN' });
  }
  // Without the token a client learns neither which paths exist nor what is wrong with a request.
  const paths = ['/operator/nothing', '/operator/markets/%', '/', '/fapi/v1/ping', '/health'];
  for (const url of paths) {
    const refused = await world.operatorApp.inject({ url });
    expect([url, refused.statusCode]).toEqual([url, 401]);
    const headers = { authorization: `Bearer ${operatorToken}` };
    const known = await world.operatorApp.inject({ url, headers });
    expect([url, known.statusCode]).toEqual([url, url.endsWith('%') ? 400 : 404]);
  }
  const basic = { authorization: `Basic ${operatorToken}` };
  const response = await world.operatorApp.inject({ url: '/operator/markets', headers: basic });
  expect(response.statusCode).toBe(401);
  // The public listener does not have this path.
  const bearer = { authorization: `Bearer ${operatorToken}` };
  const open = await world.app.inject({ url: '/operator/markets', headers: bearer });
  expect(open.statusCode).toBe(404);
});

test('OPS-1 a credit creates the account; the same reference gets the first answer', async () => {
  const { checksummed: address } = wallet;
  const credit = { address, amount: '1000.5', reference: 'deposit 1' };
  const first = await operator().creditAccount(credit);
  expect(first).toEqual({ ...credit, address: wallet.address });
  expect(await operator().creditAccount({ ...credit, amount: '1000.50' })).toEqual(first);
  await expect(operator().creditAccount({ ...credit, amount: '1' })).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
  });
  const other = createWallet(8).address;
  await expect(operator().creditAccount({ ...credit, address: other })).rejects.toMatchObject({
    status: 409,
  });
  const { client } = await world.login(7);
  expect(await client.native.listBalances()).toMatchObject([
    { asset: 'USDT', balance: '1000.5', available_balance: '1000.5' },
  ]);
});

test('OPS-1 a credit must be above zero, exact, and for an address', async () => {
  const { address } = wallet;
  for (const amount of ['0', '-5', '0.0000001', '1e40', '99999999999']) {
    const answer = operator().creditAccount({ address, amount, reference: amount });
    await expect(answer, amount).rejects.toMatchObject({ status: 400, code: 'INVALID_AMOUNT' });
  }
  for (const amount of ['NaN', 'Infinity', '1e400', 'ten', '0x10']) {
    const answer = operator().creditAccount({ address, amount, reference: amount });
    await expect(answer, amount).rejects.toMatchObject({ status: 400 });
  }
  const wrong = wallet.checksummed.replace(/[a-f]/, (letter) => letter.toUpperCase());
  for (const bad of [wrong, address.slice(1), `${address}00`, 'bob']) {
    const answer = operator().creditAccount({ address: bad, amount: '1', reference: 'r' });
    await expect(answer, bad).rejects.toMatchObject({ status: 400, code: 'INVALID_ADDRESS' });
  }
});

test('OPS-1 flags of an account: house and the fee tier; an unknown account is 404', async () => {
  const { address } = wallet;
  await expect(operator().changeAccount({ address, house: true })).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
  await operator().creditAccount({ address, amount: '1', reference: 'r' });
  const house = await operator().changeAccount({ address, house: true });
  expect(house).toEqual({ address, house: true, fee_tier: 0 });
  const tier = await operator().changeAccount({ address, fee_tier: 0 });
  expect(tier).toEqual({ address, house: true, fee_tier: 0 });
  for (const change of [{}, { fee_tier: 1 }, { fee_tier: -1 }, { fee_tier: 'x' }]) {
    await expect(operator().changeAccount({ address, ...change })).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
    });
  }
});

test('OPS-1 the operator sets the rate tier of a key, and the list shows it', async () => {
  const { address, client } = await world.login(9);
  const { api_key } = await client.native.createApiKey();
  expect(await operator().changeApiKey({ api_key, rate_tier: 'ext-mm' })).toEqual({
    api_key,
    address,
    status: 'active',
    rate_tier: 'ext-mm',
  });
  expect(await client.native.listApiKeys()).toMatchObject([{ api_key, rate_tier: 'ext-mm' }]);
  const unknown = operator().changeApiKey({ api_key: 'f'.repeat(64), rate_tier: 'house' });
  await expect(unknown).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const wrong = operator().changeApiKey({ api_key, rate_tier: 'gold' as 'house' });
  await expect(wrong).rejects.toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
});

test('OPS-1 state hash, invariants with every figure (BAL-2), snapshot', async () => {
  const { address } = wallet;
  await operator().creditAccount({ address, amount: '12.000001', reference: 'r' });
  const { position, state_hash, price_hash } = await operator().getStateHash();
  expect(position).toBeGreaterThan(0);
  expect(state_hash).toMatch(/^[0-9a-f]{16,}$/);
  expect(price_hash).toMatch(/^[0-9a-f]{16,}$/);
  const invariants = await operator().getInvariants();
  expect(invariants).toEqual({
    position: expect.any(Number),
    ok: true,
    failures: [],
    figures: {
      accounts: 1,
      markets: 0,
      orders: 0,
      triggers: 0,
      balances: '12.000001',
      available: '12.000001',
      freezes: '0',
      collateral: '0',
      uncovered: '0',
      insurance: '0',
      fee_revenue: '0',
      referral_payable: '0',
      pending_withdrawals: '0',
      shortfall: '0',
      entries: '0',
      deposits: '12.000001',
      withdrawals: '0',
      difference: '0',
    },
  });
  expect(await operator().takeSnapshot()).toEqual({ position: expect.any(Number) });
});
