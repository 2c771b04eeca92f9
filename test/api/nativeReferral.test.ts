// Referral on the wire (NAT-4): the native routes, the operator's, and what history keeps by day.

import { expect } from 'vitest';
import { eachDatabase } from '../fixtures/eachDatabase.ts';
import { openMemoryExchange, operatorToken } from '../fixtures/memoryExchange.ts';
import { twoTraders } from '../fixtures/twoTraders.ts';

const symbol = 'BTCUSDT';
const dayMs = 86_400_000;
const terms = { enabled: true, discount: '0.04', share: '0.1' };
const nothing = {
  code: null,
  bound_code: null,
  terms,
  referees: 0,
  accrued: '0',
  claimed: '0',
  total: '0',
  days: [],
};

const refused = (status: number, code: string) => ({ status, code });

eachDatabase('NAT-4 NAT-4d codes, bindings, what accrues by day, and a claim', async (where) => {
  const world = await openMemoryExchange({ where });
  const traders = await twoTraders(world);
  const [alice, bob] = [{ ...traders.alice }, { ...traders.bob }];
  const { operator } = world.client({ operatorToken });
  expect(await alice.native.getReferral()).toEqual(nothing);
  await expect(alice.native.setReferralCode({ code: 'alice' })).rejects.toMatchObject(
    refused(400, 'REFERRAL_CODE_INVALID'),
  );
  await expect(alice.native.setReferralCode({ code: 'A'.repeat(17) })).rejects.toMatchObject(
    refused(400, 'REFERRAL_CODE_INVALID'),
  );
  await expect(alice.native.setReferralCode({} as never)).rejects.toMatchObject(
    refused(400, 'INVALID_PARAMETER'),
  );
  expect(await alice.native.setReferralCode({ code: 'ALICE' })).toEqual({ code: 'ALICE' });
  await expect(alice.native.setReferralCode({ code: 'OTHER' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_CODE_PRESENT'),
  );
  await expect(bob.native.setReferralCode({ code: 'ALICE' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_CODE_TAKEN'),
  );
  await expect(alice.native.bindReferral({ code: 'ALICE' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_SELF'),
  );
  await expect(bob.native.bindReferral({ code: 'NOBODY' })).rejects.toMatchObject(
    refused(404, 'REFERRAL_CODE_INVALID'),
  );
  expect(await bob.native.bindReferral({ code: 'ALICE' })).toEqual({ bound_code: 'ALICE' });
  await expect(bob.native.bindReferral({ code: 'ALICE' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_ALREADY_BOUND'),
  );
  await bob.native.setReferralCode({ code: 'BOBBOB' });
  await expect(alice.native.bindReferral({ code: 'BOBBOB' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_SELF'),
  );
  await expect(alice.native.claimReferral()).rejects.toMatchObject(
    refused(409, 'REFERRAL_NOTHING_TO_CLAIM'),
  );
  expect((await bob.native.getFeeInfo({ symbol })).rates).toMatchObject([
    { maker_commission_rate: '0.000192', taker_commission_rate: '0.00048' },
  ]);
  const limit = { symbol, type: 'LIMIT', price: '50000', quantity: '0.1' } as const;
  /** On another day the tokens of the first are no longer valid. */
  const renew = async () => {
    alice.native = (await world.login(1)).client.native;
    bob.native = (await world.login(2)).client.native;
  };
  const trade = async () => {
    await operator.setIndexPrice({ symbol, price: '50000' });
    await alice.native.placeNativeOrder({ ...limit, side: 'SELL' });
    await bob.native.placeNativeOrder({ ...limit, side: 'BUY' });
    return Math.floor(world.clock.now() / dayMs) * dayMs;
  };
  // 5000 at 0.00048 is 2.4, of which 0.24.
  const first = await trade();
  await expect(alice.native.bindReferral({ code: 'BOBBOB' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_ALREADY_TRADED'),
  );
  world.clock.advance(dayMs);
  await renew();
  const second = await trade();
  await trade();
  expect(second - first).toBe(dayMs);
  const days = [
    { time: first, amount: '0.24' },
    { time: second, amount: '0.48' },
  ];
  const earned = { ...nothing, code: 'ALICE', referees: 1, accrued: '0.72', total: '0.72', days };
  const shown = await alice.native.getReferral();
  expect(shown).toEqual(earned);
  expect(await bob.native.getReferral()).toEqual({
    ...nothing,
    code: 'BOBBOB',
    bound_code: 'ALICE',
  });
  const of = async (window: object) => (await alice.native.getReferral(window)).days;
  expect(await of({ limit: 1 })).toEqual(days.slice(1));
  expect(await of({ start_time: first, limit: 1 })).toEqual(days.slice(0, 1));
  expect(await of({ start_time: first + 1, end_time: second })).toEqual(days.slice(1));
  expect(await operator.getReferralTerms()).toEqual({ terms, codes: 2, payable: '0.72' });
  const before = (await alice.native.listBalances())[0]!.balance;
  const claimed = await alice.native.claimReferral();
  expect(claimed.amount).toBe('0.72');
  expect(Number(claimed.balance)).toBeCloseTo(Number(before) + 0.72, 6);
  expect((await alice.native.listLedger({ limit: 1 }))[0]).toMatchObject({
    kind: 'referral',
    symbol: null,
    amount: '0.72',
    balance: claimed.balance,
  });
  const income = await alice.fapi.getIncome();
  expect(new Set(income.map(({ incomeType }) => incomeType))).not.toContain('REFERRAL');
  expect(income.some(({ income: amount }) => amount === '0.72')).toBe(false);
  expect(await alice.native.getReferral()).toEqual({ ...earned, accrued: '0', claimed: '0.72' });
  const { figures } = await operator.getInvariants();
  expect(figures).toMatchObject({ referral_payable: '0', difference: '0' });

  await operator.setReferralTerms({ enabled: false });
  const off = { terms: { ...terms, enabled: false } };
  expect(await bob.native.getReferral()).toMatchObject(off);
  const { address, client } = await world.login(7);
  await expect(client.native.bindReferral({ code: 'ALICE' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_DISABLED'),
  );
  await operator.setReferralTerms({ enabled: true, share: '0.5' });
  await expect(client.native.setReferralCode({ code: 'GUEST1' })).rejects.toMatchObject(
    refused(409, 'REFERRAL_NOT_ELIGIBLE'),
  );
  await operator.creditAccount({ address, amount: '1', reference: 'a deposit' });
  expect(await client.native.setReferralCode({ code: 'GUEST1' })).toEqual({ code: 'GUEST1' });
  for (const wrong of [{ share: '0.51' }, { discount: '-0.1' }]) {
    await expect(operator.setReferralTerms(wrong)).rejects.toMatchObject({ status: 400 });
  }
  const stranger = world.client().native.getReferral();
  await expect(stranger).rejects.toMatchObject(refused(401, 'INVALID_TOKEN'));
  expect(world.faults).toEqual([]);
  await world.close();
});
