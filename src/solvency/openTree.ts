// A published tree whose leaves are proved from its open file. What the file says is compared with
// the root, so a changed one gives no proof.

import { join } from 'node:path';
import type { Disk, DiskFile } from '../std/disk.ts';
import { finish } from '../std/finish.ts';
import { growSumTree, proveLeaf } from './sumTree.ts';
import { bytesOf, findRow, leafAt, leavesOf, type Proof, rowsUpTo } from './tree.ts';
import { TreeDamaged } from './treeDamaged.ts';
import { rowsPerBlock } from './treeIndex.ts';
import { readRows } from './treeText.ts';
import { type FiledTree, fileNameOf, type TreeDirectory } from './writeTree.ts';

export type OpenTree = {
  readonly filed: FiledTree;
  /** undefined: it has no leaf of the wallet. Throws `TreeDamaged`, and what the disk throws. */
  readonly prove: (wallet: string) => Proof | undefined;
  readonly close: () => void;
};

/** Its file may be removed afterwards. Throws what the disk throws. */
export function openTree({ disk, directory }: TreeDirectory, filed: FiledTree): OpenTree {
  const file = disk.openFile(join(directory, fileNameOf(filed.head.position)), 'read');
  return {
    filed,
    prove: (wallet) => prove({ disk, file, filed }, bytesOf(wallet)),
    close: () => disk.closeFile(file),
  };
}

type Source = {
  readonly disk: Disk;
  readonly file: DiskFile;
  readonly filed: FiledTree;
};

function prove({ disk, file, filed }: Source, wallet: Buffer): Proof | undefined {
  const { starts, firsts, above } = filed.index;
  const { leaves, batchHash } = filed.head;
  const block = rowsUpTo(firsts, wallet) - 1;
  if (block < 0) return undefined;
  const [from, to] = [starts[block]!, starts[block + 1]!];
  const bytes = Buffer.alloc(to - from);
  const read = bytes.subarray(0, disk.readAt(file, bytes, from));
  const count = Math.min(rowsPerBlock, leaves - rowsPerBlock * block);
  const rows = finish(readRows(read, 0, count));
  const own = finish(growSumTree(leavesOf(rows, batchHash)));
  const [{ hashes, sums }] = above.levels;
  const node = hashes.subarray(32 * block, 32 * block + 32);
  if (Buffer.compare(own.root, node) !== 0 || own.sum !== sums[block]) {
    throw new TreeDamaged(`the rows from ${rowsPerBlock * block + 1} on do not make its root`);
  }
  const row = findRow(rows, wallet);
  if (row === undefined) return undefined;
  const siblings = [...proveLeaf(own, row), ...proveLeaf(above, block)];
  return { leaf: leafAt(rows, batchHash, row), siblings };
}
