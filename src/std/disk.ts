// The port to a disk, and the real disk. Every call blocks: code that must not wait calls from a
// thread of its own. Nothing is durable before its sync: `syncData` makes bytes durable,
// `syncDirectory` makes names (creation, renaming, removal) durable.

import * as fs from 'node:fs';
import { dirname } from 'node:path';

/** An open file. */
export type DiskFile = number;

export type Disk = {
  /** `read` and `write` need an existing file; `create` makes an empty one. */
  readonly openFile: (path: string, mode: 'read' | 'write' | 'create') => DiskFile;
  readonly closeFile: (file: DiskFile) => void;
  /** Fills `target` from `offset` on, up to the end of the file; gives the number of bytes. */
  readonly readAt: (file: DiskFile, target: Uint8Array, offset: number) => number;
  /** Writes all of `bytes` or throws. */
  readonly writeAt: (file: DiskFile, bytes: Uint8Array, offset: number) => void;
  /** Returns once the file's bytes and its size are durable. */
  readonly syncData: (file: DiskFile) => void;
  readonly sizeOf: (file: DiskFile) => number;
  readonly exists: (path: string) => boolean;
  readonly rename: (source: string, target: string) => void;
  readonly remove: (path: string) => void;
  /** Names in the directory, sorted; empty when the directory does not exist. */
  readonly list: (directory: string) => string[];
  /** Makes the directory and its missing parents durably. */
  readonly makeDirectory: (directory: string) => void;
  readonly syncDirectory: (directory: string) => void;
  /** Bytes that this process may still fill on the directory's file system. */
  readonly freeBytes: (directory: string) => number;
};

/** The machine's disk. A failure is thrown as Node's error with its `code`. */
export const fileDisk: Disk = {
  openFile: (path, mode) => fs.openSync(path, { read: 'r', write: 'r+', create: 'w+' }[mode]),
  closeFile: (file) => fs.closeSync(file),
  readAt,
  writeAt,
  syncData: (file) => fs.fdatasyncSync(file),
  sizeOf: (file) => fs.fstatSync(file).size,
  exists: (path) => fs.existsSync(path),
  rename: (source, target) => fs.renameSync(source, target),
  remove: (path) => fs.rmSync(path),
  list,
  makeDirectory,
  syncDirectory,
  freeBytes: (directory) => {
    const { bavail, bsize } = fs.statfsSync(directory);
    return bavail * bsize;
  },
};

function readAt(file: DiskFile, target: Uint8Array, offset: number): number {
  let done = 0;
  while (done < target.length) {
    const read = fs.readSync(file, target, done, target.length - done, offset + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

function writeAt(file: DiskFile, bytes: Uint8Array, offset: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += fs.writeSync(file, bytes, done, bytes.length - done, offset + done);
  }
}

function list(directory: string): string[] {
  try {
    return fs.readdirSync(directory).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function makeDirectory(directory: string): void {
  if (fs.existsSync(directory)) return;
  makeDirectory(dirname(directory));
  fs.mkdirSync(directory, { recursive: true });
  syncDirectory(dirname(directory));
}

function syncDirectory(directory: string): void {
  // Windows cannot open a directory for syncing; NTFS journals names by itself.
  if (process.platform === 'win32') return;
  const file = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Whether the error says that there is no such file or directory. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';
}
