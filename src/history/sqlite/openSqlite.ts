// The file of history in SQLite, and Kysely over it. SQLite has no boolean type, so columns of that
// kind contain 0 and 1 and become false and true here, as PostgreSQL gives them.

import SqliteFile, { type Database } from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import type { HistoryDatabase, HistoryTables } from '../historyTables.ts';
import { databaseName, safeInteger, tableNames, tables } from '../tables.ts';

/** How long a statement waits for another process that holds the file. */
const busyMs = 2000;
const pageCacheKilobytes = 64 * 1024;
/**
 * 128 MB: pages that many transactions touch, such as an account's last rows, go to the file once.
 */
const checkpointPages = 32_000;
const pageBytes = 4096;
/**
 * The number of prepared statements that a connection keeps: preparing one can cost more than its
 * rows.
 */
const preparedMax = 200;
/**
 * The log makes rows durable: those that a power failure removes from the tables are written again.
 */
const pragmas = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  `wal_autocheckpoint = ${checkpointPages}`,
  // A long reader may make it grow beyond that; the next checkpoint gives the space back.
  `journal_size_limit = ${checkpointPages * pageBytes}`,
];

/** Opens the file, which a writer makes when it does not exist. Throws SQLite's error. */
export function openSqlite(file: string, { readonly }: { readonly readonly: boolean }): Database {
  const database = new SqliteFile(file, { readonly, timeout: busyMs });
  try {
    database.pragma(`cache_size = -${pageCacheKilobytes}`);
    if (!readonly) for (const pragma of pragmas) database.pragma(pragma);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Queries of the database that `open` gives at the first query. */
export function sqliteQueries(open: () => Database): HistoryDatabase {
  const database = async () => {
    const opened = open();
    const prepared = new Map<string, ReturnType<typeof statementOf>>();
    return {
      close: () => opened.close(),
      prepare: (sql: string) => {
        const known = prepared.get(sql);
        if (known !== undefined) return known;
        const statement = statementOf(opened, sql);
        if (prepared.size < preparedMax) prepared.set(sql, statement);
        return statement;
      },
    };
  };
  const dialect = new SqliteDialect({ database });
  return new Kysely<HistoryTables>({ dialect, plugins: [new CamelCasePlugin()] });
}

/** A prepared statement in Kysely's form; values and rows are converted on the way. */
function statementOf(database: Database, sql: string) {
  const statement = database.prepare<unknown[], Cells>(sql);
  return {
    reader: statement.reader,
    all: (values: readonly unknown[]) => statement.all(values.map(cellOf)).map(rowOf),
    run: (values: readonly unknown[]) => statement.run(values.map(cellOf)),
    // A statement of its own: while one is being iterated it cannot answer anything else.
    *iterate(values: readonly unknown[]) {
      const walked = database.prepare<unknown[], Cells>(sql);
      for (const row of walked.iterate(values.map(cellOf))) yield rowOf(row);
    },
  };
}

type Cells = Record<string, unknown>;

const booleans: ReadonlySet<string> = new Set(
  tableNames.flatMap((name) =>
    Object.entries(tables[name].columns)
      .filter(([, kind]) => kind === 'boolean')
      .map(([column]) => databaseName(column)),
  ),
);

/** The value that SQLite takes; it would round a number that is no safe integer. */
export function cellOf(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? safeInteger(value) : value;
}

/** Converts a row of SQLite to the row types. */
function rowOf(row: Cells): Cells {
  for (const column in row) {
    const value = row[column];
    if (typeof value !== 'number') continue;
    row[column] = booleans.has(column) ? value !== 0 : safeInteger(value);
  }
  return row;
}
