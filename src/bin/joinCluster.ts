// The first thing that a process does with a log in PostgreSQL: it finds the deployment there, and
// refuses whatever does not belong together with its data directory.

import { setTimeout as wait } from 'node:timers/promises';
import { type Config, ConfigError } from '../config.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import type { Servers } from '../log/postgres/createServers.ts';
import { endClient, type Session } from '../log/postgres/openSession.ts';
import { checkLogHere, checkTables, type TablesOwner } from '../log/postgres/tables.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { readDeploymentMark, readLogPlace, writeDeploymentMark } from './deploymentMark.ts';

export type JoinCluster = {
  readonly config: Pick<Config, 'chain'>;
  /** Locked. */
  readonly directory: DataDirectory;
  readonly servers: Servers;
  readonly report: (message: string) => void;
};

const retryMs = 1000;

/**
 * Waits until PostgreSQL answers, and gives the deployment whose log is there. Throws `ConfigError`
 * for a directory with a log of its own, and `DatabaseRefused`.
 */
export async function joinCluster(options: JoinCluster): Promise<TablesOwner> {
  const { config, directory, servers, report } = options;
  checkNoOwnLog(directory);
  const deployment = readDeploymentMark(directory.path);
  const { client } = await connectAtLast(servers, report);
  try {
    const owner = await checkTables(client, { deployment, chain: config.chain });
    await checkLogHere(client);
    writeDeploymentMark(directory.path, { deployment: owner.deployment, log: 'postgres' });
    return owner;
  } finally {
    endClient(client);
  }
}

function checkNoOwnLog({ path, log }: DataDirectory): void {
  const place = readLogPlace(path);
  if (place === 'postgres') return;
  if (place === 'files' && openLogReader(log).head().position === 0) return;
  throw new ConfigError(
    `${path} holds the log of a deployment on files. Move it with "evermark move --to URL", or ` +
      'give this process another directory with --data.',
  );
}

/** For the steps of a start, which a database that is away for a moment does not end. */
export const waitingServers = (servers: Servers, report: (message: string) => void): Servers => ({
  ...servers,
  connect: () => connectAtLast(servers, report),
});

/** A database that cannot hold the log is refused at once; one that is away is waited for. */
async function connectAtLast(
  servers: Servers,
  report: (message: string) => void,
): Promise<Session> {
  let told = '';
  for (;;) {
    try {
      return await servers.connect();
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'DatabaseRefused') throw error;
      if (message !== told) report(`the start waits for PostgreSQL: ${message}`);
      told = message;
      await wait(retryMs);
    }
  }
}
