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

const each = (colour: Colour, change: (channel: number, n: number) => number): Colour => {
  const [red, green, blue] = colour.map((channel, n) =>
    Math.min(255, Math.max(0, Math.round(change(channel, n)))),
  ) as [number, number, number];
  return [red, green, blue];
};

type Area = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;

const isIn = ({ left, top, right, bottom }: Area, x: number, y: number): boolean =>
  x >= left && x < right && y >= top && y < bottom;

const buttons: Area = { left: 1145, top: 380, right: 1435, bottom: 428 };
/** Grey names of figures, on the colour of their panel. */
const labels: Area = { left: 1145, top: 445, right: 1260, bottom: 560 };

test('the same picture has no difference', () => {
  expect(changed((x, y, at) => at(x, y))?.why).toBeUndefined();
});

test('softer edges of letters are no difference', () => {
  // Each pixel takes a little of its neighbours, as another rasteriser would spread it.
  const soft = changed((x, y, at) => {
    const [right, below] = [at(x + 1, y), at(x, y + 1)];
    return each(at(x, y), (here, n) => here * 0.94 + (right[n]! + below[n]!) * 0.03);
  });
  expect(soft?.why).toBeUndefined();
});

test('buttons that are a pixel lower are a difference', () => {
  const lower = changed((x, y, at) => (isIn(buttons, x, y) ? at(x, y - 1) : at(x, y)));
  expect(lower?.why).toMatch(/pixels differ/);
});

test('a panel that is three of 255 steps lighter is a difference', () => {
  const lighter = changed((x, y, at) =>
    isIn(labels, x, y) ? each(at(x, y), (channel) => channel + 3) : at(x, y),
  );
  expect(lighter?.why).toMatch(/colours are off by 3/);
});

test('grey text that is an eighth lighter on its panel is a difference', () => {
  const lighter = changed((x, y, at) => {
    const panel = at(labels.left, labels.top);
    if (!isIn(labels, x, y)) return at(x, y);
    return each(at(x, y), (channel, n) => panel[n]! + (channel - panel[n]!) * 1.125);
  });
  expect(lighter?.why).toMatch(/colours are off by/);
});
