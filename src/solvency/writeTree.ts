// The directory with the published trees: one file for each, named by its place in the log.

import { createHash, hash } from 'node:crypto';
import { join } from 'node:path';
import type { Disk } from '../std/disk.ts';
import { readWholeFile } from '../std/readWholeFile.ts';
import { writeDurably } from '../std/writeDurably.ts';
import type { Tree } from './tree.ts';
import { growFromFile, treeText } from './treeText.ts';

export type TreeDirectory = { readonly disk: Disk; readonly directory: string };

/** A tree, and the SHA-256 of its file: 64 hex digits. */
export type FiledTree = { readonly tree: Tree; readonly fileHash: string };

const nameForm = /^tree-(\d{12,16})\.txt$/;
const nameOf = (position: number): string => `tree-${String(position).padStart(12, '0')}.txt`;

/** The places in the log of all files, ascending. */
export function listTrees({ disk, directory }: TreeDirectory): number[] {
  return disk
    .list(directory)
    .flatMap((name) => nameForm.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/**
 * Writes the file durably, in short steps, and gives its hash; without a directory it only computes
 * that. A generator that is ended early leaves an unfinished file, which the next one overwrites.
 * Throws what the disk throws.
 */
export function* writeTree(
  place: TreeDirectory | undefined,
  tree: Tree,
): Generator<void, FiledTree> {
  const hashing = createHash('sha256');
  const file = place && openNew(place, tree.head.position);
  let written = 0;
  try {
    for (const text of treeText(tree)) {
      const bytes = Buffer.from(text);
      hashing.update(bytes);
      file?.write(bytes, written);
      written += bytes.length;
      yield;
    }
    file?.sync();
  } finally {
    file?.close();
  }
  file?.putInPlace();
  return { tree, fileHash: hashing.digest('hex') };
}

/** Reads a file and makes its tree again, in short steps. Throws `TreeDamaged`. */
export function* readTree(place: TreeDirectory, position: number): Generator<void, FiledTree> {
  const { disk, directory } = place;
  const bytes = readWholeFile(disk, join(directory, nameOf(position)));
  yield;
  const tree = yield* growFromFile(bytes);
  return { tree, fileHash: hash('sha256', bytes, 'hex') };
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
    if (!isKept(position)) disk.remove(join(directory, nameOf(position)));
  }
}

function openNew({ disk, directory }: TreeDirectory, position: number) {
  const path = join(directory, nameOf(position));
  const unfinished = join(directory, 'tree.new');
  disk.makeDirectory(directory);
  const file = disk.openFile(unfinished, 'create');
  return {
    write: (bytes: Buffer, at: number): void => disk.writeAt(file, bytes, at),
    sync: (): void => disk.syncData(file),
    close: (): void => disk.closeFile(file),
    putInPlace: (): void => {
      disk.rename(unfinished, path);
      disk.syncDirectory(directory);
    },
  };
}
