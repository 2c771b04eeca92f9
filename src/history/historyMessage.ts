// The messages between the trading thread and the thread that reads history. Arguments and answers
// are plain values. All questions of one turn of the event loop are one message, and so are all
// answers: each message wakes a thread, which costs more than what it says.

import type { HistoryWhere } from './openHistoryWriter.ts';
import type { HistoryQueries } from './queries/historyQueries.ts';

export type HistoryThreadData = HistoryWhere & {
  /** The maximum time of a query in PostgreSQL. */
  readonly statementMs: number;
  /** The number of queries that run at the same time. */
  readonly together: number;
};

export type HistoryQuestion = {
  readonly id: number;
  readonly name: keyof HistoryQueries;
  readonly asked: unknown;
};

export type HistoryAnswer =
  | { readonly kind: 'answer'; readonly id: number; readonly rows: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

export type ToHistoryMessage =
  | { readonly kind: 'ask'; readonly questions: readonly HistoryQuestion[] }
  | { readonly kind: 'close' };

export type FromHistoryMessage = readonly HistoryAnswer[];
