// The readers of the log behind the replica that trades: the archivist, which also writes history,
// and the thread that reads history.

import { setTimeout as wait } from 'node:timers/promises';
import type { HistoryFigures } from '../archivist/createHistorian.ts';
import { type RunningArchivist, startArchivist } from '../archivist/startArchivist.ts';
import type { Config } from '../config.ts';
import { type RunningHistory, startHistory } from '../history/startHistory.ts';
import type { Log } from '../log/log.ts';
import { forgetEndedBefore } from '../market-data/forgetEnded.ts';
import { figuresOf, type ReplicaState } from '../replica/replicaState.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import { systemClock } from '../std/clock.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { historyWhere } from './historyWhere.ts';
import type { Journal } from './journal.ts';
import { heapMegabytes } from './relaunchWithHeap.ts';

export type OpenFollowers = {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly log: Log;
  readonly skips: readonly SkipRecord[];
  /** Of the replica that trades. */
  readonly state: ReplicaState;
  readonly journal: Journal;
  readonly onFatal: (error: Error) => void;
};

export type Followers = {
  readonly archivist: RunningArchivist;
  readonly history: RunningHistory;
  /** How far history is written. */
  readonly historian: () => HistoryFigures;
  /**
   * Rejects when the tables of history belong to another log or to a later release. Resolves when
   * they do not, or when the database takes too long to answer. With a log in PostgreSQL it
   * resolves at once, and such tables are fatal later.
   */
  readonly historyChecked: () => Promise<void>;
};

/**
 * How long a start waits to learn whether history belongs to this log; trading waits for nothing
 * else.
 */
const historyWaitMs = 3000;

export function openFollowers(options: OpenFollowers): Followers {
  const { config, directory, log, skips, state, journal, onFatal } = options;
  const where = historyWhere(config, directory);
  const report = (message: string): void => journal.warn(message);
  let figures: HistoryFigures = {
    status: 'unknown',
    position: -1,
    time: 0,
    rows: 0,
    waiting: 0,
    failures: 0,
    failing: false,
  };
  const archivist = startArchivist({
    logDirectory: directory.log,
    snapshotDirectory: directory.snapshots.directory,
    chainId: config.chain,
    skips,
    enginesDirectory: directory.engines,
    engineHash: state.engines.present.hash,
    snapshotEvery: config.snapshotEvery,
    history: where,
    archiveLog: config.archiveLog,
    figures: figuresOf(state),
    heapSize: heapMegabytes(config.heapSize),
    report,
    onHistory: (reported) => {
      figures = reported;
      const { position, status, failing } = reported;
      history.written({ position, stopped: status === 'stopped', failing });
      forgetEndedBefore(state.views, reported.time);
    },
    onFatal,
  });
  const history = startHistory({
    ...where,
    clock: systemClock,
    durablePosition: () => log.head().position,
    urge: archivist.urge,
    report,
  });
  const historyChecked = async (): Promise<void> => {
    if (config.cluster !== '') {
      // Trading has paused already, and a read of history waits until the tables are known.
      archivist.begun.catch(onFatal);
      return;
    }
    await Promise.race([archivist.begun, wait(historyWaitMs, undefined, { ref: false })]);
  };
  return { archivist, history, historian: () => figures, historyChecked };
}
