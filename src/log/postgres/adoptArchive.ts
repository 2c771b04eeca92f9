// An archive of the log that was copied here from elsewhere becomes the beginning of the local
// segments. It may stand for batches that the database has no more, so each file is read whole
// and synced before anything depends on it. Nothing is ever removed from an archive here.

import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { emptyHead } from '../file/frame.ts';
import { archiveDirectory, listArchived, openSegment } from '../file/segment.ts';
import { LogDamaged, type LogHead } from '../log.ts';
import { walkSegment } from './walkSegment.ts';

const advice = 'type "evermark cluster fetch ARCHIVE" with this data directory, and start again';

type Place = { readonly disk: Disk; readonly directory: string };

/**
 * Checks that the archive is the log from its first batch on, and makes it durable. Throws
 * `LogDamaged`. Cost: reads all of it, about half a second for each 64 MB.
 */
export function adoptArchive({ disk, directory }: Place): void {
  const archive = archiveDirectory(directory);
  let before: LogHead = emptyHead;
  for (const { name, first, last } of listArchived(disk, directory)) {
    if (first !== before.position + 1) {
      throw new LogDamaged(
        `${archive}: the segment with batch ${before.position + 1} is missing: ${advice}`,
      );
    }
    before = readArchived({ disk, directory }, { name, first, last }, before);
    const file = disk.openFile(join(archive, name), 'write');
    try {
      disk.syncData(file);
    } finally {
      disk.closeFile(file);
    }
  }
  if (before.position > 0) disk.syncDirectory(archive);
}

/** Where the archive ends; the empty log's end when there is none. Throws `LogDamaged`. */
export function readArchiveHead(place: Place): LogHead {
  const last = listArchived(place.disk, place.directory).at(-1);
  return last === undefined ? emptyHead : readArchived(place, last);
}

type Archived = { readonly name: string; readonly first: number; readonly last: number };

/** Its last batch. No live segment may begin where it does. */
function readArchived({ disk, directory }: Place, archived: Archived, before?: LogHead): LogHead {
  const { name, first, last } = archived;
  const path = join(archiveDirectory(directory), name);
  try {
    const segment = openSegment(disk, directory, first);
    if (segment === undefined) throw new LogDamaged(`${path} has vanished`);
    try {
      const { head, whole } = walkSegment(segment);
      const follows = before === undefined || segment.previousHash.equals(before.hash);
      if (whole && follows && head.position === last) return head;
    } finally {
      segment.close();
    }
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    throw new LogDamaged(`${error.message}: ${advice}`);
  }
  throw new LogDamaged(`${path} is not what its name says: ${advice}`);
}
