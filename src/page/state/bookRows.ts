// The rows that a book shows: its best levels, put together in steps of several ticks.

import type { Book, BookSide } from '../../client/book.ts';

export type BookRow = {
  /** The edge of the step that is farther from the other side. */
  readonly ticks: number;
  readonly lots: number;
  /** Lots from the best price to this row. */
  readonly sum: number;
};

export type BookRows = {
  /** Best first. */
  readonly bids: readonly BookRow[];
  readonly asks: readonly BookRow[];
  /** The larger sum of the two sides, for bars of equal scale. */
  readonly sumMax: number;
};

/** `step`: how many ticks one row covers; bids round down to it, asks up. */
export function bookRows({ bids, asks }: Book, step: number, count: number): BookRows {
  const below = rowsOf(bids, count, {
    from: bids.ticks.length - 1,
    next: -1,
    edge: (ticks) => Math.floor(ticks / step) * step,
  });
  const above = rowsOf(asks, count, {
    from: 0,
    next: 1,
    edge: (ticks) => Math.ceil(ticks / step) * step,
  });
  const sumMax = Math.max(below.at(-1)?.sum ?? 0, above.at(-1)?.sum ?? 0);
  return { bids: below, asks: above, sumMax };
}

type Walk = {
  readonly from: number;
  readonly next: 1 | -1;
  readonly edge: (ticks: number) => number;
};

function rowsOf(side: BookSide, count: number, { from, next, edge }: Walk): BookRow[] {
  const rows: { ticks: number; lots: number; sum: number }[] = [];
  let sum = 0;
  for (let at = from; at >= 0 && at < side.ticks.length; at += next) {
    const ticks = side.ticks[at]!;
    const lots = side.lots.get(ticks)!;
    const last = rows.at(-1);
    if (last !== undefined && last.ticks === edge(ticks)) {
      sum += lots;
      last.lots += lots;
      last.sum = sum;
    } else {
      if (rows.length === count) break;
      sum += lots;
      rows.push({ ticks: edge(ticks), lots, sum });
    }
  }
  return rows;
}

/** Steps of 1, 10, 100 and 1000 ticks, with 5s where the price is high enough to need them. */
export const groupings = [1, 2, 5, 10, 50, 100, 1000] as const;
