// The secret store of a process that follows: its rows are made equal to the shared ones.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { keepSession } from '../log/postgres/catchUp.ts';
import type { Servers } from '../log/postgres/createServers.ts';
import { readSharedRows } from '../log/postgres/sharedRows.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import { readSecretFile, writeSecretFile } from '../secrets/secretFile.ts';
import type { SealedSecretStore } from '../secrets/secretStore.ts';
import type { DataDirectory } from './dataDirectory.ts';

export type OpenFollowedSecrets = {
  readonly config: Pick<Config, 'masterKey'>;
  readonly directory: DataDirectory;
  readonly servers: Servers;
};

export async function openFollowedSecrets(
  options: OpenFollowedSecrets,
): Promise<SealedSecretStore> {
  const { config, directory, servers } = options;
  const session = keepSession(servers);
  const rows = await session.use(readSharedRows).finally(session.end);
  const store = openSecretStore({
    directory: directory.path,
    masterKey: config.masterKey === '' ? undefined : config.masterKey,
    randomBytes,
    sharedProof: rows.master,
  });
  store.adopt(rows);
  for (const [name, sealed] of rows.credentials) {
    const path = join(directory.path, name);
    const value = store.openCredential(name, sealed);
    if (readSecretFile(path) !== value) writeSecretFile(path, value);
  }
  return store;
}
