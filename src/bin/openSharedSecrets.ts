// The secret store of a process with a log in PostgreSQL. The rows there are the truth, sealed with
// the master key, which alone the operator distributes. The data directory has a copy of them, so
// that requests are checked without a question to the database. Every process of the deployment
// writes there, with the lease or without.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { replaceSkips } from '../log/file/skip.ts';
import { type KeptSession, keepSession } from '../log/postgres/catchUp.ts';
import type { Servers } from '../log/postgres/createServers.ts';
import {
  type Agreed,
  agreedOf,
  NotAnswered,
  openMemberWriter,
  readSecretsOf,
  readSharedProof,
  readSharedRows,
  readSharedSkips,
  type SharedWriter,
} from '../log/postgres/sharedRows.ts';
import {
  putCredential,
  putProof,
  putSecrets,
  readAgreed,
  removeSecrets,
  touchKeys,
} from '../log/postgres/sharedStatement.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import { checkMasterKey } from '../secrets/checkMasterKey.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import { readSecretFile, writeSecretFile } from '../secrets/secretFile.ts';
import type { SealedSecretStore, SecretStoreWriter } from '../secrets/secretStore.ts';
import { type SealedRows, type SealedStore, SecretsNotTaken } from '../secrets/sharedSecrets.ts';
import { shareWrites } from '../secrets/shareWrites.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs, systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { readDeploymentMark } from './deploymentMark.ts';

export type OpenSharedSecrets = {
  readonly config: Pick<Config, 'masterKey' | 'replicatedStorage'>;
  /** Locked, and marked with its deployment. */
  readonly directory: DataDirectory;
  readonly servers: Servers;
};

export type SharedSecretStore = {
  readonly store: SealedSecretStore;
  /** Makes the writer of the local rows write the shared ones too. */
  readonly share: (local: SecretStoreWriter) => SecretStoreWriter;
  /** Reads the shared rows of these names, as far as they are there. */
  readonly load: (names: {
    readonly apiKeys: readonly string[];
    readonly refs: readonly string[];
  }) => Promise<SealedRows>;
  readonly close: () => void;
};

/** Credentials of the exchange itself; each is also a file of the data directory. */
export const credentialNames = ['jwt-secret', 'operator-token', 'link-secret'] as const;

/** Before a process asks for the lease: what is shared, it must be able to use. */
export async function loadShared(
  { config, directory }: Omit<OpenSharedSecrets, 'servers'>,
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

/**
 * Before anything is served. Throws with a sentence for the operator when this process has another
 * master key than the deployment.
 */
export async function openSharedSecrets(options: OpenSharedSecrets): Promise<SharedSecretStore> {
  const { directory, servers } = options;
  const deployment = must(readDeploymentMark(directory.path), 'the directory has its deployment');
  const { replicatedStorage } = options.config;
  const openWriter = (masterVersion: number | undefined): SharedWriter =>
    openMemberWriter(servers, systemScheduler, { deployment, replicatedStorage, masterVersion });
  const session = keepSession(servers);
  let [store, writer]: [SealedSecretStore?, SharedWriter?] = [];
  try {
    const master = await agreeOnMaster(options, openWriter);
    store = openStore(options, master);
    writer = openWriter(master.version);
    store.adopt(await session.use(readSharedRows));
    await agreeOnCredentials(directory, store, writer);
  } catch (error) {
    store?.close();
    writer?.end();
    session.end();
    throw error;
  }
  return shared(store, writer, session);
}

function openStore(
  { config, directory }: OpenSharedSecrets,
  sharedProof: SealedStore['master'],
): SealedSecretStore {
  const masterKey = config.masterKey === '' ? undefined : config.masterKey;
  return openSecretStore({ directory: directory.path, masterKey, randomBytes, sharedProof });
}

/** The check row of the deployment; the first process makes it of its own master key. */
async function agreeOnMaster(
  options: OpenSharedSecrets,
  openWriter: (masterVersion: number | undefined) => SharedWriter,
): Promise<NonNullable<Agreed['master']>> {
  const writer = openWriter(undefined);
  try {
    const { master } = agreedOf(await writer.read(readAgreed));
    if (master !== undefined) return master;
    const own = openStore(options, undefined);
    const proof = must(own.sealed().master, 'an open secret store has a check row');
    own.close();
    // One row: if another process was first, this writes nothing.
    await writer.write((fence) => putProof(fence, proof));
    return must(agreedOf(await writer.read(readAgreed)).master, 'the check row was written');
  } finally {
    writer.end();
  }
}

/** Each credential is made by the process that is first, and is the same for all. */
async function agreeOnCredentials(
  { path }: DataDirectory,
  store: SealedSecretStore,
  writer: SharedWriter,
): Promise<void> {
  const before = agreedOf(await writer.read(readAgreed)).credentials;
  for (const name of credentialNames) {
    if (before.has(name)) continue;
    const value = readSecretFile(join(path, name)) ?? randomBytes(32).toString('hex');
    const sealed = store.sealCredential(name, value);
    await writer.write((fence) => putCredential(fence, { name, sealed }));
  }
  const { credentials } = agreedOf(await writer.read(readAgreed));
  for (const name of credentialNames) {
    const sealed = must(credentials.get(name), 'every credential was written');
    const value = store.openCredential(name, sealed);
    const file = join(path, name);
    if (readSecretFile(file) !== value) writeSecretFile(file, value);
  }
}

function shared(
  store: SealedSecretStore,
  writer: SharedWriter,
  session: KeptSession,
): SharedSecretStore {
  return {
    store,
    share: (local) =>
      shareWrites(local, store, {
        put: async (sealed) => {
          const [began, beganAt] = [stopwatchMs(), systemClock.now()];
          await writer.write((fence) => putSecrets(fence, sealed)).catch(notTaken);
          // A process that stood still must not name rows that were removed as orphans meanwhile.
          const took = Math.max(stopwatchMs() - began, systemClock.now() - beganAt);
          if (took > putMaxMs) {
            throw new SecretsNotTaken(`PostgreSQL has taken ${took} ms for a secret`);
          }
        },
        remove: (names) => writer.write((fence) => removeSecrets(fence, names)),
        touch: (times) => writer.write((fence) => touchKeys(fence, times)),
      }),
    load: (names) => session.use((each) => readSecretsOf(each, names)),
    close: () => {
      writer.end();
      session.end();
    },
  };
}

function notTaken(error: Error): never {
  if (error instanceof NotAnswered) throw new SecretsNotTaken(error.message, { cause: error });
  throw error;
}

/** Far below the age at which a row without a command is an orphan. */
const putMaxMs = 60_000;

/** Rows of one statement: a sealed row has a few hundred bytes. */
const rowsMax = 2000;

/** Writes a whole secret store; what is there already stays. The check row comes last. */
export async function publish(sealed: SealedStore, writer: SharedWriter): Promise<void> {
  const { keys, profiles, lastUsed } = sealed;
  for (let at = 0; at < Math.max(keys.length, profiles.length); at += rowsMax) {
    const part = {
      keys: keys.slice(at, at + rowsMax),
      profiles: profiles.slice(at, at + rowsMax),
    };
    await writer.write((fence) => putSecrets(fence, part));
  }
  // Behind the keys: the time of a key that is not there is not written.
  for (let at = 0; at < lastUsed.length; at += rowsMax) {
    const times = new Map(
      lastUsed.slice(at, at + rowsMax).map(({ api_key, at: time }) => [api_key, time]),
    );
    await writer.write((fence) => touchKeys(fence, times));
  }
  const master = must(sealed.master, 'an open secret store has a check row');
  await writer.write((fence) => putProof(fence, master));
}
