// The waiting triggers of one market that are not due, sorted so that a tick finds those that fire
// without looking at the others (TRG-1). Structures only: what firing does stands in operations/.

import {
  createSortedSet,
  type SortedSet,
  sortedAdd,
  sortedItems,
  sortedRemoved,
} from '../../std/sortedSet.ts';
import type { Trigger } from '../trigger.ts';
import {
  addTrailing,
  createTrailingSide,
  removeTrailing,
  type TrailingSide,
  trailingItems,
} from './trailingSide.ts';

export type WaitingTriggers = {
  /** Fire when the mark is at or above their price: by stopTicks, then by number. */
  readonly rising: SortedSet<Trigger>;
  /** Fire when the mark is at or below their price: by −stopTicks, then by number. */
  readonly falling: SortedSet<Trigger>;
  /** Trailing ones that buy, and that sell. */
  readonly buying: TrailingSide;
  readonly selling: TrailingSide;
};

export function createWaitingTriggers(): WaitingTriggers {
  return {
    rising: createSortedSet(),
    falling: createSortedSet(),
    buying: createTrailingSide(1),
    selling: createTrailingSide(-1),
  };
}

export const isTrailing = ({ type }: Pick<Trigger, 'type'>): boolean =>
  type === 'TRAILING_STOP_MARKET';

/** Whether it fires as the mark rises: a stop that buys, a take-profit that sells (TRG-1). */
export function isRising({ type, side }: Pick<Trigger, 'type' | 'side'>): boolean {
  const isStop = type === 'STOP' || type === 'STOP_MARKET';
  return isStop === side > 0;
}

const trailingOf = ({ buying, selling }: WaitingTriggers, { side }: Trigger): TrailingSide =>
  side > 0 ? buying : selling;

export function addWaiting(waiting: WaitingTriggers, trigger: Trigger): void {
  if (isTrailing(trigger)) addTrailing(trailingOf(waiting, trigger), trigger);
  else if (isRising(trigger)) sortedAdd(waiting.rising, trigger.stopTicks, trigger.id, trigger);
  else sortedAdd(waiting.falling, -trigger.stopTicks, trigger.id, trigger);
}

/**
 * Removes one that was added; one that is due has left already (cutDue.ts). Cost: logarithmic, and
 * a block's move.
 */
export function removeWaiting(waiting: WaitingTriggers, trigger: Trigger): void {
  if (isTrailing(trigger)) removeTrailing(trailingOf(waiting, trigger), trigger);
  else if (isRising(trigger)) sortedRemoved(waiting.rising, trigger.stopTicks, trigger.id);
  else sortedRemoved(waiting.falling, -trigger.stopTicks, trigger.id);
}

/** Every one of them, by number: a list of their own. */
export function allWaiting({ rising, falling, buying, selling }: WaitingTriggers): Trigger[] {
  const triggers = [...sortedItems(rising), ...sortedItems(falling)];
  triggers.push(...trailingItems(buying), ...trailingItems(selling));
  return triggers.sort((a, b) => a.id - b.id);
}
