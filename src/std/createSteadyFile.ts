// Writes a large new file beside a log. A sync waits for all that is on its way to the same disk:
// this file is synced in portions, so that no sync of the log waits for all of it.

import type { Disk, DiskFile } from './disk.ts';

/** Bytes between two syncs (docs/decisions/0027-the-tail.md). */
const portionBytes = 2 ** 18;

export type SteadyFile = {
  /** Behind what was written. */
  readonly write: (bytes: Uint8Array) => void;
  /** When it returns, everything that was written is durable. */
  readonly sync: () => void;
};

/** Of an empty file, which its caller closes. All of it throws what the disk throws. */
export function createSteadyFile(disk: Disk, file: DiskFile): SteadyFile {
  let [written, synced] = [0, 0];
  const sync = (): void => {
    disk.syncData(file);
    synced = written;
  };
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const portion = bytes.subarray(at, at + portionBytes - (written - synced));
        disk.writeAt(file, portion, written);
        written += portion.length;
        at += portion.length;
        if (written - synced >= portionBytes) sync();
      }
    },
    sync,
  };
}
