// The writer of history in SQLite: prepared statements in one transaction. It runs on the thread of
// its caller, which waits for the disk; this is never the trading thread.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { must } from '../../std/assert.ts';
import { failureOf, placeMoved, rowMissing } from '../failureOf.ts';
import {
  DatabaseFailed,
  fullTransactionRows,
  type HistoryPlace,
  type HistoryRows,
  type HistoryWriter,
} from '../history.ts';
import type { PlaceRow } from '../historyTables.ts';
import { migrate } from '../migrations/migrate.ts';
import { cellsOfPlace, placeOf } from '../placeOf.ts';
import type { ChangingTable, TableName } from '../rows.ts';
import { changingTables, quotedName, tableNames, tables } from '../tables.ts';
import { cellOf, openSqlite, sqliteQueries } from './openSqlite.ts';

export type SqliteWriterOptions = { readonly file: string; readonly chain: number };

/** `open` makes the file when it does not exist. */
export function createSqliteWriter({ file, chain }: SqliteWriterOptions): HistoryWriter {
  let database: Database | undefined;
  let transact: Transact | undefined;
  let uncopied = 0;
  const close = (): void => {
    transact = undefined;
    if (database !== undefined) checkpoint(database, 'TRUNCATE');
    database?.close();
    database = undefined;
  };
  return {
    open: async () => {
      close();
      try {
        mkdirSync(dirname(file), { recursive: true });
        const opened = openSqlite(file, { readonly: false });
        database = opened;
        await sqliteQueries(() => opened)
          .transaction()
          .execute((transaction) => migrate({ database: transaction, kind: 'sqlite', chain }));
        transact = prepareTransaction(opened);
        const row = opened.prepare<[], PlaceRow>('select * from place').get();
        return placeOf(must(row, 'a migration makes the row of the place'));
      } catch (error) {
        close();
        throw failureOf(error);
      }
    },
    write: async (rows, from, to) => {
      if (transact === undefined) throw new DatabaseFailed('history is not open');
      try {
        transact(rows, from, to);
        const count = rowsIn(rows);
        uncopied += count;
        // Of full ones the cost of a row counts: SQLite copies a page that many of them touch once.
        if (count < fullTransactionRows && uncopied >= rowsOfCheckpoint) {
          checkpoint(must(database, 'what writes is open'), 'PASSIVE');
          uncopied = 0;
        }
      } catch (error) {
        transact = undefined;
        throw failureOf(error);
      }
    },
    close: async () => close(),
  };
}

/**
 * Many pages that are synced together hold up the log's syncs on the same disk for as long as they
 * take: 32,000 of them for 60 ms (docs/decisions/0027-the-tail.md). So they are copied to the main
 * file in small portions, after so many rows.
 */
const rowsOfCheckpoint = 5000;

function rowsIn(rows: HistoryRows): number {
  let count = 0;
  for (const name of tableNames) count += rows[name].length;
  for (const name of changingTables) count += rows.changed[name].length;
  return count;
}

/**
 * Moves everything into the main file. At the end that makes a copy of that file alone complete:
 * SQLite would do so by itself only for the last connection, and readers have their own. While a
 * reader reads, what it sees stays in the write-ahead file; a later checkpoint finds it there.
 */
function checkpoint(database: Database, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    database.pragma(`wal_checkpoint(${mode})`);
  } catch {
    // The disk is full, or the file is not a database: nothing is lost, the log has everything.
  }
}

type Transact = (rows: HistoryRows, from: HistoryPlace, to: HistoryPlace) => void;

function prepareTransaction(database: Database): Transact {
  const move = database.prepare(
    'update place set position = ?, hash = ?, time = ?, counters = ? ' +
      'where position = ? and hash = ?',
  );
  const inserts = tableNames.map((name) => ({ name, insert: prepareInsert(database, name) }));
  const updates = changingTables.map((name) => ({ name, update: prepareUpdate(database, name) }));
  const transaction = database.transaction<Transact>((rows, from, to) => {
    const { changes } = move.run(...cellsOfPlace(to), from.position, from.hash);
    if (changes !== 1) throw placeMoved();
    for (const { name, insert } of inserts) insert(rows[name]);
    for (const { name, update } of updates) update(rows.changed[name]);
  });
  return (rows, from, to) => transaction.immediate(rows, from, to);
}

type Write = (rows: readonly object[]) => void;

/** More rows to a statement gained nothing. */
const rowsOfStatement = 16;

/**
 * Statements of many rows, and of one row for the rest, because each call has a price of its own.
 * Without `or rollback` SQLite copies every page before a statement of many rows changes it, to be
 * able to undo that statement alone; here the whole transaction ends with it. For a table whose key
 * is the row's own number SQLite makes the copies all the same, so such a table gets one row at a
 * time (docs/decisions/0024-the-cost-of-history.md).
 */
function prepareInsert(database: Database, name: TableName): Write {
  const { columns, key } = tables[name];
  const names = Object.keys(columns);
  const together = key.length > 1 ? rowsOfStatement : 1;
  const insertOne = prepareRows(database, name, names, 1);
  const insertMany = together === 1 ? insertOne : prepareRows(database, name, names, together);
  return (rows) => {
    const rest = rows.length % together;
    for (let at = 0; at < rows.length - rest; at += together) insertMany(rows, at);
    for (let at = rows.length - rest; at < rows.length; at += 1) insertOne(rows, at);
  };
}

/** A statement for that many rows, the first of which is at `from`. */
function prepareRows(
  database: Database,
  name: TableName,
  columns: readonly string[],
  count: number,
): (rows: readonly object[], from: number) => void {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const insert = database.prepare<unknown[]>(
    `insert or rollback into ${quotedName(name)} (${columns.map(quotedName).join(', ')}) ` +
      `values ${Array.from({ length: count }, () => row).join(', ')}`,
  );
  const cells = createCells(columns, count);
  return (rows, from) => {
    insert.run(...cells(rows, from));
  };
}

/** Only of the columns that may change: passing the values is most of the cost of a row. */
function prepareUpdate(database: Database, name: ChangingTable): Write {
  const { key, changing } = tables[name];
  const equal = (column: string): string => `${quotedName(column)} = ?`;
  const update = database.prepare<unknown[]>(
    `update ${quotedName(name)} set ${changing.map(equal).join(', ')} ` +
      `where ${key.map(equal).join(' and ')}`,
  );
  const cells = createCells([...changing, ...key], 1);
  return (rows) => {
    for (let at = 0; at < rows.length; at += 1) {
      const { changes } = update.run(...cells(rows, at));
      if (changes !== 1) throw rowMissing(name);
    }
  };
}

/** The values of these columns of that many rows, in one list that is used again and again. */
function createCells(
  columns: readonly string[],
  count: number,
): (rows: readonly object[], from: number) => readonly unknown[] {
  const cells = new Array<unknown>(columns.length * count);
  return (rows, from) => {
    let at = 0;
    for (let i = from; i < from + count; i += 1) {
      const row = rows[i] as Readonly<Record<string, unknown>>;
      for (const column of columns) {
        cells[at] = cellOf(row[column]);
        at += 1;
      }
    }
    return cells;
  };
}
