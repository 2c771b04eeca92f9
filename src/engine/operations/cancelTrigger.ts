// Ends triggers before they fire: on their owner's request (TRG-2), at their date (TRG-5), or when
// the position that they close is gone. Cancels are allowed in every status of the market.
// expireSettled.ts ends the triggers of a settled market.

import { must } from '../../std/assert.ts';
import { directGet } from '../../std/directMap.ts';
import type { MarketId, OrderId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { CancelAllTriggers, CancelTrigger } from '../command.ts';
import { endTrigger } from '../endTrigger.ts';
import type { Exchange, Timer } from '../exchange.ts';
import { findTrigger } from '../findTrigger.ts';
import { openTriggersOf } from '../openTriggersOf.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Position } from '../position.ts';
import { type Trigger, takesPlace, waits } from '../trigger.ts';
import type { TriggerRoute } from '../triggerTypes.ts';
import { cancelResting } from './cancelOrder.ts';

export function cancelTrigger(exchange: Exchange, command: CancelTrigger): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const trigger = findTrigger(exchange, account, command.order, command.market);
  if (trigger === undefined || !takesPlace(trigger)) return rejected({ reason: 'orderNotFound' });
  // From here cancelTrigger must succeed.
  exchange.committed = true;
  endTrigger(exchange, trigger, 'CANCELED');
  return { kind: 'accepted', trigger };
}

export function cancelAllTriggers(exchange: Exchange, command: CancelAllTriggers): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const { market, route } = command;
  const isKnown = market === undefined || exchange.markets[market] !== undefined;
  if (!isKnown) return rejected({ reason: 'marketUnknown' });
  // From here cancelAllTriggers must succeed.
  exchange.committed = true;
  const cancelled = cancelTriggersOf(exchange, account, market, route);
  return { kind: 'accepted', cancelled };
}

/**
 * Cancels an account's waiting triggers on a market, or on all, of a route, or of both, oldest
 * first; gives their number.
 */
export function cancelTriggersOf(
  exchange: Exchange,
  account: Account,
  market: MarketId | undefined,
  route: TriggerRoute | undefined,
): number {
  if (account.waitingTriggers === 0) return 0;
  const ofRoute = (trigger: Trigger): boolean => route === undefined || trigger.route === route;
  const triggers = openTriggersOf(account, market).filter(ofRoute);
  for (const trigger of triggers) endTrigger(exchange, trigger, 'CANCELED');
  return triggers.length;
}

/**
 * The good-till-date has come (TRG-5): a waiting trigger expires; for a fired one the rest of its
 * order is cancelled.
 */
export function expireGoodTill(exchange: Exchange, timer: Timer): void {
  const trigger = must(exchange.triggers.get(timer.id as OrderId), 'a date is of a live trigger');
  if (waits(trigger)) return endTrigger(exchange, trigger, 'EXPIRED');
  const account = exchange.accounts[trigger.account]!;
  const order = must(directGet(exchange.orders, trigger.order), 'a triggered one has a live order');
  cancelResting(exchange, account, order, 'GTD');
}

/**
 * Runs at the end of every command and timer: triggers that close a position end with it (TRG-2).
 */
export function expireClosePositions(exchange: Exchange): void {
  const { flattened } = exchange;
  for (let position = flattened.pop(); position !== undefined; position = flattened.pop()) {
    // The triggers of a settled market all end together (SYM-2b).
    const isSettled = exchange.markets[position.market]!.dues.settledAt !== 0;
    if (position.closeTriggers > 0 && !isSettled) expireCloseTriggers(exchange, position);
  }
}

/** After an undone tentative execution the list may contain positions that did not change. */
function expireCloseTriggers(exchange: Exchange, position: Position): void {
  for (const trigger of openTriggersOf(exchange.accounts[position.account]!, position.market)) {
    const opposite = -trigger.side * position.lots > 0;
    if (trigger.closePosition && !opposite) endTrigger(exchange, trigger, 'EXPIRED');
  }
}
