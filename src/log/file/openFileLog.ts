// Opens the log on files: locks its directory, recovers it, and starts its writer. Recovery and
// writer run on a thread of their own, or inline.

import { assert } from '../../std/assert.ts';
import { type Disk, fileDisk } from '../../std/disk.ts';
import type { Log } from '../log.ts';
import { createInlineLog } from './createInlineLog.ts';
import { createThreadLog } from './createThreadLog.ts';
import { frameAlignment, frameHeaderBytes } from './frame.ts';
import { lockDirectory } from './lockDirectory.ts';
import { recoverLog } from './recoverLog.ts';
import { sealBytes, segmentBytesDefault, segmentBytesMax, segmentHeaderBytes } from './segment.ts';

export type FileLogOptions = {
  /** The log's own directory, made if missing. */
  readonly directory: string;
  /** Bytes of a segment, 64 MB unless given; a multiple of eight. */
  readonly segmentBytes?: number;
  /** Writes and syncs inside `append`, on the caller's thread: for tests and the simulator. */
  readonly inline?: boolean;
  /** A disk other than the machine's. It is not locked, and needs `inline`. */
  readonly disk?: Disk;
};

/**
 * Opens the log exclusively. Throws `DirectoryInUse` when the directory is locked, `LogDamaged`
 * when its content cannot be a log that was acknowledged, and what the disk throws. The lock is
 * held, or refused, when this returns. Cost: reads every live segment, beside the caller.
 */
export async function openFileLog(options: FileLogOptions): Promise<Log> {
  const { directory, inline = false, disk = fileDisk } = options;
  const segmentBytes = options.segmentBytes ?? segmentBytesDefault;
  assert(inline || disk === fileDisk, "the writer thread knows only the machine's disk");
  assert(
    segmentBytes % frameAlignment === 0 &&
      segmentBytes >= segmentHeaderBytes + frameHeaderBytes + sealBytes &&
      segmentBytes <= segmentBytesMax,
    'a segment holds a frame, is a multiple of eight bytes, and not above its bound',
  );
  const lock = disk === fileDisk ? lockDirectory(directory) : { release: () => {} };
  try {
    if (!inline) return await createThreadLog({ directory, segmentBytes }, lock);
    const tail = recoverLog({ disk, directory }, segmentBytes);
    return createInlineLog({ disk, directory, segmentBytes, tail }, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}
