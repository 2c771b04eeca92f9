// The durable batches of a log in PostgreSQL, as local segments of the format of a log on files.
// Replay, the archivist, history and the subcommands read these. PostgreSQL is the truth: the
// segments are a cache: they are never synced, and each start cuts or fills them again.

import { type Disk, fileDisk } from '../../std/disk.ts';
import { createLogWriter } from '../file/logWriter.ts';
import { recoverLog } from '../file/recoverLog.ts';
import { listSegments } from '../file/segment.ts';
import { LogDamaged, type LogEntry, type LogHead } from '../log.ts';
import { adoptArchive } from './adoptArchive.ts';
import { cutSegments } from './cutSegments.ts';

/** Thrown when a segment cannot be written; nothing can be added any more. */
export class SegmentsFailed extends Error {
  override name = 'SegmentsFailed';
}

export type LocalSegments = {
  readonly head: () => LogHead;
  /** Adds a batch that is durable in PostgreSQL; gives the new head. Throws `SegmentsFailed`. */
  readonly append: (entry: LogEntry) => LogHead;
  readonly close: () => void;
};

export type OpenLocalSegments = {
  readonly directory: string;
  readonly segmentBytes: number;
  /** Receives a sentence when the segments were damaged. */
  readonly report: (message: string) => void;
};

/** The machine's disk without its syncs. */
const unsyncedDisk: Disk = { ...fileDisk, syncData: () => {}, syncDirectory: () => {} };

/**
 * Needs the directory exclusively. Throws `LogDamaged` when the archive is damaged. Cost: reads
 * every live segment once, and if there is none, the archive.
 */
export function openLocalSegments(options: OpenLocalSegments): LocalSegments {
  const { directory, segmentBytes, report } = options;
  const place = { disk: unsyncedDisk, directory };
  const recover = () => recoverLog(place, segmentBytes);
  if (listSegments(fileDisk, directory).length === 0) {
    adoptArchive({ disk: fileDisk, directory });
    cutSegments(place, segmentBytes);
  }
  let tail: ReturnType<typeof recover>;
  try {
    tail = recover();
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    cutSegments(place, segmentBytes);
    tail = recover();
    report(
      `the local copy of the log was damaged (${error.message}): it is cut behind batch ` +
        `${tail.head.position}, and the rest is read from PostgreSQL again`,
    );
  }
  const writer = createLogWriter({ ...place, segmentBytes, tail });
  let { head } = tail;
  return {
    head: () => head,
    append: (entry) => {
      try {
        head = writer.append(entry);
        writer.prepare();
        return head;
      } catch (error) {
        const why = (error as Error).message;
        throw new SegmentsFailed(`the local copy of the log cannot be written: ${why}`);
      }
    },
    close: writer.close,
  };
}
