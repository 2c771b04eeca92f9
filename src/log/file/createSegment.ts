// Creates a new segment atomically: it exists whole or not at all. First it writes and syncs zeros
// under another name. A frame then does not change the size of the file, and its sync needs no
// journal.

import { join } from 'node:path';
import type { Disk, DiskFile } from '../../std/disk.ts';
import type { LogHead } from '../log.ts';
import { frameAlignment } from './frame.ts';
import { encodeSegmentHeader, sealBytes, segmentHeaderBytes, segmentName } from './segment.ts';

/** The name of a segment until it gets its place. */
export const spareName = 'spare.segment';

/** The name of a segment that is made larger than usual for one frame. */
export const oversizedName = 'oversized.segment';

const zerosBytes = 1024 * 1024;

/** The size of the segment for a frame of `frameBytes`: the usual size unless that is too small. */
export function segmentBytesFor(frameBytes: number, segmentBytes: number): number {
  const needed = segmentHeaderBytes + frameBytes + sealBytes;
  return Math.max(segmentBytes, Math.ceil(needed / frameAlignment) * frameAlignment);
}

/** Writes zeros from `offset` up to `size`, at most `stepBytes` of them; gives the new offset. */
export function writeZeros(
  disk: Disk,
  file: DiskFile,
  range: { readonly offset: number; readonly size: number; readonly stepBytes: number },
): number {
  const end = Math.min(range.size, range.offset + range.stepBytes);
  const zeros = Buffer.alloc(Math.min(zerosBytes, end - range.offset));
  for (let at = range.offset; at < end; at += zeros.length) {
    disk.writeAt(file, zeros.subarray(0, Math.min(zeros.length, end - at)), at);
  }
  return end;
}

/**
 * Writes the header into the file of zeros called `name`, and puts it in place as the segment that
 * follows `before`. Everything is durable on return.
 */
export function placeSegment(
  disk: Disk,
  directory: string,
  zeros: { readonly name: string; readonly file: DiskFile; readonly size: number },
  before: LogHead,
): void {
  disk.writeAt(zeros.file, encodeSegmentHeader(before, zeros.size), 0);
  disk.syncData(zeros.file);
  disk.rename(join(directory, zeros.name), join(directory, segmentName(before.position + 1)));
  disk.syncDirectory(directory);
}

/** Creates a whole segment that follows `before`, and gives the open file. */
export function createSegment(
  disk: Disk,
  directory: string,
  segment: { readonly name: string; readonly size: number },
  before: LogHead,
): DiskFile {
  const { name, size } = segment;
  const file = disk.openFile(join(directory, name), 'create');
  writeZeros(disk, file, { offset: 0, size, stepBytes: size });
  placeSegment(disk, directory, { name, file, size }, before);
  return file;
}
