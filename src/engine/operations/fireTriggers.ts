// The triggers of a market whose price its new mark has reached (TRG-1 … TRG-4): each becomes an
// order, placed like any other, or fails for the reason of that order's rejection.

import type { Lots, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import { type Account, positionIn } from '../account.ts';
import { closingLots } from '../clearing/margin.ts';
import type { PlaceOrder } from '../command.ts';
import { endTrigger, stopWaiting } from '../endTrigger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Trigger } from '../trigger.ts';
import { dueTriggers } from '../triggers/dueTriggers.ts';
import { submitOrder } from './placeOrder.ts';

/**
 * Fires what is due, the nearest to the mark before first, then by number (FUND-3), and lets the
 * trailing ones follow the mark. Only for live markets: in the others triggers pause (PRC-2).
 */
export function fireTriggers(exchange: Exchange, market: Market, markBefore: Ticks): void {
  const { mark } = market.prices;
  for (const trigger of dueTriggers(market.triggers, { markBefore, mark })) {
    fireTrigger(exchange, market, trigger);
  }
}

function fireTrigger(exchange: Exchange, market: Market, trigger: Trigger): void {
  const account = exchange.accounts[trigger.account]!;
  const command = derivedOrder(account, trigger);
  if (trigger.closePosition && command.lots === 0) {
    // Another one of this tick has closed the position before (TRG-2).
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
  // The order was taken back without a trace, and so is that it fired.
  exchange.sequence = sequence;
  exchange.events.length = eventCount;
  trigger.triggeredAt = 0 as Time;
  trigger.order = 0 as OrderId;
  endTrigger(exchange, trigger, 'FAILED', outcome.rejection.reason);
}

/**
 * The order that a trigger stands for: LIMIT at its price, else MARKET; of closePosition one that
 * reduces by the whole position. On the order route it carries the client's own id on.
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
