// Follows the log's files up to the last whole batch, whose sync may not be done yet: for a process
// that does not hear from the writer what is durable (followLog.ts is for those that do). It
// changes nothing and takes no lock.

import { type LogBatch, LogDamaged } from '../log.ts';
import { cursorAfter, type FollowLog } from './followLog.ts';
import { decodeBatchFrame, followsHead } from './frame.ts';
import { createFrameCursor, type FrameCursor, nextFrame } from './frameCursor.ts';
import { openSegment, readSeal } from './segment.ts';

export type LogTail = {
  /** The batch after the last one given; undefined when no whole one is there yet. */
  readonly next: () => LogBatch | undefined;
  readonly close: () => void;
};

/** Opens nothing before the first `next`, which throws `LogDamaged`. */
export function openLogTail(options: FollowLog): LogTail {
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
