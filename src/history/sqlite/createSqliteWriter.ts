// The writer of history in SQLite: prepared statements in one transaction. It runs on the thread of
// its caller, which waits for the disk; this is never the trading thread.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { must } from '../../std/assert.ts';
import { failureOf, placeMoved, rowMissing } from '../failureOf.ts';
import {
  DatabaseFailed,
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
  const close = (): void => {
    transact = undefined;
    if (database !== undefined) checkpoint(database);
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
      } catch (error) {
        transact = undefined;
        throw failureOf(error);
      }
    },
    close: async () => close(),
  };
}

/**
 * Moves everything into the main file, so that a copy of that file alone is complete. SQLite would
 * do so by itself only for the last connection, and readers have their own. While a reader reads,
 * what it sees stays in the write-ahead file; the next `open` finds it there.
 */
function checkpoint(database: Database): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
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

/** One row per statement: longer statements were slower. */
function prepareInsert(database: Database, name: TableName): Write {
  const columns = Object.keys(tables[name].columns);
  const names = columns.map(quotedName).join(', ');
  const insert = database.prepare<unknown[]>(
    `insert into ${quotedName(name)} (${names}) values (${columns.map(() => '?').join(', ')})`,
  );
  const cells = createCells(columns);
  return (rows) => {
    for (const row of rows) insert.run(...cells(row));
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
  const cells = createCells([...changing, ...key]);
  return (rows) => {
    for (const row of rows) {
      const { changes } = update.run(...cells(row));
      if (changes !== 1) throw rowMissing(name);
    }
  };
}

/** The values of these columns, in one list that is reused for each row. */
function createCells(columns: readonly string[]): (row: object) => readonly unknown[] {
  const cells = new Array<unknown>(columns.length);
  return (row) => {
    for (let i = 0; i < columns.length; i += 1) {
      cells[i] = cellOf((row as Record<string, unknown>)[columns[i]!]);
    }
    return cells;
  };
}
