// The tables of the embedded secret store, the meaning of their columns, and the opening of the
// file. openSecretStore.ts writes into them.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { syncDirectory } from './secretFile.ts';

const version = 1;

const tables = `
  -- One row: the number of the master key in force and a known text sealed with it.
  CREATE TABLE master_key (
    version INTEGER PRIMARY KEY,
    proof BLOB NOT NULL
  ) STRICT;
  CREATE TABLE secret (
    api_key TEXT PRIMARY KEY,
    master_version INTEGER NOT NULL,
    data_key BLOB NOT NULL,
    secret BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE profile (
    ref TEXT PRIMARY KEY,
    master_version INTEGER NOT NULL,
    data_key BLOB NOT NULL,
    label BLOB NOT NULL,
    ip_whitelist BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- AUTH-8: not secret, not engine state.
  CREATE TABLE last_used (
    api_key TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the secret store's file, mode 600, and makes its tables when it is new. Every commit is
 * synced before it returns, and deleted data is overwritten with zeros. Data that an interrupted
 * process left in the write-ahead file is synced here, before any code uses it.
 */
export function openSecretDatabase(path: string): SQLite.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    closeSync(openSync(path, 'a', 0o600));
    syncDirectory(dirname(path));
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  const database = new SQLite(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('secure_delete = ON');
    migrate(database, path);
    checkpoint(database);
    return database;
  } catch (error) {
    database.close();
    throw new Error(`The secret store ${path} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Moves everything into the main file and empties the write-ahead file; both are synced. Gives
 * false while another connection reads an earlier state: then the write-ahead file stays.
 */
export function checkpoint(database: SQLite.Database): boolean {
  const [{ busy }] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ readonly busy: number }];
  return busy === 0;
}

function migrate(database: SQLite.Database, path: string): void {
  const found = database.pragma('user_version', { simple: true });
  if (found === version) return;
  if (found !== 0) {
    throw new Error(`${path} has version ${found}; this program reads version ${version}.`);
  }
  database.transaction(() => {
    database.exec(tables);
    database.pragma(`user_version = ${version}`);
  })();
}
