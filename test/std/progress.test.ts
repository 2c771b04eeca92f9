// The line that says how far long work is: at a terminal only, and with the time that is left once
// the pace is known.

import { expect, test } from 'vitest';
import { createProgress } from '../../src/std/progress.ts';

function opened(isTTY: boolean, total: number) {
  const written: string[] = [];
  let now = 0;
  const terminal = { isTTY, write: (text: string) => written.push(text) };
  const progress = createProgress({ what: 'verify', total, terminal, elapsed: () => now });
  const reach = (at: number, done: number): void => {
    now = at;
    progress.reached(done);
  };
  return { progress, reach, written };
}

const eraseLine = '\r\x1b[2K';

test('a terminal shows the finished part and the remaining time', () => {
  const { progress, reach, written } = opened(true, 1000);
  reach(100, 10);
  // Too soon after the last line, then too soon to know the pace.
  expect(written).toEqual([]);
  reach(1000, 50);
  reach(1100, 60);
  reach(10_000, 250);
  reach(100_000, 500);
  progress.end();
  progress.end();
  expect(written).toEqual([
    `${eraseLine}verify:   5 %`,
    `${eraseLine}verify:  25 %, 30 s left`,
    `${eraseLine}verify:  50 %, 1 min 40 s left`,
    eraseLine,
  ]);
});

test('nothing is written without a terminal, nor for work without an end', () => {
  for (const { progress, reach, written } of [opened(false, 1000), opened(true, 0)]) {
    reach(10_000, 500);
    progress.end();
    expect(written).toEqual([]);
  }
});
