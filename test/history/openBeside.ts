// The archivist with a historian beside it over the files of a deployment, without threads: a test
// reports what is durable, and lets both work.

import { setTimeout as wait } from 'node:timers/promises';
import { type Archivist, createArchivist } from '../../src/archivist/createArchivist.ts';
import { createHistorian, type Historian } from '../../src/archivist/createHistorian.ts';
import { type HistorianBounds, historianBounds } from '../../src/archivist/historianBounds.ts';
import type { HistoryWriter } from '../../src/history/history.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import type { Engines } from '../../src/replica/engines.ts';
import type { Figures } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { systemClock } from '../../src/std/clock.ts';
import { fileDisk } from '../../src/std/disk.ts';
import { testEngines } from '../fixtures/testEngines.ts';

const never = 1_000_000_000;
const quick: HistorianBounds = {
  ...historianBounds,
  writeEveryMs: 0,
  retryMsMin: 2,
  retryMsMax: 8,
};

export type Beside = {
  readonly archivist: Archivist;
  readonly historian: Historian;
  readonly reports: string[];
  /** Follows what has become durable, and lets the database continue where it can. */
  readonly follow: (durable: Figures[]) => Promise<void>;
  /** Follows until everything durable is written. */
  readonly finish: (durable: Figures[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OpenBeside = {
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  readonly chainId: number;
  readonly headPosition: number;
  readonly writer: HistoryWriter;
  readonly engines?: Engines;
  readonly bounds?: Partial<HistorianBounds>;
  readonly snapshotEvery?: number;
  /** The database answers when the archivist has read its snapshots; otherwise before. */
  readonly answersLate?: boolean;
};

/** Rejects when the tables are not of this log. */
export async function openBeside(options: OpenBeside): Promise<Beside> {
  const { bounds, snapshotEvery = never, engines = testEngines, answersLate } = options;
  const { logDirectory, ...rest } = options;
  const reports: string[] = [];
  const place = {
    ...rest,
    disk: fileDisk,
    log: openLogReader(logDirectory),
    skips: createSkipIndex([]),
    engines,
    clock: systemClock,
    report: (message: string): void => void reports.push(message),
  };
  const historian = createHistorian({
    ...place,
    database: 'the database',
    bounds: { ...quick, ...bounds },
    onFigures: () => {},
    wake: () => {},
  });
  if (answersLate !== true) await historian.begin();
  const archivist = createArchivist({
    ...place,
    snapshotEvery,
    stopwatch: () => 0,
    processorMs: () => 0,
    historian,
  });
  const follow = async (durable: Figures[]): Promise<void> => {
    for (const figures of durable.splice(0)) archivist.expect(figures);
    while (archivist.work(20)) await wait(0);
    await wait(0);
  };
  const finish = async (durable: Figures[]): Promise<void> => {
    await follow(durable);
    while (historian.figures().position < archivist.position()) {
      await follow(durable);
      await wait(1);
    }
  };
  const close = async (): Promise<void> => {
    await historian.close();
    archivist.close();
  };
  if (answersLate === true) await historian.begin();
  return { archivist, historian, reports, follow, finish, close };
}
