// The port of history: a place in the log up to which the tables are complete, a writer that moves
// this place, and their failures. The two databases implement it (sqlite/, postgres/); this file
// knows neither.

import type { ChangingTable, RowsByTable, TableName } from './rows.ts';

/** Up to where the tables are complete. Rows and place are written in one transaction. */
export type HistoryPlace = {
  /** The last batch in the tables; 0: none yet. */
  readonly position: number;
  /** Hex: the hash of that batch, so that no other log continues a deployment's history. */
  readonly hash: string;
  /** Its time. */
  readonly time: number;
  /** The numbers given so far: rows of the ledger, amendments, and aggregates by market number. */
  readonly counters: HistoryCounters;
};

export type HistoryCounters = {
  readonly ledger: number;
  readonly amendments: number;
  /**
   * The last aggregate of each market, with the values that decide whether the next trade joins it.
   */
  readonly aggregates: readonly AggregateTail[];
};

export type AggregateTail = {
  readonly id: number;
  readonly order: number;
  readonly ticks: number;
  readonly time: number;
};

/**
 * At so many rows a transaction is made at once: they come when history is behind, or trading is as
 * fast as it can.
 */
export const fullTransactionRows = 20_000;

/** The rows of one transaction: new rows, and separately the changed ones. */
export type HistoryRows = { readonly [Table in TableName]: readonly RowsByTable[Table][] } & {
  /** Rows that exist in the tables, in their last state. */
  readonly changed: ChangedRows;
};

export type ChangedRows = { readonly [Table in ChangingTable]: readonly RowsByTable[Table][] };

export type HistoryWriter = {
  /**
   * The place of the tables, which are made when they do not exist. Rejects with `DatabaseFailed`,
   * and finally with `HistoryForked`, `HistoryTooNew`, `HistoryTooOld`.
   */
  readonly open: () => Promise<HistoryPlace>;
  /**
   * Writes rows and place in one transaction. It changes nothing when the place of the tables is no
   * longer `from`. Rejects with `DatabaseFailed` (try again later) or `HistoryForked`. After
   * either, only `open` shows whether the transaction came through, and nothing is written before
   * it.
   */
  readonly write: (rows: HistoryRows, from: HistoryPlace, to: HistoryPlace) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The database did not answer, or refused: it is unknown whether the transaction came through. */
export class DatabaseFailed extends Error {
  override name = 'DatabaseFailed';
}

/** The tables belong to another log, or another process writes them. */
export class HistoryForked extends Error {
  override name = 'HistoryForked';
}

/** A later version of the program made the tables. */
export class HistoryTooNew extends Error {
  override name = 'HistoryTooNew';
}

/** An earlier version of the program made the tables, and this version cannot migrate them. */
export class HistoryTooOld extends Error {
  override name = 'HistoryTooOld';
}
