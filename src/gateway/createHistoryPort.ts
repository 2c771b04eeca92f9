// History as the rows of the operations table see it: each function of the port is a query of the
// thread of history (history/queries/).

import type { HistoryPort } from '../api/historyPort.ts';
import type { AskHistory } from '../history/queries/historyQueries.ts';

/** `ask` answers when history contains everything that was durable at the time of the question. */
export function createHistoryPort(ask: AskHistory): HistoryPort {
  return {
    orders: (asked) => ask('orders', asked),
    orderById: (asked) => ask('orderById', asked),
    orderByClientId: (asked) => ask('orderByClientId', asked),
    triggers: (asked) => ask('triggers', asked),
    triggerById: (asked) => ask('triggerById', asked),
    triggerByClientId: (asked) => ask('triggerByClientId', asked),
    fills: (asked) => ask('fills', asked),
    ledger: (asked) => ask('ledger', asked),
    income: (asked) => ask('income', asked),
    amendments: (asked) => ask('amendments', asked),
    fundingPayments: (asked) => ask('fundingPayments', asked),
    deposits: (asked) => ask('deposits', asked),
    referralDays: (asked) => ask('referralDays', asked),
  };
}
