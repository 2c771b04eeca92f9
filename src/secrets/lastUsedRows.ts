// The side table of AUTH-8: when each API key was last used. It is not secret and therefore not
// sealed.

import type { Database } from 'better-sqlite3';
import type { LastUsed } from './sharedSecrets.ts';

export type LastUsedRows = {
  /** Milliseconds since the epoch by API key; a time never moves back. */
  readonly touch: (times: ReadonlyMap<string, number>) => void;
  readonly read: (apiKey: string) => number | undefined;
  readonly remove: (apiKey: string) => void;
  readonly names: () => readonly string[];
  readonly all: () => readonly LastUsed[];
};

export function createLastUsedRows(database: Database): LastUsedRows {
  const upsert = database.prepare(
    'INSERT INTO last_used (api_key, at) VALUES (?, ?) ' +
      'ON CONFLICT (api_key) DO UPDATE SET at = max(at, excluded.at)',
  );
  const select = database.prepare<[string], number>('SELECT at FROM last_used WHERE api_key = ?');
  select.pluck();
  const remove = database.prepare('DELETE FROM last_used WHERE api_key = ?');
  const all = database.prepare<[], LastUsed>('SELECT api_key, at FROM last_used');
  const names = database.prepare<[], string>('SELECT api_key FROM last_used').pluck();
  return {
    touch: database.transaction((times: ReadonlyMap<string, number>): void => {
      for (const [apiKey, at] of times) upsert.run(apiKey, at);
    }),
    read: (apiKey) => select.get(apiKey),
    remove: (apiKey) => {
      remove.run(apiKey);
    },
    names: () => names.all(),
    all: () => all.all(),
  };
}
