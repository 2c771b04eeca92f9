// Rows by account and market, each group sorted by time, so that a window of one account's rows is
// found without looking at those of others.

import { marketsMax } from '../engine/limits.ts';
import { assert } from '../std/assert.ts';
import type { AccountId, MarketId, Time } from '../units/units.ts';
import type { RowIndex } from './rowRing.ts';
import {
  addSorted,
  createSortedRows,
  removeSorted,
  rowsBefore,
  rowsFrom,
  type SortedRows,
} from './sortedRows.ts';

/** No account for public rows, no market for rows without one. */
type Row = { readonly id: number; readonly account?: AccountId; readonly market?: MarketId };

export type RowGroups<R extends Row> = RowIndex<R> & {
  readonly byAccount: SortedRows<R>;
  readonly byMarket: SortedRows<R>;
};

/**
 * Which rows of a list are requested; they come ascending by time. With `startTime` or `from` the
 * first `limit` rows from there on, else the last `limit`.
 */
export type RowWindow = {
  /** undefined: rows of every market. */
  readonly market?: MarketId | undefined;
  /** Both included. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  /** This row and the rows after it. */
  readonly from?: { readonly id: number; readonly createdAt: number } | undefined;
  readonly limit: number;
};

const marketSpan = 1024;
assert(marketsMax < marketSpan, 'an account has a group of each market and one of all');

const groupOf = (account: AccountId | undefined, market: MarketId | undefined): number =>
  (account ?? 0) * marketSpan + (market === undefined ? 0 : market + 1);

/** Rows of one account must differ in time or id. */
export function createRowGroups<R extends Row>(timeOf: (row: R) => Time): RowGroups<R> {
  const byAccount = createSortedRows<R>({
    groupOf: ({ account }) => groupOf(account, undefined),
    timeOf,
  });
  const byMarket = createSortedRows<R>({
    groupOf: ({ account, market }) => groupOf(account, market),
    timeOf,
  });
  return {
    byAccount,
    byMarket,
    add: (row) => {
      addSorted(byAccount, row);
      if (row.market !== undefined) addSorted(byMarket, row);
    },
    remove: (row) => {
      removeSorted(byAccount, row);
      if (row.market !== undefined) removeSorted(byMarket, row);
    },
  };
}

/**
 * The account's rows in the window. Cost: the rows given, and those in between that `accepts`
 * refuses.
 */
export function rowsOf<R extends Row>(
  { byAccount, byMarket }: RowGroups<R>,
  account: AccountId | undefined,
  window: RowWindow,
  accepts: (row: R) => boolean = () => true,
): R[] {
  const { from, limit, market, startTime = 0, endTime = Number.MAX_SAFE_INTEGER } = window;
  const rows = market === undefined ? byAccount : byMarket;
  const group = groupOf(account, market);
  const found: R[] = [];
  if (limit <= 0) return found;
  if (window.startTime === undefined && from === undefined) {
    const end = { group, time: endTime, id: Number.POSITIVE_INFINITY };
    for (const row of rowsBefore(rows, end)) {
      if (rows.groupOf(row) !== group) break;
      if (accepts(row)) found.push(row);
      if (found.length === limit) break;
    }
    return found.reverse();
  }
  const time = Math.max(startTime, from?.createdAt ?? 0);
  const id = from !== undefined && from.createdAt === time ? from.id : 0;
  for (const row of rowsFrom(rows, { group, time, id })) {
    if (rows.groupOf(row) !== group || rows.timeOf(row) > endTime) break;
    if (accepts(row)) found.push(row);
    if (found.length === limit) break;
  }
  return found;
}
