// Which event of a step makes which rows (HIST-1). Every change of a balance is a row of the
// ledger. ledgerOfStep.ts makes these rows, and placeFills.ts removes those that a fill contains.
// Candles come from time and not from events (closedCandleRows.ts).

import type { Event, OrderModified, Traded } from '../engine/event.ts';
import { insuranceAccount } from '../engine/marginModes.ts';
import { type Exchange, orderById, triggerById } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import { recordOf, type Trigger } from '../engine/views/trigger.ts';
import { rowOfDeleveraging } from '../market-data/deleveragings.ts';
import {
  eventPlaceOf,
  rowsOfDeleveraging,
  rowsOfLiquidation,
  rowsOfTakeover,
} from '../market-data/forceOrders.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import { must } from '../std/assert.ts';
import type { OrderId, Time } from '../units/units.ts';
import { fillRowsOf, forcedFillRowsOf } from './fillRowsOf.ts';
import { accountRowOf, append, type Gathering, referralDayKey } from './gathering.ts';
import { ledgerOfStep } from './ledgerOfStep.ts';
import { placeFills } from './placeFills.ts';
import type { ReferralDayRow } from './rows.ts';

const dayMs = 86_400_000;

/** The exchange is in the state after the step. */
export function takeStep(gathering: Gathering, events: readonly Event[], exchange: Exchange): void {
  // First, because an ended order is found nowhere else, and may have traded before.
  for (const event of events) {
    if (event.kind === 'orderEnded') gathering.orders.set(event.order.id, event.order);
  }
  const { ledger, queues } = gathering;
  const fillsBefore = queues.fills.length;
  for (const event of events) takeEvent(gathering, event, exchange);
  const rows = ledgerOfStep(ledger, events, exchange);
  if (rows.length === 0 && queues.fills.length === fillsBefore) return;
  append(queues.ledger, placeFills(queues.fills.slice(fillsBefore), rows, ledger.rows + 1));
}

function takeEvent(gathering: Gathering, event: Event, exchange: Exchange): void {
  const { queues } = gathering;
  switch (event.kind) {
    case 'orderPlaced':
      gathering.begun.orders.add(event.id);
      changeOrder(gathering, event.id);
      return;
    case 'orderCut':
      changeOrder(gathering, event.id);
      return;
    case 'orderModified':
      changeOrder(gathering, event.id);
      takeAmendment(gathering, event, exchange);
      return;
    case 'orderEnded':
      append(queues.forceOrders, rowsOfLiquidation(event.order));
      return;
    case 'traded':
      takeTrade(gathering, event, exchange);
      return;
    case 'takenOver':
      append(queues.fills, forcedFillRowsOf(exchange, event));
      append(queues.forceOrders, rowsOfTakeover(event, eventPlaceOf(exchange, event)));
      return;
    case 'deleveraged':
      append(queues.fills, forcedFillRowsOf(exchange, event));
      append(queues.forceOrders, rowsOfDeleveraging(event, eventPlaceOf(exchange, event)));
      queues.deleveragings.push(rowOfDeleveraging(event, exchange.time));
      return;
    case 'triggerPlaced':
      gathering.begun.triggers.add(event.trigger.id);
      changeTrigger(gathering, event.trigger);
      return;
    case 'triggerModified':
    case 'triggerEnded':
      changeTrigger(gathering, event.trigger);
      return;
    case 'triggerResized':
    case 'triggerFired':
    case 'triggerTried': {
      // The end of the trigger in the same step reports it.
      const trigger = triggerById(exchange, event.id);
      if (trigger !== undefined) changeTrigger(gathering, trigger);
      return;
    }
    case 'marketListed':
      gathering.begun.markets.add(event.market);
      gathering.markets.add(event.market);
      return;
    case 'marketChanged':
      gathering.markets.add(event.market);
      return;
    default:
      takeMoney(gathering, event, exchange);
      return;
  }
}

/** Deposits, withdrawals, funding and referral. */
function takeMoney(gathering: Gathering, event: Event, exchange: Exchange): void {
  const { queues } = gathering;
  const { time } = exchange;
  switch (event.kind) {
    case 'accountCreated': {
      queues.accounts.push(accountRowOf(exchange, event.account));
      return;
    }
    case 'credited': {
      const { id, account, amount, reference } = event;
      queues.deposits.push({ id, account, amount, reference, time });
      return;
    }
    case 'insuranceCredited': {
      const { id, amount, reference } = event;
      queues.deposits.push({ id, account: insuranceAccount, amount, reference, time });
      return;
    }
    case 'withdrawalRequested': {
      const { id, account, amount } = event;
      gathering.begun.withdrawals.add(id);
      const request = { id, account, amount, createdAt: time };
      changeWithdrawal(gathering, { ...request, status: 'pending', resolvedAt: 0 as Time });
      return;
    }
    case 'withdrawalResolved': {
      const request = must(gathering.pending.get(event.id), 'what is resolved was pending');
      const status = event.completed ? 'completed' : 'released';
      changeWithdrawal(gathering, { ...request, status, resolvedAt: time });
      return;
    }
    case 'fundingPaid': {
      const { id, account, market, boundary, rate, lots, amount } = event;
      queues.fundingPayments.push({ id, account, market, boundary, rate, lots, amount, time });
      return;
    }
    case 'referralAccrued': {
      const { account, day, amount, today } = event;
      const row: ReferralDayRow = { account, day: (day * dayMs) as Time, amount: today };
      const key = referralDayKey(row);
      // Nothing had accrued on this day before.
      if (today === amount) gathering.begun.referralDays.add(key);
      gathering.referralDays.set(key, row);
      return;
    }
    case 'fundingSettled': {
      const { market, boundary, rate, mark } = event;
      gathering.settlements += 1;
      queues.fundingRates.push({ id: gathering.settlements, market, boundary, rate, mark });
      return;
    }
    default:
      return;
  }
}

/** An ended order stays ended, so its final record is never replaced. */
function changeOrder({ orders }: Gathering, id: OrderId): void {
  if (!orders.has(id)) orders.set(id, undefined);
}

/** A copy as of this step, because a trailing extreme follows the mark without an event. */
function changeTrigger({ triggers }: Gathering, trigger: Readonly<Trigger>): void {
  triggers.set(trigger.id, recordOf(trigger));
}

function changeWithdrawal({ withdrawals, pending }: Gathering, row: WithdrawalRow): void {
  withdrawals.set(row.id, row);
  if (row.status === 'pending') pending.set(row.id, row);
  else pending.delete(row.id);
}

function orderOf({ orders }: Gathering, exchange: Exchange, id: OrderId): Readonly<Order> {
  return must(orders.get(id) ?? orderById(exchange, id), 'an order that has not ended lives');
}

function takeAmendment(gathering: Gathering, event: OrderModified, exchange: Exchange): void {
  const { id: order, account, market, ticksBefore, lotsBefore, ticks, lots } = event;
  const { createdAt, clientOrderId } = orderOf(gathering, exchange, order);
  gathering.amendments += 1;
  gathering.queues.amendments.push({
    id: gathering.amendments,
    account,
    market,
    order,
    orderCreatedAt: createdAt,
    clientOrderId,
    ticksBefore,
    lotsBefore,
    ticks,
    lots,
    time: exchange.time,
  });
}

function takeTrade(gathering: Gathering, event: Traded, exchange: Exchange): void {
  const { queues } = gathering;
  const { market, tradeId, ticks, lots, takerSide, liquidation, taker, maker } = event;
  const { time } = exchange;
  changeOrder(gathering, taker.order);
  changeOrder(gathering, maker.order);
  append(
    queues.fills,
    fillRowsOf(exchange, event, (id) => orderOf(gathering, exchange, id)),
  );
  const aggregateId = aggregateOf(gathering, event, time);
  queues.trades.push({ market, tradeId, ticks, lots, takerSide, liquidation, aggregateId, time });
}

/** Consecutive trades of one order at one price and one time are one aggregate (NAT-2d). */
function aggregateOf(
  { aggregates }: Gathering,
  { market, ticks, taker }: Traded,
  time: Time,
): number {
  while (aggregates.length <= market) aggregates.push({ id: 0, order: 0, ticks: 0, time: 0 });
  const last = aggregates[market]!;
  const { order } = taker;
  if (last.order === order && last.ticks === ticks && last.time === time) return last.id;
  const id = last.id + 1;
  aggregates[market] = { id, order, ticks, time };
  return id;
}
