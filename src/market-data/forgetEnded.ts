// Drops ended orders and triggers that history has. Only the replica that trades does so, because
// the views of the other replicas become snapshots.

import { forgetOldest } from './rowRing.ts';
import type { Views } from './views.ts';

/**
 * So many of each stay even when history has them: most questions are about what has just ended.
 */
const keptRows = 10_000;

/** Drops those that ended before `time`, except the last ones. */
export function forgetEndedBefore({ endedOrders, endedTriggers }: Views, time: number): void {
  forgetOldest(endedOrders, keptRows, ({ updatedAt }) => updatedAt < time);
  forgetOldest(endedTriggers, keptRows, ({ updatedAt }) => updatedAt < time);
}
