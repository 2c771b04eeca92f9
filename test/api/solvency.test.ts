// What the exchange owes in all, without a vault. test/contracts/ has what a vault holds.

import { expect, test } from 'vitest';
import type { Money } from '../../src/units/units.ts';
import { openMemoryExchange, operatorToken } from '../fixtures/memoryExchange.ts';

test('VLT-7 solvency without a vault: what the operator has credited is owed', async () => {
  const world = await openMemoryExchange({ faucet: 1_000_000 as Money });
  try {
    const { operator } = world.client({ operatorToken });
    const { address, token } = await world.login(7);
    await operator.creditAccount({ address, amount: '250.5', reference: 'one' });
    await operator.creditInsurance({ amount: '100', reference: 'two' });
    const { native } = world.client({ token });
    const { id } = await native.requestWithdrawal({ amount: '50' });
    const none = { vault: null, chain: null, anchor: null };
    expect(await world.client({}).native.getSolvency()).toEqual({
      ...{ ...none, deposits: '350.5', withdrawals: '0', owed: '350.5' },
    });
    await operator.resolveWithdrawal({ id, action: 'complete' });
    expect(await world.client({}).native.getSolvency()).toEqual({
      ...{ ...none, deposits: '350.5', withdrawals: '50', owed: '300.5' },
    });
  } finally {
    await world.close();
  }
});
