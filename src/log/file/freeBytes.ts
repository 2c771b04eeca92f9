// The room that is left for the log. What to do when there is little is the gateway's business.

import { type Disk, fileDisk } from '../../std/disk.ts';

/** Bytes that this process may still fill on the file system of `directory`. */
export function freeBytes(directory: string, disk: Disk = fileDisk): number {
  return disk.freeBytes(directory);
}
