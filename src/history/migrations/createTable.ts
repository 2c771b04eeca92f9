// How a migration describes a table, once for both databases. It does not depend on tables.ts,
// which has the newest form: a migration keeps the form that it once made.

import { sql } from 'kysely';
import type { HistoryDatabase } from '../historyTables.ts';
import { databaseName } from '../tables.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** Lists of column names, separated by spaces. */
export type TableForm = {
  readonly name: string;
  readonly integers: string;
  readonly booleans?: string;
  readonly texts?: string;
  /** Absent: a table with one row. */
  readonly key?: string;
  readonly indexes?: readonly string[];
  /** An index of the rows that have a client's name. */
  readonly named?: string;
  /**
   * Whether rows are rewritten: their pages then leave room for that, where the database supports
   * it.
   */
  readonly rewritten?: boolean;
};

/** Makes the table when it does not exist, and its indexes. No column is ever null. */
export async function createTable(
  database: HistoryDatabase,
  kind: DatabaseKind,
  form: TableForm,
): Promise<void> {
  const { name, integers, booleans = '', texts = '', key, indexes = [] } = form;
  // In SQLite, a column of type INTEGER that is the whole key is the row's own number.
  const integer = kind === 'sqlite' ? 'integer' : 'bigint';
  const boolean = kind === 'sqlite' ? 'integer' : 'boolean';
  let table = database.schema.createTable(name).ifNotExists();
  const add = (list: string, type: 'integer' | 'bigint' | 'boolean' | 'text'): void => {
    for (const column of words(list)) table = table.addColumn(column, type, (it) => it.notNull());
  };
  add(integers, integer);
  add(booleans, boolean);
  add(texts, 'text');
  if (key !== undefined) {
    table = table.addPrimaryKeyConstraint(`${databaseName(name)}_key`, words(key) as never);
    if (kind === 'sqlite' && words(key).length > 1) table = table.modifyEnd(sql`without rowid`);
  }
  if (kind === 'postgres' && form.rewritten) table = table.modifyEnd(sql`with (fillfactor = 50)`);
  await table.execute();
  for (const columns of indexes) await createIndex(database, name, columns).execute();
  if (form.named !== undefined) await createNamedIndex(database, name, form.named).execute();
}

/** A statement that makes an index of the table over these columns. */
export function createIndex(database: HistoryDatabase, table: string, columns: string) {
  return database.schema.createIndex(indexName(table, columns)).on(table).columns(words(columns));
}

/** The same of the rows of orders or triggers that have a client's name. */
export function createNamedIndex(database: HistoryDatabase, table: string, columns: string) {
  const isNamed = sql<boolean>`${sql.ref('clientOrderId')} <> ''`;
  return createIndex(database, table, columns).where(isNamed);
}

/** An index over `account + 0` and market, and then these columns (queries/ofAccount.ts). */
export function createMarketIndex(database: HistoryDatabase, table: string, columns: string) {
  const rest = words(columns).map((column) => sql.ref(column));
  return database.schema
    .createIndex(indexName(table, columns))
    .on(table)
    .expression(sql`(account + 0), market, ${sql.join(rest)}`);
}

/** `orders_by_account_created_at_id` */
export function indexName(table: string, columns: string): string {
  return `${databaseName(table)}_by_${words(columns).map(databaseName).join('_')}`;
}

function words(list: string): string[] {
  return list.split(' ').filter((word) => word !== '');
}
