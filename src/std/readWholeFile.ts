// A whole file of a disk.

import type { Disk } from './disk.ts';

/** Throws what the disk throws. */
export function readWholeFile(disk: Disk, path: string): Buffer {
  const file = disk.openFile(path, 'read');
  try {
    const bytes = Buffer.alloc(disk.sizeOf(file));
    return bytes.subarray(0, disk.readAt(file, bytes, 0));
  } finally {
    disk.closeFile(file);
  }
}
