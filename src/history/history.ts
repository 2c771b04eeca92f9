// What history is to the rest: a place in the log up to which tables tell everything, a writer that
// moves it, and how both fail. The two databases implement it (sqlite/, postgres/); nothing here
// knows either.

import type { ChangingTable, RowsByTable, TableName } from './rows.ts';

/** Up to where the tables tell the log. Rows and place are written in one transaction. */
export type HistoryPlace = {
  /** The last batch told; 0: nothing yet. */
  readonly position: number;
  /** Hex: its hash, so that one deployment's history is never continued with another's log. */
  readonly hash: string;
  /** Its time. */
  readonly time: number;
  /** Rows numbered so far: those of the ledger, amendments, and aggregates by market number. */
  readonly counters: HistoryCounters;
};

export type HistoryCounters = {
  readonly ledger: number;
  readonly amendments: number;
  /** The last aggregate of each market, with what the next trade is compared with to join it. */
  readonly aggregates: readonly AggregateTail[];
};

export type AggregateTail = {
  readonly id: number;
  readonly order: number;
  readonly ticks: number;
  readonly time: number;
};

/** What one transaction writes: rows that the tables lack, and apart from them those they have. */
export type HistoryRows = { readonly [Table in TableName]: readonly RowsByTable[Table][] } & {
  /** Rows that stand in the tables, in the last state of what they tell. */
  readonly changed: ChangedRows;
};

export type ChangedRows = { readonly [Table in ChangingTable]: readonly RowsByTable[Table][] };

export type HistoryWriter = {
  /**
   * The place of the tables, which are made when there are none. Rejects: `DatabaseFailed`, and for
   * good `HistoryForked`, `HistoryTooNew`, `HistoryTooOld`.
   */
  readonly open: () => Promise<HistoryPlace>;
  /**
   * Writes rows and place in one transaction, which changes nothing when the place of the tables is
   * no more `from`. Rejects: `DatabaseFailed` (try again later), `HistoryForked`. After either only
   * `open` says whether the transaction came through, and nothing is written before it.
   */
  readonly write: (rows: HistoryRows, from: HistoryPlace, to: HistoryPlace) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The database did not answer, or refused: whether the transaction came through is unknown. */
export class DatabaseFailed extends Error {
  override name = 'DatabaseFailed';
}

/** The tables tell another log than this one, or another process writes them. */
export class HistoryForked extends Error {
  override name = 'HistoryForked';
}

/** A later version of the program made the tables. */
export class HistoryTooNew extends Error {
  override name = 'HistoryTooNew';
}

/** An earlier version of the program made the tables, which this one cannot carry over. */
export class HistoryTooOld extends Error {
  override name = 'HistoryTooOld';
}
