// What a deployment owes to each wallet at one batch of its log, with the tree of sums over it
// (VLT-8). All who have the log make the same one.

import type { Liabilities } from '../engine/views/liabilities.ts';
import { assert } from '../std/assert.ts';
import { sortAccounts } from './sortAccounts.ts';
import {
  growSumTree,
  type Leaf,
  type LeafList,
  proveLeaf,
  type Sibling,
  type SumTree,
} from './sumTree.ts';

/** Where in the log, and in which deployment. */
export type TreePlace = {
  readonly chainId: number;
  /** The contract; `0x` and hex digits in lower case. */
  readonly vault: string;
  /** A batch, the hash of it and all before it (64 hex digits), and its time. */
  readonly position: number;
  readonly batchHash: string;
  readonly time: number;
};

/** Units of 1e-6. */
export type TreeHead = TreePlace & {
  readonly depositCount: number;
  readonly deposits: bigint;
  readonly withdrawn: bigint;
  readonly deficit: bigint;
  readonly leaves: number;
  readonly sum: bigint;
  /** 64 hex digits. */
  readonly root: string;
};

/** Wallets in ascending order; the same place in each list. */
export type Rows = {
  /** 20 bytes each, one after another. */
  readonly accounts: Buffer;
  readonly units: BigUint64Array;
  readonly withdrawn: BigUint64Array;
};

export type Tree = {
  readonly head: TreeHead;
  readonly rows: Rows;
  readonly sums: SumTree;
};

/** A leaf and the way from it to the root. */
export type Proof = { readonly leaf: Leaf; readonly siblings: readonly Sibling[] };

export type TreeFigures = Pick<TreeHead, 'depositCount' | 'deposits' | 'withdrawn' | 'deficit'>;

/** Rows between two pauses. */
export const rowsPerStep = 512;

/** In short steps. Throws when a wallet is there twice, or the figures do not add up. */
export function* growTree(place: TreePlace, owed: Liabilities): Generator<void, Tree> {
  const rows = yield* sortRows(owed);
  const { depositCount, depositTotal: deposits, withdrawnTotal: withdrawn, deficit } = owed;
  return yield* growOver(place, { depositCount, deposits, withdrawn, deficit }, rows);
}

/** The tree over sorted rows. The salt of each leaf is the hash of the batch. */
export function* growOver(
  place: TreePlace,
  figures: TreeFigures,
  rows: Rows,
): Generator<void, Tree> {
  const sums = yield* growSumTree(leavesOf(rows, place.batchHash));
  const { sum } = sums;
  const { deposits, withdrawn, deficit } = figures;
  const adds = sum + withdrawn === deposits + deficit;
  assert(adds, 'what is owed and what was paid are what was deposited, and the deficit');
  const root = Buffer.from(sums.root).toString('hex');
  return { head: { ...place, ...figures, leaves: rows.units.length, sum, root }, rows, sums };
}

/** Of a wallet; undefined when it has no leaf. */
export function proveWallet({ head, rows, sums }: Tree, wallet: string): Proof | undefined {
  const index = findRow(rows, bytesOf(wallet));
  if (index === undefined) return undefined;
  return { leaf: leafAt(rows, head.batchHash, index), siblings: proveLeaf(sums, index) };
}

/** Its bytes are copies: a view of all accounts would be copied whole to another thread. */
export function leafAt(rows: Rows, batchHash: string, index: number): Leaf {
  const leaf = leavesOf(rows, batchHash).at(index)!;
  return { ...leaf, account: Uint8Array.from(leaf.account), salt: Uint8Array.from(leaf.salt) };
}

export function leavesOf({ accounts, units, withdrawn }: Rows, batchHash: string): LeafList {
  const salt = Buffer.from(batchHash, 'hex');
  return {
    length: units.length,
    at: (index) => ({
      account: accounts.subarray(20 * index, 20 * index + 20),
      units: units[index]!,
      withdrawn: withdrawn[index]!,
      salt,
    }),
  };
}

/** The row of an account of 20 bytes; undefined when it has none. */
export function findRow({ accounts, units }: Rows, wallet: Buffer): number | undefined {
  const row = rowsUpTo(accounts, wallet) - 1;
  if (row < 0 || row >= units.length) return undefined;
  return wallet.compare(accounts, 20 * row, 20 * row + 20) === 0 ? row : undefined;
}

/** How many of these accounts, which ascend, are not above the wallet. */
export function rowsUpTo(accounts: Buffer, wallet: Buffer): number {
  let [low, high] = [0, accounts.length / 20];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (wallet.compare(accounts, 20 * middle, 20 * middle + 20) >= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const bytesOf = (wallet: string): Buffer => Buffer.from(wallet.slice(2), 'hex');

function* sortRows(owed: Liabilities): Generator<void, Rows> {
  const count = owed.units.length;
  const accounts = Buffer.alloc(20 * count);
  const [units, withdrawn] = [new BigUint64Array(count), new BigUint64Array(count)];
  let row = 0;
  for (const at of yield* sortAccounts(owed.accounts)) {
    owed.accounts.copy(accounts, 20 * row, 20 * at, 20 * at + 20);
    units[row] = owed.units[at]!;
    withdrawn[row] = owed.withdrawn[at]!;
    row += 1;
    if (row % rowsPerStep === 0) yield;
  }
  return { accounts, units, withdrawn };
}
