// From the first version to the next: orders and triggers have take-profits and stop-losses
// (ATT-1).

import type { HistoryDatabase } from '../historyTables.ts';
import type { DatabaseKind } from './createTable.ts';

const columns = {
  orders: { integers: ['takeProfitId', 'stopLossId'], texts: [] },
  triggers: {
    integers: ['pairId', 'pairCreatedAt', 'takeProfitId', 'stopLossId'],
    texts: ['pairKind'],
  },
} as const;

/** Rows that are there already have no legs. */
export async function addLegs(database: HistoryDatabase, kind: DatabaseKind): Promise<void> {
  const integer = kind === 'sqlite' ? 'integer' : 'bigint';
  for (const [table, { integers, texts }] of Object.entries(columns)) {
    const add = (
      column: string,
      type: 'integer' | 'bigint' | 'text',
      none: 0 | '',
    ): Promise<void> =>
      database.schema
        .alterTable(table)
        .addColumn(column, type, (it) => it.notNull().defaultTo(none))
        .execute();
    for (const column of integers) await add(column, integer, 0);
    for (const column of texts) await add(column, 'text', '');
  }
}
