// The secret store's rows of profiles (label and address list of an API key), each under a random
// ref that the log names. A row never changes; a row with another ref replaces it.

import type { Database } from 'better-sqlite3';
import { cacheDelete, cacheGet, cacheSet, createBoundedCache } from '../std/boundedCache.ts';
import type { RowCryptor } from './rowCryptor.ts';
import type { Profile, RandomBytes } from './secretStore.ts';
import type { SealedProfile } from './sharedSecrets.ts';

const cachedMax = 20_000;
const refSize = 16;
const columns =
  'profile (ref, master_version, data_key, label, ip_whitelist) VALUES (?, ?, ?, ?, ?)';

type ProfileRow = SealedProfile;

export type ProfileRows = {
  /** Gives the new row's ref, 32 hex digits. */
  readonly put: (profile: Profile) => string;
  readonly read: (ref: string) => Profile | undefined;
  /** What is in memory follows a row that another connection has put or removed. */
  readonly note: (ref: string, profile: Profile | undefined) => void;
  /** Whether such a row existed. */
  readonly remove: (ref: string) => boolean;
  readonly names: () => readonly string[];
  readonly sealed: (ref: string) => SealedProfile | undefined;
  readonly allSealed: () => readonly SealedProfile[];
  readonly adopt: (row: SealedProfile) => void;
  /** Unwraps every data key with `before` and wraps it with `after`. */
  readonly rewrap: (before: RowCryptor, after: RowCryptor) => void;
};

function rowOf(ref: string): string {
  return `profile/${ref}`;
}

function openRow(cryptor: RowCryptor, ref: string, found: ProfileRow): Profile {
  const row = rowOf(ref);
  const dataKey = cryptor.unwrap(row, found);
  return {
    label: cryptor.openText(dataKey, `${row}/label`, found.label),
    ipWhitelist: cryptor.openText(dataKey, `${row}/ip_whitelist`, found.ip_whitelist),
  };
}

export function createProfileRows(
  database: Database,
  cryptor: RowCryptor,
  randomBytes: RandomBytes,
): ProfileRows {
  const insert = database.prepare(`INSERT INTO ${columns}`);
  const select = database.prepare<[string], ProfileRow>('SELECT * FROM profile WHERE ref = ?');
  const all = database.prepare<[], ProfileRow>('SELECT * FROM profile');
  const replace = database.prepare(`INSERT OR REPLACE INTO ${columns}`);
  const remove = database.prepare('DELETE FROM profile WHERE ref = ?');
  const names = database.prepare<[], string>('SELECT ref FROM profile').pluck();
  const update = database.prepare(
    'UPDATE profile SET master_version = ?, data_key = ? WHERE ref = ?',
  );
  const cache = createBoundedCache<Profile>(cachedMax);
  return {
    put: ({ label, ipWhitelist }) => {
      const ref = randomBytes(refSize).toString('hex');
      const row = rowOf(ref);
      const { dataKey, wrapped } = cryptor.wrapNew(row);
      const sealedLabel = cryptor.sealText(dataKey, `${row}/label`, label);
      const sealedList = cryptor.sealText(dataKey, `${row}/ip_whitelist`, ipWhitelist);
      insert.run(ref, wrapped.master_version, wrapped.data_key, sealedLabel, sealedList);
      return ref;
    },
    read: (ref) => {
      const cached = cacheGet(cache, ref);
      if (cached !== undefined) return cached;
      const found = select.get(ref);
      if (found === undefined) return undefined;
      const profile = openRow(cryptor, ref, found);
      cacheSet(cache, ref, profile);
      return profile;
    },
    note: (ref, profile) => {
      if (profile === undefined) cacheDelete(cache, ref);
      else cacheSet(cache, ref, profile);
    },
    remove: (ref) => {
      cacheDelete(cache, ref);
      return remove.run(ref).changes > 0;
    },
    names: () => names.all(),
    sealed: (ref) => select.get(ref),
    allSealed: () => all.all(),
    adopt: ({ ref, master_version, data_key, label, ip_whitelist }) => {
      cacheDelete(cache, ref);
      replace.run(ref, master_version, data_key, label, ip_whitelist);
    },
    rewrap: (before, after) => {
      for (const ref of names.all()) {
        const row = rowOf(ref);
        const wrapped = after.wrap(row, before.unwrap(row, select.get(ref)!));
        update.run(wrapped.master_version, wrapped.data_key, ref);
      }
    },
  };
}
