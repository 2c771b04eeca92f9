// What memory keeps of a published tree: for each block of rows of its file, where it begins, its
// first account, and the nodes from it to the root. A proof reads one block, hashes it again, and
// goes on from its node, so that neither rows nor hashes of all wallets stay in memory.

import type { SumTree } from './sumTree.ts';
import type { Tree } from './tree.ts';

/**
 * Levels of the tree below a block's node. A level more doubles the hashes of a proof, 31 with
 * these, and halves the memory, 7 MB for a million wallets.
 */
const blockHeight = 4;

/** As many leaves as the node of a block has below it; the last block may have fewer. */
export const rowsPerBlock = 2 ** blockHeight;

export type TreeIndex = {
  /** Bytes from the start of the file to each block, and the size of the file. */
  readonly starts: Float64Array;
  /** The first account of each block, 20 bytes each. */
  readonly firsts: Buffer;
  /** From the nodes of blocks to the root. */
  readonly above: SumTree;
};

export const blocksOf = (leaves: number): number => Math.ceil(leaves / rowsPerBlock);

/** Of a tree whose blocks begin there in its file. */
export function indexTree({ rows, sums }: Tree, starts: Float64Array): TreeIndex {
  const { levels, root, sum } = sums;
  const firsts = Buffer.alloc(20 * (starts.length - 1));
  for (let block = 0; block < starts.length - 1; block += 1) {
    const from = 20 * rowsPerBlock * block;
    rows.accounts.copy(firsts, 20 * block, from, from + 20);
  }
  // Up to one block of leaves the top is its node.
  const [blocks, ...higher] = levels.slice(Math.min(blockHeight, levels.length - 1));
  return { starts, firsts, above: { levels: [blocks!, ...higher], root, sum } };
}
