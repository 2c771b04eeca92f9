// The plan of a wallet that leaves, where no chain is needed: when it may, how many transactions it
// takes, and how the share is rounded. That the contract pays it: test/contracts/chainExit.test.ts.

import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { canLeave, type ExitState, planExit, shareOf } from '../../src/chain/exit/planExit.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';

const [vault, wallet] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [Hex, Hex];
const claim = { deposits: 0n, leafUnits: 0n, leafWithdrawn: 0n, hasLeaf: false, taken: 0n };
const none = { paid: 0n, paidSince: 0n, claim, deposits: [] };
const state: ExitState = {
  ...{ time: 1101n, anchor: {} as Anchor, anchoredAt: 1000n, silence: 100n, openedAt: 0n },
  ...{ held: 1000n, owed: 1000n, wallets: [{ address: vault, ...none }] },
};
const wish = { vault, wallet, others: [], proofOf: () => undefined };

test('VLT-8 a wallet leaves after the silence, or when the exit is open', () => {
  expect(canLeave(state)).toBe(true);
  expect(canLeave({ ...state, time: 1100n })).toBe(false);
  expect(canLeave({ ...state, time: 1001n, openedAt: 1001n })).toBe(true);
});

test('VLT-8 a transaction registers at most a hundred deposits, and none that is registered', () => {
  const deposits = Array.from({ length: 260 }, (_, at) => ({
    ...{ index: BigInt(at + 7), units: 2n, isRegistered: at % 26 === 0 },
  }));
  const own = { ...none, address: wallet, claim: { ...claim, deposits: 20n }, deposits };
  const plan = planExit({ ...state, wallets: [own, ...state.wallets] }, wish);
  expect(plan.steps.map(({ call }) => call)).toEqual([
    'openExit',
    ...Array.from({ length: 3 }, () => 'registerDeposits'),
    'collect',
  ]);
  const indexes = plan.steps.slice(1, 4).map(({ args }) => args[0] as bigint[]);
  expect(indexes.map(({ length }) => length)).toEqual([100, 100, 50]);
  const open = deposits.filter(({ isRegistered }) => !isRegistered);
  expect(indexes.flat()).toEqual(open.map(({ index }) => index));
  expect(plan).toMatchObject({ depositsSince: 520n, due: 520n, collects: 520n });
});

test('VLT-8 a share is rounded down, and is never above 1', () => {
  expect(shareOf(10n, 2n, 3n)).toBe(6n);
  expect(shareOf(10n, 3n, 3n)).toBe(10n);
  expect(shareOf(10n, 9n, 3n)).toBe(10n);
  expect(shareOf(10n, 0n, 3n)).toBe(0n);
  expect(shareOf(0n, 0n, 0n)).toBe(0n);
});
