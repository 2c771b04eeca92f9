// Follows the log's files while they are being written, and reads nothing twice. The caller says up
// to which position the log is durable; the follower reads nothing beyond it.

import type { Disk } from '../../std/disk.ts';
import { type LogBatch, LogDamaged, type LogFollower, type LogPlace } from '../log.ts';
import { decodeBatchFrame, followsHead } from './frame.ts';
import { createFrameCursor, type FrameCursor, nextFrame } from './frameCursor.ts';
import { listArchived, listSegments, openSegment, readSeal } from './segment.ts';

export type FollowLog = {
  readonly disk: Disk;
  readonly directory: string;
  /** The follower begins with the batch after this place. */
  readonly after: LogPlace;
};

/** Opens nothing before the first `next`. */
export function followLog(options: FollowLog): LogFollower {
  let cursor: FrameCursor | undefined;
  let position = options.after.position;
  return {
    next: (durablePosition) => {
      if (position >= durablePosition) return undefined;
      cursor ??= cursorAfter(options);
      let frame = nextFrame(cursor);
      // The bytes that were read ahead may be older than the durable ones: the second call reads
      // again.
      if (typeof frame === 'string') frame = nextFrame(cursor);
      if (typeof frame === 'string') {
        cursor = nextSegment(options, cursor);
        frame = nextFrame(cursor);
      }
      if (typeof frame === 'string') throw damaged(cursor);
      position += 1;
      return decodeBatchFrame(frame, cursor.head);
    },
    close: () => cursor?.segment.close(),
  };
}

export type LogTail = {
  /** The batch after the last one given; undefined when no whole one is there yet. */
  readonly next: () => LogBatch | undefined;
  readonly close: () => void;
};

/**
 * Follows the files as `followLog` does, up to the last whole batch, whose sync may not be done
 * yet: for a process that does not hear from the writer what is durable. `next` throws `LogDamaged`
 * when the files do not continue what was read.
 */
export function tailLog(options: FollowLog): LogTail {
  let cursor: FrameCursor | undefined;
  return {
    next: () => {
      cursor ??= cursorAfter(options);
      let frame = nextFrame(cursor);
      // The second call reads again.
      if (typeof frame === 'string') frame = nextFrame(cursor);
      if (typeof frame === 'string') {
        const following = segmentAfter(options, cursor);
        if (following === undefined) return undefined;
        cursor = following;
        frame = nextFrame(cursor);
      }
      return typeof frame === 'string' ? undefined : decodeBatchFrame(frame, cursor.head);
    },
    close: () => cursor?.segment.close(),
  };
}

/** Undefined while the writer is in this segment, or has not made the next one. */
function segmentAfter(options: FollowLog, { segment, head }: FrameCursor): FrameCursor | undefined {
  const seal = readSeal(segment);
  // A seal of a later batch: since the end was seen, the writer has written more and left.
  if (typeof seal === 'string' || !followsHead(seal, head)) return undefined;
  const following = openSegment(options.disk, options.directory, head.position + 1);
  if (following === undefined) return undefined;
  if (!following.previousHash.equals(head.hash)) {
    throw new LogDamaged(`${following.path}: this segment does not continue ${segment.path}`);
  }
  segment.close();
  return createFrameCursor(following);
}

// Walks the segment that holds the batch, or that begins with its successor.
function cursorAfter({ disk, directory, after }: FollowLog): FrameCursor {
  const firsts = listSegments(disk, directory);
  for (const { first } of listArchived(disk, directory)) firsts.push(first);
  const first = Math.max(0, ...firsts.filter((candidate) => candidate <= after.position + 1));
  const segment = openSegment(disk, directory, first);
  if (segment === undefined) {
    throw new LogDamaged(`${directory}: batch ${after.position + 1} is no longer there`);
  }
  const cursor = createFrameCursor(segment);
  while (cursor.head.position < after.position) {
    if (typeof nextFrame(cursor) === 'string') throw damaged(cursor);
  }
  if (cursor.head.hash.toString('hex') !== after.hash) {
    throw new LogDamaged(`${directory}: batch ${after.position} is not the one that was known`);
  }
  return cursor;
}

// Only a sealed segment has a successor; before the seal, a durable batch must be in this one.
function nextSegment({ disk, directory }: FollowLog, cursor: FrameCursor): FrameCursor {
  const { segment, head } = cursor;
  if (typeof readSeal(segment) === 'string') throw damaged(cursor);
  const following = openSegment(disk, directory, head.position + 1);
  if (following === undefined) throw damaged(cursor);
  if (!following.previousHash.equals(head.hash)) {
    throw new LogDamaged(`${following.path}: this segment does not continue ${segment.path}`);
  }
  segment.close();
  return createFrameCursor(following);
}

function damaged({ segment, offset, head }: FrameCursor): LogDamaged {
  return new LogDamaged(
    `${segment.path} at byte ${offset}: batch ${head.position + 1} is durable but cannot be read`,
  );
}
