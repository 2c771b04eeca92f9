// A tree over given leaves with its anchor and its published file, as a test wants them: balanced
// with what the vault has, unless the test changes a member of the anchor.

import { type Hex, padHex } from 'viem';
import { anchorOf } from '../src/chain/anchor/anchorOf.ts';
import { leafArguments } from '../src/chain/exit/planExit.ts';
import type { Anchor } from '../src/chain/vaultTypes.ts';
import { claimOf } from '../src/solvency/createTreeMaker.ts';
import { bytesOf, growTree, proveWallet, type Tree } from '../src/solvency/tree.ts';
import { treeText } from '../src/solvency/treeText.ts';
import { writeTree } from '../src/solvency/writeTree.ts';
import { finish } from '../src/std/finish.ts';
import { chainId } from './openLocalChain.ts';
import type { Vault } from './openVault.ts';

/** What an account is owed and had been paid, in units. */
export type Owed = { readonly account: Hex; readonly units: bigint; readonly withdrawn?: bigint };

export type Anchored = {
  readonly anchor: Anchor;
  readonly tree: Tree;
  /** The text of the file. */
  readonly file: string;
};

/** Each account once. */
export async function anchorOver(
  { vault }: Vault,
  owed: readonly Owed[],
  changes: Partial<Anchor> = {},
): Promise<Anchored> {
  const last = (await vault.read('lastAnchor')) as Anchor;
  const depositCount = changes.depositCount ?? ((await vault.read('depositCount')) as bigint);
  const withdrawn = changes.withdrawn ?? ((await vault.read('paidTotal')) as bigint);
  const [, came] = (await vault.read('depositOf', [depositCount])) as [Hex, bigint];
  const epoch = last.epoch + 1n;
  const sum = owed.reduce((all, { units }) => all + units, 0n);
  const place = {
    ...{ chainId, vault: vault.address.toLowerCase(), position: 1000 * Number(epoch) },
    ...{ batchHash: padHex('0x10').slice(2), time: 3_600_000 * Number(epoch) },
  };
  const tree = finish(
    growTree(place, {
      accounts: Buffer.concat(owed.map(({ account }) => bytesOf(account))),
      units: BigUint64Array.from(owed, ({ units }) => units),
      withdrawn: BigUint64Array.from(owed, (each) => each.withdrawn ?? 0n),
      deficit: sum + withdrawn - came,
      ...{ depositCount: Number(depositCount), depositTotal: came, withdrawnTotal: withdrawn },
    }),
  );
  const anchor = anchorOf(claimOf(finish(writeTree(undefined, tree))), epoch);
  return { anchor: { ...anchor, ...changes }, tree, file: [...treeText(tree)].join('') };
}

/** The arguments of registerLeaf for an account of the tree. */
export const leafProof = ({ tree }: Anchored, account: Hex): readonly unknown[] =>
  leafArguments(proveWallet(tree, account.toLowerCase())!);
