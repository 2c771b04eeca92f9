// The secret store of a process with a log in PostgreSQL. The rows there are the truth, sealed with
// the master key, which alone the operator distributes. The data directory has a copy of them, so
// that requests are checked without a question to the database.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { replaceSkips } from '../log/file/skip.ts';
import { keepSession } from '../log/postgres/catchUp.ts';
import type { Servers } from '../log/postgres/createServers.ts';
import {
  openSharedWriter,
  readSharedProof,
  readSharedRows,
  readSharedSkips,
  type SharedWriter,
} from '../log/postgres/sharedRows.ts';
import {
  putCredential,
  putProof,
  putSecrets,
  removeSecrets,
  sweepSecrets,
  touchKeys,
} from '../log/postgres/sharedStatement.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import { checkMasterKey } from '../secrets/checkMasterKey.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import { readSecretFile, writeSecretFile } from '../secrets/secretFile.ts';
import type {
  Kept,
  SealedSecretStore,
  SecretStore,
  SecretStoreWriter,
} from '../secrets/secretStore.ts';
import type { SealedStore } from '../secrets/sharedSecrets.ts';
import { shareWrites } from '../secrets/shareWrites.ts';
import { must } from '../std/assert.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { Seat } from './enterCluster.ts';

export type OpenSharedSecrets = {
  readonly config: Pick<Config, 'masterKey' | 'replicatedStorage'>;
  readonly directory: DataDirectory;
  readonly seat: Pick<Seat, 'servers' | 'holder' | 'epoch'>;
  /** The store that a process which followed has open; this closes it only in a failure. */
  readonly store?: SealedSecretStore;
};

export type SharedSecretStore = {
  readonly store: SecretStore;
  /** Makes the writer of the local rows write the shared ones too. */
  readonly share: (local: SecretStoreWriter) => SecretStoreWriter;
  /**
   * Removes the rows that no command of the log names. Only the holder of the lease knows every
   * command: another process would remove the secrets of keys that it has not seen yet.
   */
  readonly sweep: (kept: Kept) => Promise<void>;
  readonly close: () => void;
};

/** Credentials of the exchange itself; each is also a file of the data directory. */
export const credentialNames = ['jwt-secret', 'operator-token', 'link-secret'] as const;

/** Before a process asks for the lease: what is shared, it must be able to use. */
export async function loadShared(
  { config, directory }: Omit<OpenSharedSecrets, 'seat'>,
  servers: Servers,
): Promise<readonly SkipRecord[]> {
  const session = keepSession(servers);
  try {
    const proof = await session.use(readSharedProof);
    const { masterKey: given } = config;
    if (proof !== undefined) checkMasterKey({ directory: directory.path, given, proof });
    const skips = await session.use(readSharedSkips);
    replaceSkips(directory.log, skips);
    return skips;
  } finally {
    session.end();
  }
}

/** With the lease, and before anything is served. */
export async function openSharedSecrets(options: OpenSharedSecrets): Promise<SharedSecretStore> {
  const { config, directory, seat } = options;
  const { servers, epoch, holder } = seat;
  const { replicatedStorage } = config;
  const session = keepSession(servers);
  const rows = await session.use(readSharedRows).finally(session.end);
  const store =
    options.store ??
    openSecretStore({
      directory: directory.path,
      masterKey: config.masterKey === '' ? undefined : config.masterKey,
      randomBytes,
      sharedProof: rows.master,
    });
  const writer = openSharedWriter(servers, systemScheduler, { epoch, holder, replicatedStorage });
  try {
    if (rows.master === undefined) await publish(store.sealed(), writer);
    else store.adopt(rows);
    for (const name of credentialNames) {
      const found = rows.credentials.get(name);
      const path = join(directory.path, name);
      const known = found === undefined ? undefined : store.openCredential(name, found);
      const value = known ?? readSecretFile(path) ?? randomBytes(32).toString('hex');
      if (readSecretFile(path) !== value) writeSecretFile(path, value);
      if (known !== undefined) continue;
      const sealed = store.sealCredential(name, value);
      await writer.write((as) => putCredential(as, { name, sealed }));
    }
  } catch (error) {
    store.close();
    writer.end();
    throw error;
  }
  return {
    store,
    share: (local) =>
      shareWrites(local, store, {
        put: (sealed) => writer.write((as) => putSecrets(as, sealed)),
        remove: (names) => writer.write((as) => removeSecrets(as, names)),
        touch: (times) => writer.write((as) => touchKeys(as, times)),
      }),
    sweep: async ({ apiKeys, refs }) => {
      store.sweep({ apiKeys, refs });
      const names = { apiKeys: [...apiKeys], refs: [...refs] };
      await writer.write((as) => sweepSecrets(as, names));
    },
    close: writer.end,
  };
}

/** Rows of one statement: a sealed row has a few hundred bytes. */
const rowsMax = 2000;

/** Writes a whole secret store; what is there already stays. The check row comes last. */
export async function publish(sealed: SealedStore, writer: SharedWriter): Promise<void> {
  const { keys, profiles, lastUsed } = sealed;
  for (let at = 0; at < Math.max(keys.length, profiles.length, lastUsed.length); at += rowsMax) {
    const part = {
      keys: keys.slice(at, at + rowsMax),
      profiles: profiles.slice(at, at + rowsMax),
    };
    const times = new Map(
      lastUsed.slice(at, at + rowsMax).map(({ api_key, at: time }) => [api_key, time]),
    );
    await writer.write((as) => putSecrets(as, part));
    await writer.write((as) => touchKeys(as, times));
  }
  const master = must(sealed.master, 'an open secret store has a check row');
  await writer.write((as) => putProof(as, master));
}
