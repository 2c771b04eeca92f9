// The end of the log on files, for readers that do not write it.

import { type Disk, fileDisk } from '../../std/disk.ts';
import type { LogHead } from '../log.ts';
import { emptyHead } from './frame.ts';
import { readBatches } from './readBatches.ts';
import { listSegments } from './segment.ts';

/**
 * The head after the last whole frame, whose sync may not be done yet; the empty head when there is
 * no log. Throws `LogDamaged`. Cost: reads the last segment.
 */
export function readLogHead(directory: string, disk: Disk = fileDisk): LogHead {
  const last = listSegments(disk, directory).at(-1);
  if (last === undefined) return emptyHead;
  let head: LogHead | undefined;
  for (const { position, hash, time } of readBatches(directory, last, undefined, disk)) {
    head = { position, hash, time };
  }
  if (head !== undefined) return head;
  return last === 1 ? emptyHead : headBefore(directory, last, disk);
}

// The last segment is empty, so the head is the last batch of the one before it.
function headBefore(directory: string, position: number, disk: Disk): LogHead {
  let head = emptyHead;
  for (const batch of readBatches(directory, position - 1, position - 1, disk)) {
    head = { position: batch.position, hash: batch.hash, time: batch.time };
  }
  return head;
}
