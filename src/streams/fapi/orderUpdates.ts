// ORDER_TRADE_UPDATE and TRADE_LITE (conventions, 12.4, 12.7): every change of an order. A step may
// change an order several times; each message shows the order after its change.

import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Event, OrderCut, OrderModified, OrderPlaced, Traded } from '../../engine/event.ts';
import type { Fill } from '../../engine/fill.ts';
import { buy, type CancelReason, type OrderStatus } from '../../engine/orderTypes.ts';
import type { Account } from '../../engine/views/account.ts';
import { averagePriceText } from '../../engine/views/entryPriceText.ts';
import { marketById } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Order } from '../../engine/views/order.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { notionalOf } from '../../units/notional.ts';
import {
  type Lots,
  type Money,
  moneyDecimals,
  type OrderId,
  type Ticks,
} from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import type { AccountStep } from '../accountFeed.ts';
import { collateral } from '../collateral.ts';
import type { StreamContext } from '../streamContext.ts';
import { forcedUpdates } from './forcedUpdates.ts';
import { triggerMembers, untriggeredMembers } from './triggerMembers.ts';
import type { UserEvent } from './userStream.ts';

/** An order's progress within the step. */
type Progress = { filled: number; notional: number; ticks: Ticks; lots: Lots };

/** For each event of the step, in order, gives the messages about the account's orders. */
export function orderUpdates(
  context: StreamContext,
  account: Account,
  step: AccountStep,
): (event: Event) => UserEvent[] {
  const progresses = new Map<OrderId, Progress>();
  const reported: Reported = {
    context,
    step,
    progressOf: (order) => {
      const found = progresses.get(order.id) ?? progressBefore(context, step, order);
      progresses.set(order.id, found);
      return found;
    },
  };
  return (event) => {
    switch (event.kind) {
      case 'orderPlaced':
      case 'orderModified':
      case 'orderCut':
        return changed(reported, event);
      case 'traded':
        return [event.taker, event.maker]
          .filter((fill) => fill.account === account.id)
          .flatMap((fill) => filled(reported, event, fill));
      case 'orderEnded':
        return ended(reported, event.order);
      case 'takenOver':
      case 'deleveraged':
        return forcedUpdates(context, account, event);
      default:
        return [];
    }
  };
}

type Reported = {
  readonly context: StreamContext;
  readonly step: AccountStep;
  readonly progressOf: (order: Readonly<Order>) => Progress;
};

/** The order before the step: its present values, minus the fills of the step. */
function progressBefore(
  { exchange }: StreamContext,
  { events }: AccountStep,
  order: Readonly<Order>,
): Progress {
  const { ticks, lots } = order;
  const { grain } = must(marketById(exchange, order.market), 'an order is on a market');
  const progress: Progress = { filled: order.filled, notional: order.filledNotional, ticks, lots };
  for (const event of events) {
    if (event.kind !== 'traded') continue;
    for (const fill of [event.taker, event.maker]) {
      if (fill.order !== order.id) continue;
      progress.filled -= event.lots;
      progress.notional -= notionalOf(event.ticks, event.lots, grain);
    }
  }
  return progress;
}

function changed(reported: Reported, event: OrderPlaced | OrderModified | OrderCut): UserEvent[] {
  const order = must(reported.step.orderOf(event.id), 'an event is of an order of the step');
  const progress = reported.progressOf(order);
  progress.lots = event.lots;
  if (event.kind !== 'orderCut') progress.ticks = event.ticks;
  const placed = event.kind === 'orderPlaced';
  const status = progress.filled === 0 ? 'NEW' : 'PARTIALLY_FILLED';
  return [update(reported, order, { what: placed ? 'NEW' : 'AMENDMENT', status })];
}

function filled(reported: Reported, traded: Traded, fill: Fill): UserEvent[] {
  const { context, step } = reported;
  const order = must(step.orderOf(fill.order), 'a fill is of an order of the step');
  const market = must(marketById(context.exchange, order.market), 'an order is on a market');
  const progress = reported.progressOf(order);
  progress.filled += traded.lots;
  progress.notional += notionalOf(traded.ticks, traded.lots, market.grain);
  const last = order.status === 'FILLED' && progress.filled === order.filled;
  const maker = fill === traded.maker;
  const what = order.origin === 'liquidation' ? 'CALCULATED' : 'TRADE';
  const status = last ? 'FILLED' : 'PARTIALLY_FILLED';
  return [
    lite(reported, order, { traded, maker }),
    update(reported, order, { what, status, fill: { traded, fill, maker } }),
  ];
}

function ended(reported: Reported, order: Readonly<Order>): UserEvent[] {
  if (order.status !== 'FILLED') {
    return [update(reported, order, { what: 'CANCELED', status: order.status })];
  }
  // Its last fill has reported the end, unless a modification reduced the order to its filled
  // quantity (ORD-5).
  const byFill = reported.step.events.some(
    (event) => event.kind === 'traded' && [event.taker.order, event.maker.order].includes(order.id),
  );
  if (byFill) return [];
  return [update(reported, order, { what: 'AMENDMENT', status: 'FILLED' })];
}

type Change = {
  readonly what: 'NEW' | 'TRADE' | 'CANCELED' | 'AMENDMENT' | 'CALCULATED';
  readonly status: OrderStatus;
  readonly fill?: { readonly traded: Traded; readonly fill: Fill; readonly maker: boolean };
};

/** Why it ended, in the convention's numbers (12.4). */
const endReasons: Partial<Record<CancelReason, string>> = {
  SELF_TRADE: '1',
  IOC: '2',
  LIQUIDATION: '5',
  DELISTING: '7',
  MARKET: '9',
};

function update(reported: Reported, order: Readonly<Order>, change: Change): UserEvent {
  const { exchange } = reported.context;
  const market = must(marketById(exchange, order.market), 'an order is on a market');
  const progress = reported.progressOf(order);
  const { trigger } = order;
  const dated = trigger !== null && trigger.goodTillDate !== 0 && order.type === 'LIMIT';
  const reason = change.what === 'CANCELED' ? endReasons[order.cancelReason] : undefined;
  return {
    e: 'ORDER_TRADE_UPDATE',
    T: exchange.time,
    o: {
      s: market.symbol,
      c: clientOrderIdOf(order),
      S: order.side === buy ? 'BUY' : 'SELL',
      o: order.type,
      f: dated ? 'GTD' : order.timeInForce,
      q: formatSteps(progress.lots, market.lot),
      p: progress.ticks === 0 ? '0' : formatSteps(progress.ticks, market.tick),
      ap: averagePriceText(market, progress.notional, progress.filled),
      x: change.what,
      X: change.status,
      i: formatUuid(order.createdAt, order.id),
      z: formatSteps(progress.filled, market.lot),
      ...fillMembers(market, change),
      T: exchange.time,
      // Other resting orders on the symbol are not counted here.
      b: '0',
      a: '0',
      R: order.reduceOnly,
      wt: order.workingType,
      ot: trigger?.type ?? order.type,
      ps: 'BOTH',
      pP: order.priceProtect,
      si: 0,
      ss: 0,
      V: order.selfTradeMode,
      pm: 'NONE',
      er: reason ?? '0',
      ...(trigger === null ? untriggeredMembers : triggerMembers(trigger, market)),
    },
  };
}

function fillMembers(market: Market, { fill: part }: Change): object {
  if (part === undefined) {
    return { l: formatSteps(0, market.lot), L: '0', t: 0, m: false, rp: '0' };
  }
  const { traded, fill, maker } = part;
  const money = (amount: Money): string => formatTrimmed(amount, moneyDecimals);
  return {
    l: formatSteps(traded.lots, market.lot),
    L: formatSteps(traded.ticks, market.tick),
    N: collateral,
    n: money(fill.fee),
    t: traded.tradeId,
    m: maker,
    rp: money(fill.pnl),
  };
}

function lite(
  { context, progressOf }: Reported,
  order: Readonly<Order>,
  { traded, maker }: { readonly traded: Traded; readonly maker: boolean },
): UserEvent {
  const { exchange } = context;
  const market = must(marketById(exchange, order.market), 'an order is on a market');
  const { lots, ticks } = progressOf(order);
  return {
    e: 'TRADE_LITE',
    T: exchange.time,
    s: market.symbol,
    q: formatSteps(lots, market.lot),
    p: ticks === 0 ? '0' : formatSteps(ticks, market.tick),
    m: maker,
    c: clientOrderIdOf(order),
    S: order.side === buy ? 'BUY' : 'SELL',
    L: formatSteps(traded.ticks, market.tick),
    l: formatSteps(traded.lots, market.lot),
    t: traded.tradeId,
    i: formatUuid(order.createdAt, order.id),
  };
}
