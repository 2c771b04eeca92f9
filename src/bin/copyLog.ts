// Copies the log of a data directory into PostgreSQL while nothing runs there: from where the copy
// ends, under the lease, and reads back what it has copied. The hashes stay the same.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { ConfigError } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { type Log, LogDamaged, type LogPlace, type LogReader, logBeginning } from '../log/log.ts';
import { createServers } from '../log/postgres/createServers.ts';
import { openPostgresLog } from '../log/postgres/openPostgresLog.ts';
import { endClient } from '../log/postgres/openSession.ts';
import { readPostgresBatches } from '../log/postgres/readPostgresBatches.ts';
import { checkTables } from '../log/postgres/tables.ts';
import { systemClock } from '../std/clock.ts';
import { createProgress } from '../std/progress.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { checkLogInFiles, readDeploymentMark, writeDeploymentMark } from './deploymentMark.ts';

export type CopyLog = {
  readonly urls: string;
  readonly replicatedStorage: boolean;
  readonly directory: DataDirectory;
  readonly report: (message: string) => void;
};

/** Gives the last batch that both logs have. Throws `ConfigError` when the database has another. */
export async function copyLog(options: CopyLog): Promise<LogPlace> {
  const { urls, replicatedStorage, directory, report } = options;
  checkLogInFiles(directory.path);
  const lock = lockDirectory(directory.log);
  try {
    const source = openLogReader(directory.log);
    const holder = randomUUID();
    const expected = {
      deployment: readDeploymentMark(directory.path),
      chain: directory.chainId,
    };
    const applicationName = `evermark ${holder}`;
    const scheduler = systemScheduler;
    const servers = createServers({ urls, applicationName, replicatedStorage, scheduler });
    const target = await openPostgresLog({
      ...{ servers, expected, holder, replicatedStorage, scheduler, report },
      address: hostname(),
      known: () => logBeginning,
      clock: systemClock,
    });
    try {
      const { client } = await servers.connect();
      try {
        const { deployment } = await checkTables(client, expected);
        writeDeploymentMark(directory.path, { deployment, log: 'files' });
        return await copyBatches(source, target, client);
      } finally {
        endClient(client);
      }
    } finally {
      await target.close();
    }
  } finally {
    lock.release();
  }
}

/**
 * Appends what the target does not have, reads it back, and gives the last batch. Throws
 * `ConfigError` when the target's last batch is none of the source.
 */
export async function copyBatches(
  source: LogReader,
  target: Log,
  client: pg.Client,
): Promise<LogPlace> {
  const begin = placeOf(target);
  checkPrefix(source, begin);
  await appendAll(source, target);
  const end = placeOf(target);
  await readBack(client, begin, end);
  return end;
}

const placeOf = (log: Log): LogPlace => {
  const { position, hash } = log.head();
  return { position, hash: hash.toString('hex') };
};

/** The batch of the database must be one of this log. */
function checkPrefix(source: LogReader, { position, hash }: LogPlace): void {
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
    if (placeOf(target).hash !== source.head().hash.toString('hex')) {
      throw new LogDamaged('the copy of the log ends with another hash than the log');
    }
  } finally {
    progress.end();
  }
}
