// Which waiting triggers of a market fire at its new mark, and in which order (FUND-3, TRG-1, TRG-4).

import { sortedItems, sortedUpTo } from '../../std/sortedSet.ts';
import type { Ticks } from '../../units/units.ts';
import type { Trigger } from '../trigger.ts';
import { followMark, hasTurned, trailingStop } from './trailing.ts';
import type { WaitingTriggers } from './waitingTriggers.ts';

/** A trigger that fires, and how far its price is from the mark before: |stop − mark before|. */
type Due = { readonly trigger: Trigger; readonly away: number };

/**
 * Those whose price the mark is at or beyond, the nearest to the mark before first, then by number.
 * The trailing ones that do not fire follow the mark. Cost: those that fire, and all trailing ones.
 */
export function dueTriggers(
  waiting: WaitingTriggers,
  move: { readonly markBefore: Ticks; readonly mark: Ticks },
): Trigger[] {
  const { markBefore, mark } = move;
  const due: Due[] = [];
  const add = (trigger: Trigger, stop: Ticks): void => {
    due.push({ trigger, away: Math.abs(stop - markBefore) });
  };
  for (const trigger of sortedUpTo(waiting.rising, mark)) add(trigger, trigger.stopTicks);
  for (const trigger of sortedUpTo(waiting.falling, -mark)) add(trigger, trigger.stopTicks);
  for (const trigger of sortedItems(waiting.trailing)) {
    if (hasTurned(trigger, mark)) add(trigger, trailingStop(trigger));
    else followMark(trigger, mark);
  }
  due.sort((a, b) => a.away - b.away || a.trigger.id - b.trigger.id);
  return due.map(({ trigger }) => trigger);
}
