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
/**
 * `+ 0` keeps SQLite from using the index by creation for the order: with it, SQLite would walk all
 * rows of the account instead of the few rows of the name.
 */
const createdLast = sql<number>`${sql.ref('createdAt')} + 0`;

/**
 * The last of the rows that `query` finds by a client's name. Cost: the rows of that name, mostly
 * one.
 */
export function lastOfName<Table extends 'orders' | 'triggers', Row>(
  query: SelectQueryBuilder<HistoryTables, Table, Row>,
): Promise<Row[]> {
  const latestFirst = query
    .where(isNamed)
    .orderBy(createdLast, 'desc')
    .orderBy(sql.ref('id'), 'desc');
  return latestFirst.limit(1).execute();
}

/** Several reads that must see the same state of the tables. */
export function readTogether<Result>(
  database: HistoryDatabase,
  read: (database: HistoryDatabase) => Promise<Result>,
): Promise<Result> {
  return database.transaction().setIsolationLevel('repeatable read').execute(read);
}
