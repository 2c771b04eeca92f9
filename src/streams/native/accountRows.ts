// The numbered messages of the channel `account` (WS-2): what a step did with an account, in the
// order of its events, and then the rows that are different after it.

import { type Account, balanceOf, isFlagged } from '../../engine/views/account.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { leverageOf } from '../../engine/views/leverageOf.ts';
import type { Market } from '../../engine/views/market.ts';
import { type Position, positionsOf } from '../../engine/views/position.ts';
import type { Trigger } from '../../engine/views/trigger.ts';
import { findEndedOrder } from '../../market-data/endedOrders.ts';
import { must } from '../../std/assert.ts';
import type { OrderId } from '../../units/units.ts';
import type { AccountStep } from '../accountFeed.ts';
import type { StreamContext } from '../streamContext.ts';
import type { AccountFigures } from './accountFigures.ts';
import { fillTexts } from './fillTexts.ts';
import { fundingText } from './fundingText.ts';
import { liquidationTexts } from './liquidationTexts.ts';
import { transferRows } from './transferRows.ts';

type AccountEvent =
  | 'balance'
  | 'deposit'
  | 'fill'
  | 'funding'
  | 'liquidation'
  | 'order'
  | 'position'
  | 'trigger'
  | 'withdrawal';

/** A message: its event, and its data as JSON text. */
export type AccountRow = readonly [AccountEvent, string];

/** What the last messages said, so that only changed rows are sent again. */
type Reported = { balance: string; readonly positions: string[] };

/** Gives what a step changed since the step before; `figures` learns the rows that are sent. */
export function createAccountRows(
  context: StreamContext,
  account: Account,
  figures: AccountFigures,
): (step: AccountStep) => readonly AccountRow[] {
  const reported: Reported = { balance: balanceMark(account), positions: [] };
  for (const position of positionsOf(account)) {
    if (position !== undefined) reportedAnew(context, account, position, reported);
  }
  return (step) => [
    ...eventRows(context, account, step),
    ...stateRows(context, account, { reported, figures }),
  ];
}

function eventRows(context: StreamContext, account: Account, step: AccountStep): AccountRow[] {
  const rows: AccountRow[] = [];
  for (const event of step.events) {
    for (const text of fillTexts(context, account, { event, step })) rows.push(['fill', text]);
    for (const text of liquidationTexts(context, account, event)) rows.push(['liquidation', text]);
    if (event.kind === 'fundingPaid') rows.push(['funding', fundingText(context, event)]);
    rows.push(...transferRows(context, account, event));
  }
  for (const id of ordersIn(account, step)) {
    const order = step.orderOf(id);
    if (order !== undefined) rows.push(['order', context.records.order(order)]);
  }
  for (const id of triggersIn(step)) {
    const trigger = must(step.triggerOf(id), 'a trigger of an event lives or ended in the step');
    rows.push(['trigger', triggerText(context, step, trigger)]);
  }
  return rows;
}

/** Positions and the balance, as far as the account itself changed them. */
function stateRows(
  context: StreamContext,
  account: Account,
  { reported, figures }: { readonly reported: Reported; readonly figures: AccountFigures },
): AccountRow[] {
  const { records } = context;
  const rows: AccountRow[] = [];
  const changed = positionsOf(account).filter(
    (each): each is Position =>
      each !== undefined && reportedAnew(context, account, each, reported),
  );
  const texts = changed.length === 0 ? [] : records.positions(account, changed);
  for (const [index, position] of changed.entries()) {
    const text = texts[index]!;
    figures.sentPosition(position, text);
    rows.push(['position', text]);
  }
  const balance = balanceMark(account);
  if (balance !== reported.balance) {
    reported.balance = balance;
    const text = records.balance(account);
    figures.sentBalance(text);
    rows.push(['balance', text]);
  }
  return rows;
}

/** The account's orders that the step changed, in the order of their first change. */
function ordersIn({ id: account }: Account, { events }: AccountStep): ReadonlySet<OrderId> {
  const orders = new Set<OrderId>();
  for (const event of events) {
    switch (event.kind) {
      case 'orderPlaced':
      case 'orderModified':
      case 'orderCut':
        orders.add(event.id);
        break;
      case 'orderEnded':
        orders.add(event.order.id);
        break;
      case 'traded':
        for (const side of [event.taker, event.maker]) {
          if (side.account === account) orders.add(side.order);
        }
        break;
      default:
        break;
    }
  }
  return orders;
}

/** The account's triggers that the step changed, in the order of their first change. */
function triggersIn({ events }: AccountStep): ReadonlySet<OrderId> {
  const triggers = new Set<OrderId>();
  for (const event of events) {
    switch (event.kind) {
      case 'triggerPlaced':
      case 'triggerModified':
      case 'triggerEnded':
        triggers.add(event.trigger.id);
        break;
      case 'triggerResized':
      case 'triggerFired':
      case 'triggerTried':
        triggers.add(event.id);
        break;
      default:
        break;
    }
  }
  return triggers;
}

/** With the order that it placed, which is live, or ended in this step or before. */
function triggerText(
  { records, views }: StreamContext,
  step: AccountStep,
  trigger: Readonly<Trigger>,
): string {
  const { account, order: id } = trigger;
  if (id === 0) return records.trigger(trigger, undefined);
  const order = step.orderOf(id) ?? findEndedOrder(views.endedOrders, account, { id });
  return records.trigger(trigger, order);
}

function balanceMark(account: Account): string {
  const { available, freezes, collateral, uncovered, marginMode } = account;
  return `${balanceOf(account)} ${available} ${freezes} ${collateral} ${uncovered} ${marginMode}`;
}

/** Whether the position differs from its last message; remembers the new values. */
function reportedAnew(
  { exchange }: StreamContext,
  account: Account,
  position: Position,
  { positions }: Reported,
): boolean {
  const market = must(marketById(exchange, position.market), 'a position has a market');
  const mark = positionMark(market, account, position);
  if ((positions[market.id] ?? flatMark(market, account)) === mark) return false;
  positions[market.id] = mark;
  return true;
}

function positionMark(market: Market, account: Account, position: Position): string {
  const { lots, entry, collateral, uncovered } = position;
  const flagged = isFlagged(account, position) && lots !== 0;
  const leverage = leverageOf(market, position);
  return `${lots} ${entry} ${collateral} ${uncovered} ${leverage} ${flagged} ${account.marginMode}`;
}

/** Of a position that the account never had. */
function flatMark(market: Market, { marginMode }: Account): string {
  return `0 0 0 0 ${leverageOf(market, undefined)} false ${marginMode}`;
}
