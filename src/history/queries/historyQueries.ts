// Every question that history answers, by name. Arguments and answers are plain values, because
// they go from one thread to another. A query writes nothing, and uses an index on both databases.

import { accountQueries } from './accountQueries.ts';
import { fillQueries } from './fillQueries.ts';
import { ledgerQueries } from './ledgerQueries.ts';
import { marketQueries } from './marketQueries.ts';
import { orderQueries } from './orderQueries.ts';
import { triggerQueries } from './triggerQueries.ts';

export const historyQueries = {
  ...orderQueries,
  ...triggerQueries,
  ...fillQueries,
  ...accountQueries,
  ...ledgerQueries,
  ...marketQueries,
} as const;

export type HistoryQueries = typeof historyQueries;

/**
 * Why there is no answer: the database is down, its tables are behind, or there are too many
 * questions.
 */
export type HistoryFailure =
  | { readonly reason: 'databaseFailed' }
  | { readonly reason: 'historyBehind' }
  | { readonly reason: 'overloaded' };

/** Asks a question of tables that are complete up to what was durable when it was asked. */
export type AskHistory = <Name extends keyof HistoryQueries>(
  name: Name,
  asked: Parameters<HistoryQueries[Name]>[1],
) => Promise<Awaited<ReturnType<HistoryQueries[Name]>> | HistoryFailure>;
