// How a process becomes one of several on a log in PostgreSQL: it finds the deployment, fills its
// local segments, and makes the state of them. It has no part in trading yet.

import { randomUUID } from 'node:crypto';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import type { Log, LogHead } from '../log/log.ts';
import { keepSession } from '../log/postgres/catchUp.ts';
import { createServers, type Servers } from '../log/postgres/createServers.ts';
import {
  openPostgresThreadLog,
  type PostgresThreadLog,
} from '../log/postgres/openPostgresThreadLog.ts';
import { readOrigins } from '../log/postgres/readOrigins.ts';
import type { Recovered } from '../replica/recoverState.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import { must } from '../std/assert.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { besidesOf } from './createOrderShare.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { joinCluster, waitingServers } from './joinCluster.ts';
import { type ClusterLink, openClusterLink } from './openClusterLink.ts';
import type { OpenCore } from './openCore.ts';
import { releaseVersion } from './releaseVersion.ts';
import { fetchEngines } from './shareEngines.ts';

/** Thrown when the operator stops a process that does not serve writes yet. */
export class StoppedWaiting extends Error {
  override name = 'StoppedWaiting';
}

export type EnterCluster = OpenCore & {
  readonly directory: DataDirectory;
  /** Of this program's engine. */
  readonly engineHash: string;
  /** The skip records that all processes share. */
  readonly loadSkips: (servers: Servers) => Promise<readonly SkipRecord[]>;
  /** Makes the state of the local segments, up to where they are. */
  readonly recover: (skips: readonly SkipRecord[], head: LogHead) => Recovered;
};

/** A process that may get the lease. */
export type Candidate = {
  readonly options: EnterCluster;
  readonly thread: PostgresThreadLog;
  readonly servers: Servers;
  readonly link: ClusterLink;
  /** This start of this process, by which the lease names it. */
  readonly holder: string;
  readonly recovered: Recovered;
  /** The last batch of the state that was recovered. */
  readonly head: LogHead;
  readonly skips: readonly SkipRecord[];
  /**
   * Waits for a change of the log. Rejects with what has ended the log, and with `StoppedWaiting`.
   */
  readonly rest: () => Promise<void>;
  /** Lets the present `rest` end. */
  readonly wake: () => void;
};

/** What the lease gives. */
export type Seat = {
  readonly log: Log;
  readonly servers: Servers;
  /** This start of this process, and the epoch of its lease. */
  readonly holder: string;
  readonly epoch: number;
  /** The process that had the lease before and has ended; undefined: none was seen. */
  readonly former: string | undefined;
};

const megabyte = 1024 * 1024;
/** The longest window of the order limits. */
const windowMs = 60_000;

/** Rejects with `StoppedWaiting`, and with what makes it impossible. */
export async function enterCluster(options: EnterCluster): Promise<Candidate> {
  const { config, directory, journal, recover } = options;
  const report = (message: string): void => journal.warn(message);
  const lock = lockDirectory(directory.log);
  const holder = randomUUID();
  const { replicatedStorage } = config;
  const servers = createServers({
    urls: config.cluster,
    applicationName: `evermark ${holder}`,
    ...{ replicatedStorage, scheduler: systemScheduler },
  });
  const { engineHash } = options;
  let thread: PostgresThreadLog | undefined;
  let link: ClusterLink | undefined;
  try {
    const owner = await orStopped(joinCluster({ config, directory, servers, report }), options);
    const { deployment } = owner;
    const named = { config, directory, deployment, process: holder, engineHash };
    link = await openClusterLink({ ...named, report });
    thread = openPostgresThreadLog(
      {
        ...{ urls: config.cluster, replicatedStorage, expected: owner, holder, report },
        ...{ address: link.address, release: releaseVersion(), engineHash },
        directory: directory.log,
        segmentBytes: config.segmentSize * megabyte,
        snapshotPosition: listSnapshots(directory.snapshots).at(-1) ?? 0,
      },
      lock,
    );
    const resting = createRest(thread, options.stopped);
    while (thread.followed() === undefined) await resting.rest();
    const loading = loadStart(waitingServers(servers, report), { options, thread, link });
    const { skips, head } = await orStopped(loading, options);
    const recovered = recover(skips, head);
    return { options, thread, servers, link, holder, recovered, head, skips, ...resting };
  } catch (error) {
    await link?.close();
    if (thread === undefined) lock.release();
    else await thread.close();
    throw error;
  }
}

type Start = {
  readonly options: EnterCluster;
  readonly thread: PostgresThreadLog;
  readonly link: ClusterLink;
};

/** What the state is made with, besides the local segments. */
async function loadStart(
  servers: Servers,
  { options, thread, link }: Start,
): Promise<Pick<Candidate, 'skips' | 'head'>> {
  const skips = await options.loadSkips(servers);
  await loadEngines(servers, options.directory);
  const head = must(thread.followed(), 'the segments are filled');
  await countRecent(servers, head, link.orders);
  return { skips, head };
}

/** Keeps the engines that other processes have shared, so that the log can be replayed here. */
export async function loadEngines(servers: Servers, { engines }: DataDirectory): Promise<void> {
  const reading = keepSession(servers);
  try {
    await fetchEngines(reading, engines);
  } finally {
    reading.end();
  }
}

function createRest(
  thread: PostgresThreadLog,
  stopped: Promise<unknown>,
): Pick<Candidate, 'rest' | 'wake'> {
  let wake = (): void => {};
  let isStopped = false;
  thread.onChange(() => wake());
  void stopped.then(() => {
    isStopped = true;
    wake();
  });
  const check = (): void => {
    const failure = thread.failure();
    if (failure !== undefined) throw failure;
    if (isStopped) throw new StoppedWaiting(stoppedText);
  };
  return {
    rest: async () => {
      check();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      check();
    },
    wake: () => wake(),
  };
}

const stoppedText = 'the process was stopped while it waited';

/** What the last minute of the log has used of the order limits counts here, too. */
async function countRecent(
  servers: Servers,
  { position, time }: LogHead,
  orders: ClusterLink['orders'],
): Promise<void> {
  const session = keepSession(servers);
  try {
    const since = time - windowMs;
    const found = await session.use(({ client }) => readOrigins(client, { position, since }));
    for (const each of found) orders.count(besidesOf(each));
  } finally {
    session.end();
  }
}

async function orStopped<T>(work: Promise<T>, { stopped }: OpenCore): Promise<T> {
  const stopping = stopped.then((): never => {
    throw new StoppedWaiting(stoppedText);
  });
  return Promise.race([work, stopping]);
}
