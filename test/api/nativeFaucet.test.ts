// Play money of a testnet (NAT-8): who gets it, how often, and that it is paid once.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFaucetLimit } from '../../src/gateway/identity/faucetLimit.ts';
import type { Money } from '../../src/units/units.ts';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';

let world: MemoryExchange;

beforeEach(async () => {
  world = await openMemoryExchange({ faucet: 10_000_000_000 as Money });
});

afterEach(async () => {
  expect(world.faults).toEqual([]);
  const { ok, failures } = await world.client({ operatorToken }).operator.getInvariants();
  expect({ ok, failures }).toEqual({ ok: true, failures: [] });
  await world.close();
});

const day = 86_400_000;
const limit = { status: 429, code: 'FAUCET_LIMIT' };

test('NAT-8 BAL-2 BAL-3 a wallet gets play money once a day, and the ledger has each claim', async () => {
  const { client } = await world.login(1);
  const { native } = client;
  expect((await native.getNativeAccount()).faucet).toBe('10000');
  const next_claim_time = (Math.floor(world.clock.now() / day) + 1) * day;
  expect(await native.claimFaucet()).toEqual({
    amount: '10000',
    balance: '10000',
    next_claim_time,
  });
  const hash = world.stateHash();
  await expect(native.claimFaucet()).rejects.toMatchObject(limit);
  expect(world.stateHash()).toBe(hash);
  world.clock.advance(next_claim_time - world.clock.now());
  const again = (await world.login(1)).client.native;
  expect(await again.claimFaucet()).toMatchObject({ balance: '20000' });
  const rows = await again.listLedger();
  expect(rows).toHaveLength(2);
  expect(await again.listDeposits()).toHaveLength(2);
});

test('NAT-8 claims at the same moment are paid once', async () => {
  const { client } = await world.login(1);
  const claims = await Promise.allSettled(
    Array.from({ length: 10 }, () => client.native.claimFaucet()),
  );
  expect(claims.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await client.native.listBalances()).toMatchObject([{ balance: '10000' }]);
});

test('NAT-8 attack: many wallets of one client get it five times a day', async () => {
  const balances: unknown[] = [];
  for (let seed = 1; seed <= 8; seed += 1) {
    const { client } = await world.login(seed);
    balances.push(await client.native.claimFaucet().catch(({ code }) => code));
  }
  expect(balances.slice(5)).toEqual(['FAUCET_LIMIT', 'FAUCET_LIMIT', 'FAUCET_LIMIT']);
  expect(balances.slice(0, 5)).toMatchObject(Array(5).fill({ balance: '10000' }));
});

test('NAT-8 all clients of a day are bounded, an IPv6 /64 is one client, and a day begins anew', () => {
  const few = createFaucetLimit(2, 5);
  const now = 20_000 * day;
  expect(few.admit('2001:db8::1', now)).toBe(true);
  expect(few.admit('2001:db8::2', now)).toBe(true);
  expect(few.admit('2001:db8::3', now)).toBe(false);
  for (const client of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) expect(few.admit(client, now)).toBe(true);
  expect(few.admit('4.4.4.4', now)).toBe(false);
  few.giveBack('1.1.1.1');
  expect(few.admit('4.4.4.4', now)).toBe(true);
  // The clock is set back: the later day stays.
  expect(few.admit('5.5.5.5', now - 1)).toBe(false);
  expect(few.admit('5.5.5.5', now + day)).toBe(true);
});

test('NAT-8 a deployment without a faucet refuses, and the account shows none', async () => {
  const dry = await openMemoryExchange();
  const { native } = (await dry.login(1)).client;
  expect((await native.getNativeAccount()).faucet).toBe(null);
  const answer = native.claimFaucet();
  await expect(answer).rejects.toMatchObject({ status: 404, code: 'FAUCET_OFF' });
  await expect(dry.client().native.claimFaucet()).rejects.toMatchObject({ status: 401 });
  await dry.close();
});
