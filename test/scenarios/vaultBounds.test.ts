// A vault at its bounds (VLT-1 … VLT-5): each part of a binding, what events and refusals report,
// the last second of a payment, and how many parked wallets a minute tries.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Event } from '../../src/engine/event.ts';
import { parkedTriesPerMinute } from '../../src/engine/limits.ts';
import type { VaultCommand } from '../../src/engine/vaultCommand.ts';
import { payableUntil } from '../../src/engine/vaultLedger.ts';
import { vaultFigures, vaultOf } from '../../src/engine/views/vault.ts';
import type { Money, Time } from '../../src/units/units.ts';
import { bindVaultCommand, nextDeposit, vaultAddress } from '../engine/depositChain.ts';
import { play, scenario } from './scenario.ts';
import { addressOf, createWorld, type World } from './world.ts';

const run = ({ exchange }: World, command: VaultCommand) =>
  applyCommand(exchange, command, 0 as Time);

const rejection = (reason: string, data: object = {}) => ({ rejection: { reason, ...data } });

const other = `0x${'9'.repeat(40)}`;
const changes = [
  { address: other },
  { token: other },
  { tokenDecimals: 7 },
  { codeHash: `0x${'9'.repeat(64)}` },
  { deployBlock: 8 },
];

test.each(changes)('VLT-1 vaultBound: another binding differs in one part alone: %o', (change) => {
  const world = play(createWorld(), 'vault');
  // It names the vault that is bound, not the one that was asked for.
  const { address, deployBlock } = bindVaultCommand;
  expect(run(world, { ...bindVaultCommand, ...change })).toMatchObject(
    rejection('vaultBound', { address, deployBlock }),
  );
  expect(run(world, bindVaultCommand).kind).toBe('accepted');
});

test('VLT-1 VLT-2 VLT-5 a refusal names what is wrong', () => {
  const world = createWorld();
  expect(run(world, { ...bindVaultCommand, token: vaultAddress })).toMatchObject(
    rejection('termsInvalid', { field: 'token', detail: 'a vault is not its own token' }),
  );
  play(world, 'vault');
  const deposit = nextDeposit(world.exchange, other, 5);
  expect(run(world, { ...deposit, index: 2 })).toMatchObject(
    rejection('factContradicts', { detail: 'deposit 2 comes after deposit 0' }),
  );
  expect(run(world, { ...deposit, hash: other })).toMatchObject(
    rejection('factContradicts', { detail: 'deposit 1 has another hash' }),
  );
  const terms = (min: number, fee: number) =>
    run(world, { kind: 'setWithdrawalTerms', min: min as Money, fee: fee as Money });
  expect(terms(0, 0)).toMatchObject(
    rejection('termsInvalid', { detail: expect.stringContaining('100 USDT') }),
  );
  expect(terms(5, 5)).toMatchObject(
    rejection('termsInvalid', { detail: expect.stringContaining('below the minimum') }),
  );
});

test('VLT-1 VLT-3 VLT-5 binding, terms, deposits and parked money are events', () => {
  const world = play(
    createWorld(),
    `
    vault
    withdrawals 5 1
    deposit anna 4499999999
    deposit ben 5
    anna withdraw 6
    chain last paid
    after 60000
    `,
  );
  const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
  const address = addressOf(world, 'ben');
  const kinds = ['vaultBound', 'withdrawalTermsSet', 'depositParked', 'credited'];
  const toParked = ({ kind }: Event): boolean => kinds.includes(kind);
  expect(world.events.filter(toParked)).toMatchObject([
    { kind: 'vaultBound', binding },
    { kind: 'withdrawalTermsSet', min: 5_000_000, fee: 1_000_000 },
    { kind: 'credited', account: 1, reference: 'vault:1', amount: 4_499_999_999_000_000 },
    { kind: 'credited', account: 2, reference: 'vault:2', amount: 1_000_000 },
    { kind: 'depositParked', address, index: 2, amount: 4_000_000 },
    { kind: 'credited', account: 2, reference: 'vault:parked', amount: 4_000_000 },
  ]);
});

test('VLT-1 VLT-3 readers see the vault, or that there is none', () => {
  const world = play(createWorld(), 'credit anna 5');
  expect(vaultOf(world.exchange)).toBe(undefined);
  expect(vaultFigures(world.exchange)).toMatchObject({ depositTotal: 0n, parked: 0n });
  const bound = play(createWorld(), 'vault\ndeposit anna 4500000000\ndeposit ben 0.000001');
  const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
  expect(vaultOf(bound.exchange)).toEqual(binding);
  expect(vaultFigures(bound.exchange)).toMatchObject({ depositCount: 2, parked: 1n });
});

test('VLT-3 a minute tries a bounded number of parked wallets, and the next the others', () => {
  const world = play(createWorld(), 'vault\ndeposit anna 4500000000');
  const { exchange } = world;
  const { parked } = exchange.vault;
  for (let index = 0; index <= parkedTriesPerMinute; index += 1) {
    const address = `0x${`${index}`.padStart(40, '0')}`;
    expect(run(world, nextDeposit(exchange, address, 2)).kind).toBe('accepted');
  }
  play(world, 'anna withdraw 1\nchain last paid');
  for (const left of [1, 0]) {
    beginBatch(exchange, (exchange.time + 60_000) as Time);
    expect(parked.size).toBe(left);
  }
  play(world, 'funds parked 0');
});

test('VLT-4 the last second of a payment is a day after its request, rounded down', () => {
  const day = 86_400;
  const seconds = 1_760_000_000;
  for (const [ms, last] of [
    [0, seconds + day],
    [1, seconds + day],
    [999, seconds + day],
    [1000, seconds + day + 1],
  ] as const) {
    expect(payableUntil((seconds * 1000 + ms) as Time)).toBe(last);
  }
});

scenario(
  'VLT-5 a fee of one unit is kept too',
  `
  market BTCUSDT
  vault
  withdrawals 1 0.000001
  deposit anna 10
  anna withdraw 2
  chain last paid
  funds withdrawals 1.999999 feeRevenue 0.000001
  `,
);
