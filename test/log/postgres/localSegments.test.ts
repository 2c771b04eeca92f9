// Goal: local segments whose files a crash of the machine has damaged in any way become a beginning
// of the log again, which can be continued. Method: seeded damage to segments of a known log.

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveSegments } from '../../../src/log/file/archiveSegments.ts';
import { openLogReader } from '../../../src/log/file/openLogReader.ts';
import {
  type LocalSegments,
  openLocalSegments,
} from '../../../src/log/postgres/openLocalSegments.ts';
import { fileDisk } from '../../../src/std/disk.ts';
import { createPrng, type Prng } from '../../../src/std/prng.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { entryOf } from './openServers.ts';

const segmentBytes = 4096;
const batches = 120;

const entryAt = (position: number) =>
  entryOf(`batch ${position} `.repeat(1 + (position % 7)), position);

function open(directory: string, reports: string[] = []): LocalSegments {
  return openLocalSegments({ directory, segmentBytes, report: (text) => reports.push(text) });
}

/** Fills a directory, and gives the hash of each batch. */
function fill(directory: string): Map<number, string> {
  const segments = open(directory);
  const hashes = new Map<number, string>();
  for (let position = 1; position <= batches; position += 1) {
    hashes.set(position, segments.append(entryAt(position)).hash.toString('hex'));
  }
  segments.close();
  return hashes;
}

function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, name.name), join(to, name.name)];
    if (name.isDirectory()) copyAll(source, target);
    else copyFileSync(source, target);
  }
}

/** What a crash may leave of files that were never synced. */
function damage(directory: string, prng: Prng): void {
  const names = readdirSync(directory).filter((name) => name.endsWith('.segment'));
  const path = join(directory, names[prng.below(names.length)]!);
  const kind = prng.below(5);
  if (kind === 0) rmSync(path);
  else if (kind === 1) truncateSync(path, prng.below(segmentBytes));
  else {
    const offset = 8 * prng.below(segmentBytes / 8);
    const length = Math.min(segmentBytes - offset, kind === 2 ? segmentBytes : 8 + prng.below(256));
    const bytes = Buffer.alloc(length);
    if (kind === 4) for (let at = 0; at < length; at += 1) bytes[at] = prng.below(256);
    const file = fileDisk.openFile(path, 'write');
    fileDisk.writeAt(file, bytes, offset);
    fileDisk.closeFile(file);
  }
}

function expectBeginning(directory: string, hashes: ReadonlyMap<number, string>): number {
  let last = 0;
  for (const { position, hash } of openLogReader(directory).read(1)) {
    expect(hash.toString('hex')).toBe(hashes.get(position));
    expect(position).toBe(last + 1);
    last = position;
  }
  return last;
}

test('damaged segments are cut to a beginning of the log, and continued to the same hashes', async () => {
  using place = createTemporaryDirectory();
  const whole = join(place.path, 'whole');
  const hashes = fill(whole);
  await archiveSegments(whole, 40);
  const prng = createPrng(20_261_123);
  const lasts = new Set<number>();
  let reported = 0;
  for (let round = 0; round < 60; round += 1) {
    const directory = join(place.path, String(round));
    copyAll(whole, directory);
    for (let count = 1 + prng.below(3); count > 0; count -= 1) damage(directory, prng);
    const reports: string[] = [];
    const segments = open(directory, reports);
    reported += reports.length;
    const { position } = segments.head();
    lasts.add(position);
    for (let next = position + 1; next <= batches; next += 1) {
      const { hash } = segments.append(entryAt(next));
      expect(hash.toString('hex')).toBe(hashes.get(next));
    }
    segments.close();
    expect(expectBeginning(directory, hashes)).toBe(batches);
    expect(open(directory).head().position).toBe(batches);
    rmSync(directory, { recursive: true });
  }
  // The damage was of many kinds: some cut little, some everything.
  expect(lasts.size).toBeGreaterThan(15);
  expect(reported).toBeGreaterThan(20);
});

test('whole segments are not touched, and nothing is reported', () => {
  using place = createTemporaryDirectory();
  const hashes = fill(place.path);
  const reports: string[] = [];
  const segments = open(place.path, reports);
  expect(segments.head().hash.toString('hex')).toBe(hashes.get(batches));
  segments.close();
  expect(reports).toEqual([]);
});

test('an archive alone is continued behind its end; a gap and a changed byte are refused', async () => {
  using place = createTemporaryDirectory();
  const whole = join(place.path, 'whole');
  const hashes = fill(whole);
  const archived = (await archiveSegments(whole, batches)).at(-1)!;
  for (const name of readdirSync(whole).filter((each) => each.endsWith('.segment'))) {
    rmSync(join(whole, name));
  }
  const copy = (name: string): string => {
    const directory = join(place.path, name);
    copyAll(whole, directory);
    return directory;
  };
  const sound = copy('sound');
  const segments = open(sound);
  expect(segments.head().position).toBe(archived);
  expect(segments.append(entryAt(archived + 1)).hash.toString('hex')).toBe(
    hashes.get(archived + 1),
  );
  segments.close();
  expect(expectBeginning(sound, hashes)).toBe(archived + 1);

  const names = readdirSync(join(whole, 'archive'));
  const gap = copy('gap');
  rmSync(join(gap, 'archive', names[2]!));
  expect(() => open(gap)).toThrow(/the segment with batch \d+ is missing: type "evermark cluster/);
  const changed = copy('changed');
  const path = join(changed, 'archive', names[1]!);
  const bytes = readFileSync(path);
  bytes[100]! ^= 1;
  writeFileSync(path, bytes);
  expect(() => open(changed)).toThrow(/evermark cluster fetch ARCHIVE/);
  // Nothing of it was removed or moved.
  expect(readdirSync(join(changed, 'archive'))).toEqual(names);
});
