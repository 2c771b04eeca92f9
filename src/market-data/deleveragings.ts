// The public log of deleveragings with the inputs of each rank (LIQ-4, LIQ-6). It names no account.
// It holds the last rows and is part of the archivist's snapshot.

import { viewRowsMax } from '../engine/limits.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Deleveraged, DeleveragingKind } from '../engine/riskEvent.ts';
import type { Lots, MarketId, Money, OrderId, Ticks, Time } from '../units/units.ts';
import { createRowGroups, type RowGroups, type RowWindow, rowsOf } from './rowGroups.ts';
import { createRowRing, indexOf, type RowRing, rememberRow } from './rowRing.ts';

export type Deleveraging = {
  readonly id: OrderId;
  readonly market: MarketId;
  readonly time: Time;
  readonly cause: DeleveragingKind;
  /** The side that closed the bankrupt position. */
  readonly side: Side;
  readonly ticks: Ticks;
  readonly mark: Ticks;
  readonly lots: Lots;
  /** Of the counterparty before the deleveraging: the inputs of its rank. */
  readonly unrealized: Money;
  readonly notional: Money;
  readonly entry: Money;
  readonly equity: Money;
};

export type Deleveragings = RowRing<Deleveraging, RowGroups<Deleveraging>>;

export function createDeleveragings(max: number = viewRowsMax): Deleveragings {
  return createRowRing(max, () => createRowGroups<Deleveraging>(({ time }) => time));
}

export function rowOfDeleveraging(event: Deleveraged, time: Time): Deleveraging {
  const { id, market, cause, side, ticks, mark, lots } = event;
  const { unrealized, notional, entry, equity } = event.rank;
  const rank = { unrealized, notional, entry, equity };
  return { id, market, time, cause, side, ticks, mark, lots, ...rank };
}

export function logDeleveraging(log: Deleveragings, event: Deleveraged, time: Time): void {
  rememberRow(log, rowOfDeleveraging(event, time));
}

export function deleveragingsIn(log: Deleveragings, window: RowWindow): readonly Deleveraging[] {
  return rowsOf(indexOf(log), undefined, window);
}
