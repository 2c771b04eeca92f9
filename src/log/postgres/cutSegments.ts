// Repairs the files of a log that are only a cache. A crash of the machine may leave anything in
// files that were never synced: this cuts them where they stop being a log. The rest comes again
// from PostgreSQL.

import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { createSegment, spareName, writeZeros } from '../file/createSegment.ts';
import { emptyHead } from '../file/frame.ts';
import {
  listArchived,
  listSegments,
  openLiveSegment,
  type Segment,
  sealBytes,
  segmentName,
} from '../file/segment.ts';
import { LogDamaged, type LogHead } from '../log.ts';
import { readArchiveHead } from './adoptArchive.ts';
import { walkSegment } from './walkSegment.ts';

type Place = { readonly disk: Disk; readonly directory: string };

/**
 * Leaves the longest beginning of the log that is whole, as segments that recoverLog.ts accepts.
 * Where the first segment cannot be joined to the archive, it begins anew behind the archive, of
 * which it removes nothing: the database may have those batches no more. Throws `LogDamaged` when
 * the archive does not end as it should.
 */
export function cutSegments(place: Place, segmentBytes: number): void {
  const { disk, directory } = place;
  const firsts = listSegments(disk, directory);
  const archivedLast = listArchived(disk, directory).at(-1)?.last ?? 0;
  const [oldest] = firsts;
  let before: LogHead | undefined = archivedLast === 0 ? emptyHead : undefined;
  if (oldest === undefined || oldest > archivedLast + 1) return beginBehind(place, segmentBytes);
  for (const [index, first] of firsts.entries()) {
    const later = firsts.slice(index + 1);
    const segment = openSound(place, first, before);
    if (segment === undefined) {
      if (before === undefined) return beginBehind(place, segmentBytes);
      removeSegments(place, [first, ...later]);
      const made = { name: spareName, size: segmentBytes };
      disk.closeFile(createSegment(disk, directory, made, before));
      return;
    }
    const { head, offset, whole } = walkSegment(segment);
    if (!whole || later[0] !== head.position + 1) {
      removeSegments(place, later);
      clearFrom(place, segment, offset);
      return;
    }
    before = head;
  }
}

/** The segment if its header is sound and it follows `before`, where that is known. */
function openSound(
  { disk, directory }: Place,
  first: number,
  before: LogHead | undefined,
): Segment | undefined {
  let segment: Segment | undefined;
  try {
    segment = openLiveSegment(disk, directory, first);
  } catch (error) {
    if (error instanceof LogDamaged) return undefined;
    throw error;
  }
  const follows =
    before === undefined ||
    (first === before.position + 1 && segment?.previousHash.equals(before.hash) === true);
  if (segment !== undefined && !follows) segment.close();
  return follows ? segment : undefined;
}

function clearFrom({ disk }: Place, segment: Segment, offset: number): void {
  const { path, size } = segment;
  segment.close();
  const file = disk.openFile(path, 'write');
  try {
    const from = Math.min(offset, size - sealBytes);
    writeZeros(disk, file, { offset: from, size, stepBytes: size - from });
  } finally {
    disk.closeFile(file);
  }
}

function removeSegments({ disk, directory }: Place, firsts: readonly number[]): void {
  for (const first of firsts) disk.remove(join(directory, segmentName(first)));
}

/** Removes all live segments, and begins with the batch that follows the archive. */
function beginBehind(place: Place, segmentBytes: number): void {
  const { disk, directory } = place;
  removeSegments(place, listSegments(disk, directory));
  const before = readArchiveHead(place);
  if (before.position === 0) return;
  const made = { name: spareName, size: segmentBytes };
  disk.closeFile(createSegment(disk, directory, made, before));
}
