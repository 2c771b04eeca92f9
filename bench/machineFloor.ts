// What no exchange on this machine can be faster than: the syncs of its disk and its sleeps.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileDisk } from '../src/std/disk.ts';

/** The approximate size of a batch of thirty orders, bytes. */
export const syncBytes = 4096;
const syncedFileBytes = 16 * 1024 * 1024;

/** The time of each sync in that period, in milliseconds. */
export function syncTimes(milliseconds: number): number[] {
  const directory = mkdtempSync(join(tmpdir(), 'evermark-limits-'));
  const file = fileDisk.openFile(join(directory, 'synced'), 'create');
  try {
    fileDisk.writeAt(file, Buffer.alloc(syncedFileBytes), 0);
    fileDisk.syncData(file);
    const bytes = Buffer.alloc(syncBytes, 'a');
    const times: number[] = [];
    const until = performance.now() + milliseconds;
    for (let [at, begun] = [0, 0]; begun < until; at = (at + syncBytes) % syncedFileBytes) {
      begun = performance.now();
      fileDisk.writeAt(file, bytes, at);
      fileDisk.syncData(file);
      times.push(performance.now() - begun);
    }
    return times;
  } finally {
    fileDisk.closeFile(file);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** How much longer than a millisecond each sleep of a millisecond took in that period. */
export function sleepDelays(milliseconds: number): number[] {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const delays: number[] = [];
  const until = performance.now() + milliseconds;
  for (let begun = 0; begun < until; ) {
    begun = performance.now();
    Atomics.wait(cell, 0, 0, 1);
    delays.push(performance.now() - begun - 1);
  }
  return delays;
}
