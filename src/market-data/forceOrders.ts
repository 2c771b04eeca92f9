// The forced closes of accounts' positions, the last rows: by liquidation orders, by takeovers of
// the insurance fund and by deleveragings (LIQ-1 … LIQ-6), without the fund's own side. Part of the
// archivist's snapshot.

import type { Fill } from '../engine/fill.ts';
import { viewRowsMax } from '../engine/limits.ts';
import { insuranceAccount } from '../engine/marginModes.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Deleveraged, TakenOver } from '../engine/riskEvent.ts';
import { type Exchange, marketById } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import { type Grain, notionalOf } from '../units/notional.ts';
import type { AccountId, Lots, MarketId, Money, OrderId, Ticks, Time } from '../units/units.ts';
import { createRowGroups, type RowGroups, type RowWindow, rowsOf } from './rowGroups.ts';
import { createRowRing, indexOf, type RowRing, rememberRow } from './rowRing.ts';

export const autoCloseTypes = ['LIQUIDATION', 'ADL'] as const;
export type AutoCloseType = (typeof autoCloseTypes)[number];

export type ForceOrder = {
  /**
   * Of the liquidation order, the takeover or the deleveraging. The two sides of a deleveraging
   * share one.
   */
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** The side that closed. */
  readonly side: Side;
  readonly autoCloseType: AutoCloseType;
  /** The limit price of a liquidation order; else the price of the one fill. */
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly filled: Lots;
  /** The notional of the fills: with `filled` it gives the average price. */
  readonly notional: Money;
  readonly time: Time;
};

export type ForceOrders = RowRing<ForceOrder, RowGroups<ForceOrder>>;

export function createForceOrders(max: number = viewRowsMax): ForceOrders {
  return createRowRing(max, () => createRowGroups<ForceOrder>(({ time }) => time));
}

/** The row of an ended order: one when it is a liquidation order and closed anything. */
export function rowsOfLiquidation(order: Readonly<Order>): readonly ForceOrder[] {
  if (order.origin !== 'liquidation' || order.filled === 0) return [];
  const { id, account, market, side, ticks, lots, filled, filledNotional, createdAt } = order;
  const closed = { id, account, market, side, ticks, lots, filled, notional: filledNotional };
  return [{ ...closed, autoCloseType: 'LIQUIDATION', time: createdAt }];
}

/** The time and market of an event, which the event itself does not contain. */
export type EventPlace = { readonly time: Time; readonly grain: Grain };

export function eventPlaceOf(exchange: Exchange, { market }: TakenOver | Deleveraged): EventPlace {
  return { time: exchange.time, grain: marketById(exchange, market)!.grain };
}

export function rowsOfTakeover(event: TakenOver, place: EventPlace): readonly ForceOrder[] {
  return [rowOf({ ...event, account: event.account.account }, 'LIQUIDATION', place)];
}

/** In a reduction of the fund only the counterparty is an account's. */
export function rowsOfDeleveraging(event: Deleveraged, place: EventPlace): readonly ForceOrder[] {
  const { bankrupt, counterparty, side } = event;
  const rows: ForceOrder[] = [];
  if (isAccounts(bankrupt)) {
    rows.push(rowOf({ ...event, account: bankrupt.account }, 'LIQUIDATION', place));
  }
  if (isAccounts(counterparty)) {
    const fill = { ...event, account: counterparty.account, side: -side as Side };
    rows.push(rowOf(fill, 'ADL', place));
  }
  return rows;
}

export function rememberForceOrders(force: ForceOrders, rows: readonly ForceOrder[]): void {
  for (const row of rows) rememberRow(force, row);
}

const isAccounts = ({ account }: Fill): boolean => account !== insuranceAccount;

function rowOf(
  fill: Pick<ForceOrder, 'id' | 'account' | 'market' | 'side' | 'ticks' | 'lots'>,
  autoCloseType: AutoCloseType,
  { time, grain }: EventPlace,
): ForceOrder {
  const { id, account, market, side, ticks, lots } = fill;
  const notional = notionalOf(ticks, lots, grain);
  return { id, account, market, side, autoCloseType, ticks, lots, filled: lots, notional, time };
}

/** The account's rows, by time; without `autoCloseType` both types. */
export function forceOrdersOf(
  force: ForceOrders,
  account: AccountId,
  window: RowWindow & { readonly autoCloseType?: AutoCloseType | undefined },
): readonly ForceOrder[] {
  const { autoCloseType } = window;
  const accepts =
    autoCloseType === undefined
      ? undefined
      : (row: ForceOrder) => row.autoCloseType === autoCloseType;
  return rowsOf(indexOf(force), account, window, accepts);
}
