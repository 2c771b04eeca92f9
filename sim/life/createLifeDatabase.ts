// The database of history in a run: SQLite in its own directory. It outlives the program. When the
// program is killed during a transaction, it keeps all of it or nothing. It can be unavailable,
// commit without reporting it, and be restored to an earlier state.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import SqliteFile from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { DatabaseFailed, type HistoryRows, type HistoryWriter } from '../../src/history/history.ts';
import type { HistoryTables } from '../../src/history/historyTables.ts';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { openHistoryWriter, sqliteFileOf } from '../../src/history/openHistoryWriter.ts';
import { createTemporaryDirectory } from '../../test/fixtures/temporaryDirectory.ts';

export type LifeDatabase = {
  /** silent: the next transaction is committed, and its writer gets a failure. */
  mode: 'up' | 'down' | 'silent';
  /** A writer for one start of the program. `pause` lets virtual time pass. */
  readonly openWriter: (pause: () => Promise<void>) => HistoryWriter;
  readonly openReader: () => Kysely<HistoryTables>;
  /** Saves the present contents of the tables, to be restored later. */
  readonly backUp: () => void;
  /** Restores the saved contents; false when there are none. No program may have them open. */
  readonly restore: () => boolean;
  readonly remove: () => void;
};

/** `forgetful`: after each connection it loses a row, which the simulation must find. */
export function createLifeDatabase(chainId: number, forgetful: boolean): LifeDatabase {
  const directory = createTemporaryDirectory();
  const where = { databaseUrl: undefined, directory: directory.path };
  const file = sqliteFileOf(directory.path);
  let kept: Buffer | undefined;
  const check = (): void => {
    if (database.mode === 'down') throw new DatabaseFailed('the database is away');
  };
  const database: LifeDatabase = {
    mode: 'up',
    openWriter: (pause) => {
      const writer = openHistoryWriter({ ...where, chain: chainId });
      let whole = true;
      return {
        open: async () => {
          await pause();
          check();
          whole = !forgetful;
          return writer.open();
        },
        write: async (rows, from, to) => {
          await pause();
          check();
          await writer.write(whole ? rows : withoutOne(rows), from, to);
          whole ||= rows.ledger.length > 0;
          await pause();
          if (database.mode !== 'silent') return;
          database.mode = 'up';
          throw new DatabaseFailed('the connection was lost');
        },
        close: writer.close,
      };
    },
    openReader: () => openHistoryReader(where),
    backUp: () => {
      if (!existsSync(file)) return;
      const opened = new SqliteFile(file, { readonly: true });
      kept = opened.serialize();
      opened.close();
    },
    restore: () => {
      if (kept === undefined) return false;
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      writeFileSync(file, kept);
      return true;
    },
    remove: () => directory[Symbol.dispose](),
  };
  return database;
}

const withoutOne = (rows: HistoryRows): HistoryRows => ({ ...rows, ledger: rows.ledger.slice(1) });
