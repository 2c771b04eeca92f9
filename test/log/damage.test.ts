// What is cut and what is refused when the log is opened, and what readers report about damage.

import { expect, test } from 'vitest';
import { followLog } from '../../src/log/file/followLog.ts';
import { encodeBatchFrame } from '../../src/log/file/frame.ts';
import { openFileLog } from '../../src/log/file/openFileLog.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { appendSkip, readSkips } from '../../src/log/file/skip.ts';
import { LogDamaged, type LogEntry, type LogHead } from '../../src/log/log.ts';
import { createMemoryDisk, type MemoryDisk } from './memoryDisk.ts';

const directory = '/data/log';
const headerBytes = 64;
const commandBytes = 64;
const frameBytes = 96 + commandBytes;
const roomy = 8192;
// Room for four frames.
const tight = headerBytes + 4 * frameBytes + 96;

const pathOf = (first: number): string => `${directory}/${String(first).padStart(16, '0')}.segment`;

function entry(n: number): LogEntry {
  // No zero byte, so that every missing byte is a missing byte.
  return { time: n, engineHash: 'ff', count: 1, commands: Buffer.alloc(commandBytes, 128 + n) };
}

async function open(disk: MemoryDisk, segmentBytes: number): Promise<LogHead> {
  const log = await openFileLog({ directory, segmentBytes, inline: true, disk });
  const head = log.head();
  await log.close();
  return head;
}

async function appendOne(disk: MemoryDisk, segmentBytes: number, n: number): Promise<LogHead> {
  const log = await openFileLog({ directory, segmentBytes, inline: true, disk });
  expect(log.append(entry(n))).toBe(n);
  await log.close();
  return log.head();
}

/** A disk whose log holds entries 1 to `count`. */
async function written(count: number, segmentBytes: number): Promise<MemoryDisk> {
  const disk = createMemoryDisk();
  for (let n = 1; n <= count; n += 1) await appendOne(disk, segmentBytes, n);
  return disk;
}

const readAll = (disk: MemoryDisk): number =>
  [...readBatches(directory, 1, undefined, disk)].length;

const frameOffset = (n: number): number => headerBytes + (n - 1) * frameBytes;

test('a last frame torn at any byte is cut, and the log continues', async () => {
  const disk = await written(4, roomy);
  const bytes = disk.bytesOf(pathOf(1));
  const whole = Buffer.from(bytes);
  const start = frameOffset(4);
  for (let cut = 0; cut < frameBytes; cut += 1) {
    for (const [from, to] of [
      [cut, frameBytes],
      [0, cut + 1],
    ]) {
      bytes.set(whole);
      bytes.fill(0, start + from!, start + to!);
      expect(readAll(disk)).toBe(3);
      expect((await open(disk, roomy)).position).toBe(3);
      expect(bytes.subarray(start).every((byte) => byte === 0)).toBe(true);
    }
  }
  expect((await appendOne(disk, roomy, 4)).position).toBe(4);
  expect(bytes.equals(whole)).toBe(true);
});

test('a flipped byte in any frame but the last is refused', async () => {
  const disk = await written(4, roomy);
  const bytes = disk.bytesOf(pathOf(1));
  for (let at = 0; at < frameOffset(4); at += 1) {
    bytes[at]! ^= 0x40;
    await expect(open(disk, roomy), `byte ${at}`).rejects.toThrow(LogDamaged);
    expect(() => readAll(disk), `byte ${at}`).toThrow(LogDamaged);
    bytes[at]! ^= 0x40;
  }
  expect((await open(disk, roomy)).position).toBe(4);
});

test('a flipped byte anywhere in a full segment is refused', async () => {
  const disk = await written(6, tight);
  const bytes = disk.bytesOf(pathOf(1));
  expect(bytes.length).toBe(tight);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at]! ^= 0x01;
    await expect(open(disk, tight), `byte ${at}`).rejects.toThrow(LogDamaged);
    expect(() => readAll(disk), `byte ${at}`).toThrow(LogDamaged);
    bytes[at]! ^= 0x01;
  }
  expect((await open(disk, tight)).position).toBe(6);
});

test('a reader that begins inside a segment gives the batches that were written, or none', async () => {
  const disk = await written(7, roomy);
  const bytes = disk.bytesOf(pathOf(1));
  const all = [...readBatches(directory, 1, undefined, disk)];
  const after = { position: 3, hash: all[2]!.hash.toString('hex') };
  const readFrom4 = (): unknown => [...readBatches(directory, 4, undefined, disk)];
  const followFrom4 = (): unknown => {
    const follower = followLog({ disk, directory, after });
    const batches = [4, 5, 6, 7].map(() => follower.next(7));
    follower.close();
    return batches;
  };
  for (const read of [readFrom4, followFrom4]) {
    let unread = 0;
    for (let at = 0; at < frameOffset(7); at += 1) {
      bytes[at]! ^= 0x40;
      const given = outcomeOf(read);
      bytes[at]! ^= 0x40;
      if (given === 'damaged') continue;
      expect(given, `byte ${at}`).toEqual(all.slice(3));
      // The batch before the first one is checked, because the first one continues it.
      expect(at, `byte ${at}`).toBeLessThan(frameOffset(3));
      unread += 1;
    }
    // What only a reader of the first two batches checks.
    expect(unread).toBeGreaterThan(2 * commandBytes);
    expect(read()).toEqual(all.slice(3));
  }
});

/** What it gives, or `damaged`. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(LogDamaged);
    return 'damaged';
  }
}

test('a reader that begins behind the last batch sees that the log ends there', async () => {
  const disk = await written(4, roomy);
  for (const from of [4, 5, 6]) {
    expect([...readBatches(directory, from, undefined, disk)]).toHaveLength(from === 4 ? 1 : 0);
  }
});

test('two damaged frames at the end are more than a torn write and are refused', async () => {
  const disk = await written(4, roomy);
  const bytes = disk.bytesOf(pathOf(1));
  bytes[frameOffset(3) + 100]! ^= 1;
  bytes[frameOffset(4) + 100]! ^= 1;
  await expect(open(disk, roomy)).rejects.toThrow('and so are batches after it');
});

test.each([
  { removed: 1, says: 'segment 0000000000000001.segment is missing' },
  { removed: 5, says: 'batches 5 to 8 before it are missing' },
  { removed: 9, says: 'segment 0000000000000009.segment is missing' },
])('a missing segment is refused: $removed of 1, 5, 9', async ({ removed, says }) => {
  const disk = await written(10, tight);
  disk.remove(pathOf(removed));
  await expect(open(disk, tight)).rejects.toThrow(says);
  expect(() => readAll(disk)).toThrow(LogDamaged);
});

test('a gap is refused', async () => {
  const disk = await written(4, roomy);
  const bytes = disk.bytesOf(pathOf(1));
  bytes.copyWithin(frameOffset(2), frameOffset(3), frameOffset(4));
  await expect(open(disk, roomy)).rejects.toThrow('a hole in the log, batch 3 instead of 2');
});

test('a batch that does not follow its predecessor is refused, even as the last one', async () => {
  const disk = await written(4, roomy);
  const bytes = disk.bytesOf(pathOf(1));
  const stranger = { position: 3, hash: Buffer.alloc(32, 1), time: 3 };
  bytes.set(encodeBatchFrame(Buffer.alloc(frameBytes), stranger, entry(4)), frameOffset(4));
  await expect(open(disk, roomy)).rejects.toThrow("batch 4 does not follow its predecessor's hash");
  expect(() => readAll(disk)).toThrow(LogDamaged);
});

test('a damaged skip record is refused', () => {
  const disk = createMemoryDisk();
  appendSkip(directory, 12, 3, disk);
  disk.bytesOf(`${directory}/skips.txt`)[0] = '7'.charCodeAt(0);
  expect(() => readSkips(directory, disk)).toThrow('line 1 is damaged');
  // Emptied, it would let a command pass that stops the exchange.
  disk.replace(`${directory}/skips.txt`, Buffer.alloc(0));
  expect(() => readSkips(directory, disk)).toThrow('the last line is not whole');
});
