// The manifest of an archive: which deployment it belongs to, and what each of its files holds. An
// archive is a directory of the operator's, which outlives what is removed from the database:
//
//   manifest.json · archive/FIRST-LAST.segment.zst · engines/HASH.zst
//
// Its segments have the format of a log on files, so a reader of such a log reads them.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { writeDurably } from '../../std/writeDurably.ts';
import type { LogPlace } from '../log.ts';
import { logBeginning } from '../log.ts';
import { ArchiveRefused } from './archiveRefused.ts';
import { archivedName } from './segment.ts';

/** Hashes are hex of 32 bytes, times milliseconds since the Unix epoch. */
export type ListedSegment = {
  readonly file: string;
  readonly first: number;
  readonly last: number;
  /** Of the batch before the first one, and of the last one. */
  readonly previous_hash: string;
  readonly last_hash: string;
  readonly first_time: number;
  readonly last_time: number;
  readonly commands: number;
  /** The engines that ran its batches. */
  readonly engines: readonly string[];
  /** Of the file. */
  readonly bytes: number;
  readonly sha256: string;
};

/** The sources of an engine, packed as the database has them. */
export type ListedEngine = {
  readonly hash: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
};

export type ArchiveManifest = {
  readonly deployment: string;
  readonly chain: number;
  readonly segments: readonly ListedSegment[];
  readonly engines: readonly ListedEngine[];
};

const format = 1;
const manifestName = 'manifest.json';

export const manifestPath = (directory: string): string => join(directory, manifestName);

export const listedFile = (first: number, last: number): string =>
  `archive/${archivedName(first, last)}`;

export const listedEngineFile = (engine: string): string => `engines/${engine}.zst`;

/** The last batch of the archive. */
export function archivedEnd({ segments }: ArchiveManifest): LogPlace {
  const last = segments.at(-1);
  return last === undefined ? logBeginning : { position: last.last, hash: last.last_hash };
}

/** undefined: there is none. Throws `ArchiveRefused` when it is damaged. */
export function readManifest(disk: Disk, directory: string): ArchiveManifest | undefined {
  const path = manifestPath(directory);
  if (!disk.exists(path)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(readWholeFile(disk, path).toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const manifest = manifestOf(read);
  if (manifest !== undefined) return manifest;
  throw new ArchiveRefused(
    `${path} is damaged, or of another release: put a copy of it back, or archive into an empty ` +
      'directory.',
  );
}

/** Replaces the manifest durably. */
export function writeManifest(disk: Disk, directory: string, manifest: ArchiveManifest): void {
  const { deployment, chain, segments, engines } = manifest;
  const content = { format, deployment, chain, segments, engines };
  const text = JSON.stringify({ ...content, sha256: checksumOf(content) }, undefined, 1);
  writeDurably(disk, manifestPath(directory), Buffer.from(`${text}\n`));
  disk.syncDirectory(directory);
}

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

const checksumOf = (content: unknown): string => sha256Of(Buffer.from(JSON.stringify(content)));

function manifestOf(read: unknown): ArchiveManifest | undefined {
  if (typeof read !== 'object' || read === null) return undefined;
  const { sha256, ...content } = read as Record<string, unknown>;
  const { deployment, chain, segments, engines } = content;
  const isSound =
    content.format === format &&
    sha256 === checksumOf(content) &&
    typeof deployment === 'string' &&
    isCount(chain) &&
    Array.isArray(segments) &&
    segments.every(isSegment) &&
    Array.isArray(engines) &&
    engines.every(isEngine);
  return isSound ? { deployment, chain, segments, engines } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
const isHash = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** The names of files follow from the rest, so that none leads out of the directory. */
function isSegment(value: ListedSegment | null): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { file, first, last, first_time: began, last_time: ended, commands, bytes } = value;
  return (
    [first, last, began, ended, commands, bytes].every(isCount) &&
    [value.previous_hash, value.last_hash, value.sha256].every(isHash) &&
    Array.isArray(value.engines) &&
    value.engines.every((each) => typeof each === 'string') &&
    file === listedFile(first, last)
  );
}

function isEngine(value: ListedEngine | null): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { hash: engine, file, bytes, sha256 } = value;
  return isHash(engine) && isHash(sha256) && isCount(bytes) && file === listedEngineFile(engine);
}
