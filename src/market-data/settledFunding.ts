// The last funding boundaries as they were settled or recorded (FUND-3), by market. Part of the
// archivist's snapshot.

import { viewRowsMax } from '../engine/limits.ts';
import type { FundingSettled } from '../engine/riskEvent.ts';
import type { MarketId, Rate, Ticks, Time } from '../units/units.ts';
import { createRowGroups, type RowGroups, type RowWindow, rowsOf } from './rowGroups.ts';
import { createRowRing, indexOf, newestRow, type RowRing, rememberRow } from './rowRing.ts';

export type SettledBoundary = {
  /** Counts the rows, so that two rows of one boundary differ. */
  readonly id: number;
  readonly market: MarketId;
  readonly boundary: Time;
  readonly rate: Rate;
  readonly mark: Ticks;
};

export type SettledFunding = RowRing<SettledBoundary, RowGroups<SettledBoundary>>;

export function createSettledFunding(max: number = viewRowsMax): SettledFunding {
  return createRowRing(max, () => createRowGroups<SettledBoundary>(({ boundary }) => boundary));
}

export function rememberSettlement(
  settled: SettledFunding,
  { market, boundary, rate, mark }: FundingSettled,
): void {
  const id = (newestRow(settled)?.id ?? 0) + 1;
  rememberRow(settled, { id, market, boundary, rate, mark });
}

/** By boundary. */
export function settledFundingIn(
  settled: SettledFunding,
  window: RowWindow,
): readonly SettledBoundary[] {
  return rowsOf(indexOf(settled), undefined, window);
}
