// The embedded secret store: SQLite beside the log (AUTH-4). This file combines the rows, the
// master key and the transactions. The files of the rows define what a row contains.

import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { createKeyRows, type KeyRows } from './keyRows.ts';
import { createLastUsedRows, type LastUsedRows } from './lastUsedRows.ts';
import { adoptMasterKey, announceMasterKey, findMasterKey, parseMasterKey } from './masterKey.ts';
import {
  adoptMasterProof,
  type MasterProof,
  provesMaster,
  putMasterProof,
  readMasterProof,
} from './masterProof.ts';
import { createProfileRows, type ProfileRows } from './profileRows.ts';
import { createRowCryptor, type Master, type RowCryptor } from './rowCryptor.ts';
import { checkpoint, openSecretDatabase } from './secretSchema.ts';
import type {
  Kept,
  KeyRecord,
  RandomBytes,
  SealedSecretStore,
  SecretStore,
} from './secretStore.ts';
import type { SealedRows, SealedStore } from './sharedSecrets.ts';

export type OpenSecretStore = {
  readonly directory: string;
  /** 64 hex digits; undefined uses `master-key` in the directory and makes it at first start. */
  readonly masterKey?: string | undefined;
  readonly randomBytes: RandomBytes;
  /** The check row that all processes share; the master key must open this one. */
  readonly sharedProof?: MasterProof | undefined;
};

/**
 * Opens the secret store of a data directory, which the caller has locked. Throws with a sentence
 * for the operator when the master key is missing, malformed or not the secret store's.
 */
export function openSecretStore(options: OpenSecretStore): SealedSecretStore {
  const database = openSecretDatabase(join(options.directory, 'vault.db'));
  try {
    return createSecretStore(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Finds the master key that sealed the secret store; for a new secret store makes it the first one.
 */
function settleMaster(database: Database, options: OpenSecretStore) {
  const { directory, masterKey, randomBytes, sharedProof } = options;
  const proof = sharedProof ?? readMasterProof(database);
  const { key, file } = findMasterKey({
    directory,
    given: masterKey,
    opens: proof === undefined ? undefined : (candidate) => provesMaster(candidate, proof),
    randomBytes,
  });
  const master: Master = { key, version: proof?.version ?? 1 };
  if (proof === undefined) {
    database.transaction(() => putMasterProof(database, master, randomBytes))();
  }
  if (sharedProof !== undefined) {
    database.transaction(() => adoptMasterProof(database, sharedProof))();
  }
  return { master, file };
}

function createSecretStore(database: Database, options: OpenSecretStore): SealedSecretStore {
  const { randomBytes } = options;
  const { master, file } = settleMaster(database, options);
  const cryptor = createRowCryptor(master, randomBytes);
  const keys = createKeyRows(database, cryptor);
  const profiles = createProfileRows(database, cryptor, randomBytes);
  const lastUsed = createLastUsedRows(database);
  const createKeyRecord = database.transaction((record: KeyRecord): string => {
    keys.put(record.apiKey, record.secret);
    return profiles.put(record);
  });
  const removeKey = database.transaction((apiKey: string): boolean => {
    lastUsed.remove(apiKey);
    return keys.remove(apiKey);
  });
  const sweep = database.transaction((kept: Kept) => sweepRows({ keys, profiles, lastUsed }, kept));
  const rewrap = database.transaction((next: Master): void => {
    const after = createRowCryptor(next, randomBytes);
    keys.rewrap(cryptor, after);
    profiles.rewrap(cryptor, after);
    putMasterProof(database, next, randomBytes);
  });
  const { noteRemoved, ...inOne } = createTogether(database);
  return {
    ...inOne,
    ...sealedPart(database, { keys, profiles, lastUsed }),
    ...credentialSeals(cryptor),
    noteSecret: keys.note,
    noteProfile: profiles.note,
    createKeyRecord: (record) => createKeyRecord(record),
    putKey: ({ apiKey, secret }) => keys.put(apiKey, secret),
    putProfile: profiles.put,
    secretOf: keys.read,
    profileOf: profiles.read,
    // Until the checkpoint the write-ahead file still contains the page with the data key.
    removeKey: (apiKey) => {
      if (removeKey(apiKey)) noteRemoved();
    },
    removeProfile: (ref) => {
      if (profiles.remove(ref)) noteRemoved();
    },
    sweep: (kept) => {
      const removed = sweep(kept);
      if (removed.keys + removed.profiles > 0) checkpoint(database);
      return removed;
    },
    countLost: (apiKeys) => lostOf({ keys, profiles }, apiKeys).length,
    rotate: (text) => {
      const next: Master = { key: parseMasterKey(text), version: master.version + 1 };
      if (file !== undefined) announceMasterKey(file, next.key);
      rewrap(next);
      Object.assign(master, next);
      checkpoint(database);
      if (file !== undefined) adoptMasterKey(file);
    },
    touchLastUsed: lastUsed.touch,
    lastUsedOf: lastUsed.read,
    close: () => database.close(),
  };
}

function sealedPart(
  database: Database,
  rows: Rows,
): Pick<
  SealedSecretStore,
  keyof Omit<SealedSecretStore, keyof SecretStore | 'sealCredential' | 'openCredential'>
> {
  const { keys, profiles, lastUsed } = rows;
  const add = (found: SealedRows): void => {
    for (const row of found.keys) keys.adopt(row);
    for (const row of found.profiles) profiles.adopt(row);
  };
  const adopt = database.transaction((found: SealedStore): void => {
    sweepRows(rows, {
      apiKeys: new Set(found.keys.map(({ api_key }) => api_key)),
      refs: new Set(found.profiles.map(({ ref }) => ref)),
    });
    add(found);
    lastUsed.touch(new Map(found.lastUsed.map(({ api_key, at }) => [api_key, at])));
  });
  return {
    sealedKey: keys.sealed,
    sealedProfile: profiles.sealed,
    sealed: () => ({
      master: readMasterProof(database),
      keys: keys.allSealed(),
      profiles: profiles.allSealed(),
      lastUsed: lastUsed.all(),
    }),
    adopt: (found) => {
      adopt(found);
      checkpoint(database);
    },
    addSealed: database.transaction(add),
    lost: (apiKeys) => lostOf(rows, apiKeys),
  };
}

function credentialSeals(
  cryptor: RowCryptor,
): Pick<SealedSecretStore, 'sealCredential' | 'openCredential'> {
  const rowOf = (name: string): string => `credential/${name}`;
  return {
    sealCredential: (name, value) => {
      const { dataKey, wrapped } = cryptor.wrapNew(rowOf(name));
      return { ...wrapped, value: cryptor.sealText(dataKey, `${rowOf(name)}/value`, value) };
    },
    openCredential: (name, sealed) => {
      const dataKey = cryptor.unwrap(rowOf(name), sealed);
      return cryptor.openText(dataKey, `${rowOf(name)}/value`, sealed.value);
    },
  };
}

/** `noteRemoved`: a row was deleted. It is overwritten at once, or after work in `together`. */
function createTogether(
  database: Database,
): Pick<SecretStore, 'together' | 'overwrite'> & { readonly noteRemoved: () => void } {
  let nested = false;
  /** The write-ahead file may still contain deleted rows. */
  let removed = false;
  const overwrite = (): void => {
    if (!removed) return;
    if (!checkpoint(database)) throw new Error('another program reads the file');
    removed = false;
  };
  return {
    overwrite,
    noteRemoved: () => {
      removed = true;
      if (!nested) overwrite();
    },
    together: (work) => {
      nested = true;
      try {
        return database.transaction(work)();
      } finally {
        nested = false;
      }
    },
  };
}

type Rows = {
  readonly keys: KeyRows;
  readonly profiles: ProfileRows;
  readonly lastUsed: LastUsedRows;
};

function lostOf<Key extends { readonly apiKey: string; readonly profile: string }>(
  { keys, profiles }: Pick<Rows, 'keys' | 'profiles'>,
  apiKeys: Iterable<Key>,
): Key[] {
  const [secrets, refs] = [new Set(keys.names()), new Set(profiles.names())];
  const lost: Key[] = [];
  for (const key of apiKeys) {
    if (!secrets.has(key.apiKey) || !refs.has(key.profile)) lost.push(key);
  }
  return lost;
}

function sweepRows({ keys, profiles, lastUsed }: Rows, { apiKeys, refs }: Kept) {
  for (const apiKey of lastUsed.names()) if (!apiKeys.has(apiKey)) lastUsed.remove(apiKey);
  const keysAbsent = keys.names().filter((apiKey) => !apiKeys.has(apiKey));
  for (const apiKey of keysAbsent) keys.remove(apiKey);
  const refsAbsent = profiles.names().filter((ref) => !refs.has(ref));
  for (const ref of refsAbsent) profiles.remove(ref);
  return { keys: keysAbsent.length, profiles: refsAbsent.length };
}
