// The last resort when PostgreSQL is lost for ever: the copy that one process has of the log, the
// secrets and the skip records becomes the deployment, on files. What was acknowledged behind the
// end of that copy is gone, so the operator names the batch with which it ends. As long as a server
// of the former database answers, the copy stays a copy: two logs would be continued.

import { ConfigError } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { syncSegments } from '../log/file/syncSegments.ts';
import { LogDamaged, type LogHead, type LogPlace } from '../log/log.ts';
import { placeOf } from '../log/postgres/catchUp.ts';
import { createServers } from '../log/postgres/createServers.ts';
import { openLocalSegments } from '../log/postgres/openLocalSegments.ts';
import { endClient, type Session } from '../log/postgres/openSession.ts';
import { checkTables } from '../log/postgres/tables.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import { splitPostgresUrls } from '../std/postgresUrls.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { DataDirectory } from './dataDirectory.ts';
import {
  checkLogInFiles,
  readDeploymentMark,
  readLogPlace,
  removeDeploymentMark,
} from './deploymentMark.ts';

export type RescueCopy = {
  readonly directory: DataDirectory;
  /** The servers that are lost. */
  readonly urls: string;
  readonly replicatedStorage: boolean;
  /** The last batch, which the operator names to show that he knows the end. */
  readonly last: number | undefined;
  /** In bytes. */
  readonly segmentSize: number;
  readonly report: (message: string) => void;
};

/** Gives the end of the log. Throws `ConfigError`, `DirectoryInUse` and `LogDamaged`. */
export async function rescueCopy(options: RescueCopy): Promise<LogPlace> {
  const { directory, last, segmentSize, report } = options;
  const { path, log } = directory;
  const place = readLogPlace(path);
  if (place === 'files') throw new ConfigError(`The deployment in ${path} is on files already.`);
  if (place === 'arriving') checkLogInFiles(path);
  const lock = lockDirectory(log);
  try {
    await checkLost(options);
    const segments = openLocalSegments({ directory: log, segmentBytes: segmentSize, report });
    const head = segments.head();
    segments.close();
    checkAccepted(directory, head, last);
    const synced = syncSegments(log, segmentSize);
    if (!synced.hash.equals(head.hash)) throw new LogDamaged(`${log} changed while it was read`);
    // From now on the directory is no copy, and of no database.
    removeDeploymentMark(path);
    return placeOf(head);
  } finally {
    lock.release();
  }
}

function checkAccepted({ path, snapshots }: DataDirectory, head: LogHead, last?: number): void {
  const { position, time } = head;
  const newest = listSnapshots(snapshots).at(-1) ?? 0;
  if (newest > position) {
    throw new ConfigError(
      `The copy of the log in ${path} ends with batch ${position}, before the snapshot of batch ` +
        `${newest}: the machine has lost its end. Take the copy of another process; if there is ` +
        'none, delete the snapshots behind that batch, and history.db, and type it again.',
    );
  }
  if (last === position && position > 0) return;
  throw new ConfigError(
    `The copy of the log in ${path} ends with batch ${position} of ` +
      `${new Date(time).toISOString()}; what was acknowledged after it is lost. Stop every ` +
      'process, compare the copies of all, and with the longest one type "evermark cluster ' +
      'rescue" and the number of its last batch.',
  );
}

/** Throws `ConfigError` when a server of the former database answers: then nothing is lost yet. */
async function checkLost({ directory, urls, replicatedStorage }: RescueCopy): Promise<void> {
  const asked = (splitPostgresUrls(urls) ?? []).map((url) =>
    createServers({
      ...{ urls: url, replicatedStorage, scheduler: systemScheduler },
      applicationName: 'evermark rescue',
    }).connect(),
  );
  const expected = {
    deployment: readDeploymentMark(directory.path),
    chain: directory.chainId,
  };
  for (const result of await Promise.allSettled(asked)) {
    if (result.status === 'fulfilled') await checkForeign(result.value, expected);
    else if (result.reason.name === 'DatabaseRefused') {
      throw new ConfigError(
        `A server of the database answers, so nothing need be lost: ${result.reason.message}`,
      );
    }
  }
}

/** The server may be a new one, which does not have the deployment. */
async function checkForeign(
  { client, name }: Session,
  expected: Parameters<typeof checkTables>[1],
): Promise<void> {
  try {
    await checkTables(client, expected);
  } catch (error) {
    if ((error as Error).name === 'DatabaseRefused') return;
    throw error;
  } finally {
    endClient(client);
  }
  throw new ConfigError(
    `PostgreSQL at ${name} has the deployment, so nothing is lost: "evermark start" reads it, ` +
      'and "evermark move --to DIR" brings it to files.',
  );
}
