// A deployment whose money lies in a vault (VLT-1 … VLT-6): deposits by index, money that finds no
// room, withdrawals that end by facts of the chain.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { accountsMax, parkedWalletsMax } from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { CreditDeposit } from '../../src/engine/vaultCommand.ts';
import { parkedFor, vaultFigures } from '../../src/engine/views/vault.ts';
import type { Time } from '../../src/units/units.ts';
import { nextDeposit, vaultAddress } from '../engine/depositChain.ts';
import { play, scenario } from './scenario.ts';
import { addressOf, createWorld, type World } from './world.ts';

const nextCommand = ({ exchange }: World): CreditDeposit =>
  nextDeposit(exchange, `0x${'5'.repeat(40)}`, 5);

/** The reason of the rejection, or 'accepted'. */
function run({ exchange }: World, command: CreditDeposit): string {
  const outcome = applyCommand(exchange, command, 0 as Time);
  return outcome.kind === 'rejected' ? outcome.rejection.reason : outcome.kind;
}

scenario(
  'VLT-1 a log is bound to one vault, and the same binding again changes nothing',
  `
  market BTCUSDT
  vault
  vault
  vault decimals 18 -> vaultBound
  vault chain 1 -> vaultBound
  `,
);

scenario(
  'VLT-1 termsInvalid: a vault of another chain, or of a token that units cannot count',
  `
  vault chain 1 -> termsInvalid chainId
  vault decimals 5 -> termsInvalid tokenDecimals
  vault decimals 19 -> termsInvalid tokenDecimals
  vault decimals 18
  `,
);

scenario(
  'VLT-1 depositsPresent: a vault comes before any money, even money that was taken back',
  `
  credit anna 1000 reference first
  vault -> depositsPresent
  correct anna first 0
  vault -> depositsPresent
  `,
);

scenario(
  'VLT-1 depositsPresent: a deposit of the fund is money too',
  `
  insurance 5
  vault -> depositsPresent
  `,
);

scenario(
  'VLT-2 vaultMissing: without a vault there are no facts of a chain',
  `
  deposit anna 10 -> vaultMissing
  chain 1 paid -> vaultMissing
  withdrawals 5 1 -> vaultMissing
  `,
);

scenario(
  'VLT-2 deposits come by their index, and each creates its account',
  `
  market BTCUSDT
  vault
  deposit anna 1000
  deposit ben 0.000001
  deposit anna 5
  anna has available 1005 balance 1005
  ben has available 0.000001
  funds deposits 1005.000001 parked 0
  `,
);

scenario(
  'VLT-2 factKnown: a deposit counts once, however often it is brought',
  `
  market BTCUSDT
  vault
  deposit anna 10
  deposit anna 10 index 1 -> factKnown
  deposit ben 999 index 1 -> factKnown
  anna has available 10
  `,
);

scenario(
  'VLT-2 factContradicts: no deposit is left out, and the hash of all of them agrees',
  `
  market BTCUSDT
  vault
  deposit anna 10 index 2 -> factContradicts
  deposit anna 10
  # The hash is that of another deposit.
  deposit anna 10 index 4 -> factContradicts
  deposit anna 0 -> amountInvalid
  `,
);

test('VLT-2 factContradicts: one wallet, amount or hash less is another chain of deposits', () => {
  const world = play(createWorld(), 'market BTCUSDT\nvault\ndeposit anna 10');
  const before = stateHash(world.exchange);
  const { vault } = world.exchange;
  const saved = vault.depositsHash;
  vault.depositsHash = `0x${'1'.repeat(64)}`;
  const wrong = nextCommand(world);
  vault.depositsHash = saved;
  expect(run(world, wrong)).toBe('factContradicts');
  const right = nextCommand(world);
  for (const change of [{ units: 6 }, { address: vaultAddress }, { hash: saved }]) {
    expect(run(world, { ...right, ...change } as typeof right)).toBe('factContradicts');
  }
  expect(stateHash(world.exchange)).toBe(before);
  expect(run(world, right)).toBe('accepted');
});

scenario(
  "VLT-2 OPS-1a LIQ-3 the vault's own address is the insurance fund",
  `
  market BTCUSDT
  vault
  deposit fund 500
  funds insurance 500 deposits 500
  `,
);

scenario(
  'VLT-6 vaultBound: the operator neither credits nor takes back, completes or releases',
  `
  market BTCUSDT
  vault
  credit anna 10 -> vaultBound
  insurance 10 -> vaultBound
  deposit anna 10
  correct anna x 5 -> vaultBound
  anna withdraw 1
  withdrawal last complete -> vaultBound
  withdrawal last release -> vaultBound
  anna has available 9
  `,
);

scenario(
  'VLT-3 BAL-2a what exceeds the bound on what is owed waits, and nothing waits behind it',
  `
  market BTCUSDT
  vault
  deposit anna 4499999999
  deposit ben 5
  ben has available 1
  funds deposits 4500000000 parked 4
  deposit cleo 7
  funds deposits 4500000000 parked 11
  anna withdraw 3
  chain last paid
  # Not before the minute has ended.
  funds deposits 4500000000 parked 11
  after 60000
  ben has available 4
  funds deposits 4500000003 withdrawals 3 parked 8
  anna withdraw 100
  chain last paid
  after 60000
  ben has available 5
  cleo has available 7
  funds parked 0
  `,
);

scenario(
  'VLT-3 LIQ-4 money of the fund waits like that of a wallet',
  `
  market BTCUSDT
  vault
  deposit anna 4500000000
  deposit fund 20
  funds insurance 0 parked 20
  anna withdraw 15
  chain last paid
  after 60000
  funds insurance 15 parked 5
  `,
);

test('VLT-3 a wallet without a place for its account waits, and others do not', () => {
  const world = play(createWorld(), 'market BTCUSDT\nvault\ndeposit anna 10');
  const { exchange } = world;
  const [anna, ben] = ['anna', 'ben'].map((name) => addressOf(world, name)) as [string, string];
  const taken = exchange.accounts.length;
  exchange.accounts.length = accountsMax;
  for (const [address, units] of [
    [ben, 5],
    [anna, 1],
    [ben, 2],
  ] as const) {
    expect(run(world, nextDeposit(exchange, address, units))).toBe('accepted');
  }
  beginBatch(exchange, (exchange.time + 60_000) as Time);
  expect(parkedFor(exchange, ben)).toBe(7n);
  expect(exchange.accountByAddress.has(ben)).toBe(false);
  exchange.accounts.length = taken;
  play(
    world,
    'anna has available 10.000001\nafter 60000\nben has available 0.000007\nfunds parked 0',
  );
});

test('VLT-3 beyond the bound on parked wallets the sums have no name, and none is lost', () => {
  const world = play(createWorld(), 'market BTCUSDT\nvault\ndeposit anna 4500000000');
  const { exchange } = world;
  const { parked } = exchange.vault;
  play(world, 'deposit ben 5');
  Object.defineProperty(parked, 'size', { value: parkedWalletsMax, configurable: true });
  play(world, 'deposit cleo 6\ndeposit ben 1');
  Reflect.deleteProperty(parked, 'size');
  expect(parkedFor(exchange, addressOf(world, 'cleo'))).toBe(0n);
  expect(parkedFor(exchange, addressOf(world, 'ben'))).toBe(6_000_000n);
  expect(exchange.vault.unnamed).toBe(6_000_000n);
  play(world, 'funds parked 12 deposits 4500000000');
  expect(vaultFigures(exchange)).toMatchObject({ depositCount: 4, parkedWallets: 1 });
});

test('VLT-3 wallets that keep a rest go to the end of the line, also behind a snapshot', () => {
  const world = play(createWorld(), 'market BTCUSDT\nvault\ndeposit anna 4500000000');
  for (const name of ['ben', 'cleo', 'dora']) play(world, `deposit ${name} 5`);
  play(world, 'anna withdraw 7\nchain last paid\nafter 60000');
  const sections: Buffer[] = [];
  encodeSnapshot(world.exchange, (section) => sections.push(Buffer.from(section)));
  const copy = decodeSnapshot(sections);
  expect(stateHash(copy)).toBe(stateHash(world.exchange));
  const names = ['dora', 'cleo'].map((name) => addressOf(world, name));
  expect([...copy.vault.parked.keys()]).toEqual([...world.exchange.vault.parked.keys()]);
  expect(new Set(copy.vault.parked.keys())).toEqual(new Set(names));
  expect(copy.accounts.map((account) => account?.funded)).toEqual([true, true, true, true]);
});

scenario(
  'VLT-4 a withdrawal is completed when the vault has paid it',
  `
  market BTCUSDT
  vault
  deposit anna 1000
  anna withdraw 400
  chain last sent
  chain last queued
  funds pendingWithdrawals 400
  chain last paid
  anna has available 600
  funds pendingWithdrawals 0 withdrawals 400 deposits 1000
  chain last paid -> withdrawalUnknown
  chain last none -> withdrawalUnknown
  chain last failed -> withdrawalUnknown
  `,
);

scenario(
  'VLT-4 a withdrawal is released when the vault has failed, cancelled or never known it',
  `
  market BTCUSDT
  vault
  deposit anna 1000
  anna withdraw 100
  chain last failed
  anna has available 1000
  anna withdraw 100
  chain last sent
  chain last queued
  chain last cancelled
  anna has available 1000
  anna withdraw 100
  chain last sent
  chain last none
  anna has available 1000
  chain last paid -> withdrawalUnknown
  funds pendingWithdrawals 0 withdrawals 0
  `,
);

scenario(
  'VLT-4 factContradicts: while the vault may still pay, nothing is released',
  `
  market BTCUSDT
  vault
  deposit anna 1000
  anna withdraw 100
  # The deadline itself still pays.
  chain last none late 0 -> factContradicts
  chain last none late -86400 -> factContradicts
  chain last queued
  chain last none -> factContradicts
  chain last none late 100000 -> factContradicts
  funds pendingWithdrawals 100
  `,
);

scenario(
  'VLT-4 factKnown: a state that a withdrawal has or has passed',
  `
  market BTCUSDT
  vault
  deposit anna 1000
  anna withdraw 100
  chain last sent
  chain last sent -> factKnown
  chain last queued
  chain last queued -> factKnown
  chain last sent -> factKnown
  `,
);

test('VLT-4 each step of a withdrawal is an event', () => {
  const world = play(
    createWorld(),
    'market BTCUSDT\nvault\ndeposit anna 9\nanna withdraw 5\nchain last sent\nchain last queued\nchain last paid',
  );
  const steps = world.events.flatMap((event) => {
    if (event.kind === 'withdrawalAdvanced') return [event.state as string];
    return event.kind === 'withdrawalResolved' ? [`completed ${event.completed}`] : [];
  });
  expect(steps).toEqual(['sent', 'queued', 'completed true']);
});

scenario(
  "VLT-5 withdrawalBelowMin: the least withdrawal is the operator's, and its fee is part of it",
  `
  market BTCUSDT
  vault
  deposit anna 1000
  withdrawals 5 1
  anna withdraw 4.999999 -> withdrawalBelowMin "min":5000000
  anna withdraw 5
  anna has available 995
  chain last paid
  # 4 have left for the wallet.
  funds pendingWithdrawals 0 withdrawals 4 feeRevenue 1
  anna withdraw 10
  # What waits keeps its fee.
  withdrawals 5 2
  chain last paid
  funds withdrawals 13 feeRevenue 2
  anna withdraw 10
  chain last failed
  # Nothing is kept of what did not leave.
  anna has available 985
  funds withdrawals 13 feeRevenue 2
  `,
);

scenario(
  'VLT-5 termsInvalid: a minimum that would keep money back, or a fee that leaves nothing',
  `
  market BTCUSDT
  vault
  withdrawals 0 0 -> termsInvalid min
  withdrawals 100.000001 1 -> termsInvalid min
  withdrawals 5 5 -> termsInvalid fee
  withdrawals 5 -0.000001 -> termsInvalid fee
  withdrawals 100 99.999999
  withdrawals 0.000001 0
  `,
);

test('VLT-3 a minute without parked money changes nothing', () => {
  const world = play(createWorld(), 'market BTCUSDT\nvault\ndeposit anna 9');
  const before = stateHash(world.exchange);
  beginBatch(world.exchange, (world.exchange.time + 600_000) as Time);
  expect(stateHash(world.exchange)).toBe(before);
});
