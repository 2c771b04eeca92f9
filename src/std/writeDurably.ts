// A whole file in place of the one before, so that a crash leaves one of the two.

import type { Disk } from './disk.ts';

/**
 * Writes the file under another name, syncs it, and puts it in its place. The name is durable when
 * its directory is synced. Throws what the disk throws.
 */
export function writeDurably(disk: Disk, path: string, bytes: Uint8Array): void {
  const file = disk.openFile(`${path}.new`, 'create');
  try {
    disk.writeAt(file, bytes, 0);
    disk.syncData(file);
  } finally {
    disk.closeFile(file);
  }
  disk.rename(`${path}.new`, path);
}
