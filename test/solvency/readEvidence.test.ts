// A saved proof is read as what it is, and a changed one is refused (VLT-8).

import { bytesToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { claimOf } from '../../src/solvency/createTreeMaker.ts';
import { readEvidence } from '../../src/solvency/readEvidence.ts';
import { climbTree } from '../../src/solvency/sumTree.ts';
import { bytesOf, growTree, proveWallet } from '../../src/solvency/tree.ts';
import { TreeDamaged } from '../../src/solvency/treeDamaged.ts';
import { treeText } from '../../src/solvency/treeText.ts';
import { writeTree } from '../../src/solvency/writeTree.ts';
import { finish } from '../../src/std/finish.ts';

const wallet = (digit: string): string => `0x${digit.repeat(40)}`;
const vault = wallet('f');
const owed = {
  accounts: Buffer.concat([wallet('1'), wallet('2'), vault].map(bytesOf)),
  ...{ units: BigUint64Array.of(5n, 7n, 1n), withdrawn: BigUint64Array.of(3n, 0n, 0n) },
  deficit: 2n,
  ...{ depositCount: 4, depositTotal: 14n, withdrawnTotal: 3n },
};
const place = { chainId: 43113, vault, position: 9, batchHash: '5c'.repeat(32), time: 1000 };
const tree = finish(growTree(place, owed));
const claim = claimOf(finish(writeTree(undefined, tree)));

/** As the exchange answers. */
function savedProof(account: string) {
  const { leaf, siblings } = proveWallet(tree, account)!;
  const { root, sum, leaves, depositCount, withdrawn, deficit, position } = claim;
  return {
    tree: {
      ...{ chain_id: 43113, vault, hash: `0x${claim.fileHash}`, root: `0x${root}` },
      ...{ sum: String(sum), leaves, deposit_count: depositCount, withdrawn: String(withdrawn) },
      ...{ deficit: String(deficit), log_position: position, log_hash: `0x${claim.batchHash}` },
    },
    proof: {
      ...{ account, units: String(leaf.units), withdrawn: String(leaf.withdrawn) },
      siblings: siblings.map(({ hash, sum: below, onLeft }) => ({
        ...{ hash: bytesToHex(hash), sum: String(below), on_left: onLeft },
      })),
    },
  };
}

const read = (saved: unknown) => readEvidence(Buffer.from(JSON.stringify(saved)));

test('a saved proof and the published file say the same', () => {
  const file = readEvidence(Buffer.from([...treeText(tree)].join('')));
  const saved = read(savedProof(wallet('1')));
  for (const kept of [file, saved]) {
    expect(kept).toMatchObject({ chainId: 43113, vault, claim });
    const { leaf, siblings } = kept.proofOf(wallet('1'))!;
    expect([leaf.units, leaf.withdrawn, siblings.length]).toEqual([5n, 3n, 2]);
    expect(bytesToHex(climbTree(leaf, siblings).root)).toBe(`0x${claim.root}`);
  }
  expect(file.proofOf(wallet('2'))).toBeDefined();
  expect(saved.proofOf(wallet('2'))).toBeUndefined();
  expect(read({ ...savedProof(wallet('1')), proof: null }).proofOf(wallet('1'))).toBeUndefined();
});

describe('a saved proof is refused', () => {
  const good = savedProof(wallet('2'));
  const [first] = good.proof.siblings;
  const proofWith = (change: object) => ({ ...good, proof: { ...good.proof, ...change } });
  const treeWith = (change: object) => ({ ...good, tree: { ...good.tree, ...change } });
  const siblingWith = (change: object) => proofWith({ siblings: [{ ...first, ...change }] });
  test.each([
    ['of a larger amount', proofWith({ units: '8' }), 'does not lead'],
    ['of another wallet', proofWith({ account: wallet('3') }), 'does not lead'],
    ['of other payments', proofWith({ withdrawn: '1' }), 'does not lead'],
    ['without its siblings', proofWith({ siblings: [] }), 'does not lead'],
    ['with a lowered sum', siblingWith({ sum: '1' }), 'does not lead'],
    ['with an amount beyond what can be counted', proofWith({ units: '9'.repeat(21) }), 'amount'],
    ['on the other side', siblingWith({ on_left: first!.on_left === false }), 'does not lead'],
    ['with no side', siblingWith({ on_left: 1 }), '"on_left"'],
    ['with no list', proofWith({ siblings: 'none' }), '"siblings"'],
    ['with nothing in the list', proofWith({ siblings: [null] }), '"siblings"'],
    ['that is a text', { ...good, proof: 'none' }, '"proof"'],
    ['without a tree', { proof: good.proof }, '"tree"'],
    ['of another root', treeWith({ root: `0x${'7'.repeat(64)}` }), 'does not lead'],
    ['with a short root', treeWith({ root: '0x7' }), '"root"'],
    ['with a number for an amount', treeWith({ deficit: 2 }), '"deficit"'],
    ['with a text for a number', treeWith({ leaves: '3' }), '"leaves"'],
  ])('%s', (_, saved, why) => {
    expect(() => read(saved)).toThrow(TreeDamaged);
    expect(() => read(saved)).toThrow(why);
  });
});
