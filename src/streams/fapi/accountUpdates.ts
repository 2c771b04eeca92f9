// ACCOUNT_UPDATE (conventions, 12.5): the wallet balance and the positions that a step changed. An
// order that was placed or cancelled without a fill causes none.

import type { Event } from '../../engine/event.ts';
import { type Account, balanceOf } from '../../engine/views/account.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { type Position, positionsOf } from '../../engine/views/position.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { type MarketId, type Money, moneyDecimals } from '../../units/units.ts';
import type { AccountStep } from '../accountFeed.ts';
import { collateral } from '../collateral.ts';
import type { StreamContext } from '../streamContext.ts';
import type { UserEvent } from './userStream.ts';

/** The last reported values, and the realised profit of each market since the stream began. */
export type AccountMemory = {
  balance: Money;
  /** By market: lots and entry notional. */
  readonly positions: Map<MarketId, string>;
  readonly realized: Map<MarketId, number>;
};

export function createAccountMemory(account: Account): AccountMemory {
  const positions = new Map<MarketId, string>();
  for (const position of positionsOf(account)) {
    if (position !== undefined) positions.set(position.market, markOf(position));
  }
  return { balance: balanceOf(account), positions, realized: new Map() };
}

const markOf = ({ lots, entry }: Position): string => `${lots} ${entry}`;

type Reason =
  | 'ADJUSTMENT'
  | 'DEPOSIT'
  | 'FUNDING_FEE'
  | 'INSURANCE_CLEAR'
  | 'MARGIN_TYPE_CHANGE'
  | 'ORDER'
  | 'WITHDRAW';

type Update = {
  readonly account: Account;
  readonly memory: AccountMemory;
  readonly step: AccountStep;
};

/** One message for each payment of funding, with its balance; then one for all other changes. */
export function accountUpdates(context: StreamContext, update: Update): UserEvent[] {
  const { account, memory, step } = update;
  const reported: UserEvent[] = [];
  for (const event of step.events) {
    addRealized(memory, account, event);
    if (event.kind !== 'fundingPaid' || event.amount === 0) continue;
    memory.balance = event.balance;
    reported.push(message(context, 'FUNDING_FEE', [balanceRow(account, event.balance)], []));
  }
  const positions = positionsOf(account).filter(
    (each): each is Position => each !== undefined && isNew(memory, each),
  );
  const balance = balanceOf(account);
  if (balance === memory.balance && positions.length === 0) return reported;
  const { reason, outside } = causeOf(step.events);
  memory.balance = balance;
  const rows = positions.map((each) => positionRow(context, memory, each));
  reported.push(message(context, reason, [balanceRow(account, balance, outside)], rows));
  return reported;
}

function message(
  { exchange }: StreamContext,
  m: Reason,
  B: readonly object[],
  P: readonly object[],
): UserEvent {
  return { e: 'ACCOUNT_UPDATE', T: exchange.time, a: { m, B, P } };
}

/** Whether the position differs from its last report; remembers the new values. */
function isNew({ positions }: AccountMemory, position: Position): boolean {
  const mark = markOf(position);
  if ((positions.get(position.market) ?? '0 0') === mark) return false;
  positions.set(position.market, mark);
  return true;
}

/** What changed the account, and how much money came in or left. */
function causeOf(events: readonly Event[]): { readonly reason: Reason; readonly outside: Money } {
  let reason: Reason | undefined;
  let outside = 0;
  for (const event of events) {
    switch (event.kind) {
      case 'credited':
        // A correction of a credit (OPS-1b).
        reason ??= event.amount < 0 ? 'ADJUSTMENT' : 'DEPOSIT';
        outside += event.amount;
        break;
      case 'withdrawalRequested':
        reason ??= 'WITHDRAW';
        outside -= event.amount;
        break;
      case 'withdrawalResolved':
        reason ??= 'WITHDRAW';
        if (!event.completed) outside += event.amount;
        break;
      case 'marginModeSet':
        reason ??= 'MARGIN_TYPE_CHANGE';
        break;
      case 'takenOver':
      case 'liquidationFeePaid':
        reason ??= 'INSURANCE_CLEAR';
        break;
      case 'positionSettled':
      case 'profitShared':
        reason ??= 'ADJUSTMENT';
        break;
      case 'traded':
      case 'deleveraged':
        reason ??= 'ORDER';
        break;
      default:
        break;
    }
  }
  return { reason: reason ?? 'ADJUSTMENT', outside: outside as Money };
}

function addRealized({ realized }: AccountMemory, { id }: Account, event: Event): void {
  const add = (market: MarketId, amount: number): void => {
    realized.set(market, (realized.get(market) ?? 0) + amount);
  };
  switch (event.kind) {
    case 'traded':
      for (const fill of [event.taker, event.maker])
        if (fill.account === id) add(event.market, fill.pnl);
      break;
    case 'takenOver':
      add(event.market, event.account.account === id ? event.account.pnl : 0);
      break;
    case 'deleveraged':
      for (const fill of [event.bankrupt, event.counterparty]) {
        if (fill.account === id) add(event.market, fill.pnl);
      }
      break;
    case 'profitRealized':
      add(event.market, event.amount);
      break;
    case 'positionSettled':
      add(event.market, event.pnl);
      break;
    default:
      break;
  }
}

const moneyText = (money: number): string => formatTrimmed(money, moneyDecimals);

function balanceRow(account: Account, balance: Money, outside = 0 as Money): object {
  const isolated = account.marginMode === 'isolated' ? account.collateral : 0;
  return {
    a: collateral,
    wb: moneyText(balance),
    cw: moneyText(balance - isolated),
    bc: moneyText(outside),
  };
}

function positionRow(
  { exchange }: StreamContext,
  { realized }: AccountMemory,
  position: Position,
): object {
  const market = must(marketById(exchange, position.market), 'a position is on a market');
  const { lots } = position;
  const entryPrice = entryPriceText(market, position);
  return {
    s: market.symbol,
    pa: lots === 0 ? '0' : formatSteps(lots, market.lot),
    ep: entryPrice,
    bep: entryPrice,
    cr: moneyText(realized.get(market.id) ?? 0),
    up: moneyText(positionFigures(exchange, position).unrealized),
    // FAPI knows only cross margin (spec, model rule 3).
    mt: 'cross',
    iw: '0',
    ps: 'BOTH',
    ma: collateral,
  };
}
