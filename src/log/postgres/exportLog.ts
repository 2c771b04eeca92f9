// Copies old batches of the log from PostgreSQL into an archive, and continues an archive. What is
// in the archive was read back from its files before the manifest names it.

import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Disk } from '../../std/disk.ts';
import { writeDurably } from '../../std/writeDurably.ts';
import {
  type ArchiveManifest,
  archivedEnd,
  type ListedSegment,
  listedEngineFile,
  listedFile,
  readManifest,
  sha256Of,
  writeManifest,
} from '../file/archiveManifest.ts';
import { checkSegment } from '../file/checkArchive.ts';
import { createSealedSegment } from '../file/createSealedSegment.ts';
import { archiveDirectory } from '../file/segment.ts';
import type { LogBatch, LogHead, LogPlace } from '../log.ts';
import { matchArchive } from './matchArchive.ts';
import type { Session } from './openSession.ts';
import { readOldPartitions } from './readOldPartitions.ts';
import { readPostgresBatches } from './readPostgresBatches.ts';
import { readPackedEngine } from './sharedRows.ts';
import type { TablesOwner } from './tables.ts';

const compress = promisify(zstdCompress);

export type ExportLog = {
  readonly session: Session;
  readonly owner: TablesOwner;
  readonly disk: Disk;
  /** Of the archive, which this process has locked. */
  readonly directory: string;
  /** How many bytes of batches a file has at most, before it is compressed. */
  readonly segmentBytes: number;
  /** Receives the last batch of each file that is in the archive. */
  readonly onArchived?: (position: number) => void;
};

/**
 * Adds all whole partitions that the archive does not have, and gives its manifest. Throws
 * `ArchiveRefused`, `LogDamaged`, and what disk and database throw; it may be repeated then.
 */
export async function exportLog(options: ExportLog): Promise<ArchiveManifest> {
  const { session, owner, disk, directory } = options;
  const begun = readManifest(disk, directory);
  let manifest = begun ?? { ...owner, segments: [], engines: [] };
  await matchArchive({ session, owner, directory, manifest });
  const begin = archivedEnd(manifest);
  const end = (await readOldPartitions(session)).at(-1)?.position ?? 0;
  disk.makeDirectory(archiveDirectory(directory));
  disk.makeDirectory(join(directory, 'engines'));
  if (begun === undefined) writeManifest(disk, directory, manifest);
  for await (const part of readParts(options, begin, end)) {
    const listed = await writeSegment(options, part);
    manifest = { ...manifest, segments: [...manifest.segments, listed] };
    manifest = await addEngines(options, manifest, listed.engines);
    writeManifest(disk, directory, manifest);
    options.onArchived?.(listed.last);
  }
  return manifest;
}

type Part = Omit<ListedSegment, 'file' | 'bytes' | 'sha256'> & {
  readonly before: LogHead;
  readonly content: Buffer;
};

/** The batches of a range as contents of segments. A content is valid until the next one. */
async function* readParts(
  { session, segmentBytes }: ExportLog,
  begin: LogPlace,
  end: number,
): AsyncGenerator<Part> {
  const hash = Buffer.from(begin.hash, 'hex');
  let filling = beginPart({ position: begin.position, hash, time: 0 }, segmentBytes);
  for await (const batch of readPostgresBatches(session.client, begin, end)) {
    if (filling.add(batch)) continue;
    const part = filling.finish();
    yield part;
    filling = beginPart({ ...filling.head(), time: part.last_time }, segmentBytes);
    filling.add(batch);
  }
  if (filling.head().position > filling.before.position) yield filling.finish();
}

function beginPart(before: LogHead, segmentBytes: number) {
  const segment = createSealedSegment(before, segmentBytes);
  const engines = new Set<string>();
  let head = before;
  let commands = 0;
  let began: number | undefined;
  return {
    before,
    head: () => head,
    /** Whether it had room. */
    add: (batch: LogBatch): boolean => {
      const added = segment.add(batch);
      if (added === undefined) return false;
      head = added;
      began ??= batch.time;
      commands += batch.count;
      engines.add(batch.engineHash);
      return true;
    },
    finish: (): Part => ({
      ...{ before, first: before.position + 1, last: head.position },
      previous_hash: before.hash.toString('hex'),
      last_hash: head.hash.toString('hex'),
      first_time: began ?? head.time,
      last_time: head.time,
      ...{ commands, engines: [...engines], content: segment.seal() },
    }),
  };
}

async function writeSegment(options: ExportLog, part: Part): Promise<ListedSegment> {
  const { disk, directory } = options;
  const { before, content, ...described } = part;
  const bytes = await compress(content);
  const file = listedFile(part.first, part.last);
  const listed = { file, ...described, bytes: bytes.length, sha256: sha256Of(bytes) };
  writeDurably(disk, join(directory, file), bytes);
  disk.syncDirectory(archiveDirectory(directory));
  checkSegment({ disk, directory }, listed, before);
  return listed;
}

/** An engine that the database does not have is left out: it has never been shared. */
async function addEngines(
  { session, disk, directory }: ExportLog,
  manifest: ArchiveManifest,
  hashes: readonly string[],
): Promise<ArchiveManifest> {
  const engines = [...manifest.engines];
  for (const hash of hashes) {
    if (engines.some((engine) => engine.hash === hash)) continue;
    const packed = await readPackedEngine(session, hash);
    if (packed === undefined) continue;
    const file = listedEngineFile(hash);
    writeDurably(disk, join(directory, file), packed);
    engines.push({ hash, file, bytes: packed.length, sha256: sha256Of(packed) });
  }
  disk.syncDirectory(join(directory, 'engines'));
  return { ...manifest, engines };
}
