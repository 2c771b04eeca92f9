// Replaces the local copy of a log by what an archive has. The copy is a cache, so nothing is lost
// when this is interrupted: it is repeated, or the start asks for it.

import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { writeDurably } from '../../std/writeDurably.ts';
import type { ArchiveManifest } from '../file/archiveManifest.ts';
import { readListed } from '../file/checkArchive.ts';
import { archiveDirectory, listArchived, listSegments, segmentName } from '../file/segment.ts';

export type FetchArchive = {
  readonly disk: Disk;
  /** Of the archive, which was checked and belongs to the database. */
  readonly directory: string;
  readonly manifest: ArchiveManifest;
  /** The directory of the copy, which this process has locked. */
  readonly log: string;
};

/** Throws `ArchiveRefused` when a file was changed meanwhile. */
export function fetchArchive({ disk, directory, manifest, log }: FetchArchive): void {
  const target = archiveDirectory(log);
  disk.makeDirectory(target);
  // The files of another archive may end at other batches, so none may stay beside these. Those of
  // the end of the log go first: an archive without an end is a copy, and an end without its
  // beginning is none.
  for (const first of listSegments(disk, log)) disk.remove(join(log, segmentName(first)));
  for (const { name } of listArchived(disk, log).toReversed()) disk.remove(join(target, name));
  disk.syncDirectory(target);
  for (const segment of manifest.segments) {
    const bytes = readListed({ disk, directory }, segment);
    writeDurably(disk, join(log, segment.file), bytes);
  }
  disk.syncDirectory(target);
}
