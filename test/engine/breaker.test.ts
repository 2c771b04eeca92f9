// The breaker looks back on the lowest and highest mark of each second (PRC-3, PRC-3a). Goal: it
// trips at the marks, and keeps the seconds, that every single mark kept would say. Method: drawn
// marks at drawn times, many of them on the bounds of a second and of the window.

import { expect, test } from 'vitest';
import type { MarkRange } from '../../src/engine/market.ts';
import { stepBreaker } from '../../src/engine/pricing/breaker.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Ticks, Time } from '../../src/units/units.ts';

type Mark = { readonly second: number; readonly ticks: number };

/** The ranges of the seconds of the marks, in the order of time. */
function rangesOf(marks: readonly Mark[]): MarkRange[] {
  return [...new Set(marks.map(({ second }) => second))].map((second) => {
    const own = marks.filter((mark) => mark.second === second).map(({ ticks }) => ticks);
    return { second, low: Math.min(...own) as Ticks, high: Math.max(...own) as Ticks };
  });
}

const steps = [1, 250, 250, 250, 749, 750, 999, 1000, 1001, 59_000, 60_000, 60_999];

test('PRC-3 PRC-3a the breaker agrees with a simple list of all marks', () => {
  const prng = createPrng(1);
  let now = 1_760_000_000_000;
  let ticks = 1000;
  let ranges: readonly MarkRange[] = [];
  let marks: Mark[] = [];
  let trips = 0;
  for (let step = 0; step < 4000; step += 1) {
    now += steps[prng.below(prng.below(4) === 0 ? steps.length : 4)]!;
    ticks = Math.max(100, ticks + prng.below(41) - 20);
    const second = Math.floor(now / 1000);
    marks = marks.filter((mark) => mark.second >= second - 60);
    const tripped = marks.some(
      (mark) => ticks * 10 > mark.ticks * 11 || ticks * 10 < mark.ticks * 9,
    );
    marks = [...(tripped ? [] : marks), { second, ticks }];
    const stepped = stepBreaker(ranges, ticks as Ticks, now as Time);
    expect(stepped).toEqual({ marks: rangesOf(marks), tripped });
    ranges = stepped.marks;
    if (tripped) trips += 1;
  }
  expect(trips).toBeGreaterThan(20);
});
