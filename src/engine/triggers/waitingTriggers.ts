// The waiting triggers of one market, sorted so that a tick finds those that fire without looking
// at the others (TRG-1). Structures only: what firing does stands in operations/.

import {
  createSortedSet,
  type SortedSet,
  sortedAdd,
  sortedItems,
  sortedRemove,
} from '../../std/sortedSet.ts';
import type { Trigger } from '../trigger.ts';

export type WaitingTriggers = {
  /** Fire when the mark is at or above their price: by stopTicks, then by number. */
  readonly rising: SortedSet<Trigger>;
  /** Fire when the mark is at or below their price: by −stopTicks, then by number. */
  readonly falling: SortedSet<Trigger>;
  /** Trailing ones, by number. Each tick looks at every one of them; many may end in one tick. */
  readonly trailing: SortedSet<Trigger>;
};

export function createWaitingTriggers(): WaitingTriggers {
  return { rising: createSortedSet(), falling: createSortedSet(), trailing: createSortedSet() };
}

const isTrailing = ({ type }: Trigger): boolean => type === 'TRAILING_STOP_MARKET';

/** Whether it fires as the mark rises: a stop that buys, a take-profit that sells (TRG-1). */
export function isRising({ type, side }: Pick<Trigger, 'type' | 'side'>): boolean {
  const isStop = type === 'STOP' || type === 'STOP_MARKET';
  return isStop === side > 0;
}

export function addWaiting(waiting: WaitingTriggers, trigger: Trigger): void {
  if (isTrailing(trigger)) sortedAdd(waiting.trailing, trigger.id, 0, trigger);
  else if (isRising(trigger)) sortedAdd(waiting.rising, trigger.stopTicks, trigger.id, trigger);
  else sortedAdd(waiting.falling, -trigger.stopTicks, trigger.id, trigger);
}

/** Removes one that was added. Cost: logarithmic, and a block's move. */
export function removeWaiting(waiting: WaitingTriggers, trigger: Trigger): void {
  if (isTrailing(trigger)) sortedRemove(waiting.trailing, trigger.id, 0);
  else if (isRising(trigger)) sortedRemove(waiting.rising, trigger.stopTicks, trigger.id);
  else sortedRemove(waiting.falling, -trigger.stopTicks, trigger.id);
}

/** Every waiting trigger of the market, by number: a list of their own. */
export function allWaiting({ rising, falling, trailing }: WaitingTriggers): Trigger[] {
  const triggers = [...sortedItems(rising), ...sortedItems(falling), ...sortedItems(trailing)];
  return triggers.sort((a, b) => a.id - b.id);
}
