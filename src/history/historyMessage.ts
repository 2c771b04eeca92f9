// What the trading thread and the thread that reads history say to each other. Arguments and
// answers are plain values.

import type { HistoryWhere } from './openHistoryWriter.ts';
import type { HistoryQueries } from './queries/historyQueries.ts';

export type HistoryThreadData = HistoryWhere & {
  /** How long PostgreSQL works at one query. */
  readonly statementMs: number;
  /** Queries that are worked at together. */
  readonly together: number;
};

export type ToHistoryMessage =
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly name: keyof HistoryQueries;
      readonly asked: unknown;
    }
  | { readonly kind: 'close' };

export type FromHistoryMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly rows: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
