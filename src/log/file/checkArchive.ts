// Reads an archive whole and finds everything that is wrong with it. Whether it belongs to a
// database is not decided here (postgres/matchArchive.ts).

import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { LogDamaged, type LogHead } from '../log.ts';
import {
  type ArchiveManifest,
  type ListedEngine,
  type ListedSegment,
  readManifest,
  sha256Of,
} from './archiveManifest.ts';
import { ArchiveRefused } from './archiveRefused.ts';
import { emptyHead, followsHead } from './frame.ts';
import { createFrameCursor, nextFrame } from './frameCursor.ts';
import { listArchived, openArchivedSegment, readSeal } from './segment.ts';

export type CheckArchive = {
  readonly disk: Disk;
  readonly directory: string;
  /** Receives each batch that is sound. */
  readonly onBatch?: (head: LogHead) => void;
};

/**
 * Gives the manifest when every file is there and is what the manifest says, and all batches from
 * the first one on are one chain. Throws `ArchiveRefused`. Cost: about a second for 200 MB.
 */
export function checkArchive(options: CheckArchive): ArchiveManifest {
  const { disk, directory } = options;
  const manifest = findManifest(disk, directory);
  const names = new Set(manifest.segments.map(({ file }) => file));
  const stray = listArchived(disk, directory).find(({ name }) => !names.has(`archive/${name}`));
  if (stray !== undefined) {
    throw new ArchiveRefused(
      `${join(directory, 'archive', stray.name)} is not in the manifest: type "evermark cluster ` +
        'archive" again if that was interrupted, or remove the file.',
    );
  }
  let before: LogHead = emptyHead;
  for (const listed of manifest.segments) before = checkSegment(options, listed, before);
  for (const engine of manifest.engines) readListed(options, engine);
  return manifest;
}

/** The manifest of an archive that is there. Throws `ArchiveRefused`. */
export function findManifest(disk: Disk, directory: string): ArchiveManifest {
  const manifest = readManifest(disk, directory);
  if (manifest !== undefined) return manifest;
  throw new ArchiveRefused(`${directory} is no archive: it has no manifest.json.`);
}

/** Gives the last batch of the segment, which must follow `before`. Throws `ArchiveRefused`. */
export function checkSegment(
  options: CheckArchive,
  listed: ListedSegment,
  before: LogHead,
): LogHead {
  const { directory } = options;
  if (listed.first !== before.position + 1) {
    throw new ArchiveRefused(
      `${directory}: the segment with batch ${before.position + 1} is missing in the manifest.`,
    );
  }
  const bytes = readListed(options, listed);
  const path = join(directory, listed.file);
  try {
    const found = walk(options, openArchivedSegment(path, bytes, listed.first), before);
    if (found.engines.join() === listed.engines.join() && isListed(found, listed)) {
      return found.head;
    }
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    throw new ArchiveRefused(`${error.message}: ${restore}`);
  }
  throw new ArchiveRefused(`${path} has other batches than the manifest says: ${restore}`);
}

const restore = 'put a copy of the archive back, or archive into an empty directory.';

type Walked = {
  readonly first: LogHead;
  readonly head: LogHead;
  readonly commands: number;
  readonly engines: readonly string[];
};

type OpenedSegment = ReturnType<typeof openArchivedSegment>;

function walk({ onBatch }: CheckArchive, segment: OpenedSegment, before: LogHead): Walked {
  if (!segment.previousHash.equals(before.hash)) {
    throw new LogDamaged(`${segment.path} does not continue batch ${before.position}`);
  }
  const cursor = createFrameCursor(segment);
  const engines = new Set<string>();
  let first: LogHead | undefined;
  let commands = 0;
  for (;;) {
    const frame = nextFrame(cursor);
    if (typeof frame === 'string') break;
    first ??= cursor.head;
    commands += frame.readUInt32LE(88);
    engines.add(frame.toString('hex', 56, 56 + frame[92]!));
    onBatch?.(cursor.head);
  }
  const seal = readSeal(segment);
  if (first === undefined || typeof seal === 'string' || !followsHead(seal, cursor.head)) {
    throw new LogDamaged(`${segment.path} is damaged behind batch ${cursor.head.position}`);
  }
  return { first, head: cursor.head, commands, engines: [...engines] };
}

const isListed = ({ first, head, commands }: Walked, listed: ListedSegment): boolean =>
  head.position === listed.last &&
  head.hash.toString('hex') === listed.last_hash &&
  head.time === listed.last_time &&
  first.time === listed.first_time &&
  commands === listed.commands;

/** The bytes of a file, which must be those that the manifest knows. */
export function readListed(
  { disk, directory }: CheckArchive,
  { file, bytes, sha256 }: ListedSegment | ListedEngine,
): Buffer {
  const path = join(directory, file);
  if (!disk.exists(path)) throw new ArchiveRefused(`${path} is missing: ${restore}`);
  const found = readWholeFile(disk, path);
  if (found.length === bytes && sha256Of(found) === sha256) return found;
  throw new ArchiveRefused(
    `${path} was altered, because it does not have the checksum of the manifest: ${restore}`,
  );
}
