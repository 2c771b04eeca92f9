// A window of a list: which rows of a table ordered by (time, id), found by an index over both. Ids
// grow with time, so a later row always comes after all existing ones: a page that begins at the id
// of the last one neither loses a row nor shows one twice.

import { type SelectQueryBuilder, sql } from 'kysely';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import type { HistoryDatabase, HistoryTables } from '../historyTables.ts';

/** Which rows of the list. The query's condition restricts the market, if one is requested. */
export type Window = Omit<RowWindow, 'market'>;

/** The columns that order a list: its time, then what distinguishes rows of one time. */
export type WindowOrder = readonly [time: string, ...ids: string[]];

export const byTime = ['time', 'id'] as const;
export const byCreation = ['createdAt', 'id'] as const;

/** Whether the window is read from its start and not from its end. */
export function isForward({ startTime, from }: Omit<Window, 'limit'>): boolean {
  return startTime !== undefined || from !== undefined;
}

/** The rows of `query` in the window, ascending. `from` needs an order of time and one id. */
export async function rowsInWindow<Table extends keyof HistoryTables, Row>(
  query: SelectQueryBuilder<HistoryTables, Table, Row>,
  order: WindowOrder,
  window: Window,
): Promise<Row[]> {
  const rows = await inWindow(query, order, window).execute();
  return isForward(window) ? rows : rows.reverse();
}

/** The same as a query; a query that goes backward gives the rows in descending order. */
export function inWindow<Table extends keyof HistoryTables, Row>(
  query: SelectQueryBuilder<HistoryTables, Table, Row>,
  order: WindowOrder,
  window: Window,
): SelectQueryBuilder<HistoryTables, Table, Row> {
  const { startTime, endTime, from, limit } = window;
  const [time, id] = order.map((column) => sql.ref<number>(column));
  const conditions = [
    ...(startTime === undefined ? [] : [sql<boolean>`${time!} >= ${startTime}`]),
    ...(endTime === undefined ? [] : [sql<boolean>`${time!} <= ${endTime}`]),
    ...(from === undefined
      ? []
      : [sql<boolean>`(${time!}, ${id!}) >= (${from.createdAt}, ${from.id})`]),
  ];
  const forward = isForward(window);
  let chosen = query;
  for (const condition of conditions) chosen = chosen.where(condition);
  for (const column of order) chosen = chosen.orderBy(sql.ref(column), forward ? 'asc' : 'desc');
  return chosen.limit(limit);
}

/** The condition in the form of the index of client order ids, which holds no other rows. */
const isNamed = sql<boolean>`${sql.ref('clientOrderId')} <> ''`;

/** How many uses of one name are looked through: an account may use a name again and again. */
export const namesakesMax = 1000;

/** The last rows that `query` finds by a client's name, latest first, as an index has them. */
export function lastOfName<Table extends 'orders' | 'triggers', Row>(
  query: SelectQueryBuilder<HistoryTables, Table, Row>,
  limit: number,
): Promise<Row[]> {
  const [createdAt, id] = byCreation.map((column) => sql.ref(column));
  const latestFirst = query.where(isNamed).orderBy(createdAt!, 'desc').orderBy(id!, 'desc');
  return latestFirst.limit(limit).execute();
}

/** Several reads that must see the same state of the tables. */
export function readTogether<Result>(
  database: HistoryDatabase,
  read: (database: HistoryDatabase) => Promise<Result>,
): Promise<Result> {
  return database.transaction().setIsolationLevel('repeatable read').execute(read);
}
