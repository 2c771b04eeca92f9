// Copies the log of a data directory into PostgreSQL while nothing runs there: from where the copy
// ends, under the lease, and reads back what it has copied. The hashes stay the same.

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { ConfigError } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { type Log, LogDamaged, type LogPlace, type LogReader, logBeginning } from '../log/log.ts';
import { type KeptSession, placeOf } from '../log/postgres/catchUp.ts';
import { readPostgresBatches } from '../log/postgres/readPostgresBatches.ts';
import { setLogMove } from '../log/postgres/sharedStatement.ts';
import { checkTables, readLogMove, type TablesOwner } from '../log/postgres/tables.ts';
import { createProgress } from '../std/progress.ts';
import type { DataDirectory } from './dataDirectory.ts';
import {
  checkLogInFiles,
  readDeploymentMark,
  readMoveName,
  writeDeploymentMark,
} from './deploymentMark.ts';
import { holdForMove } from './holdForMove.ts';

export type CopyLog = {
  readonly urls: string;
  readonly replicatedStorage: boolean;
  readonly directory: DataDirectory;
  readonly report: (message: string) => void;
};

/**
 * Gives the last batch that both logs have. Throws `ConfigError` when the database has another. The
 * deployment stays in the directory, so no process can be started on the copy: a move opens it.
 */
export async function copyLog(options: CopyLog): Promise<LogPlace> {
  const { urls: cluster, replicatedStorage, directory, report } = options;
  const { path } = directory;
  const lock = lockDirectory(directory.log);
  try {
    checkLogInFiles(path);
    const source = openLogReader(directory.log);
    const config = { cluster, replicatedStorage };
    const begin = (reading: KeptSession) => findCopy(directory, reading);
    return await holdForMove(
      { config, report, begin, known: () => logBeginning },
      async ({ log, reading, shared }) => {
        // A process may have begun to serve there before this one got the lease.
        const { deployment } = await findCopy(directory, reading);
        checkPrefix(source, placeOf(log.head()));
        const move = readMoveName(path) ?? randomUUID();
        writeDeploymentMark(path, { deployment, log: 'files', move });
        await shared.write((as) => setLogMove(as, { state: 'filling', mover: move }));
        return reading.use(({ client }) => copyBatches(source, log, client));
      },
    );
  } finally {
    lock.release();
  }
}

/** The tables of the copy: new ones, or those of a deployment that is not served there. */
function findCopy({ path, chainId }: DataDirectory, reading: KeptSession): Promise<TablesOwner> {
  return reading.use(async ({ client, name }) => {
    const deployment = readDeploymentMark(path);
    const owner = await checkTables(client, { deployment, chain: chainId });
    const { state } = await readLogMove(client);
    const { rowCount } = await client.query('select from evermark.batch limit 1');
    if (state === 'open' && rowCount !== 0) {
      throw new ConfigError(
        `The database at ${name} holds a deployment that processes may serve, and no copy.`,
      );
    }
    return owner;
  });
}

/** Appends what the target does not have, reads it back, and gives the last batch. */
export async function copyBatches(
  source: LogReader,
  target: Log,
  client: pg.Client,
): Promise<LogPlace> {
  const begin = placeOf(target.head());
  await appendAll(source, target);
  const end = placeOf(target.head());
  await readBack(client, begin, end);
  return end;
}

/** The batch of the database must be one of this log. Throws `ConfigError`. */
export function checkPrefix(source: LogReader, { position, hash }: LogPlace): void {
  if (position === 0) return;
  const [own] = source.read(position, position);
  if (own?.hash.toString('hex') === hash) return;
  throw new ConfigError(
    `The database holds another log: its batch ${position} is not one of ${source.name}.`,
  );
}

/** Each batch is checked against its hash, which includes all before it. */
async function readBack(client: pg.Client, begin: LogPlace, end: LogPlace): Promise<void> {
  let { hash } = begin;
  for await (const batch of readPostgresBatches(client, begin, end.position)) {
    hash = batch.hash.toString('hex');
  }
  if (hash !== end.hash) throw new LogDamaged('the copy that was read back differs from the log');
}

/** Gives every batch that the copy does not have yet, and waits until all are durable. */
async function appendAll(source: LogReader, target: Log): Promise<void> {
  const { position: total } = source.head();
  const progress = createProgress({ what: 'copy', total });
  let wake = (): void => {};
  let failure: Error | undefined;
  target.onDurable(({ position }) => {
    progress.reached(position);
    wake();
  });
  target.onFailure((error) => {
    failure = error;
    wake();
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (failure === undefined && !holds()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== undefined) throw failure;
  };
  try {
    for (const batch of source.read(target.head().position + 1)) {
      await until(target.ready);
      target.append(batch);
    }
    await until(() => target.head().position === total);
    if (placeOf(target.head()).hash !== source.head().hash.toString('hex')) {
      throw new LogDamaged('the copy of the log ends with another hash than the log');
    }
  } finally {
    progress.end();
  }
}
