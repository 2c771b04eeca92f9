// The tree of what is owed, compared with a slow twin that builds it from its definition.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  climbTree,
  growSumTree,
  type Leaf,
  type LeafList,
  proveLeaf,
  type SumTree,
} from '../../src/solvency/sumTree.ts';
import { finish } from '../../src/std/finish.ts';
import { createPrng } from '../../src/std/prng.ts';

type Node = { readonly hash: Buffer; readonly sum: bigint };

const buildSumTree = (leaves: LeafList): SumTree => finish(growSumTree(leaves));

const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
const sha = (...parts: Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** Splits at the largest power of two below the count. */
function slowRoot(leaves: readonly Leaf[]): Node {
  const [first] = leaves;
  if (leaves.length === 1) {
    const { account, units, withdrawn, salt } = first!;
    const [sum, out] = [units, withdrawn];
    return { hash: sha(Buffer.of(0), account, bytesOf(sum), bytesOf(out), salt), sum };
  }
  let half = 1;
  while (2 * half < leaves.length) half *= 2;
  const [left, right] = [slowRoot(leaves.slice(0, half)), slowRoot(leaves.slice(half))];
  const parts = [left.hash, bytesOf(left.sum), right.hash, bytesOf(right.sum)];
  return { hash: sha(Buffer.of(1), ...parts), sum: left.sum + right.sum };
}

function drawLeaves(count: number): Leaf[] {
  const prng = createPrng(count);
  return Array.from({ length: count }, (_, at) => {
    const account = Buffer.alloc(20, 0xab);
    account.writeUInt32BE(3 * at + 1);
    const units = prng.below(3) === 0 ? 0n : BigInt(prng.below(2 ** 31)) << 26n;
    const salt = sha(Buffer.from(`salt ${at}`));
    return { account, units, withdrawn: BigInt(prng.below(2 ** 31)) << 32n, salt };
  });
}

test('the root and the sum are those of the definition, and every leaf has its proof', () => {
  for (let count = 1; count <= 40; count += 1) {
    const leaves = drawLeaves(count);
    const tree = buildSumTree(leaves);
    const slow = slowRoot(leaves);
    expect([Buffer.from(tree.root).toString('hex'), tree.sum]).toEqual([
      slow.hash.toString('hex'),
      slow.sum,
    ]);
    for (const [at, leaf] of leaves.entries()) {
      const top = climbTree(leaf, proveLeaf(tree, at));
      expect(Buffer.compare(top.root, tree.root)).toBe(0);
      expect(top.sum).toBe(tree.sum);
    }
  }
});

test('a fixed tree has a fixed root', () => {
  const leaf = (byte: number, units: bigint, withdrawn: bigint): Leaf => ({
    account: Buffer.alloc(20, byte),
    units,
    withdrawn,
    salt: Buffer.alloc(32, byte + 100),
  });
  const tree = buildSumTree([leaf(1, 5n, 0n), leaf(2, 2n ** 40n, 7n), leaf(3, 0n, 2n ** 52n)]);
  expect(tree.sum).toBe(2n ** 40n + 5n);
  expect(Buffer.from(tree.root).toString('hex')).toMatchInlineSnapshot(
    `"0d4ab6ddfb9516d63402bfe91214856242c7747f540381302eba80f10a218bde"`,
  );
});

describe('a tree is refused', () => {
  const leaves = drawLeaves(5);
  const changed = (change: Partial<Leaf>): Leaf[] => [
    { ...leaves[0]!, ...change },
    ...leaves.slice(1),
  ];
  test.each([
    ['without leaves', []],
    ['with an account twice', [leaves[0]!, leaves[0]!]],
    ['with accounts out of order', leaves.toReversed()],
    ['with an amount below zero', changed({ units: -1n })],
    ['with an amount beyond what can be counted', changed({ units: 2n ** 64n })],
    ['with payments beyond what can be counted', changed({ withdrawn: 2n ** 64n })],
    [
      'with a sum beyond what can be counted',
      leaves.map((leaf) => ({ ...leaf, units: 2n ** 62n })),
    ],
    ['with a short address', changed({ account: Buffer.alloc(19) })],
    ['with a short salt', changed({ salt: Buffer.alloc(31) })],
  ])('%s', (_, refused) => {
    expect(() => buildSumTree(refused)).toThrow();
  });

  test('and a leaf that it does not have has no proof', () => {
    const tree = buildSumTree(leaves);
    expect(() => proveLeaf(tree, 5)).toThrow();
    expect(() => proveLeaf(tree, -1)).toThrow();
  });
});
