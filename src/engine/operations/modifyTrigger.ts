// Changes prices or quantity of a waiting trigger (TRG-9), or the prices of a leg that is PENDING
// (ATT-8). It keeps its id and waits anew with its new terms, as the newest at its price, also when
// it was due or tried before.

import { assert, must } from '../../std/assert.ts';
import { directGet } from '../../std/directMap.ts';
import type { Account } from '../account.ts';
import type { ModifyTrigger } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { findTrigger } from '../findTrigger.ts';
import type { Market } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Rejection } from '../rejection.ts';
import { replaceTrigger, type TriggerChange } from '../replaceTrigger.ts';
import { extremeOf, onlyReduces, type Trigger, takesPlace, waits } from '../trigger.ts';
import { hasTurned, trailingStop } from '../triggers/trailing.ts';
import { isTrailing } from '../triggers/waitingTriggers.ts';
import {
  checkLegSides,
  checkLegSizes,
  checkPendingLegs,
  checkSizesAfter,
  referenceOfOrder,
  referenceOfTrigger,
} from './checkLegs.ts';
import { checkMarketOpen } from './checkMarketOpen.ts';
import { checkEquity } from './endUncarried.ts';
import { canReduce, checkCallback, checkSize, isReached } from './placeTrigger.ts';

export function modifyTrigger(exchange: Exchange, command: ModifyTrigger): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const trigger = findTrigger(exchange, account, command.order, market.id);
  if (trigger === undefined || !takesPlace(trigger)) return rejected({ reason: 'orderNotFound' });
  assertTerms(trigger, command);
  const terms: Terms = {
    lots: command.lots ?? trigger.lots,
    ticks: command.ticks ?? trigger.ticks,
    stopTicks: command.stopTicks ?? trigger.stopTicks,
    callbackRate: command.callbackRate ?? trigger.callbackRate,
  };
  const check = waits(trigger) ? checkChange : checkPending;
  const refused = check({ exchange, account, market }, trigger, terms);
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
  const { type, closePosition, pair } = trigger;
  const { lots, ticks, stopTicks, callbackRate } = command;
  const isLimit = type === 'STOP' || type === 'TAKE_PROFIT';
  assert(ticks === undefined || isLimit, 'a limit type alone has a price');
  assert(stopTicks === undefined || !isTrailing(trigger), 'a trailing one has no stop price');
  assert(callbackRate === undefined || isTrailing(trigger), 'a trailing one alone has a callback');
  assert(lots === undefined || !closePosition, 'closePosition has no quantity');
  assert(lots === undefined || pair === null, 'the lots of a leg are those of its pair');
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
  const misplaced = checkLegsOf({ exchange, account, market }, changed);
  if (misplaced !== undefined) return misplaced;
  const parent = { pair: changed.id, lots: changed.lots };
  const sizes = changed.legs === null ? undefined : checkSizesAfter(exchange, market, parent);
  const refused = checkCallback(changed) ?? checkSize(market, changed) ?? sizes;
  if (refused !== undefined) return refused;
  if (reduces && !canReduce(account, trigger)) return { reason: 'reduceOnlyRejected' };
  const one = { opening: reduces ? 0 : 1, reducing: reduces ? 1 : 0 };
  return checkEquity(exchange, account, one, trigger);
}

/** The legs of a parent count from its new price (ATT-1). */
function checkLegsOf({ exchange, market }: Place, changed: Trigger): Rejection | undefined {
  if (changed.legs === null) return undefined;
  const reference = referenceOfTrigger(market, changed);
  return checkPendingLegs(exchange, market, { pair: changed.id, side: changed.side, reference });
}

/** A leg that waits for its parent counts from the parent's reference (ATT-8). */
function checkPending(
  { exchange, market }: Place,
  leg: Trigger,
  terms: Terms,
): Rejection | undefined {
  const closed = checkMarketOpen(market, exchange.time, 'reduces');
  if (closed !== undefined) return closed;
  const { id } = must(leg.pair, 'a trigger that is PENDING is a leg');
  const trigger = exchange.triggers.get(id);
  const order = directGet(exchange.orders, trigger?.order || id);
  const parent = must(order ?? trigger, 'a leg is PENDING while its parent lives');
  const reference =
    order === undefined ? referenceOfTrigger(market, trigger!) : referenceOfOrder(market, order);
  const isProfit = leg.type === 'TAKE_PROFIT' || leg.type === 'TAKE_PROFIT_MARKET';
  const attached = {
    takeProfit: isProfit ? terms : undefined,
    stopLoss: isProfit ? undefined : terms,
  };
  return (
    checkLegSides(market, { side: parent.side, reference }, attached) ??
    checkLegSizes(market, parent.lots, attached)
  );
}

/** Whether its condition holds at the mark; a trailing one keeps the extreme that it has. */
function wouldTrigger(changed: Trigger, { prices: { mark } }: Market): boolean {
  if (!isTrailing(changed)) return isReached(changed, mark);
  const { side, callbackRate } = changed;
  const extreme = extremeOf(changed);
  return extreme !== 0 && hasTurned(side, trailingStop({ side, extreme, callbackRate }), mark);
}
