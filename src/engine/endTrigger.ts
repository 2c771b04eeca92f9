// How a trigger stops waiting, and how it ends (TRG-2). This never runs inside a tentative
// execution: an undone execution has touched no trigger (endOrder.ts).

import { assert, must } from '../std/assert.ts';
import type { Exchange } from './exchange.ts';
import type { Reason } from './rejection.ts';
import { stirPair } from './stirPair.ts';
import { cancelTimer } from './timers.ts';
import { indexOfTrigger, type Trigger, takesPlace, waits } from './trigger.ts';
import { removeWaiting } from './triggers/waitingTriggers.ts';
import type { TriggerStatus } from './triggerTypes.ts';
import { workOf } from './work.ts';

/**
 * Removes a trigger from those that wait for a mark or a parent. The caller sets its new status.
 */
export function stopWaiting(exchange: Exchange, trigger: Trigger): void {
  assert(takesPlace(trigger), 'only a waiting trigger stops waiting');
  const account = exchange.accounts[trigger.account]!;
  if (waits(trigger)) removeWaiting(exchange.markets[trigger.market]!.triggers, trigger);
  account.waitingTriggers -= 1;
  if (!trigger.closePosition) return;
  const position = must(account.positions[trigger.market], 'what a trigger closes has a record');
  position.closeTriggers -= 1;
}

/**
 * After `stopWaiting` it waits again, because its order was refused. The caller lists it among the
 * tried ones (TRG-8).
 */
export function waitAgain(exchange: Exchange, trigger: Trigger): void {
  const account = exchange.accounts[trigger.account]!;
  trigger.status = 'NEW';
  account.waitingTriggers += 1;
  if (!trigger.closePosition) return;
  const position = must(account.positions[trigger.market], 'what a trigger closes has a record');
  position.closeTriggers += 1;
}

/** Ends a trigger: it leaves every structure, and its client id is free again. */
export function endTrigger(
  exchange: Exchange,
  trigger: Trigger,
  status: Exclude<TriggerStatus, 'NEW' | 'PENDING' | 'TRIGGERED'>,
  failure: Reason | '' = '',
): void {
  assert(!exchange.undo.active, 'no trigger ends during a tentative execution');
  exchange.work += workOf.ended;
  if (takesPlace(trigger)) stopWaiting(exchange, trigger);
  const { triggers, clientOrderIds } = exchange.accounts[trigger.account]!;
  triggers.splice(must(indexOfTrigger(triggers, trigger.id), 'an account lists its triggers'), 1);
  exchange.triggers.delete(trigger.id);
  if (trigger.goodTillDate > 0) cancelTimer(exchange, trigger.id);
  if (trigger.clientOrderId !== '') clientOrderIds.delete(trigger.clientOrderId);
  trigger.status = status;
  trigger.failure = failure;
  trigger.updatedAt = exchange.time;
  exchange.events.push({ kind: 'triggerEnded', trigger });
  stirPairsOf(exchange, trigger);
}

/** The end of a leg may end its pair, that of a parent its legs (ATT-3). */
function stirPairsOf(exchange: Exchange, { id, pair, legs }: Trigger): void {
  if (pair !== null) stirPair(exchange, exchange.pairs.get(pair.id));
  if (legs !== null) stirPair(exchange, exchange.pairs.get(id));
}
