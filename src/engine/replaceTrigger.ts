// How a waiting trigger gets other terms (TRG-9): another record takes its places.

import { assert, must } from '../std/assert.ts';
import { stopWaiting } from './endTrigger.ts';
import type { Exchange } from './exchange.ts';
import { startWaiting } from './listTrigger.ts';
import { indexOfTrigger, type Trigger } from './trigger.ts';
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
  stopWaiting(exchange, trigger);
  const changed: Trigger = { ...trigger, ...change, failure: '', updatedAt: exchange.time };
  trigger.status = 'CANCELED';
  const { triggers } = exchange.accounts[trigger.account]!;
  triggers[must(indexOfTrigger(triggers, trigger.id), 'an account lists its triggers')] = changed;
  exchange.triggers.set(trigger.id, changed);
  startWaiting(exchange, changed);
  return changed;
}
