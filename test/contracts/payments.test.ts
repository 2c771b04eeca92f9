// Withdrawals of the vault: paid once, to the signed address and for the signed amount, by k live
// signers, and never after the exchange may have given the money back.

import { type Hex, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import {
  addressOf,
  admin,
  guardian,
  idOf,
  setup,
  signerAccounts,
  type Vault,
} from '../../contracts/openVault.ts';
import type { Payment } from '../../src/chain/vaultTypes.ts';
import { onChain, refused } from './onChain.ts';

const [alice, bob, carol] = [addressOf('alice'), addressOf('bob'), addressOf('carol')];
const states = ['None', 'Paid', 'Failed', 'Queued', 'Cancelled'];
const million = 1_000_000n;

const stateOf = async ({ vault }: Vault, name: string): Promise<string> =>
  states[((await vault.read('withdrawalOf', [idOf(name)])) as [Hex, bigint, number])[2]]!;
const heldBy = ({ token, scale }: Vault, account: Hex): Promise<bigint> =>
  (token.read('balanceOf', [account]) as Promise<bigint>).then((amount) => amount / scale);

async function payment(stage: Vault, name: string, to: Hex, units: bigint): Promise<Payment> {
  return { id: idOf(name), to, units, deadline: BigInt(await stage.chain.now()) + 86_400n };
}

async function pay(stage: Vault, payments: readonly Payment[], signers = [0, 1]): Promise<void> {
  await stage.vault.write(carol, 'pay', [payments, await stage.signPay(payments, signers)]);
}

onChain('withdrawals of the vault', (open) => {
  const openFull = async (changes: Parameters<typeof open>[0] = {}): Promise<Vault> => {
    const stage = await open(changes);
    await stage.fund(alice, 100_000n * million);
    await stage.vault.write(alice, 'deposit', [alice, 100_000n * million]);
    // The bucket of a new vault is empty.
    expect(await stage.vault.read('bucketLevel')).toBeLessThan(million);
    await stage.chain.pass(86_400);
    return stage;
  };

  test.each([6, 18])(
    'an id is paid once, however often it is sent, %i decimals',
    async (decimals) => {
      const stage = await openFull({ decimals });
      const first = await payment(stage, 'one', bob, 5n * million);
      await pay(stage, [first]);
      await pay(stage, [first]);
      // Another batch, another amount, the same id twice in one batch.
      const other = { ...first, units: 7n * million };
      const second = await payment(stage, 'two', bob, 1n);
      await pay(stage, [second, other, second, first], [0, 2]);
      expect(await heldBy(stage, bob)).toBe(5n * million + 1n);
      expect(await stage.vault.read('paidTotal')).toBe(5n * million + 1n);
      expect(await stage.vault.read('walletOf', [bob])).toEqual([5n * million + 1n, 0n, 0n]);
      expect(await stateOf(stage, 'one')).toBe('Paid');
    },
  );

  test('nothing moves without k different live signers of this very batch', async () => {
    const stage = await openFull();
    const { vault, signPay } = stage;
    const batch = [await payment(stage, 'one', bob, 5n * million)];
    const attempt = (signatures: readonly Hex[], payments = batch): Promise<unknown> =>
      vault.write(carol, 'pay', [payments, signatures]);
    const [one, two, stranger] = (await signPay(batch, [0, 1, 5])) as [Hex, Hex, Hex];
    await refused(attempt([]), 'SignaturesTooFew');
    await refused(attempt([one]), 'SignaturesTooFew');
    await refused(attempt([one, one]), 'SignersNotAscending');
    await refused(attempt([two, one]), 'SignersNotAscending');
    await refused(attempt([one, stranger]), 'SignerUnknown');
    await refused(attempt([one, two, stranger]), 'SignerUnknown');
    await refused(attempt([one, `${two}00`]), 'ECDSAInvalidSignatureLength');
    await refused(attempt([one, `0x${'00'.repeat(65)}`]), 'ECDSAInvalidSignature');
    // The other s of the same signature.
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${two.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const flipped = `${two.slice(0, 66)}${s}${two.endsWith('1b') ? '1c' : '1b'}` as Hex;
    await refused(attempt([one, flipped]), 'ECDSAInvalidSignatureS');
    for (const change of [{ to: carol }, { units: 6n * million }, { deadline: 2n ** 60n }]) {
      const changed = [{ ...batch[0]!, ...change }];
      await expect(attempt([one, two], changed)).rejects.toThrow(/^Signer/);
    }
    await expect(attempt([one, two], [...batch, ...batch])).rejects.toThrow(/^Signer/);
    await refused(attempt([one, two], []), 'BatchEmpty');
    expect(await stateOf(stage, 'one')).toBe('None');
    await attempt([one, two]);
    expect(await heldBy(stage, bob)).toBe(5n * million);
  });

  test('a signature is for one vault and one action', async () => {
    const [stage, other] = [await openFull(), await openFull()];
    const batch = [await payment(stage, 'one', bob, million)];
    const signatures = await stage.signPay(batch);
    await expect(other.vault.write(carol, 'pay', [batch, signatures])).rejects.toThrow(/^Signer/);
    const anchor = {
      epoch: 1n,
      root: `0x${'11'.repeat(32)}` as Hex,
      sum: 100_000n * million,
      deficit: 0n,
      leaves: 1n,
      depositCount: 1n,
      withdrawn: 0n,
      logPosition: 1n,
      logHash: `0x${'22'.repeat(32)}` as Hex,
      treeHash: `0x${'33'.repeat(32)}` as Hex,
    };
    const pays = stage.vault.write(carol, 'pay', [batch, await stage.signAnchor(anchor)]);
    await expect(pays).rejects.toThrow(/^Signer/);
    const anchors = stage.vault.write(carol, 'anchor', [anchor, signatures]);
    await expect(anchors).rejects.toThrow(/^Signer/);
  });

  test('a signer that is removed counts no more, and sets are ascending majorities', async () => {
    const stage = await openFull();
    const { vault } = stage;
    const addresses = signerAccounts.map(({ address }) => address);
    const batch = [await payment(stage, 'one', bob, million)];
    const set = (next: readonly Hex[], needed: bigint, from = admin): Promise<unknown> =>
      vault.write(from, 'setSigners', [next, needed, false]);
    await refused(set(addresses.slice(1, 4), 2n, carol), 'AccessControlUnauthorizedAccount');
    await refused(set([], 0n), 'SignerSetInvalid');
    await refused(set(addresses.slice(0, 4), 2n), 'SignerSetInvalid');
    await refused(set(addresses.slice(0, 3), 4n), 'SignerSetInvalid');
    await refused(set([addresses[0]!, addresses[0]!], 2n), 'SignersNotAscending');
    await refused(set([zeroAddress, addresses[0]!], 2n), 'SignersNotAscending');
    await set(addresses.slice(1, 4), 2n);
    await refused(pay(stage, batch, [0, 1]), 'SignerUnknown');
    await pay(stage, batch, [1, 3]);
    expect(await vault.read('signers')).toEqual(addresses.slice(1, 4));
  });

  test('a deadline that has passed is passed over, to the second', async () => {
    const stage = await openFull();
    const batch = [
      await payment(stage, 'one', bob, million),
      { ...(await payment(stage, 'two', bob, million)), deadline: 2n ** 62n },
    ];
    const { deadline } = batch[0]!;
    await stage.chain.ask('evm_setNextBlockTimestamp', Number(deadline) + 1);
    await pay(stage, batch);
    expect([await stateOf(stage, 'one'), await stateOf(stage, 'two')]).toEqual(['None', 'Paid']);
    const last = { ...(await payment(stage, 'three', bob, million)) };
    await stage.chain.ask('evm_setNextBlockTimestamp', Number(last.deadline));
    await pay(stage, [last]);
    expect(await stateOf(stage, 'three')).toBe('Paid');
  });

  test('a recipient that cannot receive fails alone, for ever, and uses up no limit', async () => {
    const stage = await openFull();
    const { vault, token } = stage;
    const level = await vault.read('bucketLevel');
    await token.write(bob, 'setBlocked', [bob, true]);
    const batch = [
      await payment(stage, 'blocked', bob, 3_000n * million),
      await payment(stage, 'vault', vault.address, million),
      await payment(stage, 'zero', zeroAddress, million),
      await payment(stage, 'good', carol, million),
    ];
    await pay(stage, batch);
    const names = ['blocked', 'vault', 'zero', 'good'];
    const found = await Promise.all(names.map((name) => stateOf(stage, name)));
    expect(found).toEqual(['Failed', 'Failed', 'Failed', 'Paid']);
    expect(await vault.read('bucketLevel')).toBe((level as bigint) - million);
    await token.write(bob, 'setBlocked', [bob, false]);
    await pay(stage, batch);
    expect(await heldBy(stage, bob)).toBe(0n);
    expect(await vault.read('paidTotal')).toBe(million);
  });

  test('a token that takes a fee or is paused fails, and the money stays', async () => {
    const stage = await openFull();
    await stage.token.write(bob, 'setFeeRate', [100n]);
    await pay(stage, [await payment(stage, 'fee', bob, million)]);
    await stage.token.write(bob, 'setFeeRate', [0n]);
    await stage.token.write(bob, 'setPaused', [true]);
    await pay(stage, [await payment(stage, 'paused', bob, million)]);
    expect([await stateOf(stage, 'fee'), await stateOf(stage, 'paused')]).toEqual([
      'Failed',
      'Failed',
    ]);
    expect(await heldBy(stage, stage.vault.address)).toBe(100_000n * million);
  });

  test('a caller cannot make a payment fail by a limit of gas', async () => {
    const stage = await openFull({ hostile: true });
    await stage.token.write(bob, 'setGasBurnt', [240_000n]);
    const batch = [await payment(stage, 'one', bob, million)];
    const signatures = await stage.signPay(batch);
    for (let gas = 200_000n; gas < 560_000n; gas += 4000n) {
      await stage.vault.write(carol, 'pay', [batch, signatures], gas).catch(() => {});
      const state = await stateOf(stage, 'one');
      expect(['None', 'Paid'], `with ${gas} gas`).toContain(state);
    }
    expect(await stateOf(stage, 'one')).toBe('Paid');
  });

  test('a token that uses up its gas fails alone', async () => {
    const stage = await openFull({ hostile: true });
    await stage.token.write(bob, 'setGasBurnt', [2n ** 255n]);
    const batch = [
      await payment(stage, 'one', bob, million),
      await payment(stage, 'two', carol, million),
    ];
    await pay(stage, batch);
    expect([await stateOf(stage, 'one'), await stateOf(stage, 'two')]).toEqual([
      'Failed',
      'Failed',
    ]);
  });

  test('a token that calls back gains nothing', async () => {
    const stage = await openFull({ hostile: true });
    const { vault, token } = stage;
    const [one, two] = [
      await payment(stage, 'one', bob, million),
      await payment(stage, 'two', bob, million),
    ];
    await vault.write(admin, 'grantRole', [await vault.read('GUARDIAN_ROLE'), token.address]);
    const calls = [
      vault.encode('pay', [[one], await stage.signPay([one])]),
      vault.encode('pay', [[two], await stage.signPay([two])]),
      vault.encode('payQueued', [[one.id]]),
      vault.encode('cancel', [[one.id]]),
      vault.encode('sendExactly', [bob, million]),
      vault.encode('deposit', [bob, million]),
    ];
    await token.write(bob, 'mint', [token.address, 10n * million]);
    for (const [at, call] of calls.entries()) {
      await token.write(bob, 'setCall', [vault.address, call]);
      await pay(stage, [at === 0 ? one : await payment(stage, `${at}`, bob, million)]);
    }
    expect([await token.read('attempts'), await token.read('accepted')]).toEqual([6n, 0n]);
    expect(await heldBy(stage, bob)).toBe(6n * million);
    expect(await vault.read('paidTotal')).toBe(6n * million);
  });

  test('what exceeds the bucket or its part waits, and is paid after its time', async () => {
    const stage = await openFull();
    const { vault, chain } = stage;
    const { bucketCapacity, instantMax, queueDelay } = setup;
    await pay(stage, [
      await payment(stage, 'large', bob, instantMax + 1n),
      await payment(stage, 'one', carol, instantMax),
      await payment(stage, 'two', carol, instantMax),
      await payment(stage, 'three', carol, bucketCapacity - 2n * instantMax + 1_000_000n),
      await payment(stage, 'four', carol, bucketCapacity - 2n * instantMax),
    ]);
    const names = ['large', 'one', 'two', 'three', 'four'];
    const look = (): Promise<string[]> => Promise.all(names.map((name) => stateOf(stage, name)));
    expect(await look()).toEqual(['Queued', 'Paid', 'Paid', 'Queued', 'Paid']);
    expect(await heldBy(stage, bob)).toBe(0n);
    const { length } = names;
    const ids = names.map(idOf);
    const [readyAt] = (await vault.read('placeOf', [ids[0]!])) as [bigint, bigint];
    await chain.ask('evm_setNextBlockTimestamp', Number(readyAt) - 1);
    await vault.write(carol, 'payQueued', [ids]);
    expect(await look()).toEqual(['Queued', 'Paid', 'Paid', 'Queued', 'Paid']);
    await chain.ask('evm_setNextBlockTimestamp', Number(readyAt));
    await vault.write(carol, 'payQueued', [ids]);
    expect(await look()).toEqual(Array.from({ length }, () => 'Paid'));
    await vault.write(carol, 'payQueued', [ids]);
    expect(await heldBy(stage, bob)).toBe(instantMax + 1n);
    // Queued payments use up nothing of the bucket: it has refilled for the delay.
    const refilled = (bucketCapacity * queueDelay) / 86_400n;
    const level = (await vault.read('bucketLevel')) as bigint;
    expect(level - refilled).toBeGreaterThanOrEqual(0n);
    expect(level - refilled).toBeLessThan(bucketCapacity / 1000n);
  });

  test('at most twice the bucket leaves without delay within a day', async () => {
    const stage = await openFull();
    const { chain, vault } = stage;
    const before = await chain.now();
    let [paid, at] = [0n, 0];
    while ((await chain.now()) < before + 86_400 - 5000) {
      const level = (await vault.read('bucketLevel')) as bigint;
      const units = level < setup.instantMax ? level : setup.instantMax;
      if (units > 0n) {
        await pay(stage, [await payment(stage, `drain ${at}`, bob, units)]);
        at += 1;
      }
      if (level < setup.instantMax) await chain.pass(4000);
    }
    paid = await heldBy(stage, bob);
    expect(paid).toBeLessThanOrEqual(2n * setup.bucketCapacity);
    expect(paid).toBeGreaterThan((18n * setup.bucketCapacity) / 10n);
  });

  test('a cancelled or voided payment is never paid', async () => {
    const stage = await openFull();
    const { vault, chain } = stage;
    const names = ['one', 'two', 'three'];
    const ids = names.map(idOf);
    const batch = await Promise.all(
      names.map((name) => payment(stage, name, bob, setup.instantMax + 1n)),
    );
    await pay(stage, batch.slice(0, 2));
    await refused(vault.write(bob, 'cancel', [[ids[0]]]), 'AccessControlUnauthorizedAccount');
    await vault.write(guardian, 'cancel', [[ids[0], idOf('unknown')]]);
    await vault.write(bob, 'cancelVoided', [ids]);
    const look = (): Promise<string[]> => Promise.all(names.map((name) => stateOf(stage, name)));
    expect(await look()).toEqual(['Cancelled', 'Queued', 'None']);
    await vault.write(admin, 'setSigners', [await vault.read('signers'), 2n, true]);
    await pay(stage, batch.slice(2));
    await pay(stage, batch);
    await chain.pass(Number(setup.queueDelay) + 10);
    await vault.write(bob, 'payQueued', [ids]);
    expect(await look()).toEqual(['Cancelled', 'Queued', 'Paid']);
    await vault.write(bob, 'cancelVoided', [ids]);
    await vault.write(guardian, 'cancel', [ids]);
    expect(await look()).toEqual(['Cancelled', 'Cancelled', 'Paid']);
    await vault.write(bob, 'payQueued', [ids]);
    await pay(stage, batch);
    expect(await heldBy(stage, bob)).toBe(setup.instantMax + 1n);
    expect(await stateOf(stage, 'unknown')).toBe('None');
  });

  test('a guardian stops all payments, and only the administrator lets them go on', async () => {
    const stage = await openFull();
    const { vault, chain } = stage;
    const batch = [
      await payment(stage, 'one', bob, million),
      await payment(stage, 'two', bob, setup.instantMax + 1n),
    ];
    await refused(vault.write(bob, 'pause'), 'AccessControlUnauthorizedAccount');
    await pay(stage, batch.slice(1));
    await chain.pass(Number(setup.queueDelay) + 10);
    await vault.write(guardian, 'pause');
    await refused(pay(stage, batch), 'EnforcedPause');
    await refused(vault.write(bob, 'payQueued', [[idOf('two')]]), 'EnforcedPause');
    await refused(vault.write(guardian, 'unpause'), 'AccessControlUnauthorizedAccount');
    await vault.write(admin, 'unpause');
    await pay(stage, batch);
    await vault.write(bob, 'payQueued', [[idOf('two')]]);
    expect(await heldBy(stage, bob)).toBe(setup.instantMax + 1n + million);
  });

  test('what the vault does not hold stays as it is until it does', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    await stage.fund(alice, 10n * million);
    await vault.write(alice, 'deposit', [alice, 10n * million]);
    await chain.pass(86_400);
    const [large, queued, small] = [
      await payment(stage, 'large', bob, 11n * million),
      await payment(stage, 'queued', bob, setup.instantMax + 1n),
      await payment(stage, 'small', bob, 10n * million),
    ];
    await pay(stage, [large, queued, small]);
    const names = ['large', 'queued', 'small'];
    const look = (): Promise<string[]> => Promise.all(names.map((name) => stateOf(stage, name)));
    expect(await look()).toEqual(['None', 'None', 'Paid']);
    await stage.fund(alice, 5_000n * million);
    await vault.write(alice, 'deposit', [alice, 5_000n * million]);
    await pay(stage, [large, queued]);
    await chain.pass(Number(setup.queueDelay) + 10);
    await stage.token.write(vault.address, 'transfer', [carol, 4_989n * million]);
    await vault.write(bob, 'payQueued', [[idOf('queued')]]);
    expect(await look()).toEqual(['Paid', 'Queued', 'Paid']);
    await stage.fund(alice, 5_000n * million);
    await vault.write(alice, 'deposit', [alice, 5_000n * million]);
    await vault.write(bob, 'payQueued', [[idOf('queued')]]);
    expect(await look()).toEqual(['Paid', 'Paid', 'Paid']);
  });

  test('limits are bounded, and a larger bucket is not full at once', async () => {
    const stage = await openFull();
    const { vault } = stage;
    const set = (terms: readonly bigint[], from = admin): Promise<unknown> =>
      vault.write(from, 'setLimits', terms);
    await refused(set([10n, 11n, 7200n]), 'LimitsInvalid');
    await refused(set([10n, 10n, 3599n]), 'LimitsInvalid');
    await refused(set([10n, 10n, 604_801n]), 'LimitsInvalid');
    await refused(set([10n, 10n, 7200n], carol), 'AccessControlUnauthorizedAccount');
    await pay(stage, [await payment(stage, 'one', bob, setup.instantMax)]);
    const level = (await vault.read('bucketLevel')) as bigint;
    await set([100n * setup.bucketCapacity, setup.instantMax, 7200n]);
    const after = (await vault.read('bucketLevel')) as bigint;
    expect(after - level).toBeLessThan(setup.bucketCapacity);
    await set([10n, 10n, 7200n]);
    expect(await vault.read('bucketLevel')).toBe(10n);
    await refused(
      vault.write(carol, 'setMinimumDeposit', [1n]),
      'AccessControlUnauthorizedAccount',
    );
    await refused(vault.write(admin, 'setMinimumDeposit', [0n]), 'DepositOutOfBounds');
    await refused(vault.write(carol, 'sendExactly', [carol, 1n]), 'OnlyVault');
  });
});
