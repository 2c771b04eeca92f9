// What a segment is: its name, its header, its seal, and how to open one in the log or in its
// archive. A segment is a file of fixed size made of zeros: a header of 64 bytes, frames, and in
// the last 96 bytes the seal, which is written when the next segment is in place.
//
//   Header: 0 checksum u32 (of the other 60 bytes) · 4 magic, 12 bytes · 16 first position u64
//           24 size u64 · 32 hash of the batch before the first, 32 bytes

import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { assert } from '../../std/assert.ts';
import { crc32c } from '../../std/crc32c.ts';
import { type Disk, isMissing } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { LogDamaged, type LogHead } from '../log.ts';
import { checkFrame, type Frame, frameAlignment, frameHeaderBytes } from './frame.ts';

export const segmentHeaderBytes = 64;
export const sealBytes = frameHeaderBytes;
/** The maximum size of a segment. */
export const segmentBytesMax = 1024 * 1024 * 1024;
/** The usual size of a segment. */
export const segmentBytesDefault = 64 * 1024 * 1024;

const magic = Buffer.from('EVERMARKLOG1');
const positionDigits = 16;

/** An open segment, live or archived. */
export type Segment = {
  /** For messages: the path. */
  readonly path: string;
  readonly size: number;
  readonly firstPosition: number;
  /** The hash of the batch before the first. */
  readonly previousHash: Buffer;
  readonly readAt: (target: Uint8Array, offset: number) => number;
  readonly close: () => void;
};

const padPosition = (position: number): string => String(position).padStart(positionDigits, '0');

/** The name of the live segment that begins at that position. */
export function segmentName(firstPosition: number): string {
  return `${padPosition(firstPosition)}.segment`;
}

/** The name of the archived segment with those positions. */
export function archivedName(firstPosition: number, lastPosition: number): string {
  return `${padPosition(firstPosition)}-${padPosition(lastPosition)}.segment.zst`;
}

export function archiveDirectory(directory: string): string {
  return join(directory, 'archive');
}

/** The first positions of the live segments, ascending. */
export function listSegments(disk: Disk, directory: string): number[] {
  const names = disk.list(directory).filter((name) => /^\d{16}\.segment$/.test(name));
  return names.map((name) => Number(name.slice(0, positionDigits)));
}

/** The positions of the archived segments, ascending. */
export function listArchived(
  disk: Disk,
  directory: string,
): { readonly name: string; readonly first: number; readonly last: number }[] {
  const found = [];
  for (const name of disk.list(archiveDirectory(directory))) {
    const match = /^(\d{16})-(\d{16})\.segment\.(zst|gz)$/.exec(name);
    if (match !== null) found.push({ name, first: Number(match[1]), last: Number(match[2]) });
  }
  return found;
}

/** Up to here the archive has the log from its first batch on, without a gap; 0: nothing. */
export function archiveEnd(disk: Disk, directory: string): number {
  let end = 0;
  for (const { first, last } of listArchived(disk, directory)) {
    if (first > end + 1) break;
    end = Math.max(end, last);
  }
  return end;
}

/** The header of a segment of `size` bytes whose first batch follows `before`. */
export function encodeSegmentHeader(before: LogHead, size: number): Buffer {
  assert(size % frameAlignment === 0, 'the size of a segment is a multiple of eight');
  const header = Buffer.alloc(segmentHeaderBytes);
  header.set(magic, 4);
  header.writeBigUInt64LE(BigInt(before.position + 1), 16);
  header.writeBigUInt64LE(BigInt(size), 24);
  header.set(before.hash, 32);
  header.writeUInt32LE(crc32c(header.subarray(4)), 0);
  return header;
}

/**
 * Opens the segment that begins at that position, in the log's directory or in its archive;
 * undefined when it is in neither. Throws `LogDamaged` when its header does not belong to it.
 */
export function openSegment(
  disk: Disk,
  directory: string,
  firstPosition: number,
): Segment | undefined {
  return (
    openLiveSegment(disk, directory, firstPosition) ??
    findArchivedSegment(disk, directory, firstPosition)
  );
}

export function openLiveSegment(
  disk: Disk,
  directory: string,
  firstPosition: number,
): Segment | undefined {
  const path = join(directory, segmentName(firstPosition));
  let file: number;
  try {
    file = disk.openFile(path, 'read');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const close = (): void => disk.closeFile(file);
  try {
    const readAt = (target: Uint8Array, offset: number): number =>
      disk.readAt(file, target, offset);
    return checkHeader({ path, size: disk.sizeOf(file), firstPosition, readAt, close });
  } catch (error) {
    close();
    throw error;
  }
}

function findArchivedSegment(
  disk: Disk,
  directory: string,
  firstPosition: number,
): Segment | undefined {
  const entry = listArchived(disk, directory).find(({ first }) => first === firstPosition);
  if (entry === undefined) return undefined;
  const path = join(archiveDirectory(directory), entry.name);
  return openArchivedSegment(path, readWholeFile(disk, path), firstPosition);
}

/**
 * The segment in the bytes of an archived file. Throws `LogDamaged`. Cost: the whole segment in
 * memory while it is open, and about 0.3 s to inflate 64 MB.
 */
export function openArchivedSegment(
  path: string,
  compressed: Buffer,
  firstPosition: number,
): Segment {
  const bytes = inflate(path, compressed);
  const readAt = (target: Uint8Array, offset: number): number => {
    const part = bytes.subarray(offset, offset + target.length);
    target.set(part);
    return part.length;
  };
  return checkHeader({ path, size: bytes.length, firstPosition, readAt, close: () => {} });
}

function inflate(path: string, compressed: Buffer): Buffer {
  try {
    // A damaged file may claim any size.
    const bounds = { maxOutputLength: segmentBytesMax };
    // Earlier releases made files of gzip.
    return path.endsWith('.gz')
      ? gunzipSync(compressed, bounds)
      : zstdDecompressSync(compressed, bounds);
  } catch (error) {
    throw new LogDamaged(`${path} cannot be decompressed: ${(error as Error).message}`);
  }
}

function checkHeader(segment: Omit<Segment, 'previousHash'>): Segment {
  const header = Buffer.alloc(segmentHeaderBytes);
  segment.readAt(header, 0);
  const sound =
    header.readUInt32LE(0) === crc32c(header.subarray(4)) &&
    header.subarray(4, 16).equals(magic) &&
    header.readBigUInt64LE(16) === BigInt(segment.firstPosition) &&
    header.readBigUInt64LE(24) === BigInt(segment.size);
  if (!sound) throw new LogDamaged(`${segment.path}: the header of this segment is damaged`);
  return { ...segment, previousHash: header.subarray(32) };
}

/**
 * The seal of a full segment; `none` while the segment is being written, `bad` when the seal is
 * damaged.
 */
export function readSeal(segment: Segment): Frame | 'none' | 'bad' {
  const bytes = Buffer.alloc(sealBytes);
  segment.readAt(bytes, segment.size - sealBytes);
  if (bytes.every((byte) => byte === 0)) return 'none';
  return checkFrame(bytes, 'seal') ?? 'bad';
}
