// The tree of what a deployment owes: a leaf for each account, and inner nodes that commit to the
// hashes and the sums of both children. The vault checks its proofs with
// contracts/vault/MerkleSum.sol. It does not know where the amounts come from.

import { hash } from 'node:crypto';
import { assert, must } from '../std/assert.ts';

/** What one account is owed, in units of 1e-6. */
export type Leaf = {
  /** 20 bytes. */
  readonly account: Uint8Array;
  /** 0 … 2^64 − 1. */
  readonly units: bigint;
  /** What had been paid to it, by completed withdrawals; 0 … 2^64 − 1. */
  readonly withdrawn: bigint;
  /** 32 bytes. */
  readonly salt: Uint8Array;
};

/** What eight bytes can hold. */
export const amountMax = 2n ** 64n - 1n;

/** The nodes of one level: hashes one after another, and sums. */
export type Level = { readonly hashes: Buffer; readonly sums: BigUint64Array };

/** From the leaves to the root. */
export type SumTree = {
  readonly levels: readonly [Level, ...Level[]];
  readonly root: Uint8Array;
  readonly sum: bigint;
};

/** A node beside the way from a leaf to the root. */
export type Sibling = {
  readonly hash: Uint8Array;
  readonly sum: bigint;
  readonly onLeft: boolean;
};

/** As an array has them. */
export type LeafList = {
  readonly length: number;
  readonly at: (index: number) => Leaf | undefined;
};

/** The hashes between two pauses: about a tenth of a millisecond. */
const hashesPerStep = 64;

/**
 * Leaves in ascending order of their accounts, so that none is there twice; at least one. The last
 * node of a level without a partner goes up as it is, so no leaf counts twice. In short steps, for
 * a thread that others wait for. Throws when a sum has more than 64 bits.
 */
export function* growSumTree(leaves: LeafList): Generator<void, SumTree> {
  assert(leaves.length > 0, 'a tree has leaves');
  const hashes = Buffer.alloc(32 * leaves.length);
  const sums = new BigUint64Array(leaves.length);
  let before: Leaf | undefined;
  for (let at = 0; at < leaves.length; at += 1) {
    const leaf = must(leaves.at(at), 'a list has its leaves');
    const ascends = before === undefined || Buffer.compare(before.account, leaf.account) < 0;
    assert(ascends, 'the accounts of a tree ascend, each once');
    hashes.set(leafHash(leaf), 32 * at);
    sums[at] = leaf.units;
    before = leaf;
    if (at % hashesPerStep === 0) yield;
  }
  return yield* growAbove({ hashes, sums });
}

/** The levels from this one to the root, in short steps. Throws as `growSumTree`. */
export function* growAbove(lowest: Level): Generator<void, SumTree> {
  const levels: [Level, ...Level[]] = [lowest];
  for (let level = lowest; level.sums.length > 1; level = levels.at(-1)!) {
    levels.push(yield* levelAbove(level));
  }
  const top = levels.at(-1)!;
  return { levels, root: top.hashes, sum: top.sums[0]! };
}

/** The nodes beside the way of leaf `index`, from the leaf upwards. */
export function proveLeaf(tree: SumTree, index: number): Sibling[] {
  assert(index >= 0 && index < tree.levels[0].sums.length, 'the leaf is in the tree');
  const siblings: Sibling[] = [];
  let at = index;
  for (const { hashes, sums } of tree.levels.slice(0, -1)) {
    const beside = at ^ 1;
    if (beside < sums.length) {
      const found = Uint8Array.from(hashes.subarray(32 * beside, 32 * beside + 32));
      siblings.push({ hash: found, sum: sums[beside]!, onLeft: beside < at });
    }
    at >>>= 1;
  }
  return siblings;
}

/** The root and the sum to which a leaf and its siblings lead, as the vault computes them. */
export function climbTree(
  leaf: Leaf,
  siblings: readonly Sibling[],
): { readonly root: Uint8Array; readonly sum: bigint } {
  let [root, sum] = [leafHash(leaf), leaf.units];
  for (const sibling of siblings) {
    root = sibling.onLeft
      ? nodeHash(sibling.hash, sibling.sum, root, sum)
      : nodeHash(root, sum, sibling.hash, sibling.sum);
    sum = addUp(sum, sibling.sum);
  }
  return { root, sum };
}

function* levelAbove({ hashes, sums }: Level): Generator<void, Level> {
  const count = Math.ceil(sums.length / 2);
  const above = { hashes: Buffer.alloc(32 * count), sums: new BigUint64Array(count) };
  for (let at = 0; at < count; at += 1) {
    if (at % hashesPerStep === 0) yield;
    const [left, right] = [2 * at, 2 * at + 1];
    const leftSum = sums[left]!;
    const rightSum = sums[right];
    if (rightSum === undefined) {
      hashes.copy(above.hashes, 32 * at, 32 * left, 32 * left + 32);
      above.sums[at] = leftSum;
      continue;
    }
    // Views of both would cost a quarter of the hash.
    hashes.copy(node, 1, 32 * left, 32 * left + 32);
    hashes.copy(node, 41, 32 * right, 32 * right + 32);
    hashNode(leftSum, rightSum).copy(above.hashes, 32 * at);
    above.sums[at] = addUp(leftSum, rightSum);
  }
  return above;
}

function addUp(left: bigint, right: bigint): bigint {
  const sum = left + right;
  assert(sum <= amountMax, 'a sum of the tree is beyond what can be counted');
  return sum;
}

/** The bytes of a leaf and of an inner node; each hash writes all but the first. */
const leafBytes = Buffer.alloc(69, 0);
const node = Buffer.alloc(81, 1);
/** Amounts: a buffer's own method takes several times as long. */
const leafView = new DataView(leafBytes.buffer, leafBytes.byteOffset);
const nodeView = new DataView(node.buffer, node.byteOffset);

/** sha256(0, account, units, withdrawn, salt); amounts are 64 bits, big-endian. */
function leafHash({ account, units, withdrawn, salt }: Leaf): Buffer {
  assert(account.length === 20 && salt.length === 32, 'a leaf has an address and a salt');
  leafBytes.set(account, 1);
  writeUnits(leafView, units, 21);
  writeUnits(leafView, withdrawn, 29);
  leafBytes.set(salt, 37);
  return hash('sha256', leafBytes, 'buffer');
}

/** sha256(1, left hash, left sum, right hash, right sum). */
function nodeHash(left: Uint8Array, leftSum: bigint, right: Uint8Array, rightSum: bigint): Buffer {
  node.set(left, 1);
  node.set(right, 41);
  return hashNode(leftSum, rightSum);
}

/** Of the node that has its hashes. */
function hashNode(leftSum: bigint, rightSum: bigint): Buffer {
  writeUnits(nodeView, leftSum, 33);
  writeUnits(nodeView, rightSum, 73);
  return hash('sha256', node, 'buffer');
}

function writeUnits(bytes: DataView, units: bigint, at: number): void {
  assert(units >= 0n && units <= amountMax, 'an amount of the tree has 64 bits');
  bytes.setBigUint64(at, units);
}
