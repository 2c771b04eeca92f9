// The channel `account` of one account (WS-2): its balance, positions and open orders, then their
// changes in the order of the log. Rows are absolute: a client that keeps the last version of each
// row has the present account. Figures that change with the mark alone are sent with the next other
// change.

import { type Account, balanceOf, isFlagged } from '../../engine/views/account.ts';
import { accountById, marketById } from '../../engine/views/exchange.ts';
import { leverageOf } from '../../engine/views/leverageOf.ts';
import type { Market } from '../../engine/views/market.ts';
import { openOrdersOf } from '../../engine/views/openOrdersOf.ts';
import { type Position, positionsOf } from '../../engine/views/position.ts';
import { must } from '../../std/assert.ts';
import type { AccountId, OrderId } from '../../units/units.ts';
import { type AccountStep, followAccount } from '../accountFeed.ts';
import { type Opening, publish } from '../fanout.ts';
import type { StreamContext } from '../streamContext.ts';
import { fillTexts } from './fillTexts.ts';
import { fundingText } from './fundingText.ts';
import { liquidationTexts } from './liquidationTexts.ts';

export const accountStreamKey = (account: AccountId): string => `account:${account}`;

export function accountOpening(context: StreamContext, id: AccountId): Opening {
  const { fanout, exchange, records } = context;
  const account = must(accountById(exchange, id), 'a channel is of an account');
  return {
    key: accountStreamKey(id),
    name: 'account',
    resumable: true,
    urgent: true,
    // The messages of one account must not continue the copy of another account.
    holder: String(id),
    open: (channel) => {
      const reported = tellAll(context, account);
      const end = followAccount(context.accounts, id, (step) => {
        for (const [event, data] of textsOf(context, account, { step, reported })) {
          publish(
            fanout,
            channel(),
            (place) => `{"type":"account",${place},"event":"${event}","data":${data}}`,
          );
        }
      });
      const snapshot = (place: string): string => {
        const positions = openPositions(account).map((each) => records.position(account, each));
        const orders = openOrdersOf(account).map((order) => records.order(order));
        return (
          `{"type":"account",${place},"snapshot":true` +
          `,"balances":[${records.balance(account)}]` +
          `,"positions":[${positions.join(',')}],"orders":[${orders.join(',')}]}`
        );
      };
      return { snapshot, close: end };
    },
  };
}

function openPositions(account: Account): Position[] {
  return positionsOf(account).filter(
    (each): each is Position => each !== undefined && each.lots !== 0,
  );
}

type AccountEvent = 'balance' | 'fill' | 'funding' | 'liquidation' | 'order' | 'position';
type Text = readonly [AccountEvent, string];

/** The last sent rows, so that only changed rows are sent again. */
type Reported = { balance: string; readonly positions: string[] };

/** The events in their order; then the orders, positions and balance after them. */
function textsOf(
  context: StreamContext,
  account: Account,
  { step, reported }: { readonly step: AccountStep; readonly reported: Reported },
): Text[] {
  const texts: Text[] = [];
  for (const event of step.events) {
    for (const text of fillTexts(context, account, { event, step })) texts.push(['fill', text]);
    for (const text of liquidationTexts(context, account, event)) texts.push(['liquidation', text]);
    if (event.kind === 'fundingPaid') texts.push(['funding', fundingText(context, event)]);
  }
  for (const id of ordersIn(account, step)) {
    const order = step.orderOf(id);
    if (order !== undefined) texts.push(['order', context.records.order(order)]);
  }
  for (const position of positionsOf(account)) {
    if (position !== undefined && reportedAnew(context, account, position, reported)) {
      texts.push(['position', context.records.position(account, position)]);
    }
  }
  const balance = balanceMark(account);
  if (balance !== reported.balance) {
    reported.balance = balance;
    texts.push(['balance', context.records.balance(account)]);
  }
  return texts;
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

function tellAll(context: StreamContext, account: Account): Reported {
  const reported: Reported = { balance: balanceMark(account), positions: [] };
  for (const position of positionsOf(account)) {
    if (position !== undefined) reportedAnew(context, account, position, reported);
  }
  return reported;
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
