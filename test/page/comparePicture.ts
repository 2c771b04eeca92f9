// Compares pictures with those that are kept. What differs is left in a temporary folder: the new
// picture, and the difference with what is wrong in red.
//
// A browser of the same major version draws the same but for the edges of letters. Another one may
// draw letters and controls otherwise: then a line says so, and more may differ. Layout, colours of
// areas and what is there are judged by every version.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { patienceMs } from './patience.ts';
import {
  type PictureDifference,
  type PictureTolerance,
  pictureDifference,
} from './pictureDifference.ts';

const kept = join(import.meta.dirname, 'pictures');
/** The version of the browser that drew the kept pictures. */
const versionPath = join(kept, 'chromium.txt');

/** `EVERMARK_PICTURES=write` keeps the new pictures instead of comparing them. */
export const writesPictures = process.env.EVERMARK_PICTURES === 'write';

/** What one browser draws otherwise each time. */
export const noise: PictureTolerance = { pixelsMax: 0, colourMax: 0.5 };
/** Less than a letter. */
export const sameMajor: PictureTolerance = { pixelsMax: 25, colourMax: 2 };
/** Three versions apart (147 and 150), no picture that was tried differed by more than a letter. */
const otherMajor: PictureTolerance = { pixelsMax: 400, colourMax: 6 };

/** A page may still be drawing: its picture counts when it has not changed for so long. */
const settledMs = { writing: 1500, first: 20_000, further: 2000 } as const;
const tryAgainMs = 200;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Takes a picture of what is shown now. */
export type TakePicture = () => Promise<Buffer>;

export type PictureComparison = {
  /** Undefined when the picture is as it was, else a sentence that names the file to look at. */
  readonly compare: (name: string, take: TakePicture) => Promise<string | undefined>;
};

/** `version` is that of the browser, for example 156.0.7977.82. */
export function createPictureComparison(version: string): PictureComparison {
  const versionBefore = existsSync(versionPath) ? readFileSync(versionPath, 'utf8').trim() : '';
  if (writesPictures) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(versionPath, `${version}\n`);
    return { compare: keepPicture };
  }
  const isSame = majorOf(version) === majorOf(versionBefore);
  if (!isSame) {
    process.stderr.write(
      `\nPICTURES: they were drawn by Chromium ${versionBefore}, this is ${version}: small ` +
        'differences of letters and controls are not noticed. Look at new ones and keep them: ' +
        'EVERMARK_PICTURES=write npm run vitest -- test/page/pictures.test.ts\n\n',
    );
  }
  const tolerance = isSame ? sameMajor : otherMajor;
  let folder: string | undefined;
  let stillMs: number = settledMs.first;
  return {
    compare: async (name, take) => {
      const path = join(kept, `${name}.png`);
      if (!existsSync(path)) return `${name}: there is no picture to compare with`;
      const before = PNG.sync.read(readFileSync(path));
      const differing = await untilSettled(take, stillMs, (picture) =>
        pictureDifference(before, PNG.sync.read(picture), tolerance),
      );
      if (differing === undefined) return undefined;
      // The run has failed; the others need not be waited for as long.
      stillMs = settledMs.further;
      folder ??= mkdtempSync(join(tmpdir(), 'evermark-pictures-'));
      return leave(join(folder, name), differing);
    },
  };
}

const majorOf = (version: string): string => version.split('.')[0] ?? '';

/** A picture that shows what it showed stays as it is: only what has changed is to be looked at. */
async function keepPicture(name: string, take: TakePicture): Promise<undefined> {
  const path = join(kept, `${name}.png`);
  const settled = await untilSettled(take, settledMs.writing, (picture) => picture);
  const picture = PNG.sync.read(settled!.picture);
  const before = existsSync(path) ? PNG.sync.read(readFileSync(path)) : undefined;
  const isNew = before === undefined || pictureDifference(before, picture, noise) !== undefined;
  if (isNew) writeFileSync(path, smallest(picture));
  return undefined;
}

const isSame = (before: Buffer, now: Buffer): boolean =>
  before.equals(now) ||
  pictureDifference(PNG.sync.read(before), PNG.sync.read(now), noise) === undefined;

type Settled<T> = { readonly picture: Buffer; readonly found: T };

/**
 * Takes pictures until `find` finds nothing in one, then gives undefined, or until they have not
 * changed for a while; then gives the last one and what was found.
 */
async function untilSettled<T>(
  take: TakePicture,
  stillMs: number,
  find: (picture: Buffer) => T | undefined,
): Promise<Settled<T> | undefined> {
  let last: Settled<T> | undefined;
  const beganAt = performance.now();
  for (let changedAt = beganAt; changedAt - beganAt < patienceMs; await pause(tryAgainMs)) {
    const picture = await take();
    if (last === undefined || !isSame(last.picture, picture)) {
      const found = find(picture);
      if (found === undefined) return undefined;
      last = { picture, found };
      changedAt = performance.now();
    } else if (performance.now() - changedAt >= stillMs) return last;
  }
  throw new Error('what is pictured does not come to rest');
}

function leave(path: string, { picture, found }: Settled<PictureDifference>): string {
  writeFileSync(`${path}.png`, picture);
  if (found.drawn !== undefined) {
    writeFileSync(`${path}.difference.png`, PNG.sync.write(found.drawn));
  }
  return `${found.why}; see ${path}.png`;
}

/** Without the channel for transparency; flat areas compress best unfiltered. */
function smallest(picture: PNG): Buffer {
  return PNG.sync.write(picture, {
    colorType: 2,
    deflateLevel: 9,
    filterType: 0,
    deflateStrategy: 0,
  });
}
