// The book as its readers see it: prices and sums, no orders.

import { assert } from '../../std/assert.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import type { Side } from '../orderTypes.ts';
import { bestLevel, type Ladder, levelAfter } from './ladder.ts';
import { crosses } from './sweep.ts';

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

/**
 * How many live orders an order of the other side would meet within `limit` until `enough` lots are
 * filled: at most `ordersMax`. Cost: the orders that are counted.
 */
export function ordersWithin(
  ladder: Ladder,
  limit: Ticks,
  { enough, ordersMax }: { readonly enough: Lots; readonly ordersMax: number },
): number {
  const side = -ladder.side as Side;
  let left: number = enough;
  let orders = 0;
  let level = bestLevel(ladder);
  while (level !== undefined && left > 0 && crosses(side, level.ticks, limit)) {
    let order = level.lots > 0 ? level.first : null;
    while (order !== null && left > 0) {
      if (orders === ordersMax) return orders;
      if (order.open > 0) orders += 1;
      left -= order.open;
      order = order.next;
    }
    level = levelAfter(ladder, level);
  }
  return orders;
}

/** Live lots, and the number of levels read to find them. */
export type Within = { readonly lots: Lots; readonly levels: number };

/**
 * The live lots that an order of the other side would meet within `limit`, or a part of them that
 * reaches `enough`.
 */
export function lotsWithin(ladder: Ladder, limit: Ticks, enough: Lots): Within {
  let lots = 0;
  let levels = 0;
  let level = bestLevel(ladder);
  const side = -ladder.side as Side;
  while (level !== undefined && lots < enough && crosses(side, level.ticks, limit)) {
    lots += level.lots;
    levels += 1;
    level = levelAfter(ladder, level);
  }
  return { lots: lots as Lots, levels };
}
