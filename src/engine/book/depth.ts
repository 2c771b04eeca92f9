// The book as its readers see it: prices and sums, no orders.

import { assert } from '../../std/assert.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import { bestLevel, type Ladder, levelAfter } from './ladder.ts';

/** At most `levelsMax` prices of one side with their live lots, best first. */
export function depthOf(ladder: Ladder, levelsMax: number): [Ticks, Lots][] {
  assert(levelsMax >= 0, 'a depth has no negative length');
  const depth: [Ticks, Lots][] = [];
  let level = bestLevel(ladder);
  while (level !== undefined && depth.length < levelsMax) {
    if (level.lots > 0) depth.push([level.ticks, level.lots]);
    level = levelAfter(ladder, level);
  }
  return depth;
}
