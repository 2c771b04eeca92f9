// A disk in memory that dies where it is told to and then forgets, sector by sector and name by
// name, what was not synced. It is stricter than file systems are: nothing is durable by luck.

import { basename, dirname } from 'node:path';
import type { Disk } from '../../src/std/disk.ts';
import type { Prng } from '../../src/std/prng.ts';

const sectorBytes = 512;

type Write = { readonly offset: number; readonly bytes: Buffer };

/** A file's bytes as processes see them, as the platter has them, and the writes in between. */
type MemoryFile = { content: Buffer; durable: Buffer; pending: Write[] };

type NameChange = { readonly path: string; readonly file: MemoryFile | undefined };

export type MemoryDisk = Disk & {
  /** Writes, syncs and renames fail once this many bytes (each operation counts for one more). */
  budget: number;
  /** The next syncs fail, that many after as many good ones; the pages then count as clean. */
  syncFailure: { after: number } | undefined;
  /** The process ends and starts again: what it wrote is still in the page cache. */
  readonly kill: () => void;
  /** The power goes: of what was not synced any part may be there. */
  readonly losePower: (prng: Prng) => void;
  /** The bytes of a file, to be changed in place. */
  readonly bytesOf: (path: string) => Buffer;
};

function overlay(base: Buffer, offset: number, bytes: Uint8Array): Buffer {
  const size = Math.max(base.length, offset + bytes.length);
  const result = size === base.length ? base : Buffer.concat([base], size);
  result.set(bytes, offset);
  return result;
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
}

/** An empty disk with an unlimited budget. */
export function createMemoryDisk(): MemoryDisk {
  let names = new Map<string, MemoryFile>();
  let durableNames = new Map<string, MemoryFile>();
  let nameChanges: NameChange[] = [];
  let open = new Map<number, MemoryFile>();
  let nextFile = 1;

  const spend = (bytes: number): number => {
    const granted = Math.min(bytes, disk.budget);
    disk.budget -= bytes + 1;
    return granted;
  };
  const checkAlive = (): void => {
    if (disk.budget < 0) throw Object.assign(new Error('EIO: the disk died'), { code: 'EIO' });
  };
  const act = (): void => {
    spend(0);
    checkAlive();
  };
  const fileAt = (path: string): MemoryFile => {
    const file = names.get(path);
    if (file === undefined) throw missing(path);
    return file;
  };
  const opened = (file: number): MemoryFile => {
    checkAlive();
    const found = open.get(file);
    if (found === undefined) throw new Error('EBADF');
    return found;
  };
  const setName = (path: string, file: MemoryFile | undefined): void => {
    if (file === undefined) names.delete(path);
    else names.set(path, file);
    nameChanges.push({ path, file });
  };
  const makeDurable = (change: NameChange): void => {
    if (change.file === undefined) durableNames.delete(change.path);
    else durableNames.set(change.path, change.file);
  };

  const disk: MemoryDisk = {
    budget: Number.MAX_SAFE_INTEGER,
    syncFailure: undefined,
    openFile: (path, mode) => {
      checkAlive();
      if (mode === 'create') {
        act();
        setName(path, { content: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] });
      }
      open.set(nextFile, fileAt(path));
      nextFile += 1;
      return nextFile - 1;
    },
    closeFile: (file) => {
      open.delete(file);
    },
    readAt: (file, target, offset) => {
      const part = opened(file).content.subarray(offset, offset + target.length);
      target.set(part);
      return part.length;
    },
    writeAt: (file, bytes, offset) => {
      const entry = opened(file);
      const written = Buffer.from(bytes.subarray(0, spend(bytes.length)));
      entry.pending.push({ offset, bytes: written });
      entry.content = overlay(entry.content, offset, written);
      checkAlive();
    },
    syncData: (file) => {
      const entry = opened(file);
      act();
      if (disk.syncFailure !== undefined) {
        disk.syncFailure.after -= 1;
        if (disk.syncFailure.after < 0) {
          entry.pending = [];
          throw Object.assign(new Error('EIO: sync failed'), { code: 'EIO' });
        }
      }
      for (const write of entry.pending) {
        entry.durable = overlay(entry.durable, write.offset, write.bytes);
      }
      entry.pending = [];
    },
    sizeOf: (file) => opened(file).content.length,
    exists: (path) => names.has(path),
    rename: (source, target) => {
      act();
      const file = fileAt(source);
      setName(target, file);
      setName(source, undefined);
    },
    remove: (path) => {
      act();
      fileAt(path);
      setName(path, undefined);
    },
    list: (directory) => {
      const inside = [...names.keys()].filter((path) => dirname(path) === directory);
      return inside.map((path) => basename(path)).sort();
    },
    makeDirectory: () => act(),
    syncDirectory: (directory) => {
      act();
      const rest: NameChange[] = [];
      for (const change of nameChanges) {
        if (dirname(change.path) === directory) makeDurable(change);
        else rest.push(change);
      }
      nameChanges = rest;
    },
    freeBytes: () => 1_000_000,
    kill: () => {
      open = new Map();
      disk.budget = Number.MAX_SAFE_INTEGER;
      disk.syncFailure = undefined;
    },
    losePower: (prng) => {
      disk.kill();
      const kept = prng.below(nameChanges.length + 1);
      for (const change of nameChanges.slice(0, kept)) makeDurable(change);
      nameChanges = [];
      for (const file of new Set(durableNames.values())) forgetUnsynced(file, prng);
      names = new Map(durableNames);
      durableNames = new Map(durableNames);
    },
    bytesOf: (path) => fileAt(path).content,
  };
  return disk;
}

/** Keeps of each unsynced write none, all, or some of its sectors. */
function forgetUnsynced(file: MemoryFile, prng: Prng): void {
  for (const { offset, bytes } of file.pending) {
    const fate = prng.below(3);
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + sectorBytes - ((offset + at) % sectorBytes));
      const survives = fate === 1 || (fate === 2 && prng.below(2) === 1);
      if (survives) file.durable = overlay(file.durable, offset + at, bytes.subarray(at, end));
      at = end;
    }
  }
  file.pending = [];
  file.content = Buffer.from(file.durable);
}
