// Compresses full segments that nobody replays any more. Removes nothing whose archived copy has
// not been synced and read back; removing archived segments is the operator's decision.

import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Disk, fileDisk } from '../../std/disk.ts';
import { LogDamaged } from '../log.ts';
import { framePosition } from './frame.ts';
import {
  archiveDirectory,
  archivedName,
  listSegments,
  openLiveSegment,
  readSeal,
  readWholeFile,
} from './segment.ts';

const unfinishedName = 'unfinished.gz';
const chunkBytes = 1024 * 1024;

/**
 * Archives every full segment whose batches all lie below `belowPosition`; gives the positions of
 * the last batches archived, one per segment. Safe beside the writer and beside readers, but not
 * beside itself. Cost: about two seconds per 64 MB, in turns of some 30 ms.
 */
export async function archiveSegments(
  directory: string,
  belowPosition: number,
  disk: Disk = fileDisk,
): Promise<number[]> {
  const archived: number[] = [];
  for (const first of listSegments(disk, directory)) {
    if (first >= belowPosition) break;
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
  }
  return archived;
}

async function archiveSegment(
  disk: Disk,
  directory: string,
  segment: { readonly path: string; readonly first: number; readonly last: number },
): Promise<void> {
  const archive = archiveDirectory(directory);
  disk.makeDirectory(archive);
  const unfinished = join(archive, unfinishedName);
  const bytes = readWholeFile(disk, segment.path);
  const file = disk.openFile(unfinished, 'create');
  try {
    let offset = 0;
    // One gzip member per chunk: the file is still plain gzip, and nobody waits long.
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const member = gzipSync(bytes.subarray(at, at + chunkBytes));
      disk.writeAt(file, member, offset);
      offset += member.length;
      await nextTurn();
    }
    disk.syncData(file);
  } finally {
    disk.closeFile(file);
  }
  if (!gunzipSync(readWholeFile(disk, unfinished)).equals(bytes)) {
    throw new LogDamaged(`${unfinished} does not give back ${segment.path}`);
  }
  disk.rename(unfinished, join(archive, archivedName(segment.first, segment.last)));
  disk.syncDirectory(archive);
  disk.remove(segment.path);
  disk.syncDirectory(directory);
}
