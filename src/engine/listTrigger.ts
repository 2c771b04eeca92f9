// How a trigger takes its places: it is found by number and by the client's own id, and it is among
// those that wait for a mark. endTrigger.ts removes it.

import { positionIn } from './account.ts';
import type { Exchange } from './exchange.ts';
import { type Trigger, takesPlace, waits } from './trigger.ts';
import { addWaiting } from './triggers/waitingTriggers.ts';

/**
 * Lists a trigger that is newer than all others, or that a snapshot restores in the order of
 * numbers.
 */
export function listTrigger(exchange: Exchange, trigger: Trigger): void {
  const account = exchange.accounts[trigger.account]!;
  exchange.triggers.set(trigger.id, trigger);
  account.triggers.push(trigger);
  if (trigger.clientOrderId !== '') account.clientOrderIds.set(trigger.clientOrderId, trigger.id);
  if (waits(trigger)) startWaiting(exchange, trigger);
  else if (takesPlace(trigger)) account.waitingTriggers += 1;
}

/** Adds a trigger to those that wait for a mark. */
export function startWaiting(exchange: Exchange, trigger: Trigger): void {
  const account = exchange.accounts[trigger.account]!;
  const { id, triggers } = exchange.markets[trigger.market]!;
  addWaiting(triggers, trigger);
  account.waitingTriggers += 1;
  if (trigger.closePosition) positionIn(account, id).closeTriggers += 1;
}
