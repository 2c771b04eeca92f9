// Finds the end of the log when it is opened, and makes that end durable. It cuts a torn last
// frame. It refuses all other damage, which no crash can leave behind, with `LogDamaged`, because
// continuing would lose or change acknowledged batches.

import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { batchBytesMax, LogDamaged, type LogHead } from '../log.ts';
import { createSegment, oversizedName, spareName, writeZeros } from './createSegment.ts';
import {
  claimedFrameBytes,
  emptyHead,
  encodeSeal,
  followsHead,
  frameBytesMax,
  frameHeaderBytes,
  framePosition,
  paddedFrameBytes,
} from './frame.ts';
import { createFrameCursor, type FrameCursor, inspectRemainder, nextFrame } from './frameCursor.ts';
import type { LogTail } from './logWriter.ts';
import {
  listArchived,
  listSegments,
  openLiveSegment,
  readSeal,
  type Segment,
  sealBytes,
  segmentHeaderBytes,
  segmentName,
} from './segment.ts';

type Place = { readonly disk: Disk; readonly directory: string };

/**
 * Checks all live segments, cuts a torn last frame, writes and syncs the whole frames of the last
 * segment again, and gives the tail. Makes the first segment of an empty log. Needs the directory
 * exclusively. Throws `LogDamaged`, or what the disk throws. Cost: reads every live segment once,
 * about a second for 400 MB.
 */
export function recoverLog(place: Place, segmentBytes: number): LogTail {
  const { disk, directory } = place;
  disk.makeDirectory(directory);
  // After a failed sync their zeros may be only in the page cache, so they are never trusted.
  for (const name of [spareName, oversizedName]) {
    if (disk.exists(join(directory, name))) disk.remove(join(directory, name));
  }
  const firsts = listSegments(disk, directory);
  checkBeginning(place, firsts[0]);
  if (firsts.length === 0) {
    const file = createSegment(disk, directory, { name: spareName, size: segmentBytes }, emptyHead);
    disk.closeFile(file);
    return { head: emptyHead, firstPosition: 1, size: segmentBytes, offset: segmentHeaderBytes };
  }
  let before: LogHead | undefined;
  for (const [index, first] of firsts.entries()) {
    const segment = openLiveSegment(disk, directory, first);
    if (segment === undefined) throw new LogDamaged(`${directory}: segment ${first} has vanished`);
    try {
      checkPredecessor(segment, before);
      const cursor = createFrameCursor(segment);
      while (typeof nextFrame(cursor) !== 'string');
      before = cursor.head;
      const next = firsts[index + 1];
      if (next === undefined) return recoverLast(place, cursor);
      recoverFull(place, cursor, next === firsts.at(-1) ? next : undefined);
    } finally {
      segment.close();
    }
  }
  throw new LogDamaged(`${directory}: no last segment`);
}

function checkBeginning({ disk, directory }: Place, first: number | undefined): void {
  const archived = listArchived(disk, directory).at(-1);
  const expected = archived === undefined ? 1 : archived.last + 1;
  if (first === undefined && archived === undefined) return;
  // A crash between archiving a segment and removing it leaves it in both places.
  if (first !== undefined && first <= expected && first >= (archived?.first ?? 1)) return;
  throw new LogDamaged(`${directory}: segment ${segmentName(expected)} is missing`);
}

function checkPredecessor(segment: Segment, before: LogHead | undefined): void {
  if (before === undefined) return;
  const expected = before.position + 1;
  if (segment.firstPosition !== expected) {
    throw new LogDamaged(
      `${segment.path}: batches ${expected} to ${segment.firstPosition - 1} before it are missing`,
    );
  }
  if (!segment.previousHash.equals(before.hash)) {
    throw new LogDamaged(`${segment.path}: does not follow its predecessor's hash`);
  }
}

// A segment with a successor is whole to its end and sealed, unless the crash came after putting an
// empty successor in place and before sealing.
function recoverFull(place: Place, cursor: FrameCursor, lastSegment: number | undefined): void {
  const { segment, head } = cursor;
  const { debrisEnd } = inspectRemainder(cursor);
  if (debrisEnd > cursor.offset) {
    throw new LogDamaged(
      `${segment.path} at byte ${cursor.offset}: batch ${head.position + 1} is damaged`,
    );
  }
  const seal = readSeal(segment);
  if (typeof seal !== 'string') {
    if (!followsHead(seal, head)) {
      throw new LogDamaged(
        `${segment.path}: batches ${head.position + 1} to ${framePosition(seal) - 1} are missing`,
      );
    }
  } else if (lastSegment !== head.position + 1 || !isEmptySegment(place, lastSegment)) {
    throw new LogDamaged(`${segment.path}: the seal of this full segment is damaged`);
  }
  if (lastSegment === undefined) return;
  // Written again even when it exists: it may be only in the page cache.
  const file = place.disk.openFile(segment.path, 'write');
  try {
    place.disk.writeAt(file, encodeSeal(head), segment.size - sealBytes);
    place.disk.syncData(file);
  } finally {
    place.disk.closeFile(file);
  }
}

function isEmptySegment({ disk, directory }: Place, firstPosition: number): boolean {
  const segment = openLiveSegment(disk, directory, firstPosition);
  if (segment === undefined) return false;
  try {
    const cursor = createFrameCursor(segment);
    return nextFrame(cursor) === 'end' && inspectRemainder(cursor).debrisEnd === cursor.offset;
  } finally {
    segment.close();
  }
}

/** More than any frame takes: its commands, its head, and a reserve. */
const frameRoomBytes = batchBytesMax + 65_536;

function recoverLast({ disk, directory }: Place, cursor: FrameCursor): LogTail {
  const { segment, offset, head } = cursor;
  if (readSeal(segment) !== 'none') {
    throw new LogDamaged(
      `${segment.path} is full, but segment ${segmentName(head.position + 1)} is missing`,
    );
  }
  // Write zeros to every place where a torn frame can have been, seen or not: when the sync of an
  // earlier opening failed, its zeros are in the page cache and the debris is still on the disk.
  const torn = Math.max(checkDebris(cursor), offset + frameRoomBytes);
  const zerosEnd = Math.max(offset, Math.min(torn, segment.size - sealBytes));
  const file = disk.openFile(segment.path, 'write');
  try {
    writeZeros(disk, file, { offset, size: zerosEnd, stepBytes: zerosEnd - offset });
    rewrite(disk, file, offset);
    disk.syncData(file);
  } finally {
    disk.closeFile(file);
  }
  disk.syncDirectory(directory);
  return { head, firstPosition: segment.firstPosition, size: segment.size, offset };
}

/** Where the debris of a torn frame ends; throws when it is more than one write can leave. */
function checkDebris(cursor: FrameCursor): number {
  const { segment, offset, head } = cursor;
  const { debrisEnd, frameOffset } = inspectRemainder(cursor);
  const place = `${segment.path} at byte ${offset}: batch ${head.position + 1} is damaged`;
  if (frameOffset !== undefined) {
    throw new LogDamaged(`${place}, but a whole batch follows it at byte ${frameOffset}`);
  }
  const header = Buffer.alloc(frameHeaderBytes);
  segment.readAt(header, offset);
  const claimed = claimedFrameBytes(header);
  const isOwn = followsHead(header, head) && claimed >= frameHeaderBytes;
  const frameBytes = isOwn ? claimed : frameBytesMax;
  if (debrisEnd > offset + paddedFrameBytes(frameBytes - frameHeaderBytes)) {
    throw new LogDamaged(`${place}, and so are batches after it`);
  }
  return debrisEnd;
}

// Data that a killed process left in the page cache reads back like durable data. A failed sync may
// have marked such a page as clean. Only writing the data once more makes the sync effective.
function rewrite(disk: Disk, file: number, end: number): void {
  const chunk = Buffer.alloc(Math.min(end, 1024 * 1024));
  for (let at = 0; at < end; at += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, end - at));
    disk.readAt(file, part, at);
    disk.writeAt(file, part, at);
  }
}
