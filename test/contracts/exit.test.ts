// Anchors of the vault and the way out: the exit opens after silence, pays what is due, and no
// forged proof takes what is owed to others.

import { bytesToHex, type Hex, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { type Anchored, anchorOver, leafProof, type Owed } from '../../contracts/anchorOver.ts';
import {
  addressOf,
  admin,
  guardian,
  idOf,
  keeper,
  setup,
  type Vault,
} from '../../contracts/openVault.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import { climbTree, type Leaf } from '../../src/solvency/sumTree.ts';
import { proveWallet } from '../../src/solvency/tree.ts';
import { onChain, refused } from './onChain.ts';
import { deposit, pay } from './vaultSteps.ts';

const names = ['alice', 'bob', 'carol', 'dave', 'erin'];
const [alice, bob, carol, dave, erin] = names.map(addressOf) as [Hex, Hex, Hex, Hex, Hex];
const million = 1_000_000n;

async function submit(stage: Vault, anchor: Anchor, signers = [0, 1]): Promise<void> {
  await stage.vault.write(bob, 'anchor', [anchor, await stage.signAnchor(anchor, signers)]);
}

async function anchored(
  stage: Vault,
  owed: readonly Owed[],
  changes: Partial<Anchor> = {},
): Promise<Anchored> {
  const made = await anchorOver(stage, owed, changes);
  await submit(stage, made.anchor);
  return made;
}

async function openExit(stage: Vault): Promise<void> {
  await stage.chain.pass(Number(setup.exitSilence) + 1);
  await stage.vault.write(erin, 'openExit');
}

const heldBy = ({ token, scale }: Vault, account: Hex): Promise<bigint> =>
  (token.read('balanceOf', [account]) as Promise<bigint>).then((amount) => amount / scale);

const collect = (stage: Vault, account: Hex): Promise<unknown> =>
  stage.vault.write(erin, 'collect', [account]);

onChain('anchors and exit of the vault', (open) => {
  test('an anchor has the next epoch, k signers, and a sum that is what came in less out', async () => {
    const stage = await open();
    await deposit(stage, alice, 9n * million);
    await stage.chain.pass(86_400);
    await pay(stage, 'one', bob, 2n * million);
    const { anchor } = await anchorOver(stage, [{ account: alice, units: 7n * million }]);
    expect(anchor.deficit).toBe(0n);
    await refused(submit(stage, { ...anchor, epoch: 2n }), 'EpochInvalid');
    await refused(submit(stage, { ...anchor, epoch: 0n }), 'EpochInvalid');
    await refused(submit(stage, { ...anchor, depositCount: 2n }), 'AnchorAhead');
    await refused(submit(stage, { ...anchor, withdrawn: 2n * million + 1n }), 'AnchorAhead');
    await refused(submit(stage, { ...anchor, sum: anchor.sum + 1n }), 'AnchorUnbalanced');
    await refused(submit(stage, { ...anchor, sum: anchor.sum - 1n }), 'AnchorUnbalanced');
    await refused(submit(stage, { ...anchor, deficit: 1n }), 'AnchorUnbalanced');
    await refused(submit(stage, { ...anchor, withdrawn: 0n }), 'AnchorUnbalanced');
    await refused(submit(stage, anchor, [0]), 'SignaturesTooFew');
    const signed = await stage.signAnchor(anchor);
    const forged = { ...anchor, root: zeroHash };
    await expect(stage.vault.write(bob, 'anchor', [forged, signed])).rejects.toThrow(/^Signer/);
    await stage.vault.write(guardian, 'pause');
    await submit(stage, anchor);
    expect(await stage.vault.read('lastAnchor')).toEqual(anchor);
    await refused(submit(stage, anchor), 'EpochInvalid');
  });

  test('a forged anchor with the largest place does not stop the honest one after it', async () => {
    const stage = await open();
    await deposit(stage, alice, 9n * million);
    const owed = [{ account: alice, units: 9n * million }];
    const largest = 2n ** 64n - 1n;
    await anchored(stage, owed, { logPosition: largest, leaves: largest });
    await anchored(stage, owed, { logPosition: 17n, depositCount: 1n });
    expect(((await stage.vault.read('lastAnchor')) as Anchor).logPosition).toBe(17n);
  });

  test('reports have a dense sequence and come from the keeper', async () => {
    const { vault } = await open();
    const report = (from: Hex, ...args: unknown[]): Promise<unknown> =>
      vault.write(from, 'report', [...args, zeroHash]);
    await refused(report(alice, 1n, 0n, 5n), 'AccessControlUnauthorizedAccount');
    await refused(report(keeper, 2n, 0n, 5n), 'ReportInvalid');
    await refused(report(keeper, 1n, 6n, 5n), 'ReportInvalid');
    await report(keeper, 1n, 0n, 5n);
    await refused(report(keeper, 1n, 0n, 5n), 'ReportInvalid');
    await report(keeper, 2n, 5n, 5n);
    expect(await vault.read('reportCount')).toBe(2n);
  });

  test('the exit opens after silence alone, and nothing else moves money from then on', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    await deposit(stage, alice, 9n * million);
    await chain.pass(Number(setup.exitSilence) + 1);
    await refused(vault.write(erin, 'openExit'), 'NoAnchor');
    const made = await anchored(stage, [{ account: alice, units: 9n * million }]);
    await refused(vault.write(erin, 'registerLeaf', leafProof(made, alice)), 'ExitIsClosed');
    await refused(vault.write(erin, 'registerDeposits', [[1n]]), 'ExitIsClosed');
    await refused(collect(stage, alice), 'ExitIsClosed');
    const since = Number(await vault.read('anchoredAt'));
    await chain.ask('evm_setNextBlockTimestamp', since + Number(setup.exitSilence));
    await chain.ask('evm_mine');
    await refused(vault.write(erin, 'openExit'), 'NotSilent');
    await vault.write(guardian, 'pause');
    await chain.ask('evm_setNextBlockTimestamp', since + Number(setup.exitSilence) + 1);
    await chain.ask('evm_mine');
    await vault.write(erin, 'openExit');
    await refused(vault.write(erin, 'openExit'), 'ExitIsOpen');
    await vault.write(admin, 'unpause');
    const payments = [{ id: idOf('one'), to: bob, units: million, deadline: 2n ** 62n }];
    const signed = await stage.signPay(payments);
    await refused(vault.write(bob, 'pay', [payments, signed]), 'ExitIsOpen');
    await refused(vault.write(bob, 'payQueued', [[idOf('one')]]), 'ExitIsOpen');
    await refused(deposit(stage, alice, million), 'ExitIsOpen');
    const next = { ...made.anchor, epoch: 2n };
    await refused(submit(stage, next), 'ExitIsOpen');
  });

  test.each([6, 18])(
    'with an honest root everybody is made whole, %i decimals',
    async (decimals) => {
      const stage = await open({ decimals });
      const { vault, chain } = stage;
      await deposit(stage, alice, 100n * million);
      await deposit(stage, bob, 50n * million);
      await deposit(stage, carol, 20n * million);
      await chain.pass(86_400);
      await pay(stage, 'before', bob, 5n * million);
      // Alice has lost 30 to Bob and Carol; the exchange has not completed 4 of Bob's payment yet.
      const made = await anchored(
        stage,
        [
          { account: alice, units: 70n * million },
          { account: bob, units: 61n * million, withdrawn: 1n * million },
          { account: carol, units: 38n * million },
        ],
        { withdrawn: 1n * million },
      );
      expect(made.anchor.deficit).toBe(0n);
      await deposit(stage, alice, 8n * million);
      await deposit(stage, dave, 3n * million);
      await pay(stage, 'alice', alice, 60n * million);
      await pay(stage, 'dave', dave, 1n * million);
      await pay(stage, 'after', bob, 2n * million);
      await deposit(stage, dave, 2n * million);
      const before = await heldBy(stage, alice);
      await openExit(stage);
      await vault.write(guardian, 'pause');
      for (const account of [carol, bob, alice]) {
        await vault.write(erin, 'registerLeaf', leafProof(made, account));
      }
      await vault.write(erin, 'registerDeposits', [[5n, 4n]]);
      await vault.write(erin, 'registerDeposits', [[6n]]);
      await refused(vault.write(erin, 'registerDeposits', [[6n]]), 'DepositInvalid');
      expect(await vault.read('exitOwed')).toBe(await vault.read('exitHeld'));
      for (const account of [alice, bob, carol, dave]) await collect(stage, account);
      expect(await heldBy(stage, alice)).toBe(before + 18n * million);
      expect(await heldBy(stage, bob)).toBe(7n * million + 55n * million);
      expect(await heldBy(stage, carol)).toBe(38n * million);
      expect(await heldBy(stage, dave)).toBe(million + 4n * million);
      expect(await heldBy(stage, vault.address)).toBe(0n);
      await refused(collect(stage, alice), 'NothingToCollect');
    },
  );

  test('a loss is shared, early collectors get no more, and the rest can be collected later', async () => {
    const stage = await open();
    const { vault, chain, token } = stage;
    await deposit(stage, alice, 100n * million);
    await deposit(stage, bob, 100n * million);
    await chain.pass(86_400);
    const made = await anchored(stage, [
      { account: alice, units: 100n * million },
      { account: bob, units: 100n * million },
    ]);
    await pay(stage, 'bob', bob, 60n * million);
    await token.write(vault.address, 'transfer', [erin, 70n * million]);
    await openExit(stage);
    // Held 70, owed at most 200 and truly 140: Bob was paid 60.
    await vault.write(erin, 'registerLeaf', leafProof(made, alice));
    await collect(stage, alice);
    expect(await heldBy(stage, alice)).toBe(35n * million);
    await refused(collect(stage, alice), 'NothingToCollect');
    await vault.write(erin, 'registerLeaf', leafProof(made, bob));
    expect(await vault.read('exitOwed')).toBe(140n * million);
    await collect(stage, bob);
    await collect(stage, alice);
    expect(await heldBy(stage, alice)).toBe(50n * million);
    expect(await heldBy(stage, bob)).toBe(60n * million + 20n * million);
    expect(await heldBy(stage, vault.address)).toBe(0n);
  });

  test('an account that was paid more than its leaf takes nothing from the others twice', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    await deposit(stage, alice, 100n * million);
    await deposit(stage, bob, 10n * million);
    await chain.pass(86_400);
    const made = await anchored(stage, [
      { account: alice, units: 100n * million },
      { account: bob, units: 10n * million },
    ]);
    // Bob wins 60 from Alice after the anchor, pays 5 in, and takes 75 out.
    await deposit(stage, bob, 5n * million);
    await pay(stage, 'bob', bob, 75n * million);
    await openExit(stage);
    await vault.write(bob, 'registerDeposits', [[3n]]);
    await refused(collect(stage, bob), 'NothingToCollect');
    await vault.write(erin, 'registerLeaf', leafProof(made, bob));
    await refused(collect(stage, bob), 'NothingToCollect');
    await vault.write(erin, 'registerLeaf', leafProof(made, alice));
    // All 40 that are left are owed to Alice alone: 100 by the last root.
    expect(await vault.read('exitOwed')).toBe(100n * million);
    await collect(stage, alice);
    expect(await heldBy(stage, alice)).toBe(40n * million);
  });

  test('a forged proof, a lowered sum, a doubled account and a foreign leaf are refused', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    await deposit(stage, alice, 100n * million);
    await chain.pass(86_400);
    await pay(stage, 'one', bob, 10n * million);
    const made = await anchored(stage, [
      { account: alice, units: 60n * million },
      { account: bob, units: 20n * million, withdrawn: 10n * million },
      { account: carol, units: 10n * million },
    ]);
    await openExit(stage);
    const register = (args: readonly unknown[]): Promise<unknown> =>
      vault.write(erin, 'registerLeaf', args);
    const good = leafProof(made, bob);
    const [account, units, withdrawn, salt, siblings] = good as [
      Hex,
      bigint,
      bigint,
      Hex,
      { hash: Hex; sum: bigint; onLeft: boolean }[],
    ];
    const bent = (change: (each: (typeof siblings)[number]) => object): readonly unknown[] => [
      account,
      units,
      withdrawn,
      salt,
      siblings.map((each) => ({ ...each, ...change(each) })),
    ];
    for (const args of [
      [dave, units, withdrawn, salt, siblings],
      [account, units + 1n, withdrawn, salt, siblings],
      [account, units, withdrawn + 1n, salt, siblings],
      [account, units, withdrawn, zeroHash, siblings],
      [account, units, withdrawn, salt, siblings.slice(1)],
      [account, units, withdrawn, salt, []],
      bent(({ sum }) => ({ sum: sum - 1n })),
      bent(({ onLeft }) => ({ onLeft: !onLeft })),
      bent(() => ({ hash: zeroHash })),
    ]) {
      await refused(register(args), 'LeafInvalid');
    }
    const long = Array.from({ length: 65 }, () => siblings[0]!);
    await refused(register([account, units, withdrawn, salt, long]), 'ProofTooLong');
    const overflow = bent(() => ({ sum: 2n ** 64n - 1n }));
    await expect(register(overflow)).rejects.toThrow();
    await register(good);
    await refused(register(good), 'LeafKnown');
    for (const index of [0n, 1n, 2n, 2n ** 64n - 1n]) {
      await refused(vault.write(erin, 'registerDeposits', [[index]]), 'DepositInvalid');
    }
    expect(await vault.read('exitOwed')).toBe(90n * million);
  });

  test('a leaf that claims more payments than there were before its anchor is refused', async () => {
    const stage = await open();
    const { vault, chain } = stage;
    await deposit(stage, alice, 100n * million);
    await chain.pass(86_400);
    await pay(stage, 'before', bob, 10n * million);
    const made = await anchored(
      stage,
      [
        { account: alice, units: 70n * million },
        { account: bob, units: 20n * million, withdrawn: 30n * million },
      ],
      {},
    );
    await pay(stage, 'after', bob, 20n * million);
    await openExit(stage);
    await refused(vault.write(erin, 'registerLeaf', leafProof(made, bob)), 'LeafInvalid');
  });

  test('a tree that owes more than its anchor says has no leaf', async () => {
    const stage = await open();
    await deposit(stage, alice, 50n * million);
    const owed = [alice, bob].map((account) => ({ account, units: 30n * million }));
    const made = await anchored(stage, owed, { sum: 50n * million, deficit: 0n });
    await openExit(stage);
    const register = stage.vault.write(erin, 'registerLeaf', leafProof(made, alice));
    await refused(register, 'LeafInvalid');
  });

  test('an account in the tree twice gets what it is owed once', async () => {
    const stage = await open();
    const { vault } = stage;
    await deposit(stage, alice, 50n * million);
    const { anchor, tree } = await anchorOver(stage, [
      { account: alice, units: 20n * million },
      { account: bob, units: 30n * million },
    ]);
    // The tree refuses the second leaf of an account, so the leaves are bent behind it.
    const [one, two] = [alice, bob].map((each) => proveWallet(tree, each)!.leaf) as [Leaf, Leaf];
    const double = { ...two, account: one.account };
    const own = climbTree(double, []);
    const top = climbTree(one, [{ hash: own.root, sum: own.sum, onLeft: false }]);
    await submit(stage, { ...anchor, root: bytesToHex(top.root) });
    await openExit(stage);
    const account = bytesToHex(one.account);
    const left = climbTree(one, []);
    const proof = (leaf: typeof one, beside: typeof own, onLeft: boolean): readonly unknown[] => [
      account,
      BigInt(leaf.units),
      0n,
      bytesToHex(leaf.salt),
      [{ hash: bytesToHex(beside.root), sum: BigInt(beside.sum), onLeft }],
    ];
    expect(tree.head.sum).toBe(top.sum);
    await vault.write(erin, 'registerLeaf', proof(one, own, false));
    await refused(vault.write(erin, 'registerLeaf', proof(double, left, true)), 'LeafKnown');
  });

  test('the insurance fund stands behind all accounts, and no one collects for it', async () => {
    const stage = await open();
    const { vault, token } = stage;
    await deposit(stage, alice, 100n * million);
    await deposit(stage, vault.address, 50n * million);
    const made = await anchored(stage, [
      { account: alice, units: 100n * million },
      { account: vault.address, units: 50n * million },
    ]);
    await deposit(stage, vault.address, 10n * million);
    await token.write(vault.address, 'transfer', [erin, 50n * million]);
    await openExit(stage);
    await vault.write(erin, 'registerDeposits', [[3n]]);
    for (const account of [alice, vault.address]) {
      await vault.write(erin, 'registerLeaf', leafProof(made, account));
    }
    await refused(collect(stage, vault.address), 'NothingToCollect');
    await collect(stage, alice);
    expect(await heldBy(stage, alice)).toBe(100n * million);
  });

  test('a blocked account keeps its claim, and a token that calls back collects once', async () => {
    const stage = await open({ hostile: true });
    const { vault, token } = stage;
    await deposit(stage, alice, 100n * million);
    await deposit(stage, token.address, 100n * million);
    const made = await anchored(stage, [
      { account: alice, units: 100n * million },
      { account: token.address, units: 100n * million },
    ]);
    await openExit(stage);
    for (const account of [alice, token.address]) {
      await vault.write(erin, 'registerLeaf', leafProof(made, account));
    }
    await token.write(erin, 'setBlocked', [alice, true]);
    await expect(collect(stage, alice)).rejects.toThrow();
    await token.write(erin, 'setBlocked', [alice, false]);
    await token.write(erin, 'setCall', [vault.address, vault.encode('collect', [token.address])]);
    await collect(stage, token.address);
    expect([await token.read('attempts'), await token.read('accepted')]).toEqual([1n, 0n]);
    await collect(stage, alice);
    expect(await heldBy(stage, vault.address)).toBe(0n);
    expect(await heldBy(stage, alice)).toBe(100n * million);
  });
});
