// ALGO_UPDATE (conventions, 12.6): every change of a trigger's status and terms, and every try that
// filled nothing (TRG-8), of both routes. Its owner sees a trigger of the order route as an order
// (TRG-2), so ORDER_TRADE_UPDATE reports its changes of status too until its order exists.

import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Event } from '../../engine/event.ts';
import { buy } from '../../engine/orderTypes.ts';
import type { TriggerStatus } from '../../engine/triggerTypes.ts';
import { averagePriceText } from '../../engine/views/entryPriceText.ts';
import { marketById } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Order } from '../../engine/views/order.ts';
import { extremeOf, type Trigger } from '../../engine/views/trigger.ts';
import { findEndedOrder } from '../../market-data/endedOrders.ts';
import { must } from '../../std/assert.ts';
import { formatSteps } from '../../units/decimal.ts';
import { formatUuid } from '../../units/uuid.ts';
import type { AccountStep } from '../accountFeed.ts';
import type { StreamContext } from '../streamContext.ts';
import { isSilent, type SilentLegs } from './silentLegs.ts';
import { stopText, triggerMembers } from './triggerMembers.ts';
import type { UserEvent } from './userStream.ts';

type AlgoEvent = {
  readonly event: Event;
  readonly step: AccountStep;
  /** Of the stream; it follows its events. */
  readonly silent: SilentLegs;
};

export function algoUpdates(
  context: StreamContext,
  { event, step, silent }: AlgoEvent,
): UserEvent[] {
  if (isSilent(silent, event)) return [];
  switch (event.kind) {
    case 'triggerPlaced': {
      const { trigger } = event;
      return [
        algoUpdate(context, { trigger, status: 'NEW' }),
        ...asOrder(context, { trigger, status: 'NEW', execution: 'NEW' }),
      ];
    }
    case 'triggerModified': {
      const { trigger } = event;
      return [
        algoUpdate(context, { trigger, status: 'NEW' }),
        ...asOrder(context, { trigger, status: 'NEW', execution: 'AMENDMENT' }),
      ];
    }
    case 'triggerResized': {
      const trigger = { ...triggerIn(step, event.id), lots: event.lots };
      return [algoUpdate(context, { trigger, status: 'NEW' })];
    }
    case 'triggerFired': {
      const trigger = triggerIn(step, event.id);
      return [
        algoUpdate(context, { trigger, status: 'TRIGGERED', order: step.orderOf(event.order) }),
      ];
    }
    case 'triggerTried': {
      const trigger = triggerIn(step, event.id);
      return [algoUpdate(context, { trigger, status: 'NEW', failure: event.reason })];
    }
    case 'triggerEnded': {
      const { trigger } = event;
      const { status, account, order: id } = trigger;
      const ended = findEndedOrder(context.views.endedOrders, account, { id });
      const order = id === 0 ? undefined : (step.orderOf(id) ?? ended);
      const { failure } = trigger;
      const reported = algoUpdate(context, { trigger, status, order, failure });
      const unfired = { trigger, status, execution: 'CANCELED' } as const;
      return [reported, ...(id === 0 ? asOrder(context, unfired) : [])];
    }
    default:
      return [];
  }
}

function triggerIn({ triggerOf }: AccountStep, id: Trigger['id']): Readonly<Trigger> {
  return must(triggerOf(id), 'a trigger of an event lives or has ended in the step');
}

type AlgoChange = {
  readonly trigger: Readonly<Trigger>;
  /** After this change. */
  readonly status: TriggerStatus;
  readonly order?: Readonly<Order> | undefined;
  /** Why its order was refused; empty or absent when it was not. */
  readonly failure?: string;
};

function algoUpdate(context: StreamContext, change: AlgoChange): UserEvent {
  const { trigger, status, order, failure = '' } = change;
  const { exchange, records } = context;
  const market = must(marketById(exchange, trigger.market), 'a trigger is on a market');
  const trailing = trigger.type === 'TRAILING_STOP_MARKET';
  const failed = failure === '' ? {} : { rm: records.failure(failure) };
  return {
    e: 'ALGO_UPDATE',
    T: exchange.time,
    o: {
      caid: clientOrderIdOf(trigger),
      aid: formatUuid(trigger.createdAt, trigger.id),
      at: 'CONDITIONAL',
      o: trigger.type,
      s: market.symbol,
      S: trigger.side === buy ? 'BUY' : 'SELL',
      ps: 'BOTH',
      f: trigger.goodTillDate === 0 ? trigger.timeInForce : 'GTD',
      q: trigger.closePosition ? '0' : formatSteps(trigger.lots, market.lot),
      X: status,
      ...derivedMembers(market, status === 'NEW' ? undefined : order, status === 'TRIGGERED'),
      tp: stopText(trigger, market),
      p: trigger.ticks === 0 ? '0' : formatSteps(trigger.ticks, market.tick),
      V: trigger.selfTradeMode,
      wt: trigger.workingType,
      pm: 'NONE',
      cp: trigger.closePosition,
      pP: trigger.priceProtect,
      R: trigger.reduceOnly,
      tt: trigger.triggeredAt,
      gtd: trigger.goodTillDate,
      ...(trailing ? { ia: extremeOf(trigger) !== 0 } : {}),
      ...failed,
    },
  };
}

/** The order that the trigger placed; when it has just been placed, nothing of it is filled. */
function derivedMembers(market: Market, order: Readonly<Order> | undefined, just: boolean): object {
  if (order === undefined) return { ai: '', ap: '0.00000', aq: '0', act: '0' };
  const filled = just ? 0 : order.filled;
  return {
    ai: formatUuid(order.createdAt, order.id),
    ap: filled === 0 ? '0.00000' : averagePriceText(market, order.filledNotional, filled),
    aq: formatSteps(filled, market.lot),
    act: order.type,
  };
}

/** EXPIRED shows as CANCELED, FAILED as REJECTED (TRG-2). */
const orderStatuses: Partial<Record<TriggerStatus, string>> = {
  NEW: 'NEW',
  CANCELED: 'CANCELED',
  EXPIRED: 'CANCELED',
  FAILED: 'REJECTED',
};

type OrderChange = Pick<AlgoChange, 'trigger' | 'status'> & {
  readonly execution: 'NEW' | 'AMENDMENT' | 'CANCELED';
};

function asOrder(
  { exchange }: StreamContext,
  { trigger, status, execution }: OrderChange,
): UserEvent[] {
  if (trigger.route !== 'order') return [];
  const market = must(marketById(exchange, trigger.market), 'a trigger is on a market');
  const none = formatSteps(0, market.lot);
  const o = {
    s: market.symbol,
    c: clientOrderIdOf(trigger),
    S: trigger.side === buy ? 'BUY' : 'SELL',
    o: trigger.type,
    f: trigger.timeInForce,
    q: formatSteps(trigger.lots, market.lot),
    p: trigger.ticks === 0 ? '0' : formatSteps(trigger.ticks, market.tick),
    ap: '0',
    x: execution,
    X: orderStatuses[status],
    i: formatUuid(trigger.createdAt, trigger.id),
    z: none,
    l: none,
    L: '0',
    t: 0,
    m: false,
    rp: '0',
    T: exchange.time,
    b: '0',
    a: '0',
    R: trigger.reduceOnly,
    wt: trigger.workingType,
    ot: trigger.type,
    ps: 'BOTH',
    pP: trigger.priceProtect,
    si: 0,
    ss: 0,
    V: trigger.selfTradeMode,
    pm: 'NONE',
    er: '0',
    ...triggerMembers(trigger, market),
  };
  return [{ e: 'ORDER_TRADE_UPDATE', T: exchange.time, o }];
}
