// The triggers whose price a new mark has reached (TRG-1 … TRG-4). Each becomes an order, placed
// like any other, or fails with the reason of that order's rejection. A tick fires a bounded
// number; the others are due and fire in later ticks in their order (TRG-6).

import type { Lots, MarketId, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import { type Account, positionIn } from '../account.ts';
import { ladderOf } from '../book/book.ts';
import { ordersWithin } from '../book/depth.ts';
import { closingLots } from '../clearing/margin.ts';
import type { PlaceOrder } from '../command.ts';
import { endTrigger, stopWaiting } from '../endTrigger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import {
  firedPerTickMax,
  triggerRoundsBackMax,
  triggerRoundWork,
  triggerWorkPerTickMax,
} from '../limits.ts';
import { isMarketLive, type Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Trigger } from '../trigger.ts';
import { cutDue } from '../triggers/cutDue.ts';
import { type DueQueue, dueInTurn, isIdle, tidyQueue } from '../triggers/dueQueue.ts';
import { partsOf, workOf } from '../work.ts';
import { submitOrder, termsOf } from './placeOrder.ts';

/** A market with a new mark, and the mark before. */
export type Moved = { readonly market: Market; readonly markBefore: Ticks };

/** What the tick may still do. */
type Budget = { fired: number; readonly workMax: number };

/**
 * Collects what has become due in markets with a new mark, which come by symbol, and fires as much
 * as a tick may: first triggers that only reduce, then the others, both by rounds. Only in live
 * markets: elsewhere triggers pause, due or not (PRC-2). Cost: bounded, except for the work of the
 * last one that fires.
 */
export function fireTriggers(exchange: Exchange, moved: readonly Moved[]): void {
  const { reducing, opening } = exchange.due;
  for (const { market, markBefore } of moved) {
    if (!isMarketLive(market, exchange.time)) continue;
    const { id, prices, triggers } = market;
    const move = { market: id, markBefore, mark: prices.mark };
    for (const queue of [reducing, opening]) {
      const wave = cutDue(triggers, { ...move, reduces: queue === reducing });
      if (wave !== undefined) queue.waves = [...queue.waves, wave];
    }
  }
  const budget = { fired: 0, workMax: exchange.work + partsOf(triggerWorkPerTickMax) };
  for (const queue of [reducing, opening]) if (!isIdle(queue)) fireDue(exchange, queue, budget);
}

function fireDue(exchange: Exchange, queue: DueQueue, budget: Budget): void {
  const { markets, time } = exchange;
  const isSpent = (): boolean => budget.fired >= firedPerTickMax || exchange.work >= budget.workMax;
  if (!isSpent()) {
    const turning = {
      isLive: (market: MarketId) => isMarketLive(markets[market]!, time),
      roundsBack: (trigger: Trigger) => roundsBack(exchange, trigger),
    };
    for (const trigger of dueInTurn(queue, turning)) {
      if (trigger === undefined) exchange.work += workOf.placed;
      else {
        fireTrigger(exchange, markets[trigger.market]!, trigger);
        budget.fired += 1;
      }
      if (isSpent()) break;
    }
  }
  tidyQueue(queue);
}

/**
 * One round for each full share of work that the meetings of its order cost, as the book is now
 * (TRG-6). Cost: the orders that it would meet, up to a bound.
 */
function roundsBack(exchange: Exchange, trigger: Trigger): number {
  const market = exchange.markets[trigger.market]!;
  const account = exchange.accounts[trigger.account]!;
  const command = derivedOrder(account, trigger);
  const { lots, limit } = termsOf(market, positionIn(account, market.id), command);
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
  exchange.work += workOf.fired;
  const account = exchange.accounts[trigger.account]!;
  const command = derivedOrder(account, trigger);
  if (trigger.closePosition && command.lots === 0) {
    // Another trigger of this tick has already closed the position (TRG-2).
    return endTrigger(exchange, trigger, 'EXPIRED');
  }
  const { sequence } = exchange;
  const eventCount = exchange.events.length;
  const number = drawNumber(exchange);
  stopWaiting(exchange, trigger);
  trigger.status = 'TRIGGERED';
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
  const derivation = { trigger, number };
  const outcome = submitOrder({ exchange, account, market, command, dryRun: false, derivation });
  if (outcome.kind === 'accepted') return;
  // The order was undone completely, and so is the firing.
  exchange.sequence = sequence;
  exchange.events.length = eventCount;
  trigger.triggeredAt = 0 as Time;
  trigger.order = 0 as OrderId;
  endTrigger(exchange, trigger, 'FAILED', outcome.rejection.reason);
}

/**
 * The order of a trigger: LIMIT at its price, else MARKET; with closePosition one that reduces by
 * the whole position. On the order route it keeps the client's own id.
 */
function derivedOrder(account: Account, trigger: Trigger): PlaceOrder {
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
    ticks: trigger.ticks,
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
