// How a waiting trigger gets other terms (TRG-9): another record takes its places.

import { assert, must } from '../std/assert.ts';
import { stopWaiting } from './endTrigger.ts';
import type { Exchange } from './exchange.ts';
import { startWaiting } from './listTrigger.ts';
import { indexOfTrigger, type Trigger, waits } from './trigger.ts';
import { workOf } from './work.ts';

/** What can change. The priority is a number that no trigger has had. */
export type TriggerChange = Pick<
  Trigger,
  'lots' | 'ticks' | 'stopTicks' | 'callbackRate' | 'priority'
>;

/**
 * Puts a record with other terms in the place of a waiting trigger, where it waits for a mark;
 * gives that record. The old record waits no more, so a queue of due triggers that still names it
 * skips it.
 */
export function replaceTrigger(
  exchange: Exchange,
  trigger: Trigger,
  change: TriggerChange,
): Trigger {
  assert(!exchange.undo.active, 'no trigger changes during a tentative execution');
  exchange.work += workOf.ended;
  // A leg that is PENDING goes on waiting for its parent (ATT-8).
  const isWaiting = waits(trigger);
  if (isWaiting) stopWaiting(exchange, trigger);
  const changed: Trigger = { ...trigger, ...change, failure: '', updatedAt: exchange.time };
  putInPlace(exchange, trigger, changed);
  if (isWaiting) startWaiting(exchange, changed);
  return changed;
}

/** Puts another record of the same trigger in the place of one that waits for no mark. */
export function putInPlace(exchange: Exchange, trigger: Trigger, changed: Trigger): void {
  trigger.status = 'CANCELED';
  const { triggers } = exchange.accounts[trigger.account]!;
  triggers[must(indexOfTrigger(triggers, trigger.id), 'an account lists its triggers')] = changed;
  exchange.triggers.set(trigger.id, changed);
}
