// A window of a list of orders or triggers that several ranges of an index hold: one part for each
// combination of the columns before the time. The first (or last) rows of the list are among the
// first (or last) rows of its parts, so each part gives no more rows than the page has.

import type { SelectQueryBuilder } from 'kysely';
import type { HistoryDatabase, HistoryTables } from '../historyTables.ts';
import { byCreation, inWindow, isForward, type Window } from './rowsInWindow.ts';

type Created = { readonly id: number; readonly createdAt: number };

export type CreatedPart<Table extends 'orders' | 'triggers'> = SelectQueryBuilder<
  HistoryTables,
  Table,
  Created
>;

/**
 * The rows of the window of all `parts` together, ascending by creation. Cost: `limit` entries of
 * an index for each part, and `limit` rows.
 */
export async function rowsOfParts<Table extends 'orders' | 'triggers'>(
  database: HistoryDatabase,
  table: Table,
  parts: readonly CreatedPart<Table>[],
  window: Window,
): Promise<HistoryTables[Table][]> {
  const windows = parts.map((part) => inWindow(part, byCreation, window));
  const direction = isForward(window) ? 'asc' : 'desc';
  const ids = database
    .selectFrom(unionOf(database, windows).as('told'))
    .select('id')
    .orderBy('createdAt', direction)
    .orderBy('id', direction)
    .limit(window.limit);
  const rows = await database
    .selectFrom(table as 'orders')
    .selectAll()
    .where('id', 'in', ids as never)
    .execute();
  rows.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  return rows as unknown as HistoryTables[Table][];
}

/** All rows of the queries; each in parentheses, because it has an order and a limit of its own. */
export function unionOf<Row>(
  database: HistoryDatabase,
  parts: readonly SelectQueryBuilder<HistoryTables, never, Row>[],
): SelectQueryBuilder<HistoryTables, never, Row> {
  const enclosed = parts.map(
    (part) =>
      database.selectFrom(part.as('part')).selectAll() as unknown as SelectQueryBuilder<
        HistoryTables,
        never,
        Row
      >,
  );
  return enclosed.reduce((one, other) => one.unionAll(other));
}
