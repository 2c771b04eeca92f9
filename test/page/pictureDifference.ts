// How a picture differs from the one that is kept. Edges may be drawn softer or harder: releases of
// a browser do so. Nothing may stand elsewhere, and nothing may have another colour.

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

export type PictureDifference = {
  /** A sentence's end: what is wrong. */
  readonly why: string;
  /** The new picture with what is wrong in red; none when the sizes differ. */
  readonly drawn?: PNG;
};

export type PictureTolerance = {
  /** Pixels with another colour that are not the soft edge of something: at most so many. */
  readonly pixelsMax: number;
  /** How far the average colour of a square may be off, in steps of 0 to 255. */
  readonly colourMax: number;
};

/** Two colours are as far apart as 30 of 255 steps of grey: less is left to the average colour. */
const threshold = 0.12;
/** Pixels; about the size of a letter, so that its soft edges nearly cancel out. */
const square = 8;

/** Undefined when the pictures show the same. */
export function pictureDifference(
  before: PNG,
  now: PNG,
  { pixelsMax, colourMax }: PictureTolerance,
): PictureDifference | undefined {
  const { width, height } = now;
  if (before.width !== width || before.height !== height) {
    return { why: `${before.width} × ${before.height} before, ${width} × ${height} now` };
  }
  if (before.data.equals(now.data)) return undefined;
  const drawn = new PNG({ width, height });
  const pixels = pixelmatch(before.data, now.data, drawn.data, width, height, { threshold });
  if (pixels > pixelsMax) return { why: `${pixels} pixels differ`, drawn };
  const off = offSquare(before, now, colourMax);
  if (off === undefined) return undefined;
  const { left, top, by } = off;
  return { why: `its colours are off by ${by.toFixed(1)} at ${left}, ${top}`, drawn };
}

type OffSquare = { readonly left: number; readonly top: number; readonly by: number };

/** The square whose average colour is off by most, if that is too much. */
function offSquare(before: PNG, now: PNG, colourMax: number): OffSquare | undefined {
  let worst: OffSquare | undefined;
  for (let top = 0; top < now.height; top += square) {
    for (let left = 0; left < now.width; left += square) {
      const by = colourOff(before, now, { left, top });
      if (by > (worst?.by ?? colourMax)) worst = { left, top, by };
    }
  }
  return worst;
}

/** How far the average colour of a square is off, in the channel that is off by most. */
function colourOff(
  before: PNG,
  now: PNG,
  { left, top }: { readonly left: number; readonly top: number },
): number {
  const { width, height } = now;
  const [right, bottom] = [Math.min(width, left + square), Math.min(height, top + square)];
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      sums[0] += now.data[at]! - before.data[at]!;
      sums[1] += now.data[at + 1]! - before.data[at + 1]!;
      sums[2] += now.data[at + 2]! - before.data[at + 2]!;
    }
  }
  const count = (right - left) * (bottom - top);
  return Math.max(...sums.map((sum) => Math.abs(sum) / count));
}
