// The triggers whose price a new mark has reached (TRG-1 … TRG-4). Each becomes an order, placed
// like any other, or fails with the reason of that order's rejection. One that only reduces is
// tried again when margin or a counterparty was missing (TRG-8). A tick fires a bounded number; the
// others are due and fire in later ticks in their order (TRG-6).

import type { Lots, MarketId, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import { type Account, positionIn } from '../account.ts';
import { ladderOf } from '../book/book.ts';
import { ordersWithin } from '../book/depth.ts';
import { closingLots } from '../clearing/margin.ts';
import type { PlaceOrder } from '../command.ts';
import { endTrigger, stopWaiting, waitAgain } from '../endTrigger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import {
  firedPerTickMax,
  triedPerTickMax,
  triedWorkPerTickMax,
  triggerRoundsBackMax,
  triggerRoundWork,
  triggerWorkPerTickMax,
} from '../limits.ts';
import { isMarketLive, type Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Reason } from '../rejection.ts';
import { isTried, onlyReduces, type Trigger } from '../trigger.ts';
import { cutDue } from '../triggers/cutDue.ts';
import { type DueQueue, dueInTurn, isIdle, tidyQueue } from '../triggers/dueQueue.ts';
import { addTried, takeRested } from '../triggers/triedTriggers.ts';
import { wavesOf } from '../triggers/wave.ts';
import { partsOf, unitsOfWork, workOf } from '../work.ts';
import { cancelOthers } from './cancelOthers.ts';
import { followPairs } from './followPairs.ts';
import { meetsAny, submitOrder, termsOf } from './placeOrder.ts';
import { withinPriceBand } from './priceBand.ts';

/** A market with a new mark, and the mark before. */
export type Moved = { readonly market: Market; readonly markBefore: Ticks };

/** What the tick may still do. */
type Budget = { fired: number; readonly firedMax: number; readonly workMax: number };

/**
 * Collects what has become due in markets with a new mark, which come by symbol, and fires as much
 * as a tick may: first triggers that only reduce, then those that were tried before, then the
 * others, all by rounds. Only in live markets: elsewhere triggers pause, due or not (PRC-2). Cost:
 * bounded, except for the work of the last one that fires.
 */
export function fireTriggers(exchange: Exchange, moved: readonly Moved[]): void {
  // Liquidations of this tick may have changed the positions that legs close (ATT-3).
  followPairs(exchange);
  const { reducing, retrying, opening, tried } = exchange.due;
  for (const { market, markBefore } of moved) {
    if (!isMarketLive(market, exchange.time)) continue;
    const { id, prices, triggers } = market;
    const move = { market: id, markBefore, mark: prices.mark };
    for (const queue of [reducing, opening]) {
      const wave = cutDue(triggers, { ...move, reduces: queue === reducing });
      if (wave !== undefined) queue.waves = [...queue.waves, wave];
    }
  }
  const rested = takeRested(tried, exchange.time);
  if (rested.length > 0) retrying.waves = [...retrying.waves, ...wavesOf(rested)];
  const workMax = exchange.work + partsOf(triggerWorkPerTickMax);
  const budget: Budget = { fired: 0, firedMax: firedPerTickMax, workMax };
  fireDue(exchange, reducing, budget);
  const part = triedPart(exchange, budget);
  fireDue(exchange, retrying, part);
  budget.fired += part.fired;
  fireDue(exchange, opening, budget);
}

/** The part of a tick for triggers that were tried before (TRG-8). */
function triedPart({ work }: Exchange, { fired, firedMax, workMax }: Budget): Budget {
  return {
    fired: 0,
    firedMax: Math.min(triedPerTickMax, firedMax - fired),
    workMax: Math.min(work + partsOf(triedWorkPerTickMax), workMax),
  };
}

function fireDue(exchange: Exchange, queue: DueQueue, budget: Budget): void {
  if (isIdle(queue)) return;
  const { markets, time } = exchange;
  const { round } = queue;
  const isSpent = (): boolean => budget.fired >= budget.firedMax || exchange.work >= budget.workMax;
  if (!isSpent()) {
    const turning = {
      isLive: (market: MarketId) => isMarketLive(markets[market]!, time),
      roundsBack: (trigger: Trigger) => roundsBack(exchange, trigger),
    };
    for (const trigger of dueInTurn(queue, turning)) {
      if (trigger === undefined) exchange.work += workOf.placed;
      else {
        fireTrigger(exchange, markets[trigger.market]!, trigger);
        followPairs(exchange);
        budget.fired += 1;
      }
      if (isSpent()) break;
    }
  }
  tidyQueue(queue, round);
}

/**
 * One round for each full share of work that the meetings of its order cost, as the book is now
 * (TRG-6); none for one that was tried before (TRG-8). Cost: the orders that it would meet, up to a
 * bound.
 */
function roundsBack(exchange: Exchange, trigger: Trigger): number {
  if (isTried(trigger)) return 0;
  const market = exchange.markets[trigger.market]!;
  const account = exchange.accounts[trigger.account]!;
  const command = derivedOrder(market, account, trigger);
  const position = positionIn(account, market.id);
  const { lots, limit } = termsOf({ exchange, market, account, position }, command);
  const ladder = ladderOf(market.book, -trigger.side as Side);
  const orders = ordersWithin(ladder, limit, { enough: lots, ordersMax: ordersCountedMax });
  exchange.work += orders * workOf.looked;
  return Math.floor((orders * workOf.meeting) / partsOf(triggerRoundWork));
}

/** More orders set a trigger no further back. */
const ordersCountedMax = Math.ceil(
  partsOf(triggerRoundsBackMax * triggerRoundWork) / workOf.meeting,
);

function fireTrigger(exchange: Exchange, market: Market, trigger: Trigger): void {
  const workBefore = exchange.work;
  exchange.work += workOf.fired;
  const account = exchange.accounts[trigger.account]!;
  // What this cancels stays cancelled, also when the leg then waits (ATT-7).
  if (trigger.pair !== null) cancelOthers(exchange, trigger, trigger.pair);
  const command = derivedOrder(market, account, trigger);
  if (trigger.closePosition && command.lots === 0) {
    // Another trigger of this tick has already closed the position (TRG-2).
    return endTrigger(exchange, trigger, 'EXPIRED');
  }
  if (onlyReduces(trigger) && wouldEnd(market, account, command)) {
    return noteTry(exchange, trigger, 'counterpartyMissing', workBefore);
  }
  const { sequence } = exchange;
  const eventCount = exchange.events.length;
  const number = drawNumber(exchange);
  stopWaiting(exchange, trigger);
  trigger.status = 'TRIGGERED';
  trigger.failure = '';
  trigger.triggeredAt = exchange.time;
  trigger.order = trigger.route === 'order' ? trigger.id : number;
  trigger.updatedAt = exchange.time;
  exchange.events.push({
    kind: 'triggerFired',
    id: trigger.id,
    account: account.id,
    market: market.id,
    order: trigger.order,
    mark: market.prices.mark,
  });
  const outcome = submitOrder({
    exchange,
    account,
    market,
    position: positionIn(account, market.id),
    command,
    dryRun: false,
    look: undefined,
    derivation: { trigger, number },
  });
  if (outcome.kind === 'accepted') return;
  // The order was undone completely, and so is the firing.
  exchange.sequence = sequence;
  exchange.events.length = eventCount;
  trigger.triggeredAt = 0 as Time;
  trigger.order = 0 as OrderId;
  const { reason } = outcome.rejection;
  if (!onlyReduces(trigger) || reason !== 'marginInsufficient') {
    return endTrigger(exchange, trigger, 'FAILED', reason);
  }
  waitAgain(exchange, trigger);
  noteTry(exchange, trigger, reason, workBefore);
}

/** Whether the order could close something, but meets no order and would end at once (TRG-8). */
function wouldEnd(market: Market, account: Account, command: PlaceOrder): boolean {
  const { side, lots } = command;
  return closingLots(positionIn(account, market.id), side, lots) > 0 && !meetsAny(market, command);
}

/** The trigger was tried in vain: it is tried again when it has rested (TRG-8). */
function noteTry(exchange: Exchange, trigger: Trigger, reason: Reason, workBefore: number): void {
  const { id, account, market } = trigger;
  trigger.failure = reason;
  trigger.updatedAt = exchange.time;
  addTried(exchange.due.tried, trigger);
  const work = unitsOfWork(exchange.work - workBefore);
  exchange.events.push({ kind: 'triggerTried', id, account, market, reason, work });
}

/**
 * The order of a trigger: LIMIT at its price or at the edge of the price band (PRC-6a), else
 * MARKET; with closePosition one that reduces by the whole position. On the order route it keeps
 * the client's own id.
 */
function derivedOrder(market: Market, account: Account, trigger: Trigger): PlaceOrder {
  const { side, closePosition } = trigger;
  const isLimit = trigger.type === 'STOP' || trigger.type === 'TAKE_PROFIT';
  const position = positionIn(account, trigger.market);
  const whole = Math.abs(position.lots) as Lots;
  return {
    kind: 'placeOrder',
    account: trigger.account,
    market: trigger.market,
    side,
    type: isLimit ? 'LIMIT' : 'MARKET',
    timeInForce: isLimit ? trigger.timeInForce : 'GTC',
    lots: closePosition ? closingLots(position, side, whole) : trigger.lots,
    quote: 0 as Money,
    ticks: isLimit ? withinPriceBand(market, trigger) : trigger.ticks,
    reduceOnly: trigger.reduceOnly || closePosition,
    selfTradeMode: trigger.selfTradeMode,
    workingType: trigger.workingType,
    priceProtect: trigger.priceProtect,
    clientOrderId: trigger.route === 'order' ? trigger.clientOrderId : '',
    maxSlippage: undefined,
    idempotencyKey: '',
    idempotencyRequest: '',
  };
}
