// The tables as Kysely's queries see them: rows of rows.ts by table, and the one row that says up
// to where they tell the log. Names are camelCase in queries and snake_case in the database.

import type { Kysely } from 'kysely';
import type { RowsByTable } from './rows.ts';

/** The table `place` has exactly one row. */
export type PlaceRow = {
  readonly position: number;
  readonly hash: string;
  readonly time: number;
  /** JSON of `HistoryCounters`. */
  readonly counters: string;
  /** The chain whose deployment this history tells. */
  readonly chain: number;
  /** How many migrations have run (migrations/migrate.ts). */
  readonly version: number;
};

export type HistoryTables = RowsByTable & { readonly place: PlaceRow };

/** Queries of either database, outside of a transaction or in one. */
export type HistoryDatabase = Kysely<HistoryTables>;
