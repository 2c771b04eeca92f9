// The writer of history in SQLite: prepared statements in one transaction. It runs on the thread
// that calls it, which waits for the disk meanwhile; that is never the trading thread.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { must } from '../../std/assert.ts';
import { failureOf } from '../failureOf.ts';
import {
  DatabaseFailed,
  HistoryForked,
  type HistoryPlace,
  type HistoryRows,
  type HistoryWriter,
} from '../history.ts';
import type { PlaceRow } from '../historyTables.ts';
import { insertStatement } from '../insertStatement.ts';
import { migrate } from '../migrations/migrate.ts';
import { cellsOfPlace, placeOf } from '../placeOf.ts';
import type { TableName } from '../rows.ts';
import { tableNames, tables } from '../tables.ts';
import { cellOf, openSqlite, sqliteQueries } from './openSqlite.ts';

export type SqliteWriterOptions = { readonly file: string; readonly chain: number };

/** `open` makes the file when there is none. */
export function createSqliteWriter({ file, chain }: SqliteWriterOptions): HistoryWriter {
  let database: Database | undefined;
  let transact: Transact | undefined;
  const close = (): void => {
    transact = undefined;
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

type Transact = (rows: HistoryRows, from: HistoryPlace, to: HistoryPlace) => void;

function prepareTransaction(database: Database): Transact {
  const move = database.prepare(
    'update place set position = ?, hash = ?, time = ?, counters = ? ' +
      'where position = ? and hash = ?',
  );
  const writes = tableNames.map((name) => ({ name, write: prepareRows(database, name) }));
  const transaction = database.transaction<Transact>((rows, from, to) => {
    const { changes } = move.run(...cellsOfPlace(to), from.position, from.hash);
    if (changes !== 1) throw new HistoryForked('The tables are not where this writer left them.');
    for (const { name, write } of writes) write(rows[name]);
  });
  return (rows, from, to) => transaction.immediate(rows, from, to);
}

/** A row each: longer statements were slower. */
function prepareRows(database: Database, name: TableName): (rows: readonly object[]) => void {
  const columns = Object.keys(tables[name].columns);
  const insert = database.prepare(
    insertStatement(name, `values (${columns.map(() => '?').join(', ')})`),
  );
  return (rows) => {
    for (const row of rows) {
      insert.run(columns.map((column) => cellOf((row as Record<string, unknown>)[column])));
    }
  };
}
