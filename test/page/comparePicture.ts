// Compares a picture with the one that is kept. What differs is left in a temporary folder: the new
// picture, and the difference with what is wrong in red.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const kept = join(import.meta.dirname, 'pictures');

/** How far a colour may be off, 0 to 1; edges that are drawn softer do not count. */
const threshold = 0.15;
/** Pixels that may differ: less than one letter. */
const differingMax = 25;

/** `EVERMARK_PICTURES=write` keeps the new pictures instead of comparing them. */
export const writesPictures = process.env.EVERMARK_PICTURES === 'write';

let folder: string | undefined;

/** A page may still be drawing: it has so many tries, so far apart. */
const triesMax = 20;
const tryAgainMs = 300;
/** A picture that is kept is taken when nothing has changed for a while. */
const settledMs = 1500;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Undefined when the picture is as it was, else a sentence that names the file to look at. */
export async function comparePicture(
  name: string,
  take: () => Promise<Buffer>,
): Promise<string | undefined> {
  const path = join(kept, `${name}.png`);
  if (writesPictures) {
    await pause(settledMs);
    mkdirSync(kept, { recursive: true });
    writeFileSync(path, smallest(await take()));
    return undefined;
  }
  const before = existsSync(path) ? PNG.sync.read(readFileSync(path)) : undefined;
  if (before === undefined) return leave(name, await take(), 'there is no picture to compare with');
  for (let tries = 1; ; tries += 1) {
    const picture = await take();
    const difference = differenceOf(before, PNG.sync.read(picture));
    if (difference === undefined) return undefined;
    if (tries < triesMax) await pause(tryAgainMs);
    else return leave(name, picture, difference.why, difference.drawn);
  }
}

type Difference = { readonly why: string; readonly drawn?: PNG };

function differenceOf(before: PNG, now: PNG): Difference | undefined {
  const { width, height } = now;
  if (before.width !== width || before.height !== height) {
    return { why: `${before.width} × ${before.height} before, ${width} × ${height} now` };
  }
  const drawn = new PNG({ width, height });
  const count = pixelmatch(before.data, now.data, drawn.data, width, height, { threshold });
  return count > differingMax ? { why: `${count} pixels differ`, drawn } : undefined;
}

function leave(name: string, picture: Buffer, why: string, drawn?: PNG): string {
  const path = join(folderOf(), `${name}.png`);
  writeFileSync(path, picture);
  if (drawn !== undefined) {
    writeFileSync(join(folderOf(), `${name}.difference.png`), PNG.sync.write(drawn));
  }
  return `${name}: ${why}; see ${path}`;
}

function folderOf(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'evermark-pictures-'));
  return folder;
}

/** Without the channel for transparency; flat areas compress best unfiltered. */
function smallest(picture: Buffer): Buffer {
  return PNG.sync.write(PNG.sync.read(picture), {
    colorType: 2,
    deflateLevel: 9,
    filterType: 0,
    deflateStrategy: 0,
  });
}
