// Makes the files of a log durable that were written without syncs.

import { join } from 'node:path';
import { type Disk, fileDisk } from '../../std/disk.ts';
import type { LogHead } from '../log.ts';
import { recoverLog } from './recoverLog.ts';
import { archiveDirectory, listArchived, listSegments, segmentName } from './segment.ts';

/**
 * Syncs every file, then reads and checks the log like a start does. Gives where it ends. Throws
 * `LogDamaged` and what the disk throws.
 */
export function syncSegments(
  directory: string,
  segmentBytes: number,
  disk: Disk = fileDisk,
): LogHead {
  const archive = archiveDirectory(directory);
  const paths = [
    ...listSegments(disk, directory).map((first) => join(directory, segmentName(first))),
    ...listArchived(disk, directory).map(({ name }) => join(archive, name)),
  ];
  for (const path of paths) {
    const file = disk.openFile(path, 'write');
    try {
      disk.syncData(file);
    } finally {
      disk.closeFile(file);
    }
  }
  if (disk.exists(archive)) disk.syncDirectory(archive);
  disk.syncDirectory(directory);
  return recoverLog({ disk, directory }, segmentBytes).head;
}
