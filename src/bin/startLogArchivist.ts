// The archivist of a data directory: every process has one, whatever its part.

import type { HistoryFigures } from '../archivist/createHistorian.ts';
import {
  awaitArchivist,
  type RunningArchivist,
  startArchivist,
  type WaitingArchivist,
} from '../archivist/startArchivist.ts';
import type { Config } from '../config.ts';
import type { HistoryWhere } from '../history/openHistoryWriter.ts';
import { figuresOf, type ReplicaState } from '../replica/replicaState.ts';
import type { SkipRecord } from '../replica/skipIndex.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { Journal } from './journal.ts';
import { heapMegabytes } from './relaunchWithHeap.ts';

export type StartLogArchivist = {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly skips: readonly SkipRecord[];
  /** Of the replica with which it compares itself. */
  readonly state: ReplicaState;
  readonly journal: Journal;
  readonly onFatal: (error: Error) => void;
};

/** The history that an archivist writes. */
export type WritesHistory = {
  readonly where: HistoryWhere;
  readonly onHistory: (figures: HistoryFigures) => void;
};

export type LogArchivist = {
  readonly history?: WritesHistory | undefined;
  readonly follows: boolean;
  /** Its thread, if it has been started already. */
  readonly waiting?: WaitingArchivist | undefined;
};

/** Starts the thread of an archivist before there is a state. */
export function awaitLogArchivist({ heapSize }: Config): WaitingArchivist {
  return awaitArchivist(heapMegabytes(heapSize));
}

/**
 * Without `history` it writes none. `follows`: another process may have written a history that all
 * share further than this one has read the log.
 */
export function startLogArchivist(
  { config, directory, skips, state, journal, onFatal }: StartLogArchivist,
  { history, follows, waiting }: LogArchivist,
): RunningArchivist {
  return startArchivist({
    logDirectory: directory.log,
    snapshotDirectory: directory.snapshots.directory,
    chainId: config.chain,
    skips,
    enginesDirectory: directory.engines,
    engineHash: state.engines.present.hash,
    snapshotEvery: config.snapshotEvery,
    history: history?.where,
    archiveLog: config.archiveLog,
    ...(config.vault !== '' && config.gasKey !== '' && { reportDirectory: directory.reports }),
    ...(config.anchorInterval > 0 && {
      trees: { directory: directory.trees, intervalMs: config.anchorInterval * 1000 },
    }),
    figures: figuresOf(state),
    ...(follows && { headPosition: Number.MAX_SAFE_INTEGER }),
    heapSize: heapMegabytes(config.heapSize),
    waiting,
    report: (message) => journal.warn(message),
    ...(history && { onHistory: history.onHistory }),
    onFatal,
  });
}
