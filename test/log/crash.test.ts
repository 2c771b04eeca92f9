// No acknowledged batch is ever lost, wherever the disk dies. Goal: every batch that was reported
// durable, or served after an opening, is there after any crash, in order and unchanged. Method:
// a disk in memory with a random budget of bytes, then a kill or a power loss, many times over.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archiveSegments } from '../../src/log/file/archiveSegments.ts';
import { openFileLog } from '../../src/log/file/openFileLog.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { readLogHead } from '../../src/log/file/readLogHead.ts';
import { appendSkip, readSkips } from '../../src/log/file/skip.ts';
import { type Log, LogDamaged, type LogEntry } from '../../src/log/log.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { createMemoryDisk, type MemoryDisk } from './memoryDisk.ts';

const directory = '/data/log';
const segmentBytes = 2048;

type Run = {
  readonly disk: MemoryDisk;
  readonly prng: Prng;
  /** The last appended batch at each position (from 1). */
  readonly entries: LogEntry[];
  acknowledged: number;
  /** Openings, acknowledgements and archivings: the test must not pass by doing nothing. */
  readonly seen: { opened: number; acknowledged: number; archived: number; lost: number };
};

function randomEntry({ prng }: Run, time: number): LogEntry {
  const size = prng.below(4) === 0 ? prng.below(3000) : prng.below(300);
  const commands = Buffer.alloc(size);
  for (let i = 0; i < size; i += 1) commands[i] = prng.below(256);
  return { time: time + prng.below(5), engineHash: 'c0ffee', count: prng.below(100), commands };
}

/** Checks that the log has the appended batches, at least up to the last acknowledged one. */
function checkLog(run: Run, position: number): void {
  expect(position).toBeGreaterThanOrEqual(run.acknowledged);
  let n = 0;
  for (const batch of readBatches(directory, 1, undefined, run.disk)) {
    n += 1;
    const entry = run.entries[n]!;
    expect(batch).toMatchObject({ position: n, time: entry.time, count: entry.count });
    expectSame(batch.commands.equals(entry.commands), true);
  }
  expectSame(n, position);
  expectSame(readLogHead(directory, run.disk).position, position);
  run.seen.lost += run.entries.length - 1 - position;
  run.entries.length = position + 1;
  // From here it may be served, so it must never go.
  run.acknowledged = position;
}

/** Opens, appends and archives until the disk dies or enough is done. */
async function live(run: Run): Promise<void> {
  const { disk, prng, seen } = run;
  const log: Log = await openFileLog({ directory, segmentBytes, inline: true, disk });
  seen.opened += 1;
  const budget = disk.budget;
  checkLog(run, log.head().position);
  disk.budget = budget;
  let failures = 0;
  log.onFailure(() => {
    failures += 1;
  });
  log.onDurable((head) => {
    seen.acknowledged += 1;
    run.acknowledged = head.position;
  });
  for (let step = prng.below(40); step > 0 && failures === 0; step -= 1) {
    for (let burst = prng.below(3); burst >= 0 && log.ready(); burst -= 1) {
      const entry = randomEntry(run, run.entries.at(-1)?.time ?? 0);
      run.entries[log.append(entry)] = entry;
    }
    await Promise.resolve();
    if (prng.below(12) === 0 && failures === 0) {
      const archived = await archiveSegments(directory, run.acknowledged, { disk });
      seen.archived += archived.length;
    }
  }
  const { position } = log.head();
  expect(position).toBe(run.acknowledged);
  if (prng.below(2) === 0) await log.close();
}

async function crashRepeatedly(seed: number): Promise<Run['seen']> {
  const prng = createPrng(seed);
  const seen = { opened: 0, acknowledged: 0, archived: 0, lost: 0 };
  const zero = { time: 0, engineHash: '', count: 0, commands: Buffer.alloc(0) };
  const disk = createMemoryDisk();
  const run: Run = { disk, prng, entries: [zero], acknowledged: 0, seen };
  for (let life = 0; life < 8; life += 1) {
    disk.budget = prng.below(4) === 0 ? prng.below(6000) : prng.below(40_000);
    if (prng.below(4) === 0) disk.syncFailure = { after: prng.below(20) };
    try {
      await live(run);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EIO') throw error;
    }
    if (prng.below(3) === 0) disk.kill();
    else disk.losePower(prng);
  }
  await live(run);
  return seen;
}

// 2080562664: the spare of a killed process, whose sync had failed, was taken for durable.
// The others: zeros over a torn frame whose sync had failed were taken for durable.
test.each([2080562664, 1779159253, 1355502233])(
  'the log opens after the crashes of seed %i, which once made it unreadable',
  async (seed) => {
    expect((await crashRepeatedly(seed)).opened).toBeGreaterThan(0);
  },
);

// The seed is fixed, so that the same crashes are tried every time.
test('every acknowledged batch survives every crash, in order', async () => {
  const total = { opened: 0, acknowledged: 0, archived: 0, lost: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const seen = await crashRepeatedly(seed);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += seen[key];
    }),
    { numRuns: 75, seed: 20251120 },
  );
  for (const count of Object.values(total)) expect(count).toBeGreaterThan(25);
});

test('a batch from the page cache of a killed process is durable before it is served', async () => {
  const disk = createMemoryDisk();
  const log = await openFileLog({ directory, segmentBytes, inline: true, disk });
  let failure: Error | undefined;
  let durable = 0;
  log.onFailure((error) => {
    failure = error;
  });
  log.onDurable(({ position }) => {
    durable = position;
  });
  disk.syncFailure = { after: 0 };
  log.append({ time: 1, engineHash: '', count: 1, commands: Buffer.from('command') });
  await Promise.resolve();
  expect(failure?.message).toContain('sync failed');
  expect(durable).toBe(0);
  expect(log.ready()).toBe(false);
  expect(() =>
    log.append({ time: 2, engineHash: '', count: 0, commands: Buffer.alloc(0) }),
  ).toThrow('only when the log is ready');
  disk.kill();
  const again = await openFileLog({ directory, segmentBytes, inline: true, disk });
  expect(again.head().position).toBe(1);
  disk.losePower(createPrng(1));
  const last = await openFileLog({ directory, segmentBytes, inline: true, disk });
  expect(last.head()).toEqual(again.head());
});

/** Kills the process `budget` bytes into an append that begins a segment; then the power goes. */
async function interruptBeginning(budget: number, seed: number): Promise<boolean> {
  const disk = createMemoryDisk();
  const open = (): Promise<Log> =>
    openFileLog({ directory, segmentBytes: 1024, inline: true, disk });
  const entry: LogEntry = { time: 1, engineHash: '', count: 1, commands: Buffer.alloc(300, 7) };
  const log = await open();
  log.append(entry);
  log.append(entry);
  await Promise.resolve();
  expectSame(log.head().position, 2);
  let interrupted = false;
  log.onFailure(() => {
    interrupted = true;
  });
  disk.budget = budget;
  log.append(entry);
  await Promise.resolve();
  disk.kill();
  const again = await open();
  const position = again.append(entry);
  await Promise.resolve();
  expectSame(again.head().position, position);
  disk.losePower(createPrng(seed));
  expectSame((await open()).head(), again.head());
  return interrupted;
}

test('a crash may interrupt the beginning of a segment at any point', async () => {
  let interrupted = 0;
  // The zeros are already there: header, names, seal and frame are what the append spends.
  for (let budget = 0; budget < 700; budget += 1) {
    for (let seed = 0; seed < 5; seed += 1) {
      if (await interruptBeginning(budget, seed)) interrupted += 1;
    }
  }
  expect(interrupted).toBeGreaterThan(2000);
  expect(interrupted).toBeLessThan(3500);
});

test('a skip record exists completely or not at all', () => {
  let whole = 0;
  for (let budget = 0; budget < 60; budget += 1) {
    const disk = createMemoryDisk();
    appendSkip(directory, 5, 1, disk);
    disk.budget = budget;
    let done = false;
    try {
      appendSkip(directory, 4, 0, disk);
      done = true;
    } catch (error) {
      expect(error).not.toBeInstanceOf(LogDamaged);
    }
    disk.losePower(createPrng(budget));
    const skips = readSkips(directory, disk);
    if (done || skips.length === 2) {
      whole += 1;
      expect(skips).toEqual([
        { position: 4, index: 0 },
        { position: 5, index: 1 },
      ]);
    } else expect(skips).toEqual([{ position: 5, index: 1 }]);
  }
  expect(whole).toBeGreaterThan(0);
});
