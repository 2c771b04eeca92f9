// The file of skip records: commands that stopped the process and that every replica skips. One
// line each, `position index checksum`. The file is replaced as a whole, so it is never torn.

import { join } from 'node:path';
import { assert } from '../../std/assert.ts';
import { crc32c } from '../../std/crc32c.ts';
import { type Disk, fileDisk } from '../../std/disk.ts';
import { readWholeFile } from '../../std/readWholeFile.ts';
import { writeDurably } from '../../std/writeDurably.ts';
import { LogDamaged } from '../log.ts';

/**
 * The command at `index` (from 0) of the batch at `position`. The log knows no other meaning of an
 * index; readers of the records may (replica/skipIndex.ts).
 */
export type Skip = { readonly position: number; readonly index: number };

const skipsName = 'skips.txt';

/** All skip records, by position, then index. Throws `LogDamaged` when a line is damaged. */
export function readSkips(directory: string, disk: Disk = fileDisk): Skip[] {
  const path = join(directory, skipsName);
  if (!disk.exists(path)) return [];
  const lines = readWholeFile(disk, path).toString('latin1').split('\n');
  // A file without a record is never written, so a file that lost all its records counts as
  // damaged.
  if (lines.pop() !== '' || lines.length === 0) {
    throw new LogDamaged(`${path}: the last line is not whole`);
  }
  return lines.map((line, number) => {
    const match = /^(\d{1,16}) (\d{1,10}) ([0-9a-f]{8})$/.exec(line);
    const skip = { position: Number(match?.[1]), index: Number(match?.[2]) };
    if (match === null || formatSkip(skip) !== line) {
      throw new LogDamaged(`${path}: line ${number + 1} is damaged`);
    }
    return skip;
  });
}

/** Adds a skip record durably; adding it again changes nothing. The log must be at rest. */
export function appendSkip(
  directory: string,
  position: number,
  index: number,
  disk: Disk = fileDisk,
): void {
  assert(Number.isSafeInteger(position) && position > 0, 'positions begin with 1');
  assert(Number.isSafeInteger(index) && index >= 0 && index < 2 ** 32, 'indexes begin with 0');
  const skips = readSkips(directory, disk);
  if (skips.some((skip) => skip.position === position && skip.index === index)) return;
  writeSkips(directory, [...skips, { position, index }], disk);
}

/** Makes the skip records equal to these, durably. */
export function replaceSkips(
  directory: string,
  skips: readonly Skip[],
  disk: Disk = fileDisk,
): void {
  disk.makeDirectory(directory);
  const path = join(directory, skipsName);
  if (skips.length > 0) writeSkips(directory, skips, disk);
  else if (disk.exists(path)) disk.remove(path);
  disk.syncDirectory(directory);
}

function writeSkips(directory: string, records: readonly Skip[], disk: Disk): void {
  const skips = records.toSorted((a, b) => a.position - b.position || a.index - b.index);
  const path = join(directory, skipsName);
  writeDurably(disk, path, Buffer.from(skips.map((skip) => `${formatSkip(skip)}\n`).join('')));
  disk.syncDirectory(directory);
}

function formatSkip({ position, index }: Skip): string {
  const text = `${position} ${index}`;
  return `${text} ${crc32c(Buffer.from(text)).toString(16).padStart(8, '0')}`;
}
