// Reserves a directory for one process. Node has no flock, but SQLite has a lock that every
// platform releases when the process ends in any way.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

export type DirectoryLock = { readonly release: () => void };

/** Thrown when another process, or another part of this one, holds the directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/**
 * Locks `directory` (made if missing) until `release` or the end of the process. Throws
 * `DirectoryInUse` at once when it is locked. The lock is the file `lock.db`. This process must not
 * open or copy that file in any other way: closing it anywhere would release the lock.
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true });
  const database = new Database(join(directory, 'lock.db'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const { code } = error as { code?: string };
    if (code !== 'SQLITE_BUSY' && code !== 'SQLITE_LOCKED') throw error;
    throw new DirectoryInUse(
      `${directory} is in use by another process: stop it, or choose another directory`,
    );
  }
  return { release: () => database.close() };
}
