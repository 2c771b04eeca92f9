// The waiting triggers whose order was refused a moment ago (TRG-8): they rest for a second, the
// oldest try first, and are then due again (dueQueue.ts). operations/ tries them.

import type { Time } from '../../units/units.ts';
import { type Trigger, waits } from '../trigger.ts';

export type TriedTriggers = {
  /** In the order of their tries; `next` is the first that still rests. */
  triggers: Trigger[];
  next: number;
};

/** How long a trigger rests after a try, milliseconds. */
const restMs = 1000;

export function createTried(): TriedTriggers {
  return { triggers: [], next: 0 };
}

/** Adds a trigger that was tried now. */
export function addTried({ triggers }: TriedTriggers, trigger: Trigger): void {
  triggers.push(trigger);
}

/** Takes out those that have rested long enough, in their order. Cost: only those. */
export function takeRested(tried: TriedTriggers, now: Time): Trigger[] {
  const from = tried.next;
  while (tried.next < tried.triggers.length) {
    const trigger = tried.triggers[tried.next]!;
    if (waits(trigger) && now - trigger.updatedAt < restMs) break;
    tried.next += 1;
  }
  const rested = tried.triggers.slice(from, tried.next).filter(waits);
  if (tried.next * 2 >= tried.triggers.length) {
    tried.triggers = tried.triggers.slice(tried.next);
    tried.next = 0;
  }
  return rested;
}

/** Those that rest and still wait, in their order. Cost: all of them. */
export function triedItems({ triggers, next }: TriedTriggers): Trigger[] {
  return triggers.slice(next).filter(waits);
}
