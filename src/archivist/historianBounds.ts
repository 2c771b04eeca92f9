// How much history gathers before it writes, how much may wait, and how soon it tries again.

export type HistorianBounds = {
  /** Rows that are enough for a transaction of their own. */
  readonly batchRows: number;
  /** Rows that may wait for the database; beyond, they are dropped and read again from the log. */
  readonly queueRows: number;
  /** How long rows are gathered when nobody waits for them, milliseconds. */
  readonly writeEveryMs: number;
  /** The first pause after a failure of the database, which doubles up to the other. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
};

export const historianBounds: HistorianBounds = {
  batchRows: 20_000,
  queueRows: 200_000,
  writeEveryMs: 500,
  retryMsMin: 100,
  retryMsMax: 3000,
};
