// Goal: wherever a start finds the log cut, it has exactly the whole batches before the cut, the
// state that they make, and continues to the same chain. Method: a log of a thousand batches of
// drawn commands; a copy of its disk dies after each of them, and at every byte of the last, by a
// kill and (there at every fourth) by a power failure. The log of every copy is opened and
// continues and of every eighth, and of every 64th byte, the state is recovered as the program does
// it.

import { expect, test } from 'vitest';
import { frameHeaderBytes } from '../../src/log/file/frame.ts';
import type { LogHead } from '../../src/log/log.ts';
import { snapshotPath } from '../../src/replica/snapshotFile.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createMemoryDisk, type MemoryDisk } from './memoryDisk.ts';
import {
  appendDurably,
  fingerprintOf,
  logDirectory,
  openLog,
  type RecordedDeployment,
  recordDeployment,
  recover,
  snapshotDirectory,
} from './recordedDeployment.ts';

const batches = 1000;
/** Of these the state is recovered, too. */
const isReported = (position: number): boolean => position % 8 === 0 || position === batches - 1;
const prng = createPrng(20_261_122);
const snapshots = Array.from({ length: 9 }, (_, index) => 100 * (index + 1));

/** Opens the log, compares it with the record, and appends the next batches. */
async function goOn(
  recorded: RecordedDeployment,
  disk: MemoryDisk,
  withState: boolean,
): Promise<number> {
  const log = await openLog(disk);
  const head = log.head();
  const { position } = head;
  const due = recorded.heads[position]!;
  // The hash of a head is over its batch and all before it.
  if (!head.hash.equals(due.hash) || head.time !== due.time) expect(head).toEqual(due);
  if (withState) expectState(recorded, disk, head);
  const next = recorded.entries[position + 1];
  if (next !== undefined) {
    const { hash } = await appendDurably(log, next);
    if (!hash.equals(recorded.heads[position + 1]!.hash)) throw new Error('another chain goes on');
  }
  await log.close();
  return position;
}

function expectState(recorded: RecordedDeployment, disk: MemoryDisk, head: LogHead): void {
  const reports: string[] = [];
  const state = recover(disk, head, (message) => reports.push(message));
  expect(reports).toEqual([]);
  expect(fingerprintOf(state)).toBe(recorded.fingerprints.get(head.position));
}

/** The disk dies so many bytes into the append of the last batch. */
async function cutLast(
  recorded: RecordedDeployment,
  before: MemoryDisk,
  bytes: number,
): Promise<MemoryDisk> {
  const disk = before.copy();
  const log = await openLog(disk);
  let failed = false;
  log.onFailure(() => {
    failed = true;
  });
  disk.budget = bytes;
  await appendDurably(log, recorded.entries[batches]!);
  expect(failed).toBe(true);
  return disk;
}

/** Appends the record again, and calls `crash` with the disk after each batch. */
async function liveAgain(
  recorded: RecordedDeployment,
  crash: (disk: MemoryDisk, position: number) => Promise<void>,
): Promise<void> {
  const disk = createMemoryDisk();
  const log = await openLog(disk);
  const place = (path: string): void =>
    disk.replace(path, Buffer.from(recorded.disk.bytesOf(path)));
  place(`${logDirectory}/skips.txt`);
  for (const [position, entry] of recorded.entries.entries()) {
    if (position > 0) await appendDurably(log, entry);
    if (snapshots.includes(position)) place(snapshotPath(snapshotDirectory, position));
    await crash(disk, position);
  }
}

test('a crash at any boundary and at any byte of the last batch leaves exactly the complete batches', async () => {
  const recorded = await recordDeployment({
    ...{ seed: 1, batches, commandsPerBatch: 1, snapshots, archiveBelow: 0, isReported },
  });
  let before = recorded.disk;
  await liveAgain(recorded, async (disk, position) => {
    if (position === batches - 1) before = disk.copy();
    const crashed = disk.copy();
    if (position % 2 === 0) crashed.kill();
    else crashed.losePower(prng);
    expect(await goOn(recorded, crashed, isReported(position)), `after batch ${position}`).toBe(
      position,
    );
  });
  const { commands } = recorded.entries[batches]!;
  const frame = Buffer.concat([Buffer.alloc(frameHeaderBytes), commands]);
  // The disk has zeros there already: a frame without its last zeros is whole.
  const whole = frame.findLastIndex((byte) => byte !== 0) + 1;
  for (let bytes = 0; bytes <= frame.length; bytes += 1) {
    const killed = await cutLast(recorded, before, bytes);
    killed.kill();
    const due = bytes < whole ? batches - 1 : batches;
    expect(await goOn(recorded, killed, bytes % 64 === 0), `killed at byte ${bytes}`).toBe(due);
    if (bytes % 4 !== 1) continue;
    const dark = await cutLast(recorded, before, bytes);
    dark.losePower(prng);
    const left = await goOn(recorded, dark, bytes % 64 === 1);
    expect(left, `without power at byte ${bytes}`).toBeGreaterThanOrEqual(batches - 1);
    expect(left, `without power at byte ${bytes}`).toBeLessThanOrEqual(due);
  }
});
