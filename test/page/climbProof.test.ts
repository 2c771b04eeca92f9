// What the page computes of a proof, and reads of an anchor, is what the vault computes and says
// (VLT-8).

import { bytesToHex, encodeFunctionResult, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import { vaultAbi as abi } from '../../src/chain/rpc/vaultAbi.ts';
import { climbProof, type ShownProof } from '../../src/page/wallet/climbProof.ts';
import { lastAnchorSelector, readAnchor } from '../../src/page/wallet/readAnchor.ts';
import { growSumTree, type Leaf, proveLeaf } from '../../src/solvency/sumTree.ts';
import { finish } from '../../src/std/finish.ts';
import { createPrng } from '../../src/std/prng.ts';

const salt = Buffer.alloc(32, 0x5c);

function drawLeaves(count: number): Leaf[] {
  const prng = createPrng(count);
  return Array.from({ length: count }, (_, at) => {
    const account = Buffer.alloc(20, 0xab);
    account.writeUInt32BE(3 * at + 1);
    return {
      account,
      units: BigInt(prng.below(2 ** 31)) << 10n,
      withdrawn: BigInt(prng.below(2 ** 31)),
      salt,
    };
  });
}

test('each leaf of trees of any size leads to the root, and a changed one does not', () => {
  for (const count of [1, 2, 3, 7, 8, 33]) {
    const leaves = drawLeaves(count);
    const tree = finish(growSumTree(leaves));
    const root = bytesToHex(tree.root);
    for (const [at, leaf] of leaves.entries()) {
      const proof: ShownProof = {
        account: bytesToHex(leaf.account),
        ...{ units: String(leaf.units), withdrawn: String(leaf.withdrawn) },
        siblings: proveLeaf(tree, at).map(({ hash, sum, onLeft }) => ({
          ...{ hash: bytesToHex(hash), sum: String(sum), on_left: onLeft },
        })),
      };
      expect(climbProof(bytesToHex(salt), proof)).toEqual({ root, sum: String(tree.sum) });
      const more = { ...proof, units: String(leaf.units + 1n) };
      expect(climbProof(bytesToHex(salt), more).root).not.toBe(root);
      const other = { ...proof, account: `0x${'cd'.repeat(20)}` };
      expect(climbProof(bytesToHex(salt), other).root).not.toBe(root);
    }
  }
});

const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

test('the wallet reads the anchor as the contract encodes it', async () => {
  expect(`0x${lastAnchorSelector}`).toBe(toFunctionSelector('function lastAnchor()'));
  const anchor = {
    ...{ epoch: 7n, root: hash('a'), sum: 1n, deficit: 2n, leaves: 3n, depositCount: 4n },
    ...{ withdrawn: 5n, logPosition: 6n, logHash: hash('b'), treeHash: hash('c') },
  };
  const data = encodeFunctionResult({ abi, functionName: 'lastAnchor', result: anchor });
  const wallet = (answer: unknown) =>
    ({
      request: async ({ method }: { method: string }) =>
        method === 'eth_chainId' ? '0xa869' : answer,
    }) as unknown as Parameters<typeof readAnchor>[0];
  const vault = `0x${'ab'.repeat(20)}`;
  expect(await readAnchor(wallet(data), 43113, vault)).toEqual({
    ...{ epoch: 7n, root: hash('a'), treeHash: hash('c') },
  });
  for (const answer of ['0x', null, data.slice(0, -2), `${data}00`]) {
    await expect(readAnchor(wallet(answer), 43113, vault)).rejects.toMatchObject({
      problem: 'noContract',
    });
  }
});
