// The decisions of the chain service, each alone: finality, quorum, fees, ends of withdrawals, what
// is sent next, whose signatures count, and what a signer refuses.

import { expect, test } from 'vitest';
import type { OpenWithdrawal } from '../../src/chain/chainEngine.ts';
import { chainRuleOf, finalNumber } from '../../src/chain/finalNumber.ts';
import { askQuorum, reachedByQuorum } from '../../src/chain/service/askQuorum.ts';
import { choosePayments, splitQueued } from '../../src/chain/service/choosePayments.ts';
import { factOf, type Recorded } from '../../src/chain/service/factOf.ts';
import { gatherSignatures } from '../../src/chain/service/gatherSignatures.ts';
import { judgePaid } from '../../src/chain/service/judgePaid.ts';
import { planFees } from '../../src/chain/service/planFees.ts';
import { createBatchCheck } from '../../src/chain/signers/checkBatch.ts';
import type { NotSigned } from '../../src/chain/signers/signer.ts';
import type { Observation, PaymentRecord, VaultNode } from '../../src/chain/vaultNode.ts';
import type { Payment } from '../../src/chain/vaultTypes.ts';

const open: OpenWithdrawal = {
  id: '0x01',
  to: '0xaa',
  units: 5n,
  deadline: 1000n,
  state: 'sent',
};
const record = (state: PaymentRecord['state'], changes: Partial<PaymentRecord> = {}): Recorded => ({
  withdrawal: open,
  record: { to: open.to, units: open.units, state, ...changes },
});

test('a block is final where its node says so, and 120 blocks deep on 56 when that stalls', () => {
  for (const chainId of [43114, 43113, 42161, 421614]) {
    const rule = chainRuleOf(chainId);
    expect(finalNumber(rule, { latest: 10_000n, finalized: 3n })).toBe(3n);
  }
  const rule = chainRuleOf(56);
  expect(finalNumber(rule, { latest: 1000n, finalized: 998n })).toBe(998n);
  expect(finalNumber(rule, { latest: 1000n, finalized: 880n })).toBe(880n);
  expect(finalNumber(rule, { latest: 1000n, finalized: 879n })).toBe(880n);
  expect(() => chainRuleOf(1)).toThrow('chain 1 is none');
});

const answering = (...answers: readonly (() => Promise<unknown>)[]): Promise<unknown> =>
  askQuorum(answers as never as VaultNode[], (node) => (node as never as () => Promise<unknown>)());

test('an answer counts when two nodes give it, and does not wait for the third', async () => {
  const yes = async (): Promise<unknown> => ({ hash: '0x1', count: 3n });
  const other = async (): Promise<unknown> => ({ hash: '0x1', count: 3 });
  const dead = (): Promise<unknown> => Promise.reject(new Error('away'));
  const silent = (): Promise<unknown> => new Promise(() => {});
  expect(await answering(yes, silent, yes)).toEqual({ hash: '0x1', count: 3n });
  expect(await answering(yes, other, dead)).toBeUndefined();
  expect(await answering(yes)).toBeUndefined();
  expect(await answering()).toBeUndefined();
  expect([reachedByQuorum([9_999n, 5n, 4n]), reachedByQuorum([5n, 4n, 0n])]).toEqual([5n, 4n]);
  expect(reachedByQuorum([7])).toBeUndefined();
});

test('a withdrawal ends by what a final block says, to the second', () => {
  expect(factOf(record('none'), 1000n)).toBeUndefined();
  expect(factOf(record('none'), 1001n)).toMatchObject({ fact: 'none', blockTime: 1001n });
  for (const state of ['paid', 'failed', 'queued', 'cancelled'] as const) {
    expect(factOf(record(state), 1n)).toMatchObject({ fact: state });
    expect(factOf(record(state, { units: 6n }), 1n)).toBeUndefined();
    expect(factOf(record(state, { to: '0xbb' }), 1n)).toBeUndefined();
  }
  const queued = { ...record('queued'), withdrawal: { ...open, state: 'queued' as const } };
  expect(factOf(queued, 1n)).toBeUndefined();
  const gone = { ...record('none'), withdrawal: { ...open, state: 'queued' as const } };
  expect(factOf(gone, 9999n)).toBeUndefined();
});

test('what the vault has paid is compared to the unit', () => {
  const judge = (paidTotal: bigint): string =>
    judgePaid({ paidTotal } as Observation, { completedTotal: 10n }, [
      record('paid'),
      record('queued'),
    ]);
  expect([14n, 15n, 16n].map(judge)).toEqual(['behind', 'same', 'unknownPaid']);
});

test('a replacement offers 1.25 times both fees, up to the limit', () => {
  expect(planFees({ baseFee: 10n, tip: 1n }, undefined, 100n)).toEqual({ maxFee: 21n, tip: 1n });
  const before = { maxFee: 40n, tip: 2n };
  expect(planFees({ baseFee: 10n, tip: 1n }, before, 100n)).toEqual({ maxFee: 50n, tip: 3n });
  expect(planFees({ baseFee: 30n, tip: 5n }, before, 100n)).toEqual({ maxFee: 65n, tip: 5n });
  expect(planFees({ baseFee: 60n, tip: 1n }, before, 100n)).toEqual({ maxFee: 100n, tip: 3n });
  expect(planFees({ baseFee: 100n, tip: 1n }, before, 100n)).toBeUndefined();
});

test('a batch has what the vault does not know, can pay and has time for', () => {
  const chance = {
    changed: new Set<never>(),
    time: 399n,
    held: 9n,
    countMax: 9,
    recorded: [record('none'), record('paid'), record('queued'), record('none')],
  };
  // The second one is more than the vault holds.
  expect(choosePayments(chance).map(({ units }) => units)).toEqual([5n]);
  expect(choosePayments({ ...chance, held: 10n })).toHaveLength(2);
  expect(choosePayments({ ...chance, held: 10n, countMax: 1 })).toHaveLength(1);
  expect(choosePayments({ ...chance, time: 400n })).toEqual([]);
  expect(choosePayments({ ...chance, changed: new Set([open.id]) })).toEqual([]);
  const places = [
    { readyAt: 9n, isVoid: false },
    { readyAt: 8n, isVoid: false },
    { readyAt: 99n, isVoid: true },
  ];
  const queued = ['0x01', '0x02', '0x03'].map((id) => ({ ...open, id: id as '0x01' }));
  const split = splitQueued(queued, places, { time: 8n, held: 5n });
  expect(split).toEqual({ payable: ['0x02'], voided: ['0x03'] });
});

test('one bad signature spoils no batch, and a strange signer is not asked', async () => {
  const sign = (address: string, signature: string) => ({
    address: address as '0x01',
    sign: async () => signature as '0x01',
  });
  const away = { address: '0x04' as const, sign: () => Promise.reject(new Error('away')) };
  const strange = {
    address: '0x09' as const,
    sign: () => Promise.reject(new Error('must not be asked')),
  };
  const read = async (_: unknown, signature: string) => signature.slice(0, 4) as '0x01';
  const set = { signers: ['0x01', '0x02', '0x03', '0x04'] as const, threshold: 2 };
  const good = [sign('0x03', '0x03c0'), sign('0x01', '0x01a0')];
  const bad = [strange, away, sign('0x02', '0x03c1')];
  const gathered = await gatherSignatures(
    [...bad, ...good],
    set,
    { action: 'pay', payments: [] },
    read,
  );
  expect(gathered.signatures).toEqual(['0x01a0', '0x03c0']);
  expect(gathered.failures.toSorted()).toEqual([
    '0x02 has not signed what was asked',
    '0x04: away',
  ]);
  const few = await gatherSignatures(
    [...bad, good[0]!],
    set,
    { action: 'pay', payments: [] },
    read,
  );
  expect(few.signatures).toBeUndefined();
});

test('a signer signs only what its own replica has open, within its cap of the hour', async () => {
  let isConserved = true;
  const ids = new Map([open, { ...open, id: '0x02' as const }].map((each) => [each.id, each]));
  ids.set('0x03', { ...open, id: '0x03', state: 'queued' });
  const check = createBatchCheck({
    replica: {
      openByIds: async (asked) => asked.map((id) => ids.get(id)),
      isConserved: async () => isConserved,
    },
    unitsPerHourMax: 9n,
    store: { load: () => [], append: () => {} },
  });
  const refusal = (payments: readonly Payment[], now = 0n): Promise<string | undefined> =>
    check(payments, now).then(
      () => undefined,
      (error: NotSigned) => error.message,
    );
  const { state: _, ...payment } = open;
  const strange = 'notRequested: 0x01 is no open withdrawal of this amount and wallet';
  for (const change of [{ to: '0xbb' as const }, { units: 6n }, { deadline: 1001n }]) {
    expect(await refusal([{ ...payment, ...change }])).toBe(strange);
  }
  for (const id of ['0x03', '0x04'] as const) {
    expect(await refusal([{ ...payment, id }])).toMatch(/is no open withdrawal/);
  }
  expect(await refusal([])).toBe('batchEmpty: the batch is empty');
  const many = Array.from({ length: 301 }, () => payment);
  expect(await refusal(many)).toMatch(/^batchTooLarge/);
  expect(await refusal([payment, payment])).toBe('idTwice: an id is in the batch twice');
  isConserved = false;
  expect(await refusal([payment])).toBe('notConserved: the money of this replica does not add up');
  isConserved = true;
  expect(await refusal([payment])).toBeUndefined();
  const other = { ...payment, id: '0x02' as const };
  // The same id again is no new money; another one waits for the hour's end.
  expect(await refusal([payment], 3599n)).toBeUndefined();
  expect(await refusal([other], 3599n)).toBe(
    'capReached: it signs 9 units in an hour, and this makes 10',
  );
  expect(await refusal([other], 3600n)).toBeUndefined();
});
