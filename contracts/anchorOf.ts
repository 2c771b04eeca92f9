// An anchor over given leaves, as a test wants it: balanced with what the vault has, unless the
// test changes a member.

import { bytesToHex, type Hex, hexToBytes, padHex } from 'viem';
import type { Anchor } from '../src/chain/vaultTypes.ts';
import { buildSumTree, type Leaf, proveLeaf, type SumTree } from '../src/solvency/sumTree.ts';
import type { Vault } from './openVault.ts';

/** What an account is owed and had been paid, in units. */
export type Owed = { readonly account: Hex; readonly units: bigint; readonly withdrawn?: bigint };

export type Anchored = {
  readonly anchor: Anchor;
  readonly tree: SumTree;
  readonly leaves: readonly Leaf[];
};

/** Each account once; they are sorted here. */
export async function anchorOf(
  { vault }: Vault,
  owed: readonly Owed[],
  changes: Partial<Anchor> = {},
): Promise<Anchored> {
  const sorted = owed.toSorted((one, two) =>
    one.account.toLowerCase() < two.account.toLowerCase() ? -1 : 1,
  );
  const leaves = sorted.map(({ account, units, withdrawn = 0n }, at) => ({
    account: hexToBytes(account),
    units: Number(units),
    withdrawn: Number(withdrawn),
    salt: hexToBytes(padHex(`0x${(at + 7).toString(16)}`)),
  }));
  const tree = buildSumTree(leaves);
  const sum = BigInt(tree.sum);
  const last = (await vault.read('lastAnchor')) as Anchor;
  const depositCount = changes.depositCount ?? ((await vault.read('depositCount')) as bigint);
  const withdrawn = changes.withdrawn ?? ((await vault.read('paidTotal')) as bigint);
  const [, came] = (await vault.read('depositOf', [depositCount])) as [Hex, bigint];
  const epoch = last.epoch + 1n;
  const anchor = {
    epoch,
    root: bytesToHex(tree.root),
    sum,
    deficit: sum + withdrawn - came,
    leaves: BigInt(leaves.length),
    depositCount,
    withdrawn,
    logPosition: 1000n * epoch,
    logHash: padHex('0x10'),
    treeHash: padHex('0x20'),
    ...changes,
  };
  return { anchor, tree, leaves };
}

/** The arguments of registerLeaf for an account of the tree. */
export function leafProof({ tree, leaves }: Anchored, account: Hex): unknown[] {
  const at = leaves.findIndex((leaf) => bytesToHex(leaf.account) === account.toLowerCase());
  const { units, withdrawn, salt } = leaves[at]!;
  const siblings = proveLeaf(tree, at).map(({ hash, sum, onLeft }) => ({
    hash: bytesToHex(hash),
    sum: BigInt(sum),
    onLeft,
  }));
  return [account, BigInt(units), BigInt(withdrawn), bytesToHex(salt), siblings];
}
