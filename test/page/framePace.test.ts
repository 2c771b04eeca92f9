// What messages change is drawn together, in the very next frame after a rest, and not in every
// frame while messages go on.

import { expect, test } from 'vitest';
import { createFramePace, drawnEveryMs } from '../../src/page/state/framePace.ts';

/** A platform whose frames come every 16 ms, when the test lets time pass. */
function openPlatform() {
  let now = 1000;
  const timers: { readonly at: number; readonly step: () => void }[] = [];
  let frames: (() => void)[] = [];
  const beforeFrame = createFramePace({
    nextFrame: (step) => void frames.push(step),
    now: () => now,
    after: (milliseconds, step) => {
      timers.push({ at: now + milliseconds, step });
      return () => {};
    },
  });
  const passFrame = (): void => {
    now += 16;
    for (const due of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(due), 1);
      due.step();
    }
    const planned = frames;
    frames = [];
    for (const step of planned) step();
  };
  return { beforeFrame, passFrame, now: () => now };
}

test('after a rest all that waits is drawn in the next frame', () => {
  const { beforeFrame, passFrame } = openPlatform();
  const drawn: string[] = [];
  beforeFrame(() => drawn.push('book'));
  beforeFrame(() => drawn.push('trades'));
  expect(drawn).toEqual([]);
  passFrame();
  expect(drawn).toEqual(['book', 'trades']);
});

test('while messages go on, frames are drawn in the pace of the page, and the last one is drawn', () => {
  const { beforeFrame, passFrame, now } = openPlatform();
  const drawnAt: number[] = [];
  let isPlanned = false;
  let [last, shown] = [0, 0];
  for (let message = 1; message <= 100; message += 1) {
    last = message;
    if (!isPlanned) {
      isPlanned = true;
      beforeFrame(() => {
        isPlanned = false;
        shown = last;
        drawnAt.push(now());
      });
    }
    passFrame();
  }
  for (let frame = 0; frame < 4; frame += 1) passFrame();
  expect(shown).toBe(100);
  const pauses = drawnAt.slice(1).map((at, index) => at - drawnAt[index]!);
  // Whole frames: four fit into the pace.
  expect(new Set(pauses)).toEqual(new Set([64]));
  expect(Math.abs(64 - drawnEveryMs)).toBeLessThan(5);
});

test('what a step asks for comes in a later frame', () => {
  const { beforeFrame, passFrame } = openPlatform();
  let drawn = 0;
  beforeFrame(() =>
    beforeFrame(() => {
      drawn += 1;
    }),
  );
  passFrame();
  expect(drawn).toBe(0);
  for (let frame = 0; frame < 4; frame += 1) passFrame();
  expect(drawn).toBe(1);
});
