// A disk in memory that fails at a chosen operation and then forgets, sector by sector and name by
// name, what was not synced. It is stricter than file systems: nothing is durable by chance.

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
  /** The process ends and starts again: its written data is still in the page cache. */
  readonly kill: () => void;
  /** A power failure: any part of the unsynced data may be there. */
  readonly losePower: (prng: Prng) => void;
  /** The bytes of a file, to be changed in place. */
  readonly bytesOf: (path: string) => Buffer;
  /** Puts other bytes in the place of a file, or a new file there, durably. */
  readonly replace: (path: string, bytes: Buffer) => void;
  /** The paths of all files, sorted. */
  readonly paths: () => string[];
  /** Another disk with the same on it, cached and durable; nothing is open on it. */
  readonly copy: () => MemoryDisk;
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

/** The data on the disk, and what a power failure now would leave. */
type State = {
  names: Map<string, MemoryFile>;
  durableNames: Map<string, MemoryFile>;
  nameChanges: NameChange[];
  open: Map<number, MemoryFile>;
  nextFile: number;
  budget: number;
  syncFailure: { after: number } | undefined;
};

function checkAlive(state: State): void {
  if (state.budget < 0) throw Object.assign(new Error('EIO: the disk died'), { code: 'EIO' });
}

/** Pays for an operation; gives how many of its bytes still reach the disk. */
function spend(state: State, bytes: number): number {
  const granted = Math.max(0, Math.min(bytes, state.budget));
  state.budget -= bytes + 1;
  return granted;
}

function act(state: State): void {
  spend(state, 0);
  checkAlive(state);
}

function fileAt(state: State, path: string): MemoryFile {
  const file = state.names.get(path);
  if (file === undefined) throw missing(path);
  return file;
}

function opened(state: State, file: number): MemoryFile {
  checkAlive(state);
  const found = state.open.get(file);
  if (found === undefined) throw new Error('EBADF');
  return found;
}

function setName(state: State, path: string, file: MemoryFile | undefined): void {
  if (file === undefined) state.names.delete(path);
  else state.names.set(path, file);
  state.nameChanges.push({ path, file });
}

function makeDurable(state: State, change: NameChange): void {
  if (change.file === undefined) state.durableNames.delete(change.path);
  else state.durableNames.set(change.path, change.file);
}

function openFile(state: State, path: string, mode: 'read' | 'write' | 'create'): number {
  checkAlive(state);
  if (mode === 'create') {
    act(state);
    setName(state, path, { content: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] });
  }
  state.open.set(state.nextFile, fileAt(state, path));
  state.nextFile += 1;
  return state.nextFile - 1;
}

function writeAt(state: State, file: number, bytes: Uint8Array, offset: number): void {
  const entry = opened(state, file);
  const written = Buffer.from(bytes.subarray(0, spend(state, bytes.length)));
  entry.pending.push({ offset, bytes: written });
  entry.content = overlay(entry.content, offset, written);
  checkAlive(state);
}

function syncData(state: State, file: number): void {
  const entry = opened(state, file);
  act(state);
  const { pending } = entry;
  entry.pending = [];
  if (state.syncFailure !== undefined) {
    state.syncFailure.after -= 1;
    const failed = Object.assign(new Error('EIO: sync failed'), { code: 'EIO' });
    if (state.syncFailure.after < 0) throw failed;
  }
  for (const write of pending) entry.durable = overlay(entry.durable, write.offset, write.bytes);
}

function syncDirectory(state: State, directory: string): void {
  act(state);
  const rest: NameChange[] = [];
  for (const change of state.nameChanges) {
    if (dirname(change.path) === directory) makeDurable(state, change);
    else rest.push(change);
  }
  state.nameChanges = rest;
}

function list(state: State, directory: string): string[] {
  const inside = [...state.names.keys()].filter((path) => dirname(path) === directory);
  return inside.map((path) => basename(path)).sort();
}

function kill(state: State): void {
  state.open = new Map();
  state.budget = Number.MAX_SAFE_INTEGER;
  state.syncFailure = undefined;
}

function losePower(state: State, prng: Prng): void {
  kill(state);
  const kept = prng.below(state.nameChanges.length + 1);
  for (const change of state.nameChanges.slice(0, kept)) makeDurable(state, change);
  state.nameChanges = [];
  for (const file of new Set(state.durableNames.values())) forgetUnsynced(file, prng);
  state.names = new Map(state.durableNames);
}

function copyOf({ names, durableNames, nameChanges }: State): State {
  const copies = new Map<MemoryFile, MemoryFile>();
  const copied = (file: MemoryFile): MemoryFile => {
    const { content, durable, pending } = file;
    const copy = copies.get(file) ?? {
      content: Buffer.from(content),
      durable: Buffer.from(durable),
      pending: [...pending],
    };
    copies.set(file, copy);
    return copy;
  };
  const namesOf = (files: Map<string, MemoryFile>): Map<string, MemoryFile> =>
    new Map([...files].map(([path, file]) => [path, copied(file)]));
  const changes = nameChanges.map(({ path, file }) => ({ path, file: file && copied(file) }));
  return {
    ...emptyState(),
    names: namesOf(names),
    durableNames: namesOf(durableNames),
    nameChanges: changes,
  };
}

function replace(state: State, path: string, bytes: Buffer): void {
  const file = { content: bytes, durable: Buffer.from(bytes), pending: [] };
  state.names.set(path, file);
  state.durableNames.set(path, file);
}

function emptyState(): State {
  return {
    names: new Map(),
    durableNames: new Map(),
    nameChanges: [],
    open: new Map(),
    nextFile: 1,
    budget: Number.MAX_SAFE_INTEGER,
    syncFailure: undefined,
  };
}

/** An empty disk with an unlimited budget. */
export function createMemoryDisk(): MemoryDisk {
  return diskOver(emptyState());
}

function diskOver(state: State): MemoryDisk {
  return Object.assign(state, {
    openFile: (path: string, mode: 'read' | 'write' | 'create') => openFile(state, path, mode),
    closeFile: (file: number) => void state.open.delete(file),
    readAt: (file: number, target: Uint8Array, offset: number) => {
      const part = opened(state, file).content.subarray(offset, offset + target.length);
      target.set(part);
      return part.length;
    },
    writeAt: (file: number, bytes: Uint8Array, offset: number) =>
      writeAt(state, file, bytes, offset),
    syncData: (file: number) => syncData(state, file),
    sizeOf: (file: number) => opened(state, file).content.length,
    exists: (path: string) => state.names.has(path),
    rename: (source: string, target: string) => {
      act(state);
      setName(state, target, fileAt(state, source));
      setName(state, source, undefined);
    },
    remove: (path: string) => {
      act(state);
      fileAt(state, path);
      setName(state, path, undefined);
    },
    list: (directory: string) => list(state, directory),
    makeDirectory: () => act(state),
    syncDirectory: (directory: string) => syncDirectory(state, directory),
    freeBytes: () => 1_000_000,
    kill: () => kill(state),
    losePower: (prng: Prng) => losePower(state, prng),
    bytesOf: (path: string) => fileAt(state, path).content,
    replace: (path: string, bytes: Buffer) => replace(state, path, bytes),
    paths: () => [...state.names.keys()].sort(),
    copy: () => diskOver(copyOf(state)),
  });
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
