// How many rows history gathers before it writes, how many may wait, and how soon it tries again.

import { fullTransactionRows } from '../history/history.ts';

export type HistorianBounds = {
  /** At this number of rows a transaction is made at once. */
  readonly batchRows: number;
  /**
   * The maximum of rows that wait for the database; further rows are dropped and read again from
   * the log.
   */
  readonly queueRows: number;
  /** How long rows are gathered while no client waits for them, milliseconds. */
  readonly writeEveryMs: number;
  /** The first pause after a failure of the database. It doubles up to the other. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
};

export const historianBounds: HistorianBounds = {
  batchRows: fullTransactionRows,
  queueRows: 200_000,
  writeEveryMs: 500,
  retryMsMin: 100,
  retryMsMax: 3000,
};
