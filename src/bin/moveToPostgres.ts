// Moves a deployment from the files of a data directory into PostgreSQL, while nothing runs there:
// the log, the secrets and the skip records. The directory stays as the first local copy.
//
// The order decides what a crash leaves: until the directory is marked, it is the deployment; from
// then on it cannot be started alone, and the database not before it is opened, last of all.

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { readSkips } from '../log/file/skip.ts';
import { type LogPlace, logBeginning } from '../log/log.ts';
import { type KeptSession, placeOf } from '../log/postgres/catchUp.ts';
import type { SharedWriter } from '../log/postgres/sharedRows.ts';
import {
  clearShared,
  putCredential,
  putSkips,
  setLogMove,
} from '../log/postgres/sharedStatement.ts';
import { type LogMove, makeTables, readLogMove, type TablesOwner } from '../log/postgres/tables.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import { readSecretFile } from '../secrets/secretFile.ts';
import { checkPrefix, copyBatches } from './copyLog.ts';
import { type DataDirectory, findDataDirectory } from './dataDirectory.ts';
import {
  readDeploymentMark,
  readLogPlace,
  readMoveName,
  writeDeploymentMark,
} from './deploymentMark.ts';
import { holdForMove } from './holdForMove.ts';
import { credentialNames, publish } from './openSharedSecrets.ts';
import { publishEngines } from './shareEngines.ts';

export type Move = {
  readonly config: Config;
  readonly report: (message: string) => void;
};

/**
 * Gives the last batch; undefined when the deployment was moved before. Throws `ConfigError`,
 * `DirectoryInUse`, `DatabaseRefused` and `LeaseHeld`, and may be repeated after any failure.
 */
export async function moveToPostgres({ config, report }: Move): Promise<LogPlace | undefined> {
  const directory = findDataDirectory(config.data);
  const lock = lockDirectory(directory.log);
  try {
    const source = openLogReader(directory.log);
    if (source.head().position === 0) {
      throw new ConfigError(`There is no log to move in ${directory.path}.`);
    }
    const begin = (reading: KeptSession) => findTarget(directory, reading);
    return await holdForMove(
      { config, report, begin, known: () => logBeginning },
      async ({ log, reading, shared }) => {
        // Another move may have ended before this one got the lease.
        const { deployment, state } = await findTarget(directory, reading);
        const place = readLogPlace(directory.path);
        if (place === 'postgres' && state === 'open') return undefined;
        // Before anything is marked: a refusal leaves the database as it is.
        checkPrefix(source, placeOf(log.head()));
        const move = readMoveName(directory.path) ?? randomUUID();
        writeDeploymentMark(directory.path, { deployment, log: place, move });
        await shared.write((as) => setLogMove(as, { state: 'filling', mover: move }));
        const end = await reading.use(({ client }) => copyBatches(source, log, client));
        // A process that replays the log there needs them.
        await publishEngines({ reading, shared, engines: directory.engines, report });
        await moveShared(config, directory, shared);
        writeDeploymentMark(directory.path, { deployment, log: 'postgres', move });
        await shared.write((as) => setLogMove(as, { state: 'open', mover: null }));
        return end;
      },
    );
  } finally {
    lock.release();
  }
}

type Target = TablesOwner & Pick<LogMove, 'state'>;

/** The tables that take the log, made if there are none. */
async function findTarget(directory: DataDirectory, reading: KeptSession): Promise<Target> {
  const { path, chainId } = directory;
  if (readLogPlace(path) === 'arriving') {
    throw new ConfigError(
      `A move into ${path} is not finished: type that "evermark move" again first.`,
    );
  }
  return reading.use(async ({ client, name }) => {
    const owner = await makeTables(client, chainId);
    const known = readDeploymentMark(path);
    if (known !== undefined && known !== owner.deployment) {
      throw new ConfigError(
        `The database at ${name} is of deployment ${owner.deployment}, and ${path} of ${known}: ` +
          'every deployment needs its own database.',
      );
    }
    const { rowCount } = await client.query('select from evermark.batch limit 1');
    if (known === undefined && rowCount !== 0) {
      throw new ConfigError(
        `The database at ${name} holds the log of another deployment: move into an empty one.`,
      );
    }
    // From now on a repetition knows its target.
    if (known === undefined) {
      writeDeploymentMark(path, { deployment: owner.deployment, log: 'files' });
    }
    const { state, mover } = await readLogMove(client);
    const isCopy = readLogPlace(path) === 'postgres';
    if (isCopy && state === 'left') {
      throw new ConfigError(
        `The deployment was moved from ${name} to files elsewhere, and ${path} is an old copy.`,
      );
    }
    if (isCopy && state === 'filling' && mover !== readMoveName(path)) {
      throw new ConfigError(
        `A move into ${name} from another directory is not finished, and ${path} is an old copy.`,
      );
    }
    return { ...owner, state };
  });
}

async function moveShared(
  config: Config,
  { path, log }: DataDirectory,
  shared: SharedWriter,
): Promise<void> {
  await shared.write(clearShared);
  const skips = readSkips(log);
  if (skips.length > 0) await shared.write((as) => putSkips(as, skips));
  if (!existsSync(join(path, 'vault.db'))) return;
  const masterKey = config.masterKey === '' ? undefined : config.masterKey;
  const store = openSecretStore({ directory: path, masterKey, randomBytes });
  try {
    for (const name of credentialNames) {
      const value = readSecretFile(join(path, name));
      if (value === undefined) continue;
      const sealed = store.sealCredential(name, value);
      await shared.write((as) => putCredential(as, { name, sealed }));
    }
    await publish(store.sealed(), shared);
  } finally {
    store.close();
  }
}
