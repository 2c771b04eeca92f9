// A new trigger (TRG-1 … TRG-7, ORD-9, ORD-11). It freezes nothing while it waits: it needs margin
// when it fires (fireTriggers.ts).

import { assert } from '../../std/assert.ts';
import type { Lots, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { closingLots, equityOf } from '../clearing/margin.ts';
import type { PlaceTrigger } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import {
  callbackRateMax,
  callbackRateMin,
  goodTillMsMax,
  goodTillMsMin,
  lotsMax,
  ordersMax,
  ticksMax,
  triggersMax,
  triggersPerAccountMax,
  triggersReducingReserve,
} from '../limits.ts';
import { listTrigger } from '../listTrigger.ts';
import type { Market } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Rejection } from '../rejection.ts';
import { hasRoomForGoodTill, schedule } from '../timers.ts';
import type { Trigger } from '../trigger.ts';
import { isRising } from '../triggers/waitingTriggers.ts';
import { checkMarketOpen } from './checkMarketOpen.ts';
import { equityToAdd } from './endUncarried.ts';
import { checkNotional, checkSafeNotional, isClientOrderIdTaken } from './placeOrder.ts';
import { rememberRequest, repeatedRequest } from './rememberRequest.ts';

/** Places a trigger, or with `dryRun` only gives the result. */
export function placeTrigger(exchange: Exchange, command: PlaceTrigger, dryRun = false): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const repeated = repeatedRequest(account, command);
  if (repeated !== undefined) return repeated;
  assertTerms(command);
  const refused = checkTrigger(exchange, account, market, command);
  if (refused !== undefined) return rejected(refused);
  if (dryRun) return { kind: 'accepted', trigger: createTrigger(exchange, market, command) };
  // From here placeTrigger must succeed.
  exchange.committed = true;
  const trigger = createTrigger(exchange, market, command);
  listTrigger(exchange, trigger);
  const { id, createdAt, goodTillDate } = trigger;
  if (goodTillDate > 0) {
    const owner = { account: account.id, market: market.id };
    schedule(exchange, { time: goodTillDate, id, kind: 'goodTill', ...owner, nonce: '' });
  }
  exchange.events.push({ kind: 'triggerPlaced', trigger });
  rememberRequest(account, command, { kind: 'trigger', order: id, time: createdAt });
  return { kind: 'accepted', trigger };
}

/** What the gateway has checked: which terms go together (TRG-3), and their ranges. */
function assertTerms(command: PlaceTrigger): void {
  const { type, ticks, stopTicks, activationTicks, lots, reduceOnly, closePosition } = command;
  const isLimit = type === 'STOP' || type === 'TAKE_PROFIT';
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const isPrice = (price: Ticks): boolean => price >= 1 && price <= ticksMax;
  assert(isLimit ? isPrice(ticks) : ticks === 0, 'a limit type alone has a price');
  assert(isTrailing ? stopTicks === 0 : isPrice(stopTicks), 'all but a trailing one have a stop');
  const activates = activationTicks === 0 || (isTrailing && isPrice(activationTicks));
  assert(activates, 'a trailing one alone is activated');
  if (!closePosition) return;
  const closes = type === 'STOP_MARKET' || type === 'TAKE_PROFIT_MARKET';
  assert(closes && lots === 0 && !reduceOnly, 'closePosition closes the whole at the market');
}

function checkTrigger(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: PlaceTrigger,
): Rejection | undefined {
  const reduces = command.reduceOnly || command.closePosition;
  const full = checkCapacity(exchange, command, reduces);
  if (full !== undefined) return full;
  const closed = checkMarketOpen(market, exchange.time, reduces ? 'reduces' : 'takes');
  if (closed !== undefined) return closed;
  if (wouldTrigger(command, market.prices.mark)) return { reason: 'wouldTrigger' };
  if (!isGoodTillDate(command.goodTillDate, exchange.time)) {
    return { reason: 'goodTillDateInvalid' };
  }
  const refused = checkCallback(command) ?? checkSize(market, command);
  if (refused !== undefined) return refused;
  if (isClientOrderIdTaken(exchange, account, command.clientOrderId)) {
    return { reason: 'clientOrderIdDuplicate' };
  }
  if (reduces && !canReduce(account, command)) return { reason: 'reduceOnlyRejected' };
  if (account.waitingTriggers >= triggersPerAccountMax) return { reason: 'triggersLimit' };
  return checkEquity(exchange, account, equityToAdd(account, reduces));
}

/** Whether the account's equity supports its waiting triggers (TRG-7). */
export function checkEquity(
  exchange: Exchange,
  account: Account,
  required: Money,
): Rejection | undefined {
  if (required === 0 || equityOf(exchange, account) >= required) return undefined;
  return { reason: 'equityInsufficient', required };
}

function checkCapacity(
  exchange: Exchange,
  command: PlaceTrigger,
  reduces: boolean,
): Rejection | undefined {
  const { triggers, orders } = exchange;
  const max = reduces ? triggersMax : triggersMax - triggersReducingReserve;
  if (triggers.size >= max) return { reason: 'capacityReached', limit: 'triggers' };
  if (orders.size >= ordersMax) return { reason: 'capacityReached', limit: 'orders' };
  if (command.goodTillDate === 0 || hasRoomForGoodTill(exchange)) return undefined;
  return { reason: 'capacityReached', limit: 'goodTillDates' };
}

/**
 * Whether the condition already holds at the mark (TRG-1). A trailing trigger must be activated
 * later: BUY below the mark, SELL above it; with 0 the present mark activates it (TRG-4).
 */
function wouldTrigger(command: PlaceTrigger, mark: Ticks): boolean {
  const { type, side, activationTicks } = command;
  if (type === 'TRAILING_STOP_MARKET') {
    if (activationTicks === 0) return false;
    return side > 0 ? activationTicks >= mark : activationTicks <= mark;
  }
  return isReached(command, mark);
}

/** Whether the mark is at or beyond the stop of a trigger that is not trailing. */
export function isReached(
  trigger: Pick<Trigger, 'type' | 'side' | 'stopTicks'>,
  mark: Ticks,
): boolean {
  return isRising(trigger) ? mark >= trigger.stopTicks : mark <= trigger.stopTicks;
}

/** Whether a position is there that an order of this side closes. */
export function canReduce(
  account: Account,
  { market, side }: Pick<Trigger, 'market' | 'side'>,
): boolean {
  const position = account.positions[market];
  return position !== undefined && closingLots(position, side, 1 as Lots) > 0;
}

/** A trailing trigger's distance to its extreme has bounds (TRG-4). */
export function checkCallback({
  type,
  callbackRate,
}: Pick<Trigger, 'type' | 'callbackRate'>): Rejection | undefined {
  if (type !== 'TRAILING_STOP_MARKET') return undefined;
  const within = callbackRate >= callbackRateMin && callbackRate <= callbackRateMax;
  return within ? undefined : { reason: 'callbackRateInvalid' };
}

/** 0 is none; else at least ten minutes and at most 90 days ahead (TRG-5). */
function isGoodTillDate(date: Time, now: Time): boolean {
  return date === 0 || (date >= now + goodTillMsMin && date <= now + goodTillMsMax);
}

/**
 * Quantity and notional: at the limit price, else the stop price, trailing at the mark (ORD-11).
 */
export function checkSize(
  market: Market,
  trigger: Pick<Trigger, 'lots' | 'ticks' | 'stopTicks' | 'reduceOnly' | 'closePosition'>,
): Rejection | undefined {
  const { lots, ticks, stopTicks, reduceOnly, closePosition } = trigger;
  if (closePosition) return undefined;
  if (lots < 1) return { reason: 'quantityBelowLot' };
  if (lots > lotsMax) return { reason: 'quantityAboveMax' };
  const price = ticks > 0 ? ticks : stopTicks;
  return (reduceOnly ? checkSafeNotional : checkNotional)(market, price, lots);
}

function createTrigger(exchange: Exchange, market: Market, command: PlaceTrigger): Trigger {
  const { mark } = market.prices;
  const isTrailing = command.type === 'TRAILING_STOP_MARKET';
  const activatesNow = isTrailing && command.activationTicks === 0;
  const id = drawNumber(exchange);
  return {
    id,
    account: command.account,
    market: command.market,
    route: command.route,
    side: command.side,
    type: command.type,
    timeInForce: command.timeInForce,
    lots: command.lots,
    ticks: command.ticks,
    reduceOnly: command.reduceOnly,
    closePosition: command.closePosition,
    selfTradeMode: command.selfTradeMode ?? market.terms.selfTradePrevention,
    workingType: command.workingType,
    priceProtect: command.priceProtect,
    clientOrderId: command.clientOrderId,
    goodTillDate: command.goodTillDate,
    createdAt: exchange.time,
    markAtCreation: mark,
    callbackRate: command.callbackRate,
    activationTicks: activatesNow ? mark : command.activationTicks,
    stopTicks: command.stopTicks,
    extreme: activatesNow ? mark : (0 as Ticks),
    block: null,
    status: 'NEW',
    failure: '',
    triggeredAt: 0 as Time,
    order: 0 as OrderId,
    updatedAt: exchange.time,
    priority: id,
  };
}
