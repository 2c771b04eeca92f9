// Deposits and withdrawals of a vault as answers show them (NAT-3, VLT-2, VLT-4): their states, and
// their places on the chain as far as they are known.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChainStanding, WithdrawalPlace } from '../../src/api/deployment.ts';
import type { Command } from '../../src/engine/command.ts';
import type { VaultCommand } from '../../src/engine/vaultCommand.ts';
import { payableUntil } from '../../src/engine/vaultLedger.ts';
import { readEvidence } from '../../src/solvency/readEvidence.ts';
import { climbTree } from '../../src/solvency/sumTree.ts';
import type { OrderId, Time } from '../../src/units/units.ts';
import { parseUuid } from '../../src/units/uuid.ts';
import { bindVaultCommand, nextDeposit } from '../engine/depositChain.ts';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';

const hash = (digit: string): string => `0x${digit.repeat(64)}`;
const deposits = new Map<number, { transaction: string; block: number }>();
const withdrawals = new Map<string, WithdrawalPlace>();
let asked: (string | number)[];
let standing: ChainStanding | undefined;
let world: MemoryExchange;

beforeEach(async () => {
  asked = [];
  deposits.clear();
  withdrawals.clear();
  standing = {
    ...{ holdings: null, block: 9, rounds: 1, facts: 0, transactions: 0 },
    ...{
      gasAccount: null,
      keeper: null,
      anchor: null,
      nodes: [],
      alarms: [],
      depthWhenStalled: 120n,
    },
    terms: {
      ...{ block: 9, minimumDeposit: 1_000_000n, instantMax: 2_500_000_000n },
      ...{ bucketCapacity: 10_000_000_000n, bucketLevel: 1n },
      ...{ queueDelay: 21_600 },
    },
    depositAt: (index) => {
      asked.push(index);
      return deposits.get(index);
    },
    withdrawalAt: (id) => {
      asked.push(id);
      return withdrawals.get(id);
    },
  };
  world = await openMemoryExchange({ chain: () => standing });
});

afterEach(async () => {
  expect(world.faults).toEqual([]);
  const { ok } = await world.client({ operatorToken }).operator.getInvariants();
  expect(ok).toBe(true);
  await world.close();
});

const apply = (command: VaultCommand): Promise<unknown> =>
  new Promise((resolve) => {
    const waiter = { capture: (outcome: unknown) => outcome, release: resolve };
    world.replica.submit(command as Command, 'reserve', waiter as never);
  });

async function openVault() {
  const { address, client } = await world.login(7);
  await apply(bindVaultCommand);
  const deposit = (units: number) =>
    apply(nextDeposit(world.replica.exchange as never, address, units));
  return { address, native: client.native, deposit };
}

test('VLT-2 a deposit shows its index, and its transaction when that is known', async () => {
  const { native, deposit } = await openVault();
  await deposit(5_000_000);
  await deposit(7_000_000);
  deposits.set(2, { transaction: hash('a'), block: 77 });
  expect(await native.listDeposits()).toMatchObject([
    {
      ...{ amount: '5', reference: 'vault:1' },
      chain: { vault_index: 1, transaction_hash: null, block: null, final: true },
    },
    {
      ...{ amount: '7', reference: 'vault:2' },
      chain: { vault_index: 2, transaction_hash: hash('a'), block: 77, final: true },
    },
  ]);
  expect(asked).toEqual([1, 2]);
  // A process without a chain service knows the states, and no places.
  standing = undefined;
  expect((await native.listDeposits())[1]!.chain).toEqual({
    ...{ vault_index: 2, transaction_hash: null, block: null, final: true },
  });
});

test('VLT-4 a withdrawal shows each of its states, and only a transaction that fits the state', async () => {
  const { native, deposit } = await openVault();
  await deposit(50_000_000);
  const { id, chain } = await native.requestWithdrawal({ amount: '20' });
  const { sequence, time: createdAt } = parseUuid(id)!;
  const vaultId = `0x${id.replaceAll('-', '')}`;
  const unknown = { transaction_hash: null, block: null, ready_at: null };
  const own = { vault_id: vaultId, pay_until: payableUntil(createdAt) };
  expect(chain).toEqual({ status: 'requested', ...own, ...unknown, final: false });
  const say = (event: WithdrawalPlace['event'], digit: string, readyAt: number | null = null) =>
    withdrawals.set(vaultId, { event, transaction: hash(digit), block: 5, readyAt });
  const report = (fact: 'sent' | 'queued' | 'paid', blockTime: number): Promise<unknown> =>
    apply({ kind: 'reportWithdrawal', id: sequence as OrderId, createdAt, fact, blockTime });
  const shown = async () => (await native.listWithdrawals())[0];
  // An event that runs ahead of the log, or is false, is not shown.
  say('paid', 'f');
  await report('sent', 0);
  expect(await shown()).toMatchObject({ status: 'pending', chain: { status: 'sent', ...unknown } });
  await report('queued', 1);
  expect((await shown())!.chain).toMatchObject({ status: 'queued', ...unknown });
  say('queued', 'b', 1_700_000_000);
  expect((await shown())!.chain).toMatchObject({
    ...{ status: 'queued', transaction_hash: hash('b'), ready_at: 1_700_000_000, final: false },
  });
  const { operator } = world.client({ operatorToken });
  expect((await operator.listPendingWithdrawals())[0]).toEqual(await shown());
  await report('paid', 2);
  expect(await shown()).toMatchObject({
    ...{ status: 'completed', chain: { status: 'completed', ...unknown, final: true } },
  });
  say('paid', 'c');
  expect((await shown())!.chain).toMatchObject({ transaction_hash: hash('c'), block: 5 });
});

test('VLT-4 a released withdrawal shows its failure on the chain, and none when it was never known', async () => {
  const { native, deposit } = await openVault();
  await deposit(50_000_000);
  for (const [fact, digit] of [
    ['failed', 'd'],
    ['none', null],
  ] as const) {
    const { id } = await native.requestWithdrawal({ amount: '20' });
    const { sequence, time: createdAt } = parseUuid(id)!;
    const vaultId = `0x${id.replaceAll('-', '')}`;
    if (digit !== null) {
      const placed = { transaction: hash(digit), block: 6, readyAt: null };
      withdrawals.set(vaultId, { event: 'failed', ...placed });
    }
    const blockTime = payableUntil(createdAt as Time) + 1;
    await apply({ kind: 'reportWithdrawal', id: sequence as OrderId, createdAt, fact, blockTime });
    const shown = (await native.listWithdrawals()).find((each) => each.id === id)!;
    const transaction = digit === null ? null : hash(digit);
    expect(shown.chain).toMatchObject({
      ...{ status: 'released', transaction_hash: transaction, final: true },
    });
  }
});

test('VLT-5 the vault shows what it takes and pays at once; without a service it says nothing', async () => {
  const { native } = await openVault();
  const expected = {
    ...{ block: 9, deposit_min: '1', instant_max: '2500', bucket_capacity: '10000' },
    ...{ bucket_level: '0.000001', queue_delay: 21_600, final_depth: 120 },
  };
  expect((await native.getVault()).terms).toEqual(expected);
  standing = { ...standing!, terms: null };
  expect((await native.getVault()).terms).toBeNull();
  standing = undefined;
  expect((await native.getVault()).terms).toBeNull();
});

test('VLT-8 a wallet proves what it is owed, and sees whether the vault names the tree', async () => {
  const { address, native, deposit } = await openVault();
  await deposit(50_000_000);
  await native.requestWithdrawal({ amount: '20' });
  const { tree, proof, anchor, ...rest } = await native.getProof({ address });
  expect([anchor, rest.is_anchored]).toEqual([null, false]);
  expect(proof).toMatchObject({ account: address, units: '50000000', withdrawn: '0' });
  const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
  const { units, withdrawn, siblings } = proof!;
  const top = climbTree(
    {
      ...{ account: bytesOf(address), salt: bytesOf(tree.log_hash) },
      ...{ units: BigInt(units), withdrawn: BigInt(withdrawn) },
    },
    siblings.map((each) => ({
      ...{ hash: bytesOf(each.hash), sum: BigInt(each.sum), onLeft: each.on_left },
    })),
  );
  expect(`0x${Buffer.from(top.root).toString('hex')}`).toBe(tree.root);
  expect(String(top.sum)).toBe(tree.sum);
  const kept = readEvidence(Buffer.from(JSON.stringify({ tree, proof, anchor, ...rest })));
  expect(kept.proofOf(address)?.leaf.units).toBe(50_000_000n);
  expect(kept).toMatchObject({ chainId: 43113, vault: tree.vault });
  const other = await native.getProof({ address: `0x${'9'.repeat(40)}` });
  expect(other).toMatchObject({ tree, proof: null });
  const accepted = { epoch: 3, position: 40, acceptedAt: 1000, silence: 600, treeHash: tree.hash };
  standing = { ...standing!, anchor: { ...accepted, isOfLog: true } };
  const named = { epoch: 3, log_position: 40, accepted_at: 1000, tree_hash: tree.hash };
  const expected = { ...named, is_of_log: true, exit_after: 1600 };
  expect(await native.getProof({ address })).toMatchObject({ anchor: expected, is_anchored: true });
  expect((await native.getSolvency()).anchor).toEqual(expected);
  standing = { ...standing, terms: null, anchor: { ...accepted, isOfLog: false } };
  const doubtful = { ...named, is_of_log: false, exit_after: 1600 };
  expect((await native.getSolvency()).anchor).toEqual(doubtful);
  standing = { ...standing, anchor: { ...accepted, epoch: 0, isOfLog: true } };
  expect((await native.getSolvency()).anchor).toBeNull();
  await expect(native.getProof({ address: '0x12' })).rejects.toMatchObject({ status: 400 });
});

test('VLT-8 without a tree there is no proof', async () => {
  const { address, client } = await world.login(7);
  await expect(client.native.getProof({ address })).rejects.toMatchObject({ status: 404 });
});
