// A new trigger (TRG-1 … TRG-7, ORD-9, ORD-11). It freezes nothing while it waits: it needs margin
// when it fires (fireTriggers.ts).

import { assert } from '../../std/assert.ts';
import type { Lots, Ticks, Time } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { closingLots } from '../clearing/margin.ts';
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
  triggersReducingReserve,
} from '../limits.ts';
import { listPair } from '../listPair.ts';
import { listTrigger } from '../listTrigger.ts';
import type { Market } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Pair } from '../pair.ts';
import type { Rejection } from '../rejection.ts';
import { hasRoomForGoodTill, schedule } from '../timers.ts';
import type { Trigger } from '../trigger.ts';
import { isRising } from '../triggers/waitingTriggers.ts';
import {
  checkLegCapacity,
  checkLegSides,
  checkLegSizes,
  checkPlaces,
  legsOf,
  referenceOfTrigger,
} from './checkLegs.ts';
import { checkMarketOpen } from './checkMarketOpen.ts';
import { checkNotional, checkSafeNotional } from './checkNotional.ts';
import { createTrigger } from './createTrigger.ts';
import { draftPair, placeLegs } from './placeLegs.ts';
import { isClientOrderIdTaken } from './placeOrder.ts';
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
  const { trigger, pair } = draftTrigger(exchange, market, command);
  if (dryRun) return { kind: 'accepted', trigger };
  // From here placeTrigger must succeed.
  exchange.committed = true;
  listTrigger(exchange, trigger);
  const { id, createdAt, goodTillDate } = trigger;
  if (goodTillDate > 0) {
    const owner = { account: account.id, market: market.id };
    schedule(exchange, { time: goodTillDate, id, kind: 'goodTill', ...owner, nonce: '' });
  }
  exchange.events.push({ kind: 'triggerPlaced', trigger });
  if (pair !== undefined) {
    const { selfTradeMode } = trigger;
    listPair(exchange, pair);
    placeLegs(exchange, pair, command.attached!, { selfTradeMode, status: 'PENDING' });
  }
  rememberRequest(account, command, { kind: 'trigger', order: id, time: createdAt });
  return { kind: 'accepted', trigger };
}

/** The trigger, in no list, and the pair of its legs if it has any. */
function draftTrigger(
  exchange: Exchange,
  market: Market,
  command: PlaceTrigger,
): { readonly trigger: Trigger; readonly pair: Pair | undefined } {
  const { account, side, attached } = command;
  const id = drawNumber(exchange);
  const name = { id, createdAt: exchange.time, kind: 'trigger' } as const;
  const pair =
    attached === undefined
      ? undefined
      : draftPair(exchange, { name, account, market: market.id, side }, attached);
  const origin = { id, pair: null, legs: pair?.legs ?? null, status: 'NEW' } as const;
  return { trigger: createTrigger(exchange, market, command, origin), pair };
}

/** What the gateway has checked: which terms go together (TRG-3), and their ranges. */
function assertTerms(command: PlaceTrigger): void {
  const { type, ticks, stopTicks, activationTicks, lots, reduceOnly, closePosition } = command;
  const opens = !reduceOnly && !closePosition;
  assert(opens || command.attached === undefined, 'a trigger that only reduces has no legs');
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
  const { attached } = command;
  const parent = { side: command.side, reference: referenceOfTrigger(market, command) };
  const misplaced = attached && checkLegSides(market, parent, attached);
  if (misplaced !== undefined) return misplaced;
  if (!isGoodTillDate(command.goodTillDate, exchange.time)) {
    return { reason: 'goodTillDateInvalid' };
  }
  const sizes = attached && checkLegSizes(market, command.lots, attached);
  const refused = checkCallback(command) ?? checkSize(market, command) ?? sizes;
  if (refused !== undefined) return refused;
  if (isClientOrderIdTaken(exchange, account, command.clientOrderId)) {
    return { reason: 'clientOrderIdDuplicate' };
  }
  if (reduces && !canReduce(account, command)) return { reason: 'reduceOnlyRejected' };
  const legs = attached === undefined ? 0 : legsOf(attached).length;
  const places = { opening: reduces ? 0 : 1, reducing: (reduces ? 1 : 0) + legs };
  return checkPlaces(exchange, account, places);
}

function checkCapacity(
  exchange: Exchange,
  command: PlaceTrigger,
  reduces: boolean,
): Rejection | undefined {
  const { triggers, orders } = exchange;
  const max = reduces ? triggersMax : triggersMax - triggersReducingReserve;
  if (triggers.size >= max) return { reason: 'capacityReached', limit: 'triggers' };
  const legs = command.attached === undefined ? 0 : legsOf(command.attached).length;
  const crowded = checkLegCapacity(exchange, 1 + legs);
  if (crowded !== undefined) return crowded;
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
