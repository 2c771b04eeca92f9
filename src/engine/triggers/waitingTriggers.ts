// The waiting triggers of one market that are not due. They are sorted so that a tick finds those
// that fire without looking at the others (TRG-1). Those that only reduce are separate, because
// they fire first (TRG-6). This file has only structures: operations/ fires the triggers.

import {
  createSortedSet,
  type SortedSet,
  sortedAdd,
  sortedItems,
  sortedRemoved,
} from '../../std/sortedSet.ts';
import { onlyReduces, type Trigger } from '../trigger.ts';
import {
  addTrailing,
  createTrailingSide,
  removeTrailing,
  type TrailingSide,
  trailingItems,
} from './trailingSide.ts';

export type WaitingTriggers = {
  /** Triggers that only reduce, and the others. */
  readonly reducing: WaitingKind;
  readonly opening: WaitingKind;
};

export type WaitingKind = {
  /** Fire when the mark is at or above their price: by stopTicks, then by priority. */
  readonly rising: SortedSet<Trigger>;
  /** Fire when the mark is at or below their price: by −stopTicks, then by priority. */
  readonly falling: SortedSet<Trigger>;
  /** Trailing triggers that buy, and that sell. */
  readonly buying: TrailingSide;
  readonly selling: TrailingSide;
};

export function createWaitingTriggers(): WaitingTriggers {
  return { reducing: createKind(), opening: createKind() };
}

function createKind(): WaitingKind {
  return {
    rising: createSortedSet(),
    falling: createSortedSet(),
    buying: createTrailingSide(1),
    selling: createTrailingSide(-1),
  };
}

export const isTrailing = ({ type }: Pick<Trigger, 'type'>): boolean =>
  type === 'TRAILING_STOP_MARKET';

/** Whether it fires when the mark rises: a stop that buys, a take-profit that sells (TRG-1). */
export function isRising({ type, side }: Pick<Trigger, 'type' | 'side'>): boolean {
  const isStop = type === 'STOP' || type === 'STOP_MARKET';
  return isStop === side > 0;
}

const trailingOf = ({ buying, selling }: WaitingKind, { side }: Trigger): TrailingSide =>
  side > 0 ? buying : selling;

/** The kind among which the trigger waits. */
function kindOf({ reducing, opening }: WaitingTriggers, trigger: Trigger): WaitingKind {
  return onlyReduces(trigger) ? reducing : opening;
}

export function addWaiting(waiting: WaitingTriggers, trigger: Trigger): void {
  const kind = kindOf(waiting, trigger);
  if (isTrailing(trigger)) addTrailing(trailingOf(kind, trigger), trigger);
  else if (isRising(trigger)) sortedAdd(kind.rising, trigger.stopTicks, trigger.priority, trigger);
  else sortedAdd(kind.falling, -trigger.stopTicks, trigger.priority, trigger);
}

/**
 * Removes a trigger that was added; a due one has left already (cutDue.ts). Cost: logarithmic, and
 * a move within a block.
 */
export function removeWaiting(waiting: WaitingTriggers, trigger: Trigger): void {
  const kind = kindOf(waiting, trigger);
  if (isTrailing(trigger)) removeTrailing(trailingOf(kind, trigger), trigger);
  else if (isRising(trigger)) sortedRemoved(kind.rising, trigger.stopTicks, trigger.priority);
  else sortedRemoved(kind.falling, -trigger.stopTicks, trigger.priority);
}

/** All of them, by number, in a new list. */
export function allWaiting({ reducing, opening }: WaitingTriggers): Trigger[] {
  const triggers: Trigger[] = [];
  for (const { rising, falling, buying, selling } of [reducing, opening]) {
    for (const set of [rising, falling]) for (const item of sortedItems(set)) triggers.push(item);
    for (const side of [buying, selling]) {
      for (const item of trailingItems(side)) triggers.push(item);
    }
  }
  return triggers.sort((a, b) => a.id - b.id);
}
