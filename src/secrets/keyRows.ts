// The secret store's rows of API secrets, by the text of the API key.

import type { Database } from 'better-sqlite3';
import { cacheDelete, cacheGet, cacheSet, createBoundedCache } from '../std/boundedCache.ts';
import type { RowCryptor } from './rowCryptor.ts';
import type { SealedKey } from './sharedSecrets.ts';

/**
 * The number of opened secrets kept in memory, because signed requests use the same ones again and
 * again.
 */
const cachedMax = 20_000;

type SecretRow = SealedKey;

export type KeyRows = {
  readonly put: (apiKey: string, secret: string) => void;
  readonly read: (apiKey: string) => string | undefined;
  /** What is in memory follows a row that another connection has put or removed. */
  readonly note: (apiKey: string, secret: string | undefined) => void;
  /** Whether such a row existed. */
  readonly remove: (apiKey: string) => boolean;
  readonly names: () => readonly string[];
  readonly sealed: (apiKey: string) => SealedKey | undefined;
  readonly allSealed: () => readonly SealedKey[];
  readonly adopt: (row: SealedKey) => void;
  /** Unwraps every data key with `before` and wraps it with `after`. */
  readonly rewrap: (before: RowCryptor, after: RowCryptor) => void;
};

function rowOf(apiKey: string): string {
  return `secret/${apiKey}`;
}

export function createKeyRows(database: Database, cryptor: RowCryptor): KeyRows {
  const insert = database.prepare(
    'INSERT INTO secret (api_key, master_version, data_key, secret) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare<[string], SecretRow>('SELECT * FROM secret WHERE api_key = ?');
  const all = database.prepare<[], SecretRow>('SELECT * FROM secret');
  const replace = database.prepare(
    'INSERT OR REPLACE INTO secret (api_key, master_version, data_key, secret) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM secret WHERE api_key = ?');
  const names = database.prepare<[], string>('SELECT api_key FROM secret').pluck();
  const update = database.prepare(
    'UPDATE secret SET master_version = ?, data_key = ? WHERE api_key = ?',
  );
  const cache = createBoundedCache<string>(cachedMax);
  return {
    put: (apiKey, secret) => {
      const row = rowOf(apiKey);
      const { dataKey, wrapped } = cryptor.wrapNew(row);
      const sealed = cryptor.sealText(dataKey, `${row}/secret`, secret);
      insert.run(apiKey, wrapped.master_version, wrapped.data_key, sealed);
    },
    read: (apiKey) => {
      const cached = cacheGet(cache, apiKey);
      if (cached !== undefined) return cached;
      const found = select.get(apiKey);
      if (found === undefined) return undefined;
      const row = rowOf(apiKey);
      const secret = cryptor.openText(cryptor.unwrap(row, found), `${row}/secret`, found.secret);
      cacheSet(cache, apiKey, secret);
      return secret;
    },
    note: (apiKey, secret) => {
      if (secret === undefined) cacheDelete(cache, apiKey);
      else cacheSet(cache, apiKey, secret);
    },
    remove: (apiKey) => {
      cacheDelete(cache, apiKey);
      return remove.run(apiKey).changes > 0;
    },
    names: () => names.all(),
    sealed: (apiKey) => select.get(apiKey),
    allSealed: () => all.all(),
    adopt: ({ api_key, master_version, data_key, secret }) => {
      cacheDelete(cache, api_key);
      replace.run(api_key, master_version, data_key, secret);
    },
    rewrap: (before, after) => {
      for (const apiKey of names.all()) {
        const row = rowOf(apiKey);
        const wrapped = after.wrap(row, before.unwrap(row, select.get(apiKey)!));
        update.run(wrapped.master_version, wrapped.data_key, apiKey);
      }
    },
  };
}
