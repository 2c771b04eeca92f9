// The readers of the log behind the replica that trades: the archivist, which also writes history,
// and the thread that reads history.

import { setTimeout as wait } from 'node:timers/promises';
import type { HistoryFigures } from '../archivist/createHistorian.ts';
import type { RunningArchivist, WaitingArchivist } from '../archivist/startArchivist.ts';
import { type PlaceWatch, watchPlace } from '../history/postgres/watchPlace.ts';
import { type RunningHistory, startHistory } from '../history/startHistory.ts';
import { forgetEndedBefore } from '../market-data/forgetEnded.ts';
import { systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { historyWhere } from './historyWhere.ts';
import {
  type LogArchivist,
  type StartLogArchivist,
  startLogArchivist,
  type WritesHistory,
} from './startLogArchivist.ts';

export type OpenFollowers = StartLogArchivist & {
  /** The last durable batch that readers may rely on. */
  readonly durablePosition: () => number;
  /** The process follows another one. Only the other one writes a history that all share. */
  readonly follows: boolean;
  /** The archivist's thread, if it has been started already. */
  readonly waiting?: WaitingArchivist | undefined;
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
  /** A process that followed has the lease: it writes the history that all share, too. */
  readonly takeHistory: () => Promise<void>;
};

/**
 * How long a start waits to learn whether history belongs to this log; trading waits for nothing
 * else.
 */
const historyWaitMs = 3000;

export function openFollowers(options: OpenFollowers): Followers {
  const { config, directory, state, journal, onFatal, follows } = options;
  const where = historyWhere(config, directory);
  const isShared = where.databaseUrl !== undefined;
  const report = (message: string): void => journal.warn(message);
  let figures = unknownHistory;
  const onHistory = (reported: HistoryFigures): void => {
    figures = reported;
    const { position, status, failing } = reported;
    history.written({ position, stopped: status === 'stopped', failing });
    forgetEndedBefore(state.views, reported.time);
  };
  const writing: WritesHistory = { where, onHistory };
  const startWriting = (given: Pick<LogArchivist, 'history' | 'waiting'>): RunningArchivist =>
    startLogArchivist(options, { ...given, follows });
  const first = follows && isShared ? undefined : writing;
  let present = startWriting({ history: first, waiting: options.waiting });
  const archivist = relayed(() => present);
  const history = startHistory({
    ...where,
    clock: systemClock,
    durablePosition: options.durablePosition,
    urge: () => {
      archivist.urge();
      watch?.urge();
    },
    report,
  });
  const watch = follows ? watchShared({ where, onHistory }, report) : undefined;
  const historyChecked = async (): Promise<void> => {
    if (config.cluster !== '') {
      // Trading has paused already, and a read of history waits until the tables are known.
      archivist.begun.catch(onFatal);
      return;
    }
    await Promise.race([archivist.begun, wait(historyWaitMs, undefined, { ref: false })]);
  };
  return {
    archivist,
    history: {
      ...history,
      close: async () => {
        watch?.end();
        await history.close();
      },
    },
    historian: () => figures,
    historyChecked,
    takeHistory: async () => {
      if (watch === undefined) return;
      watch.end();
      await present.close();
      present = startWriting({ history: writing });
    },
  };
}

const unknownHistory: HistoryFigures = {
  status: 'unknown',
  position: -1,
  time: 0,
  rows: 0,
  waiting: 0,
  failures: 0,
  failing: false,
};

/** A history that another process writes shows by itself how far it is. */
function watchShared(
  { where, onHistory }: WritesHistory,
  report: (message: string) => void,
): PlaceWatch | undefined {
  const { databaseUrl } = where;
  if (databaseUrl === undefined) return undefined;
  return watchPlace({
    ...{ databaseUrl, scheduler: systemScheduler, report },
    onLook: (place) => {
      const failing = place === undefined;
      onHistory({ ...unknownHistory, status: 'following', failing, ...place });
    },
  });
}

/** The archivist that is there now. */
function relayed(present: () => RunningArchivist): RunningArchivist {
  return {
    get begun() {
      return present().begun;
    },
    follow: (figures) => present().follow(figures),
    urge: () => present().urge(),
    stateHash: () => present().stateHash(),
    invariants: () => present().invariants(),
    snapshot: () => present().snapshot(),
    gapHoles: () => present().gapHoles(),
    judgeReport: (report) => present().judgeReport(report),
    isPublished: (report) => present().isPublished(report),
    nextReport: (after, sequence) => present().nextReport(after, sequence),
    newestTree: () => present().newestTree(),
    judgeTree: (claim, isAnchor) => present().judgeTree(claim, isAnchor),
    proveWallet: (wallet) => present().proveWallet(wallet),
    adlQuantiles: (account) => present().adlQuantiles(account),
    longShort: (market) => present().longShort(market),
    progress: () => present().progress(),
    invariantFailures: () => present().invariantFailures(),
    close: () => present().close(),
  };
}
