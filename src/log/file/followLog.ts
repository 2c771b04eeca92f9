// Follows the log's files while they are being written, and reads nothing twice. The caller says up
// to which position the log is durable; the follower reads nothing beyond it.

import type { Disk } from '../../std/disk.ts';
import { LogDamaged, type LogFollower, type LogPlace } from '../log.ts';
import { decodeBatchFrame } from './frame.ts';
import { createFrameCursor, type FrameCursor, nextFrame, skipTo } from './frameCursor.ts';
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

/** A cursor in the segment that holds the batch, or that begins with its successor. */
export function cursorAfter({ disk, directory, after }: FollowLog): FrameCursor {
  const firsts = listSegments(disk, directory);
  for (const { first } of listArchived(disk, directory)) firsts.push(first);
  const first = Math.max(0, ...firsts.filter((candidate) => candidate <= after.position + 1));
  const segment = openSegment(disk, directory, first);
  if (segment === undefined) {
    throw new LogDamaged(`${directory}: batch ${after.position + 1} is no longer there`);
  }
  const cursor = createFrameCursor(segment);
  // The hash of that batch shows below whether it is the right one.
  if (first <= after.position) skipTo(cursor, after.position);
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
