// A process with a log in PostgreSQL before it serves: it fills its local segments, makes the state
// of them, follows what the present holder of the lease writes, and takes the lease when it is
// free. With the lease it has the state at the log's end.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type RunningArchivist, startArchivist } from '../archivist/startArchivist.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import type { Log, LogFollower } from '../log/log.ts';
import { createServers, type Servers } from '../log/postgres/createServers.ts';
import {
  openPostgresThreadLog,
  type PostgresThreadLog,
} from '../log/postgres/openPostgresThreadLog.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import type { Recovered } from '../replica/recoverState.ts';
import { figuresOf } from '../replica/replicaState.ts';
import { createSkipIndex, type SkipIndex, type SkipRecord } from '../replica/skipIndex.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs, systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { joinCluster } from './joinCluster.ts';
import type { OpenCore } from './openCore.ts';
import { heapMegabytes } from './relaunchWithHeap.ts';
import { releaseVersion } from './releaseVersion.ts';

/** What a process with a log in PostgreSQL is, for probes and for the journal. */
export type ClusterStanding = {
  readonly role: 'candidate' | 'sequencer';
  /** The last batch that it has applied. */
  readonly position: number;
  /** How old that batch is; 0 for the sequencer. */
  readonly lagMs: number;
};

/** Thrown when the operator stops a process that still waits. */
export class StoppedWaiting extends Error {
  override name = 'StoppedWaiting';
}

export type AwaitLease = OpenCore & {
  readonly directory: DataDirectory;
  /** Of this program's engine. */
  readonly engineHash: string;
  /** The skip records that all processes share. */
  readonly loadSkips: (servers: Servers) => Promise<readonly SkipRecord[]>;
  /** Makes the state of the local segments, up to where they are. */
  readonly recover: (skips: readonly SkipRecord[], head: ReturnType<Log['head']>) => Recovered;
};

export type Seat = {
  readonly log: Log;
  readonly recovered: Recovered;
  readonly skips: readonly SkipRecord[];
  readonly servers: Servers;
  /** This start of this process, and the epoch of its lease. */
  readonly holder: string;
  readonly epoch: number;
};

const megabyte = 1024 * 1024;

/** Resolves when this process has the lease. Rejects with `StoppedWaiting` and what stops it. */
export async function awaitLease(options: AwaitLease): Promise<Seat> {
  const { config, directory, journal } = options;
  const report = (message: string): void => journal.warn(message);
  const lock = lockDirectory(directory.log);
  const holder = randomUUID();
  const { replicatedStorage } = config;
  const servers = createServers({
    urls: config.cluster,
    applicationName: `evermark ${holder}`,
    ...{ replicatedStorage, scheduler: systemScheduler },
  });
  let thread: PostgresThreadLog | undefined;
  try {
    const owner = await orStopped(joinCluster({ config, directory, servers, report }), options);
    thread = openPostgresThreadLog(
      {
        ...{ urls: config.cluster, replicatedStorage, expected: owner, holder, report },
        address: `${hostname()}:${config.port}`,
        ...{ release: releaseVersion(), engineHash: options.engineHash },
        directory: directory.log,
        segmentBytes: config.segmentSize * megabyte,
        snapshotPosition: listSnapshots(directory.snapshots).at(-1) ?? 0,
      },
      lock,
    );
    const seat = await takeSeat(options, { thread, servers, holder });
    return { ...seat, servers, holder };
  } catch (error) {
    if (thread === undefined) lock.release();
    else await thread.close();
    throw error;
  }
}

type Candidate = {
  readonly thread: PostgresThreadLog;
  readonly servers: Servers;
  /** This process's name in the lease. */
  readonly holder: string;
};

async function takeSeat(
  options: AwaitLease,
  { thread, servers, holder }: Candidate,
): Promise<Omit<Seat, 'servers' | 'holder'>> {
  const { directory, journal, loadSkips, recover, stopped } = options;
  const rest = createRest(thread, stopped);
  while (thread.followed() === undefined) await rest();
  const skips = await loadSkips(servers);
  const head = must(thread.followed(), 'the segments are filled');
  const recovered = recover(skips, head);
  const { state } = recovered;
  const index = createSkipIndex(skips);
  const { position, hash } = head;
  const follower = openLogReader(directory.log).follow({ position, hash: hash.toString('hex') });
  const archivist = watchAsCandidate(options, recovered, skips);
  options.stand(() => standingOf(state, 'candidate'));
  try {
    thread.becomeReady();
    let told = false;
    for (;;) {
      const followed = must(thread.followed(), 'the segments are filled');
      await applyUpTo(recovered, { follower, skips: index, position: followed.position });
      archivist.follow(figuresOf(state));
      const opened = thread.opened();
      if (opened !== undefined && state.position === opened.log.head().position) {
        // The others will skip what this process may have executed.
        if (!isDeepStrictEqual(await loadSkips(servers), skips)) throw new Error(skipsChanged);
        journal.info(`this process has the lease of the log, epoch ${opened.epoch}`);
        options.stand(() => standingOf(state, 'sequencer'));
        return { log: opened.log, recovered, skips, epoch: opened.epoch };
      }
      const seen = thread.seen();
      if (!told && seen !== undefined && !seen.released && seen.holder !== holder) {
        told = true;
        journal.info(`the process at ${seen.address} has the lease of the log; this one waits`);
      }
      if (thread.followed() === followed) await rest();
    }
  } finally {
    follower.close();
    // It starts anew with the duty to write history.
    await archivist.close();
  }
}

const standingOf = (
  { position, time }: Recovered['state'],
  role: ClusterStanding['role'],
): ClusterStanding => ({
  role,
  position,
  lagMs: role === 'sequencer' ? 0 : Math.max(0, systemClock.now() - time),
});

/** Gives a function that waits for a change of the log. It rejects with what ends the waiting. */
function createRest(thread: PostgresThreadLog, stopped: Promise<unknown>): () => Promise<void> {
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
  return async () => {
    check();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    check();
  };
}

const skipsChanged =
  'a skip record was written while this process waited for the lease: start it again';
const stoppedText = 'the process was stopped while it waited';

type Applying = {
  readonly follower: LogFollower;
  readonly skips: SkipIndex;
  readonly position: number;
};

/** The thread answers probes between two of these. */
const stepMs = 20;

async function applyUpTo(
  { state }: Recovered,
  { follower, skips, position }: Applying,
): Promise<void> {
  let began = stopwatchMs();
  while (state.position < position) {
    const batch = follower.next(position);
    if (batch !== undefined) applyBatch(state, batch, skips);
    if (stopwatchMs() - began < stepMs) continue;
    await nextTurn();
    began = stopwatchMs();
  }
}

/** The second replica of a process that waits: it compares, takes snapshots, writes no history. */
function watchAsCandidate(
  { config, directory, journal, onFatal }: AwaitLease,
  { state }: Recovered,
  skips: readonly SkipRecord[],
): RunningArchivist {
  return startArchivist({
    logDirectory: directory.log,
    snapshotDirectory: directory.snapshots.directory,
    chainId: config.chain,
    skips,
    enginesDirectory: directory.engines,
    engineHash: state.engines.present.hash,
    snapshotEvery: config.snapshotEvery,
    history: undefined,
    archiveLog: config.archiveLog,
    figures: figuresOf(state),
    heapSize: heapMegabytes(config.heapSize),
    report: (message) => journal.warn(message),
    onFatal,
  });
}

async function orStopped<T>(work: Promise<T>, { stopped }: OpenCore): Promise<T> {
  const stopping = stopped.then((): never => {
    throw new StoppedWaiting(stoppedText);
  });
  return Promise.race([work, stopping]);
}
