// The log on the machine's disk: round trip by thread and inline, segments, the lock, the archive.
// crash.test.ts tests crashes, damage.test.ts tests damage.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { archiveSegments } from '../../src/log/file/archiveSegments.ts';
import { DirectoryInUse, lockDirectory } from '../../src/log/file/lockDirectory.ts';
import { openFileLog } from '../../src/log/file/openFileLog.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { readLogHead } from '../../src/log/file/readLogHead.ts';
import { appendSkip, readSkips } from '../../src/log/file/skip.ts';
import {
  batchBytesMax,
  batchesInFlightMax,
  type Log,
  LogDamaged,
  type LogEntry,
  type LogHead,
} from '../../src/log/log.ts';
import { fileDisk } from '../../src/std/disk.ts';

const engineHash = 'ab'.repeat(32);
const segmentBytes = 4096;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'evermark-log-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The n-th entry: its bytes and its time are functions of n. */
function entry(n: number, bytes = 40 + (n % 50)): LogEntry {
  const commands = Buffer.alloc(bytes, n % 251);
  return { time: 1_700_000_000_000 + n, engineHash, count: n % 7, commands };
}

/** Appends entries `from`..`to` and waits until the last is durable. */
async function appendAll(log: Log, from: number, to: number, make = entry): Promise<LogHead> {
  let next = from;
  return new Promise((resolve, reject) => {
    const pump = (): void => {
      while (next <= to && log.ready()) {
        expect(log.append(make(next))).toBe(next);
        next += 1;
      }
    };
    log.onFailure(reject);
    log.onDurable((head) => {
      expect(log.head()).toBe(head);
      if (head.position === to) resolve(head);
      else pump();
    });
    pump();
  });
}

function expectEntries(from: number, to: number, make = entry): void {
  let n = from;
  for (const batch of readBatches(directory, from, to)) {
    const expected = make(n);
    expect(batch.position).toBe(n);
    expect(batch).toMatchObject({ time: expected.time, engineHash, count: expected.count });
    expect(batch.commands.equals(expected.commands)).toBe(true);
    n += 1;
  }
  expect(n).toBe(to + 1);
}

describe.each([{ inline: false }, { inline: true }])('the log, %o', ({ inline }) => {
  test('returns over many segments and openings all appended batches, in one chain', async () => {
    let position = 0;
    for (const count of [1, 120, 0, 75]) {
      const log = await openFileLog({ directory, segmentBytes, inline });
      expect(log.head().position).toBe(position);
      if (count > 0) {
        const head = await appendAll(log, position + 1, position + count);
        position += count;
        expect(head.time).toBe(entry(position).time);
      }
      const { hash } = log.head();
      await log.close();
      expect(readLogHead(directory)).toMatchObject({ position, hash });
    }
    expectEntries(1, 196);
    expectEntries(97, 140);
    let previousHash: Buffer = Buffer.alloc(32);
    for (const batch of readBatches(directory, 1)) {
      expect(batch.previousHash.equals(previousHash)).toBe(true);
      previousHash = batch.hash;
    }
    const segments = readdirSync(directory).filter((name) => /^\d+\.segment$/.test(name));
    expect(segments.length).toBeGreaterThan(5);
  });

  test('gives a batch larger than a segment its own segment', async () => {
    const make = (n: number): LogEntry => entry(n, n % 3 === 0 ? 10_000 + n : 100);
    const log = await openFileLog({ directory, segmentBytes, inline });
    await appendAll(log, 1, 10, make);
    await log.close();
    const again = await openFileLog({ directory, segmentBytes, inline });
    await appendAll(again, 11, 20, make);
    await again.close();
    expectEntries(1, 20, make);
  });

  test('accepts the largest batch and faults on a larger one', async () => {
    const make = (n: number): LogEntry => entry(n, batchBytesMax);
    const log = await openFileLog({ directory, segmentBytes, inline });
    await appendAll(log, 1, 2, make);
    expect(() => log.append(entry(3, batchBytesMax + 1))).toThrow('at most batchBytesMax');
    await log.close();
    expectEntries(1, 2, make);
  });

  test('accepts a bounded number of batches in flight and acknowledges after the append', async () => {
    const log = await openFileLog({ directory, segmentBytes, inline });
    let acknowledged = 0;
    log.onDurable((head) => {
      acknowledged = head.position;
    });
    for (let n = 1; n <= batchesInFlightMax; n += 1) {
      expect(log.ready()).toBe(true);
      log.append(entry(n));
    }
    expect(acknowledged).toBe(0);
    expect(log.ready()).toBe(false);
    expect(() => log.append(entry(9))).toThrow('only when the log is ready');
    await log.close();
    expect(acknowledged).toBe(batchesInFlightMax);
    expect(log.ready()).toBe(false);
    expectEntries(1, batchesInFlightMax);
  });

  test('faults when time goes backwards', async () => {
    const log = await openFileLog({ directory, segmentBytes, inline });
    await appendAll(log, 1, 1);
    expect(() => log.append({ ...entry(2), time: 5 })).toThrow('time runs forward');
    await log.close();
  });

  test('refuses a second process until the first one closes it', async () => {
    const log = await openFileLog({ directory, segmentBytes, inline });
    await expect(openFileLog({ directory, segmentBytes, inline })).rejects.toThrow(DirectoryInUse);
    await expect(openFileLog({ directory, segmentBytes, inline })).rejects.toThrow(directory);
    await log.close();
    await (await openFileLog({ directory, segmentBytes, inline })).close();
  });

  test('refuses damage with its reason, and releases the directory', async () => {
    const log = await openFileLog({ directory, segmentBytes, inline });
    await appendAll(log, 1, 100);
    await log.close();
    const [, second = ''] = readdirSync(directory).filter((name) => /^0/.test(name));
    const lost = readFileSync(join(directory, second));
    rmSync(join(directory, second));
    const refused = openFileLog({ directory, segmentBytes, inline });
    await expect(refused).rejects.toThrow(LogDamaged);
    await expect(refused).rejects.toThrow('are missing');
    writeFileSync(join(directory, second), lost);
    const again = await openFileLog({ directory, segmentBytes, inline });
    expect(again.head().position).toBe(100);
    await again.close();
  });

  test('rejects with the code of the disk that cannot be read', async () => {
    mkdirSync(join(directory, '0000000000000001.segment'));
    const refused = openFileLog({ directory, segmentBytes, inline });
    await expect(refused).rejects.toMatchObject({ code: 'EISDIR' });
    rmSync(join(directory, '0000000000000001.segment'), { recursive: true });
    await (await openFileLog({ directory, segmentBytes, inline })).close();
  });
});

test('readers follow the log while a thread writes it', async () => {
  const log = await openFileLog({ directory, segmentBytes });
  let read = 0;
  const done = appendAll(log, 1, 500);
  while (read < 500) {
    for (const batch of readBatches(directory, read + 1)) {
      read += 1;
      expect(batch.position).toBe(read);
      expect(batch.time).toBe(entry(read).time);
    }
    await new Promise(setImmediate);
  }
  await done;
  await log.close();
});

test('a writer thread that cannot write reports it once and acknowledges nothing further', async () => {
  const log = await openFileLog({ directory, segmentBytes });
  await appendAll(log, 1, 3);
  rmSync(directory, { recursive: true });
  const failures: Error[] = [];
  const failed = new Promise<void>((resolve) => {
    log.onFailure((error) => {
      failures.push(error);
      resolve();
    });
  });
  let acknowledged = 3;
  log.onDurable(({ position }) => {
    acknowledged = position;
  });
  // The segment in use is still open and takes batches; the next one cannot be made.
  for (let n = 4; failures.length === 0; await new Promise(setImmediate)) {
    for (; log.ready(); n += 1) log.append(entry(n));
    if (n > 100) await failed;
  }
  expect(failures).toHaveLength(1);
  expect(failures[0]!.message).toMatch(/the log can no longer be written: ENOENT/);
  expect(log.ready()).toBe(false);
  expect(log.head().position).toBe(acknowledged);
  await log.close();
  expect(failures).toHaveLength(1);
  expect(log.head().position).toBe(acknowledged);
});

test('lockDirectory gives a directory to one holder and names the holder to the next process', () => {
  const lock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(`${directory} is in use by another process`);
  lock.release();
  lockDirectory(directory).release();
});

test('skip records are durable, sorted, and unique', () => {
  expect(readSkips(directory)).toEqual([]);
  appendSkip(directory, 7, 2);
  appendSkip(directory, 3, 0);
  appendSkip(directory, 7, 2);
  appendSkip(directory, 7, 1);
  expect(readSkips(directory)).toEqual([
    { position: 3, index: 0 },
    { position: 7, index: 1 },
    { position: 7, index: 2 },
  ]);
});

test('archived segments read like live ones, and the log continues after them', async () => {
  const log = await openFileLog({ directory, segmentBytes });
  await appendAll(log, 1, 100);
  const archived = await archiveSegments(directory, 60);
  expect(archived.length).toBeGreaterThan(1);
  expect(Math.max(...archived)).toBeLessThan(60);
  expectEntries(1, 100);
  expectEntries(5, 70);
  await appendAll(log, 101, 110);
  await log.close();
  const again = await openFileLog({ directory, segmentBytes });
  await appendAll(again, 111, 120);
  // Everything full goes, the segment in use stays.
  await archiveSegments(directory, Number.MAX_SAFE_INTEGER);
  await again.close();
  expect(readdirSync(directory).filter((name) => /^\d+\.segment$/.test(name))).toHaveLength(1);
  expectEntries(1, 120);
  await (await openFileLog({ directory, segmentBytes })).close();
});

test('the disk reports its free space', () => {
  expect(fileDisk.freeBytes(directory)).toBeGreaterThan(0);
});
