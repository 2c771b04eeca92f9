// A large file is synced in portions, and has the bytes that were written.

import { expect, test } from 'vitest';
import { createSteadyFile } from '../../src/std/createSteadyFile.ts';
import type { Disk } from '../../src/std/disk.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createMemoryDisk } from '../log/memoryDisk.ts';

/** Counts the bytes that each sync finds. */
function countingDisk(): { disk: Disk; found: number[] } {
  const inner = createMemoryDisk();
  const found: number[] = [];
  let unsynced = 0;
  const disk: Disk = {
    ...inner,
    writeAt: (file, bytes, at) => {
      unsynced += bytes.length;
      inner.writeAt(file, bytes, at);
    },
    syncData: (file) => {
      found.push(unsynced);
      unsynced = 0;
      inner.syncData(file);
    },
  };
  return { disk, found };
}

test.each([
  ['nothing', []],
  ['small writes', Array.from({ length: 300 }, (_, at) => 9000 + at)],
  ['one write of many portions', [5 * 2 ** 20 + 17]],
  ['whole portions', [2 ** 20, 2 ** 21]],
])('no sync finds more than a portion: %s', (_, lengths) => {
  const { disk, found } = countingDisk();
  const file = disk.openFile('big', 'create');
  const { write, sync } = createSteadyFile(disk, file);
  const prng = createPrng(7);
  const pieces = lengths.map((length) => Buffer.alloc(length, prng.below(256)));
  for (const piece of pieces) write(piece);
  sync();
  const whole = Buffer.concat(pieces);
  const read = Buffer.alloc(whole.length);
  expect(disk.sizeOf(file)).toBe(whole.length);
  expect(disk.readAt(file, read, 0)).toBe(whole.length);
  expect(read.equals(whole)).toBe(true);
  expect(Math.max(...found)).toBeLessThanOrEqual(2 ** 18);
  expect(found.reduce((sum, each) => sum + each, 0)).toBe(whole.length);
});
