// Notes after every step the new values of orders, names, balances, positions with their
// collateral, leverage, modes, sessions, referral, withdrawals and fills, in the words of the wire
// (keys.ts). It reads records of the witness and no answer of the program.

import { moneyText, priceText, quantityText } from '../../../src/api/grid.ts';
import { balanceOf } from '../../../src/engine/account.ts';
import { availableToOpen } from '../../../src/engine/clearing/initialMargin.ts';
import type { Event, Traded } from '../../../src/engine/event.ts';
import type { Fill } from '../../../src/engine/fill.ts';
import { liveAccounts } from '../../../src/engine/liveAccounts.ts';
import { marginModes } from '../../../src/engine/marginModes.ts';
import type { Market } from '../../../src/engine/market.ts';
import type { OrderStatus } from '../../../src/engine/orderTypes.ts';
import type { Deleveraged, TakenOver } from '../../../src/engine/riskEvent.ts';
import type { TriggerStatus } from '../../../src/engine/triggerTypes.ts';
import { leverageOf } from '../../../src/engine/views/leverageOf.ts';
import type { Order } from '../../../src/engine/views/order.ts';
import { referralOf } from '../../../src/engine/views/referral.ts';
import type { Trigger } from '../../../src/engine/views/trigger.ts';
import { directGet } from '../../../src/std/directMap.ts';
import type { AccountId, Lots, MarketId, Money, OrderId, Ticks } from '../../../src/units/units.ts';
import { formatUuid } from '../../../src/units/uuid.ts';
import {
  availableKey,
  balanceKey,
  collateralKey,
  fillKey,
  fillsKey,
  fillValue,
  lastTradeKey,
  leverageKey,
  liveNameKey,
  modeKey,
  nameKey,
  orderKey,
  orderValue,
  positionKey,
  referralKey,
  referralValue,
  restingKey,
  sessionsKey,
  sessionsValue,
  tradeKey,
  tradeValue,
  withdrawalKey,
} from './keys.ts';
import { noteValue, type Timelines } from './timelines.ts';
import type { Auditor, Step } from './witness.ts';

type Notes = {
  readonly timelines: Timelines;
  readonly numbers: FillNumbers;
  /** The last noted values of each account, as numbers: the account's, then each market's. */
  readonly accounts: number[][];
};

/** The numbers of the fills of each account and market (`fillsKey`), in their order. */
export type FillNumbers = Map<string, number[]>;

export function createTimelineAuditor(timelines: Timelines, numbers: FillNumbers): Auditor {
  const notes: Notes = { timelines, numbers, accounts: [] };
  return (step) => {
    const touched = new Map<OrderId, Readonly<Order> | undefined>();
    for (const event of step.events) noteEvent(notes, step, event, touched);
    for (const [id, ended] of touched) {
      const order = ended ?? directGet(step.exchange.orders, id);
      if (order !== undefined) noteOrder(notes, step, order);
    }
    for (const account of liveAccounts(step.exchange)) noteAccount(notes, step, account.id);
    return [];
  };
}

function marketIn({ exchange }: Step, id: MarketId): Market {
  return exchange.markets[id]!;
}

function noteEvent(
  notes: Notes,
  step: Step,
  event: Event,
  touched: Map<OrderId, Readonly<Order> | undefined>,
): void {
  const touch = (id: OrderId): void => {
    if (!touched.has(id)) touched.set(id, undefined);
  };
  switch (event.kind) {
    case 'orderPlaced':
    case 'orderModified':
    case 'orderCut':
      return touch(event.id);
    case 'orderEnded':
      touched.set(event.order.id, event.order);
      return;
    case 'traded':
      touch(event.taker.order);
      touch(event.maker.order);
      noteTrade(notes, step, event);
      noteFill(notes, step, event, { fill: event.taker, maker: false });
      return noteFill(notes, step, event, { fill: event.maker, maker: true });
    case 'takenOver':
      noteForced(notes, step, event);
      noteFill(notes, step, event, { fill: event.account, maker: false });
      return noteFill(notes, step, event, { fill: event.fund, maker: true });
    case 'deleveraged':
      noteForced(notes, step, event);
      noteFill(notes, step, event, { fill: event.bankrupt, maker: false });
      return noteFill(notes, step, event, { fill: event.counterparty, maker: true });
    case 'triggerPlaced':
    case 'triggerEnded':
      return noteTrigger(notes, step, event.trigger);
    case 'withdrawalRequested':
      return noteWithdrawal(notes, step, event.id, `${moneyText(event.amount)} pending`);
    case 'withdrawalResolved': {
      const status = event.completed ? 'completed' : 'released';
      return noteWithdrawal(notes, step, event.id, `${moneyText(event.amount)} ${status}`);
    }
    case 'loggedIn':
    case 'sessionEnded':
      return noteSessions(notes, step, event.account);
    case 'referralCodeSet':
    case 'referralBound':
    case 'referralAccrued':
    case 'referralClaimed':
      return noteReferral(notes, step, event.account);
    default:
      return;
  }
}

/** As they are after the step. */
function noteSessions({ timelines }: Notes, { exchange, index }: Step, id: AccountId): void {
  const numbers = exchange.accounts[id]?.sessions.map((session) => session.id) ?? [];
  noteValue(timelines, sessionsKey(id), index, sessionsValue(numbers));
}

function noteReferral({ timelines }: Notes, { exchange, index }: Step, id: AccountId): void {
  const { code, boundCode, accrued, claimed } = referralOf(exchange, exchange.accounts[id]!);
  const value = referralValue({
    code: code === '' ? null : code,
    bound_code: boundCode === '' ? null : boundCode,
    accrued: moneyText(accrued),
    claimed: moneyText(claimed),
  });
  noteValue(timelines, referralKey(id), index, value);
}

function noteTrade({ timelines }: Notes, step: Step, event: Traded): void {
  const { market: id, tradeId, ticks, lots, takerSide } = event;
  const market = marketIn(step, id);
  const value = tradeValue({
    price: priceText(ticks, market),
    qty: quantityText(lots, market),
    taker_side: takerSide === 1 ? 'BUY' : 'SELL',
  });
  noteValue(timelines, tradeKey(market.symbol, tradeId), step.index, value);
  noteValue(timelines, lastTradeKey(market.symbol), step.index, String(tradeId));
}

type Close = {
  readonly market: MarketId;
  readonly tradeId: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
};

function noteFill(
  { timelines, numbers }: Notes,
  step: Step,
  { market: id, tradeId, ticks, lots }: Close,
  { fill, maker }: { readonly fill: Fill; readonly maker: boolean },
): void {
  const market = marketIn(step, id);
  const { account, pnl, fee } = fill;
  const count = fillsKey(account, market.symbol);
  const ids = numbers.get(count) ?? [];
  ids.push(tradeId);
  numbers.set(count, ids);
  noteValue(timelines, count, step.index, `${ids.length} ${tradeId}`);
  const value = fillValue({
    price: priceText(ticks, market),
    qty: quantityText(lots, market),
    realizedPnl: moneyText(pnl),
    commission: moneyText(fee),
  });
  noteValue(timelines, fillKey(account, market.symbol, tradeId, maker), step.index, value);
}

const isLive = ({ status }: Readonly<Order>): boolean =>
  status === 'NEW' || status === 'PARTIALLY_FILLED';

function noteOrder({ timelines }: Notes, step: Step, order: Readonly<Order>): void {
  const market = marketIn(step, order.market);
  const { createdAt, id, status, ticks, cancelReason } = order;
  const value = orderValue({
    status,
    executedQty: quantityText(order.filled, market),
    origQty: quantityText(order.lots, market),
    price: ticks === 0 ? '0' : priceText(ticks, market),
    cancelReason: cancelReason === 'NONE' ? undefined : cancelReason,
  });
  noteValue(timelines, orderKey(formatUuid(createdAt, id)), step.index, value);
  noteName(timelines, step, order, isLive(order));
}

/** Takeovers and deleveragings appear as orders that filled at once, on both sides. */
function noteForced({ timelines }: Notes, step: Step, event: TakenOver | Deleveraged): void {
  const market = marketIn(step, event.market);
  const quantity = quantityText(event.lots, market);
  const price = priceText(event.ticks, market);
  const value = orderValue({ status: 'FILLED', executedQty: quantity, origQty: quantity, price });
  noteValue(timelines, orderKey(formatUuid(step.exchange.time, event.id)), step.index, value);
}

type Named = { readonly account: AccountId; readonly clientOrderId: string };

function noteName(
  timelines: Timelines,
  { index }: Step,
  { account, clientOrderId }: Named,
  live: boolean,
): void {
  if (clientOrderId === '') return;
  noteValue(timelines, nameKey(account, clientOrderId), index, 'known');
  noteValue(timelines, liveNameKey(account, clientOrderId), index, live ? 'live' : '');
}

/** The status that the order route shows for a trigger without an order (TRG-2). */
const shownStatus: Partial<Record<TriggerStatus, OrderStatus>> = {
  NEW: 'NEW',
  CANCELED: 'CANCELED',
  EXPIRED: 'CANCELED',
  FAILED: 'REJECTED',
};

function noteTrigger({ timelines }: Notes, step: Step, trigger: Readonly<Trigger>): void {
  if (trigger.route !== 'order') return;
  const status = shownStatus[trigger.status];
  // A fired trigger shows its order.
  if (status === undefined) return;
  const market = marketIn(step, trigger.market);
  const { createdAt, id, lots, ticks } = trigger;
  const value = orderValue({
    status,
    executedQty: quantityText(0 as Lots, market),
    origQty: quantityText(lots, market),
    price: ticks === 0 ? '0' : priceText(ticks, market),
  });
  noteValue(timelines, orderKey(formatUuid(createdAt, id)), step.index, value);
  noteName(timelines, step, trigger, trigger.status === 'NEW');
}

function noteWithdrawal({ timelines }: Notes, step: Step, id: OrderId, value: string): void {
  noteValue(timelines, withdrawalKey(String(id)), step.index, value);
}

/** Gives whether the value changed. */
function put(noted: number[], at: number, value: number): boolean {
  if (noted[at] === value) return false;
  noted[at] = value;
  return true;
}

function noteAccount({ timelines, accounts }: Notes, step: Step, id: AccountId): void {
  const { exchange, index } = step;
  const account = exchange.accounts[id]!;
  accounts[id] ??= [];
  const noted = accounts[id];
  const balance = balanceOf(account);
  if (put(noted, 0, balance)) noteValue(timelines, balanceKey(id), index, moneyText(balance));
  const available = availableToOpen(exchange, account);
  if (put(noted, 1, available)) noteValue(timelines, availableKey(id), index, moneyText(available));
  if (put(noted, 2, marginModes.indexOf(account.marginMode))) {
    noteValue(timelines, modeKey(id), index, account.marginMode);
  }
  let at = 3;
  for (const market of exchange.markets) {
    const position = account.positions[market.id];
    let changed = put(noted, at, position?.lots ?? 0);
    changed = put(noted, at + 1, position?.orderCount ?? 0) || changed;
    changed = put(noted, at + 2, leverageOf(market, position)) || changed;
    changed = put(noted, at + 3, position?.collateral ?? 0) || changed;
    if (changed) noteHolding(timelines, step, { id, market });
    at += 4;
  }
}

function noteHolding(
  timelines: Timelines,
  { exchange, index }: Step,
  { id, market }: { readonly id: AccountId; readonly market: Market },
): void {
  const position = exchange.accounts[id]!.positions[market.id];
  const { symbol } = market;
  const { lots = 0 as Lots, orderCount = 0, collateral = 0 as Money } = position ?? {};
  const held = lots === 0 ? '0' : quantityText(lots, market);
  noteValue(timelines, positionKey(id, symbol), index, held);
  noteValue(timelines, collateralKey(id, symbol), index, moneyText(collateral));
  noteValue(timelines, restingKey(id, symbol), index, String(orderCount));
  noteValue(timelines, leverageKey(id, symbol), index, String(leverageOf(market, position)));
}
