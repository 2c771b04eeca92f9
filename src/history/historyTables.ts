// The types of the tables for Kysely's queries: the rows of rows.ts by table, and the one row with
// the place in the log up to which they are complete. Names are camelCase in queries and snake_case
// in the database.

import type { Kysely } from 'kysely';
import type { RowsByTable } from './rows.ts';

/** The table `place` has exactly one row. */
export type PlaceRow = {
  readonly position: number;
  readonly hash: string;
  readonly time: number;
  /** JSON of `HistoryCounters`. */
  readonly counters: string;
  /** The chain of the deployment. */
  readonly chain: number;
  /** How many migrations have run (migrations/migrate.ts). */
  readonly version: number;
};

export type HistoryTables = RowsByTable & { readonly place: PlaceRow };

/** Queries of either database, inside or outside a transaction. */
export type HistoryDatabase = Kysely<HistoryTables>;
