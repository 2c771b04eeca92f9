// Deposits and withdrawals on the channel `account` (WS-2), in a deployment with a vault: each step
// is a message, and a deployment without one has none.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { ReportWithdrawal } from '../../src/engine/vaultCommand.ts';
import { payableUntil } from '../../src/engine/vaultLedger.ts';
import { must } from '../../src/std/assert.ts';
import type { AccountId, Money } from '../../src/units/units.ts';
import { bindVaultCommand, nextDeposit } from '../engine/depositChain.ts';
import { type FakeReader, openStreamWorld, type Said } from './streamWorld.ts';

const wallet = `0x${'5a'.repeat(20)}`;

async function listen(reader: FakeReader, account: number): Promise<void> {
  reader.say({ type: 'auth', token: `${account}` });
  await Promise.resolve();
  await Promise.resolve();
  reader.say({ type: 'subscribe', channel: 'account' });
  reader.take();
}

const transfersIn = (said: readonly Said[]): [string, Said][] =>
  said
    .filter(({ event }) => event === 'deposit' || event === 'withdrawal')
    .map(({ event, data }) => [event, data]);

test('VLT-2 VLT-4 account: a deposit and each step of a withdrawal is a message', async () => {
  const world = openStreamWorld();
  const exchange = world.state.exchange as unknown as Exchange;
  world.run(bindVaultCommand);
  world.run(nextDeposit(exchange, wallet, 5_000_000));
  const account = must(exchange.accounts.at(-1), 'the deposit made it').id as AccountId;
  const reader = world.connect();
  await listen(reader, account);
  world.run(nextDeposit(exchange, wallet, 7_000_000));
  expect(transfersIn(reader.take())).toMatchObject([
    ['deposit', { amount: '7', reference: 'vault:2', chain: { vault_index: 2, final: true } }],
  ]);
  const request = (amount: number) => {
    const named = { idempotencyKey: '', idempotencyRequest: '' };
    world.run({ kind: 'requestWithdrawal', account, amount: amount as Money, ...named });
    return must([...exchange.withdrawals.values()].at(-1), 'it waits');
  };
  const { id, createdAt } = request(3_000_000);
  const report = (fact: ReportWithdrawal['fact'], late = 1): void => {
    const blockTime = fact === 'sent' ? 0 : payableUntil(createdAt) + late;
    world.run({ kind: 'reportWithdrawal', id, createdAt, fact, blockTime });
  };
  report('sent');
  report('queued');
  report('paid');
  const steps = transfersIn(reader.take());
  expect(steps.map(([event, { chain }]) => [event, chain.status, chain.final])).toEqual([
    ['withdrawal', 'requested', false],
    ['withdrawal', 'sent', false],
    ['withdrawal', 'queued', false],
    ['withdrawal', 'completed', true],
  ]);
  expect(new Set(steps.map(([, data]) => data.id)).size).toBe(1);
  expect(steps.at(-1)![1]).toMatchObject({ amount: '3', status: 'completed', address: wallet });
  const other = request(1_000_000);
  const blockTime = payableUntil(other.createdAt) + 1;
  const { id: second, createdAt: secondAt } = other;
  const released = { id: second, createdAt: secondAt, fact: 'none', blockTime } as const;
  world.run({ kind: 'reportWithdrawal', ...released });
  expect(transfersIn(reader.take()).map(([, { chain }]) => chain.status)).toEqual([
    ...['requested', 'released'],
  ]);
  // What the chain says again changes nothing.
  report('paid');
  expect(reader.take()).toEqual([]);
  expect(world.faults).toEqual([]);
});

test('account: without a vault neither is a message', async () => {
  const world = openStreamWorld();
  world.open();
  const reader = world.connect();
  await listen(reader, 2);
  const named = { idempotencyKey: '', idempotencyRequest: '' };
  const amount = 1_000_000 as Money;
  world.run({ kind: 'requestWithdrawal', account: 2 as AccountId, amount, ...named });
  expect(reader.take().map(({ event }) => event)).toEqual(['balance']);
});
