// Reads the log from its files, live or archived, from any thread or process, also while it is
// being written. Changes nothing and takes no lock.

import { type Disk, fileDisk } from '../../std/disk.ts';
import { type LogBatch, LogDamaged } from '../log.ts';
import { decodeBatchFrame, type Frame, followsHead, framePosition } from './frame.ts';
import {
  createFrameCursor,
  type FrameCursor,
  inspectRemainder,
  nextFrame,
  skipTo,
} from './frameCursor.ts';
import { listArchived, listSegments, openSegment, readSeal } from './segment.ts';

/**
 * The batches from `fromPosition` to `toPosition`, both included, or to the last whole frame. Near
 * the end of a log that is being written this may include a batch whose sync is not done. A caller
 * that must not see it gives the durable head as `toPosition`. Throws `LogDamaged` when a batch is
 * damaged, does not follow its predecessor, or is missing although later ones exist.
 */
export function* readBatches(
  directory: string,
  fromPosition: number,
  toPosition = Number.POSITIVE_INFINITY,
  disk: Disk = fileDisk,
): Generator<LogBatch, void, undefined> {
  let first = firstPositionOfSegment(disk, directory, fromPosition);
  while (first !== undefined && first <= toPosition) {
    const segment = openSegment(disk, directory, first);
    if (segment === undefined) throw new LogDamaged(`${directory}: segment ${first} is missing`);
    try {
      const cursor = createFrameCursor(segment);
      // To the predecessor, which is checked like what follows.
      if (first < fromPosition) skipTo(cursor, fromPosition - 1);
      for (;;) {
        const frame = nextFrameOrEnd(cursor, disk, directory, toPosition);
        const { position } = cursor.head;
        if (frame === undefined) {
          const seal = readSeal(segment);
          first = typeof seal === 'string' ? undefined : position + 1;
          // A seal of a later batch: since the end was seen, the writer has written more and left
          // the segment.
          if (typeof seal === 'string' || framePosition(seal) === first) break;
          continue;
        }
        if (position >= fromPosition) yield decodeBatchFrame(frame, cursor.head);
        if (position >= toPosition) return;
      }
    } finally {
      segment.close();
    }
  }
}

function firstPositionOfSegment(
  disk: Disk,
  directory: string,
  position: number,
): number | undefined {
  // Live segments first: a segment that is archived between the two listings is then in at least
  // one.
  const firsts = listSegments(disk, directory);
  for (const { first } of listArchived(disk, directory)) firsts.push(first);
  const before = firsts.filter((first) => first <= position);
  if (before.length > 0) return Math.max(...before);
  if (firsts.length === 0) return undefined;
  throw new LogDamaged(
    `${directory}: batch ${position} is no longer there, the log begins at ${Math.min(...firsts)}`,
  );
}

/** The next frame, or undefined at the sound end of a segment; throws when the end is not sound. */
function nextFrameOrEnd(
  cursor: FrameCursor,
  disk: Disk,
  directory: string,
  toPosition: number,
): Frame | undefined {
  const frame = nextFrame(cursor);
  if (typeof frame !== 'string') return frame;
  const { segment } = cursor;
  const damaged = (what: string): LogDamaged =>
    new LogDamaged(`${segment.path} at byte ${cursor.offset}: ${what}`);
  const position = cursor.head.position + 1;
  const seal = readSeal(segment);
  // Look for what follows before the second look at the frame: at the first look the frame may have
  // been half written.
  const followed = typeof seal !== 'string' || isFollowed(cursor, disk, directory, toPosition);
  if (!followed) return undefined;
  const again = nextFrame(cursor);
  if (typeof again !== 'string') return again;
  if (again === 'bad') throw damaged(`batch ${position} is damaged`);
  const sealAgain = readSeal(segment);
  if (typeof sealAgain === 'string') throw damaged('batches follow, but there is a gap here');
  if (!followsHead(sealAgain, cursor.head)) {
    throw damaged(`batches from ${position} on are missing`);
  }
  return undefined;
}

// Whether there is anything after the end of the frames. Cost: reads the rest of the segment. A
// reader that follows a growing log by its head does not need this.
function isFollowed(
  cursor: FrameCursor,
  disk: Disk,
  directory: string,
  toPosition: number,
): boolean {
  if (toPosition === Number.POSITIVE_INFINITY) {
    if (inspectRemainder(cursor).frameOffset !== undefined) return true;
  }
  const position = cursor.head.position + 1;
  if (position === cursor.segment.firstPosition) return false;
  const next = openSegment(disk, directory, position);
  if (next === undefined) return false;
  try {
    return typeof nextFrame(createFrameCursor(next)) !== 'string';
  } finally {
    next.close();
  }
}
