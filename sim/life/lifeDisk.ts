// The disk of a run: the tests' disk in memory, which forgets what was not synced, and which may be
// full. A full disk behaves like a file system that overwrites in place: no file grows.

import type { Disk } from '../../src/std/disk.ts';
import { createMemoryDisk, type MemoryDisk } from '../../test/log/memoryDisk.ts';

export type LifeDisk = {
  /** The disk that the program sees. */
  readonly disk: Disk;
  /** The disk without faults. */
  readonly memory: MemoryDisk;
  full: boolean;
  /** Whether an error that it throws now is a fault of the run and not of the program. */
  readonly isFailing: () => boolean;
  /** Ends its faults for good. */
  readonly heal: () => void;
};

const roomBytes = 1e12;

export function createLifeDisk(): LifeDisk {
  const memory = createMemoryDisk();
  const life: LifeDisk = {
    memory,
    full: false,
    heal: () => {
      life.full = false;
      if (memory.budget >= 0) memory.budget = Number.MAX_SAFE_INTEGER;
      if ((memory.syncFailure?.after ?? -1) >= 0) memory.syncFailure = undefined;
    },
    isFailing: () => life.full || memory.budget < 0 || memory.syncFailure !== undefined,
    disk: {
      ...memory,
      writeAt: (file, bytes, offset) => {
        if (life.full && offset + bytes.length > memory.sizeOf(file)) {
          throw Object.assign(new Error('ENOSPC: the disk is full'), { code: 'ENOSPC' });
        }
        memory.writeAt(file, bytes, offset);
      },
      freeBytes: () => (life.full ? 0 : roomBytes),
    },
  };
  return life;
}
