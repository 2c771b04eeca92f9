// The tree over the rows of a report (KPR-2), made row by row: it keeps one hash for each power of
// two, so that the rows of a whole log need no memory. Rows are texts.

import { hash } from 'node:crypto';

export type HashTree = {
  readonly add: (row: string) => void;
  /** 0x and 64 digits: the root of the rows so far. */
  readonly root: () => string;
};

/** The root of no rows. */
export const emptyRoot = `0x${'0'.repeat(64)}`;

type Peak = { readonly height: number; readonly hash: Buffer };

export function createHashTree(): HashTree {
  /** Whole subtrees from left to right; their heights fall. */
  const peaks: Peak[] = [];
  return {
    add: (row) => {
      let last: Peak = { height: 0, hash: leafHash(row) };
      while (peaks.at(-1)?.height === last.height) {
        last = { height: last.height + 1, hash: nodeHash(peaks.pop()!.hash, last.hash) };
      }
      peaks.push(last);
    },
    // A node without a partner goes up as it is, so from right to left.
    root: () => {
      if (peaks.length === 0) return emptyRoot;
      const top = peaks
        .map((peak) => peak.hash)
        .reduceRight((right, left) => nodeHash(left, right));
      return `0x${top.toString('hex')}`;
    },
  };
}

export function rootOf(rows: readonly string[]): string {
  const tree = createHashTree();
  for (const row of rows) tree.add(row);
  return tree.root();
}

/** sha256(0, the text in UTF-8) */
const leafHash = (row: string): Buffer => hash('sha256', Buffer.from(`\0${row}`), 'buffer');

const node = Buffer.alloc(65, 1);

/** sha256(1, left, right) */
function nodeHash(left: Buffer, right: Buffer): Buffer {
  node.set(left, 1);
  node.set(right, 33);
  return hash('sha256', node, 'buffer');
}
