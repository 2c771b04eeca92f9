// What the comparison of pictures notices, shown on a kept one: softer edges pass, a colour or a
// place that has slipped does not.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { sameMajor } from './comparePicture.ts';
import { pictureDifference } from './pictureDifference.ts';

const kept = readFileSync(join(import.meta.dirname, 'pictures/desktop-dark-trading.png'));

type Colour = readonly [number, number, number];

/** The kept picture with every pixel made anew from its place. */
function changed(colourAt: (x: number, y: number, at: (x: number, y: number) => Colour) => Colour) {
  const before = PNG.sync.read(kept);
  const { width, height, data } = before;
  const at = (x: number, y: number): Colour => {
    const place = (Math.min(height - 1, y) * width + Math.min(width - 1, x)) * 4;
    return [data[place]!, data[place + 1]!, data[place + 2]!];
  };
  const now = new PNG({ width, height });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      now.data.set([...colourAt(x, y, at), 255], (y * width + x) * 4);
    }
  }
  return pictureDifference(before, now, sameMajor);
}

const isBetween = (x: number, from: number, to: number): boolean => x >= from && x < to;

test('the same picture has no difference', () => {
  expect(changed((x, y, at) => at(x, y))?.why).toBeUndefined();
});

test('softer edges of letters are no difference', () => {
  // Each pixel takes a little of its neighbours, as another rasteriser would spread it.
  const soft = changed((x, y, at) => {
    const [here, right, below] = [at(x, y), at(x + 1, y), at(x, y + 1)];
    return here.map((each, n) => Math.round(each * 0.94 + (right[n]! + below[n]!) * 0.03)) as never;
  });
  expect(soft?.why).toBeUndefined();
});

test.each([
  [
    'a button a pixel lower',
    (x: number, y: number) => isBetween(x, 1100, 1440) && isBetween(y, 300, 380),
    1,
  ],
] as const)('%s is a difference', (_, isIn, by) => {
  expect(changed((x, y, at) => (isIn(x, y) ? at(x, y - by) : at(x, y)))?.why).toMatch(/differ/);
});

test('a panel in a colour that is three steps lighter is a difference', () => {
  const panel = changed((x, y, at) =>
    isBetween(x, 20, 120) && isBetween(y, 100, 200)
      ? (at(x, y).map((each) => each + 3) as never)
      : at(x, y),
  );
  expect(panel?.why).toMatch(/colours are off by 3/);
});

test('grey text that is an eighth lighter is a difference', () => {
  const text = changed(
    (x, y, at) => at(x, y).map((each) => Math.min(255, Math.round(each * 1.125))) as never,
  );
  expect(text?.why).toBeDefined();
});
