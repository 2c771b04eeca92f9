// Withdrawals on both surfaces (NAT-3, MAR-8, OPS-1): requested by an account, ended by the
// operator.

import { expect, test } from 'vitest';
import { parseUuid } from '../../src/units/uuid.ts';
import type { Trader } from '../fixtures/twoTraders.ts';
import { alice, bob, operator, useTraders, world } from '../fixtures/useTraders.ts';

useTraders();

const balanceOf = async ({ native }: Trader) => (await native.listBalances())[0]!.balance;

test('NAT-3 a withdrawal leaves the balance, waits, and is completed for good', async () => {
  const time = world.clock.now();
  const requested = await alice.native.requestWithdrawal({ amount: '250.5' });
  const { id } = requested;
  expect(requested).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    amount: '250.5',
    status: 'pending',
    address: alice.address,
    time,
    update_time: time,
    chain: null,
  });
  expect(await balanceOf(alice)).toBe('99749.5');
  expect(await alice.native.listWithdrawals()).toEqual([requested]);
  expect(await bob.native.listWithdrawals()).toEqual([]);
  expect(await operator().listPendingWithdrawals()).toEqual([requested]);
  world.clock.advance(1000);
  const completed = { ...requested, status: 'completed', update_time: time + 1000 };
  expect(await operator().resolveWithdrawal({ id, action: 'complete' })).toEqual(completed);
  expect(await operator().listPendingWithdrawals()).toEqual([]);
  expect(await alice.native.listWithdrawals()).toEqual([completed]);
  expect(await balanceOf(alice)).toBe('99749.5');
  const { figures } = await operator().getInvariants();
  expect(figures).toMatchObject({ withdrawals: '250.5', pending_withdrawals: '0' });
});

test('NAT-3 a released withdrawal returns to the balance; an ended one cannot end again', async () => {
  const { id } = await alice.native.requestWithdrawal({ amount: '100000' });
  expect(await balanceOf(alice)).toBe('0');
  const released = await operator().resolveWithdrawal({ id, action: 'release' });
  expect(released).toMatchObject({ id, status: 'released', amount: '100000' });
  expect(await balanceOf(alice)).toBe('100000');
  for (const action of ['complete', 'release'] as const) {
    await expect(operator().resolveWithdrawal({ id, action })).rejects.toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
  }
});

test('ID-3 the same key and request return the withdrawal as it is now, another request gets 409', async () => {
  const key = { idempotencyKey: 'rent of May' };
  const first = await alice.native.requestWithdrawal({ amount: '10' }, key);
  expect(await alice.native.requestWithdrawal({ amount: '10' }, key)).toEqual(first);
  expect(await balanceOf(alice)).toBe('99990');
  const other = alice.native.requestWithdrawal({ amount: '11' }, key);
  await expect(other).rejects.toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
  await operator().resolveWithdrawal({ id: first.id, action: 'complete' });
  const again = await alice.native.requestWithdrawal({ amount: '10' }, key);
  expect(again).toMatchObject({ id: first.id, status: 'completed' });
  // Keys are of one account each.
  const own = await bob.native.requestWithdrawal({ amount: '10' }, key);
  expect(own.id).not.toBe(first.id);
  expect(await alice.native.listWithdrawals()).toHaveLength(1);
});

test('MAR-8 AUTH-6 an amount must be withdrawable, above zero, and exact', async () => {
  const hash = world.stateHash();
  for (const [amount, status, code] of [
    ['100000.000001', 422, 'INSUFFICIENT_BALANCE'],
    ['0', 400, 'INVALID_AMOUNT'],
    ['-1', 400, 'INVALID_AMOUNT'],
    ['0.0000001', 400, 'INVALID_AMOUNT'],
    ['1e30', 400, 'INVALID_AMOUNT'],
    ['all', 400, 'INVALID_PARAMETER'],
    ['', 400, 'INVALID_PARAMETER'],
  ] as const) {
    const answer = alice.native.requestWithdrawal({ amount });
    await expect(answer, amount).rejects.toMatchObject({ status, code });
  }
  expect(world.stateHash()).toBe(hash);
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '1', price: '50000' } as const;
  await bob.native.placeNativeOrder({ ...order, side: 'SELL' });
  await alice.native.placeNativeOrder({ ...order, side: 'BUY' });
  // 25 of taker fee; a tenth of 50,000 stays, though only 2,500 are collateral.
  const [row] = await alice.native.listBalances();
  expect(row).toMatchObject({ available_balance: '97475', withdrawable: '94975' });
  await expect(alice.native.requestWithdrawal({ amount: '94975.000001' })).rejects.toMatchObject({
    message: expect.stringContaining('The balance is insufficient: at most 94975.'),
  });
  await alice.native.requestWithdrawal({ amount: '94975' });
  expect((await alice.native.listBalances())[0]).toMatchObject({ withdrawable: '0' });
});

test('NAT-3 withdrawals are listed by the time of their request', async () => {
  const ids: string[] = [];
  const start = world.clock.now();
  for (let i = 0; i < 4; i += 1) {
    ids.push((await alice.native.requestWithdrawal({ amount: '1' })).id);
    world.clock.advance(1000);
  }
  await operator().resolveWithdrawal({ id: ids[1]!, action: 'complete' });
  const listed = async (window: Parameters<Trader['native']['listWithdrawals']>[0]) =>
    (await alice.native.listWithdrawals(window)).map(({ id }) => ids.indexOf(id));
  expect(await listed({})).toEqual([0, 1, 2, 3]);
  expect(await listed({ limit: 2 })).toEqual([2, 3]);
  expect(await listed({ start_time: start, limit: 2 })).toEqual([0, 1]);
  expect(await listed({ start_time: start + 1000, end_time: start + 2000 })).toEqual([1, 2]);
  const pending = await operator().listPendingWithdrawals({ limit: 2 });
  expect(pending.map(({ id }) => ids.indexOf(id))).toEqual([0, 2]);
});

test('OPS-1 the id of a withdrawal contains its number and its time', async () => {
  const { id } = await alice.native.requestWithdrawal({ amount: '1' });
  const time = parseUuid(id)!.time;
  const moved = (time + 1).toString(16).padStart(12, '0');
  const later = `${moved.slice(0, 8)}-${moved.slice(8)}${id.slice(13)}`;
  expect(parseUuid(later)?.sequence).toBe(parseUuid(id)?.sequence);
  const strange = [later, '3f2504e0-4f89-41d3-9a0c-0305e82c3301'];
  for (const wrong of strange) {
    const answer = operator().resolveWithdrawal({ id: wrong, action: 'complete' });
    await expect(answer).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
  for (const parameters of [
    { id: 'x', action: 'complete' },
    { id, action: 'refuse' },
  ] as const) {
    const answer = operator().resolveWithdrawal(parameters as never);
    await expect(answer).rejects.toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
  }
  expect(await alice.native.listWithdrawals()).toMatchObject([{ status: 'pending' }]);
});
