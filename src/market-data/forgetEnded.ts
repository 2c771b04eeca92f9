// Forgetting of ended orders and triggers that history has: only in the replica that trades, for
// the views of the others become snapshots.

import { forgetOldest } from './rowRing.ts';
import type { Views } from './views.ts';

/** So many of each stay, whatever history has: most questions are about what ended just now. */
const keptRows = 10_000;

/** Forgets those that ended before `time`, but for the last ones. */
export function forgetEndedBefore({ endedOrders, endedTriggers }: Views, time: number): void {
  forgetOldest(endedOrders, keptRows, ({ updatedAt }) => updatedAt < time);
  forgetOldest(endedTriggers, keptRows, ({ updatedAt }) => updatedAt < time);
}
