// The rows a second that a database takes: transactions like those of trading, one after the other,
// as fast as possible.

import type { HistoryPlace, HistoryWriter } from '../../src/history/history.ts';
import { check } from '../report.ts';
import { createTradingRows, rowsOfStep } from './createTradingRows.ts';

export type Writing = {
  readonly seed: number;
  readonly rows: number;
  /** Rows of a transaction. */
  readonly transaction: number;
};

/** Rows per second into empty tables; making the rows is not counted. */
export async function measureWriting(
  writer: HistoryWriter,
  { seed, rows, transaction }: Writing,
): Promise<number> {
  const trading = createTradingRows(seed);
  let from: HistoryPlace = await writer.open();
  check(from.position === 0, 'the tables are not empty');
  let ms = 0;
  let written = 0;
  while (written < rows) {
    const next = trading.next(Math.ceil(transaction / rowsOfStep));
    const begun = performance.now();
    await writer.write(next.rows, from, next.to);
    ms += performance.now() - begun;
    written += next.size;
    from = next.to;
  }
  return (written / ms) * 1000;
}
