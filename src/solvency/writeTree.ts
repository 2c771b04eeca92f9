// The directory with the published trees: one file for each, named by its place in the log.

import { createHash, hash } from 'node:crypto';
import { join } from 'node:path';
import { createSteadyFile } from '../std/createSteadyFile.ts';
import type { Disk } from '../std/disk.ts';
import { readWholeFile } from '../std/readWholeFile.ts';
import { writeDurably } from '../std/writeDurably.ts';
import type { Tree, TreeHead } from './tree.ts';
import { blocksOf, indexTree, rowsPerBlock, type TreeIndex } from './treeIndex.ts';
import { growFromFile, treeText } from './treeText.ts';

export type TreeDirectory = { readonly disk: Disk; readonly directory: string };

export type FiledTree = {
  readonly head: TreeHead;
  /** The SHA-256 of its file: 64 hex digits. */
  readonly fileHash: string;
  readonly index: TreeIndex;
};

const nameForm = /^tree-(\d{12,16})\.txt$/;
export const fileNameOf = (position: number): string =>
  `tree-${String(position).padStart(12, '0')}.txt`;

/** The places in the log of all files, ascending. */
export function listTrees({ disk, directory }: TreeDirectory): number[] {
  return disk
    .list(directory)
    .flatMap((name) => nameForm.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/** It is written under this name, and has its own once it is published. */
const unfinishedName = 'tree.new';

/** Bytes that are written together, in less than a tenth of a millisecond. */
const pieceBytes = 2 ** 13;

/**
 * Writes the file durably, in short steps, and does not publish it; without a directory it only
 * computes. What fails or is ended early removes its file, so that it fills no disk; a process that
 * is killed leaves it, and the next one replaces it. Throws what the disk throws.
 */
export function* writeTree(
  place: TreeDirectory | undefined,
  tree: Tree,
): Generator<void, FiledTree> {
  const hashing = createHash('sha256');
  const file = place && openNew(place);
  const starts = new Float64Array(blocksOf(tree.head.leaves) + 1);
  let [end, block, gathered] = [0, 0, ''];
  const write = (): void => {
    const bytes = Buffer.from(gathered);
    hashing.update(bytes);
    file?.write(bytes);
    gathered = '';
  };
  let isWhole = false;
  try {
    for (const text of treeText(tree)) {
      gathered += text;
      // Each of its characters is a byte.
      end += text.length;
      starts[block] = end;
      block += 1;
      if (gathered.length < pieceBytes) continue;
      write();
      yield;
    }
    write();
    file?.sync();
    isWhole = true;
  } finally {
    file?.close();
    if (!isWhole) file?.discard();
  }
  const { head } = tree;
  return { head, fileHash: hashing.digest('hex'), index: indexTree(tree, starts) };
}

/** Gives the written file its name, durably. Throws what the disk throws. */
export function publishTree({ disk, directory }: TreeDirectory, position: number): void {
  disk.rename(join(directory, unfinishedName), join(directory, fileNameOf(position)));
  disk.syncDirectory(directory);
}

/** Reads a file and makes its tree again, in short steps. Throws `TreeDamaged`. */
export function* readTree(place: TreeDirectory, position: number): Generator<void, FiledTree> {
  const { disk, directory } = place;
  const bytes = readWholeFile(disk, join(directory, fileNameOf(position)));
  yield;
  const tree = yield* growFromFile(bytes);
  const fileHash = hash('sha256', bytes, 'hex');
  return { head: tree.head, fileHash, index: indexTree(tree, yield* findBlocks(bytes, tree)) };
}

/** Where the blocks begin, and the end. */
function* findBlocks(bytes: Buffer, { head }: Tree): Generator<void, Float64Array> {
  const starts = new Float64Array(blocksOf(head.leaves) + 1);
  let start = bytes.indexOf(10) + 1;
  for (let block = 0; block < starts.length; block += 1) {
    starts[block] = start;
    for (let row = 0; row < rowsPerBlock && start < bytes.length; row += 1) {
      start = bytes.indexOf(10, start) + 1;
    }
    yield;
  }
  return starts;
}

const anchoredName = 'anchored';

/** The place of the tree that the vault named last, as it was kept; undefined: none was. */
export function readAnchored({ disk, directory }: TreeDirectory): number | undefined {
  const path = join(directory, anchoredName);
  if (!disk.exists(path)) return undefined;
  const text = readWholeFile(disk, path).toString('latin1');
  return /^\d{1,16}\n$/.test(text) ? Number(text) : undefined;
}

/** Durable when it returns. Throws what the disk throws. */
export function writeAnchored({ disk, directory }: TreeDirectory, position: number): void {
  disk.makeDirectory(directory);
  writeDurably(disk, join(directory, anchoredName), Buffer.from(`${position}\n`));
  disk.syncDirectory(directory);
}

/** Removes all but the newest `count` and those that `isKept`. */
export function removeOldTrees(
  place: TreeDirectory,
  count: number,
  isKept: (position: number) => boolean,
): void {
  const { disk, directory } = place;
  for (const position of listTrees(place).slice(0, -count)) {
    if (!isKept(position)) disk.remove(join(directory, fileNameOf(position)));
  }
}

/** A process that was killed may still be writing to the file that was there. */
function openNew({ disk, directory }: TreeDirectory) {
  const path = join(directory, unfinishedName);
  disk.makeDirectory(directory);
  if (disk.exists(path)) disk.remove(path);
  const file = disk.openFile(path, 'create');
  return {
    ...createSteadyFile(disk, file),
    close: (): void => disk.closeFile(file),
    discard: (): void => {
      try {
        disk.remove(path);
      } catch {
        // The disk may fail here, too; the error before it says more.
      }
    },
  };
}
