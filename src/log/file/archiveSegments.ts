// Compresses full segments that no start replays any more. It removes a segment only after its
// archived copy was synced and read back. Only the operator removes archived segments.

import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Disk, fileDisk } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { LogDamaged } from '../log.ts';
import { framePosition } from './frame.ts';
import {
  archiveDirectory,
  archivedName,
  listSegments,
  openLiveSegment,
  readSeal,
} from './segment.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/**
 * The name contains the process id: an operator may archive at the same time as the exchange, which
 * archives by itself.
 */
const unfinishedName = `unfinished-${process.pid}.zst`;

/**
 * Archives full segments whose batches are all below `belowPosition`, the oldest first. Gives the
 * positions of the last batches archived, one per segment. It is safe beside the writer, readers
 * and another process that archives, but one process must not run it twice at the same time. Cost:
 * 64 MB take two or three times that much memory and about half a second, mostly on a thread of the
 * platform.
 */
export async function archiveSegments(
  directory: string,
  belowPosition: number,
  { disk = fileDisk, segmentsMax = Number.POSITIVE_INFINITY, onArchived }: ArchiveOptions = {},
): Promise<number[]> {
  const archived: number[] = [];
  for (const first of listSegments(disk, directory)) {
    if (first >= belowPosition || archived.length >= segmentsMax) break;
    const segment = openLiveSegment(disk, directory, first);
    if (segment === undefined) continue;
    const seal = readSeal(segment);
    segment.close();
    // Only the segment in use has no seal.
    if (typeof seal === 'string') break;
    const last = framePosition(seal) - 1;
    if (last >= belowPosition) break;
    await archiveSegment(disk, directory, { path: segment.path, first, last });
    archived.push(last);
    onArchived?.(last);
  }
  return archived;
}

export type ArchiveOptions = {
  readonly disk?: Disk;
  readonly segmentsMax?: number;
  /** Receives the last batch of each segment that was archived. */
  readonly onArchived?: (position: number) => void;
};

async function archiveSegment(
  disk: Disk,
  directory: string,
  segment: { readonly path: string; readonly first: number; readonly last: number },
): Promise<void> {
  const archive = archiveDirectory(directory);
  disk.makeDirectory(archive);
  const unfinished = join(archive, unfinishedName);
  const bytes = readWholeFile(disk, segment.path);
  const compressed = await compress(bytes);
  const file = disk.openFile(unfinished, 'create');
  try {
    disk.writeAt(file, compressed, 0);
    disk.syncData(file);
  } finally {
    disk.closeFile(file);
  }
  const back = await decompress(readWholeFile(disk, unfinished));
  if (!back.equals(bytes)) {
    throw new LogDamaged(`${unfinished} does not give back ${segment.path}`);
  }
  disk.rename(unfinished, join(archive, archivedName(segment.first, segment.last)));
  disk.syncDirectory(archive);
  if (disk.exists(segment.path)) disk.remove(segment.path);
  disk.syncDirectory(directory);
}
