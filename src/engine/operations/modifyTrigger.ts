// Changes prices or quantity of a waiting trigger (TRG-9). It keeps its id and waits anew with its
// new terms, as the newest at its price, also when it was due or tried before.

import { assert } from '../../std/assert.ts';
import type { Account } from '../account.ts';
import type { ModifyTrigger } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { findTrigger } from '../findTrigger.ts';
import type { Market } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Rejection } from '../rejection.ts';
import { replaceTrigger, type TriggerChange } from '../replaceTrigger.ts';
import { extremeOf, onlyReduces, type Trigger, waits } from '../trigger.ts';
import { hasTurned, trailingStop } from '../triggers/trailing.ts';
import { isTrailing } from '../triggers/waitingTriggers.ts';
import { checkMarketOpen } from './checkMarketOpen.ts';
import { equityToAdd } from './endUncarried.ts';
import { canReduce, checkCallback, checkEquity, checkSize, isReached } from './placeTrigger.ts';

export function modifyTrigger(exchange: Exchange, command: ModifyTrigger): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const trigger = findTrigger(exchange, account, command.order, market.id);
  if (trigger === undefined || !waits(trigger)) return rejected({ reason: 'orderNotFound' });
  assertTerms(trigger, command);
  const terms: Terms = {
    lots: command.lots ?? trigger.lots,
    ticks: command.ticks ?? trigger.ticks,
    stopTicks: command.stopTicks ?? trigger.stopTicks,
    callbackRate: command.callbackRate ?? trigger.callbackRate,
  };
  const refused = checkChange({ exchange, account, market }, trigger, terms);
  if (refused !== undefined) return rejected(refused);
  // From here modifyTrigger must succeed.
  exchange.committed = true;
  const changed = replaceTrigger(exchange, trigger, { ...terms, priority: drawNumber(exchange) });
  exchange.events.push({ kind: 'triggerModified', trigger: changed });
  return { kind: 'accepted', trigger: changed };
}

type Terms = Omit<TriggerChange, 'priority'>;

/** What the gateway has checked: the type has each term that is to change. */
function assertTerms(trigger: Trigger, command: ModifyTrigger): void {
  const { type, closePosition } = trigger;
  const { lots, ticks, stopTicks, callbackRate } = command;
  const isLimit = type === 'STOP' || type === 'TAKE_PROFIT';
  assert(ticks === undefined || isLimit, 'a limit type alone has a price');
  assert(stopTicks === undefined || !isTrailing(trigger), 'a trailing one has no stop price');
  assert(callbackRate === undefined || isTrailing(trigger), 'a trailing one alone has a callback');
  assert(lots === undefined || !closePosition, 'closePosition has no quantity');
}

type Place = {
  readonly exchange: Exchange;
  readonly account: Account;
  readonly market: Market;
};

/** The checks of placing that depend on the terms or on the present state. */
function checkChange(
  { exchange, account, market }: Place,
  trigger: Trigger,
  terms: Terms,
): Rejection | undefined {
  const changed = { ...trigger, ...terms };
  const reduces = onlyReduces(trigger);
  const closed = checkMarketOpen(market, exchange.time, reduces ? 'reduces' : 'takes');
  if (closed !== undefined) return closed;
  if (wouldTrigger(changed, market)) return { reason: 'wouldTrigger' };
  const refused = checkCallback(changed) ?? checkSize(market, changed);
  if (refused !== undefined) return refused;
  if (reduces && !canReduce(account, trigger)) return { reason: 'reduceOnlyRejected' };
  return checkEquity(exchange, account, equityToAdd(account, reduces, trigger));
}

/** Whether its condition holds at the mark; a trailing one keeps the extreme that it has. */
function wouldTrigger(changed: Trigger, { prices: { mark } }: Market): boolean {
  if (!isTrailing(changed)) return isReached(changed, mark);
  const { side, callbackRate } = changed;
  const extreme = extremeOf(changed);
  return extreme !== 0 && hasTurned(side, trailingStop({ side, extreme, callbackRate }), mark);
}
