// Every question that history answers, by name. Arguments and answers are plain values: they go from
// one thread to another. A query writes nothing, and reads by an index on both databases.

import {
  amendments,
  deposits,
  forceOrders,
  fundingPayments,
  income,
  ledger,
  withdrawals,
} from './accountQueries.ts';
import { fills } from './fillQueries.ts';
import { aggregates, candles, deleveragings, fundingRates, trades } from './marketQueries.ts';
import { orderByClientId, orderById, orders } from './orderQueries.ts';
import { triggerByClientId, triggerById, triggers } from './triggerQueries.ts';

export const historyQueries = {
  orders,
  orderById,
  orderByClientId,
  triggers,
  triggerById,
  triggerByClientId,
  fills,
  ledger,
  income,
  amendments,
  fundingPayments,
  forceOrders,
  withdrawals,
  deposits,
  trades,
  aggregates,
  candles,
  fundingRates,
  deleveragings,
} as const;

export type HistoryQueries = typeof historyQueries;

/** Why there is no answer: the database is down or too far behind, or too many ask. */
export type HistoryFailure =
  | { readonly reason: 'databaseFailed' }
  | { readonly reason: 'overloaded' };

/** Asks one of them, of tables that tell everything which was durable when it was asked. */
export type AskHistory = <Name extends keyof HistoryQueries>(
  name: Name,
  asked: Parameters<HistoryQueries[Name]>[1],
) => Promise<Awaited<ReturnType<HistoryQueries[Name]>> | HistoryFailure>;
