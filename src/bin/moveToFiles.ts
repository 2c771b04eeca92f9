// Moves a deployment from PostgreSQL back into the files of a data directory, while no process of
// it runs: into a new directory, or into one that has a copy already.
//
// The order decides what a crash leaves: the directory is marked as arriving first, and cannot be
// started; the database is closed when the files are whole and durable; the mark says so last. It
// keeps the name of the move: typed again, after a kill behind that moment too, there is nothing to
// do.

import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { replaceSkips } from '../log/file/skip.ts';
import { syncSegments } from '../log/file/syncSegments.ts';
import { LogDamaged, type LogPlace, logBeginning } from '../log/log.ts';
import { catchUp, checkContains, type KeptSession, placeOf } from '../log/postgres/catchUp.ts';
import { type LocalSegments, openLocalSegments } from '../log/postgres/openLocalSegments.ts';
import { readSharedProof, readSharedRows, readSharedSkips } from '../log/postgres/sharedRows.ts';
import { setLogMove } from '../log/postgres/sharedStatement.ts';
import { checkTables, readLogMove, type TablesOwner } from '../log/postgres/tables.ts';
import { keepEngine } from '../replica/keptEngines.ts';
import { checkMasterKey } from '../secrets/checkMasterKey.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import { writeSecretFile } from '../secrets/secretFile.ts';
import { type DataDirectory, makeDataDirectory } from './dataDirectory.ts';
import {
  readDeploymentMark,
  readLogPlace,
  readMoveName,
  writeDeploymentMark,
} from './deploymentMark.ts';
import { holdForMove } from './holdForMove.ts';
import { fetchEngines } from './shareEngines.ts';

export type MoveToFiles = {
  readonly config: Config;
  /** The directory that becomes the deployment. */
  readonly target: string;
  readonly report: (message: string) => void;
};

const megabyte = 1024 * 1024;

/**
 * Gives the last batch; undefined when the deployment was moved there before. Throws `ConfigError`,
 * `DirectoryInUse`, `DatabaseRefused` and `LeaseHeld`, and may be repeated after any failure.
 */
export async function moveToFiles(options: MoveToFiles): Promise<LogPlace | undefined> {
  const { config, target, report } = options;
  const directory = makeDataDirectory(target, config.chain);
  const lock = lockDirectory(directory.log);
  const segmentBytes = config.segmentSize * megabyte;
  let segments: LocalSegments | undefined;
  try {
    if (readMoveName(directory.path) === undefined) checkTakesLog(directory);
    let deployment = '';
    const begin = async (reading: KeptSession) => {
      const owner = await reading.use(({ client }) => findSource(config, directory, client));
      ({ deployment } = owner);
      if (owner.isHere) return owner;
      segments = openLocalSegments({ directory: directory.log, segmentBytes, report });
      const { head } = segments;
      await reading.use((session) => checkContains(session, head()));
      return owner;
    };
    const known = (): LogPlace =>
      segments === undefined ? logBeginning : placeOf(segments.head());
    return await holdForMove({ config, report, begin, known }, async ({ log, reading, shared }) => {
      // Another move may have ended before this one got the lease.
      const { isHere } = await reading.use(({ client }) => findSource(config, directory, client));
      if (isHere) return undefined;
      const move = moveInto(directory.path);
      writeDeploymentMark(directory.path, { deployment, log: 'arriving', move });
      const end = log.head();
      await reading.use((session) => catchUp(session, segments!, end.position));
      segments!.close();
      const head = syncSegments(directory.log, segmentBytes);
      if (!head.hash.equals(end.hash)) {
        throw new LogDamaged('the log that was moved ends with another hash than in PostgreSQL');
      }
      await takeShared(config, directory, reading);
      await takeEngines(config, directory, reading);
      await shared.write((as) => setLogMove(as, { state: 'left', mover: move }));
      writeDeploymentMark(directory.path, { deployment, log: 'files', move });
      return placeOf(end);
    });
  } finally {
    lock.release();
  }
}

/** The name of the move that was interrupted here, or a new one. */
function moveInto(path: string): string {
  const begun = readLogPlace(path) === 'arriving' ? readMoveName(path) : undefined;
  return begun ?? randomUUID();
}

function checkTakesLog({ path, log }: DataDirectory): void {
  const place = readLogPlace(path);
  if (place === 'postgres' || place === 'arriving') return;
  if (openLogReader(log).head().position === 0) return;
  throw new ConfigError(
    `${path} holds the log of a deployment already: name an empty directory, or one of a process ` +
      'of this deployment.',
  );
}

type Client = Parameters<typeof readLogMove>[0];

/** `isHere`: this directory has taken the deployment before. */
type Source = TablesOwner & { readonly isHere: boolean };

/** The deployment in PostgreSQL, whole and this directory's, if it is of any. */
async function findSource(
  config: Config,
  directory: DataDirectory,
  client: Client,
): Promise<Source> {
  const deployment = readDeploymentMark(directory.path);
  const owner = await checkTables(client, { deployment, chain: directory.chainId });
  const { state, mover } = await readLogMove(client);
  if (state === 'filling') {
    throw new ConfigError('A move into the database is not finished: finish that one first.');
  }
  const place = readLogPlace(directory.path);
  const isMover = place !== 'postgres' && mover === readMoveName(directory.path);
  const isHere = state === 'left' && isMover && place === 'files';
  if (!isHere) checkTakesLog(directory);
  if (state === 'left' && !isMover) {
    throw new ConfigError(
      'The deployment was moved from this database to files before, into another directory.',
    );
  }
  const proof = await readSharedProof({ client });
  const { masterKey: given } = config;
  if (proof !== undefined) checkMasterKey({ directory: directory.path, given, proof });
  return { ...owner, isHere };
}

async function takeShared(
  config: Config,
  { path, log }: DataDirectory,
  reading: KeptSession,
): Promise<void> {
  replaceSkips(log, await reading.use(readSharedSkips));
  const rows = await reading.use(readSharedRows);
  if (rows.master === undefined) return;
  const store = openSecretStore({
    directory: path,
    masterKey: config.masterKey === '' ? undefined : config.masterKey,
    randomBytes,
    sharedProof: rows.master,
  });
  try {
    store.adopt(rows);
    for (const [name, sealed] of rows.credentials) {
      writeSecretFile(join(path, name), store.openCredential(name, sealed));
    }
  } finally {
    store.close();
  }
}

/**
 * The engines that ran the log: this release's, those that the processes have shared, and those
 * that the process of `--data` kept.
 */
async function takeEngines(
  config: Config,
  { path, engines }: DataDirectory,
  reading: KeptSession,
): Promise<void> {
  const kept = join(resolve(config.data), 'engines');
  if (resolve(config.data) !== path && existsSync(kept)) {
    cpSync(kept, engines, { recursive: true, force: false, errorOnExist: false });
  }
  await keepEngine(engines);
  await fetchEngines(reading, engines);
}
