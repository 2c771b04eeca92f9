// What follows the log behind the trading replica, with steps in place of its threads: the
// archivist with the historian, and the reader of history. The parts are the program's own. This
// file replaces archivistThread.ts, startArchivist.ts and startHistory.ts.

import type { ArchivistPort } from '../../src/api/deployment.ts';
import { createArchivist, isSnapshotFailure } from '../../src/archivist/createArchivist.ts';
import { createHistorian, type HistoryFigures } from '../../src/archivist/createHistorian.ts';
import { historianBounds } from '../../src/archivist/historianBounds.ts';
import {
  type AskHistory,
  type HistoryQueries,
  historyQueries,
} from '../../src/history/queries/historyQueries.ts';
import { historyBounds } from '../../src/history/startHistory.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import type { LogHead } from '../../src/log/log.ts';
import { forgetEndedBefore } from '../../src/market-data/forgetEnded.ts';
import { type Figures, figuresOf, type ReplicaState } from '../../src/replica/replicaState.ts';
import type { SkipIndex } from '../../src/replica/skipIndex.ts';
import type { Prng } from '../../src/std/prng.ts';
import { chainId, engines, type LifeWorld, logDirectory, snapshotDirectory } from './lifeWorld.ts';

export type Followers = {
  readonly onDurable: (figures: Figures) => void;
  readonly port: ArchivistPort;
  readonly ask: AskHistory;
  readonly historian: () => HistoryFigures;
  readonly position: () => number;
  /** Follows and writes everything durable, then closes. */
  readonly close: () => Promise<void>;
  /** The program has died. */
  readonly drop: () => void;
};

export type StartFollowers = {
  readonly world: LifeWorld;
  readonly skips: SkipIndex;
  readonly state: ReplicaState;
  readonly head: () => LogHead;
  readonly later: (milliseconds: number, step: () => void) => () => void;
  readonly prng: Prng;
  readonly report: (message: string) => void;
  readonly onFatal: (error: Error) => void;
};

/** The longest time of one piece of the archivist's work; virtual time stands still in it. */
const workMs = 20;

type Asked = { readonly position: number; answer: ((reported: boolean) => void) | undefined };

export function startFollowers(options: StartFollowers): Followers {
  const { world, later, prng, onFatal, report, state } = options;
  const { disk } = world.disk;
  const log = openLogReader(logDirectory, disk);
  const place = { disk, log, snapshotDirectory, chainId };
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      later(1 + prng.below(15), () => {
        world.touched = true;
        resolve();
      });
    });
  const writer = world.database.openWriter(pause);
  const reader = world.database.openReader();
  const asked = new Set<Asked>();
  let figures: HistoryFigures | undefined;
  let pumping = false;
  let durable = figuresOf(state);
  let latest: Figures | undefined = durable;
  const pump = (): void => {
    if (pumping) return;
    pumping = true;
    later(prng.below(30) === 0 ? prng.below(3000) : 2 + prng.below(40), () => {
      pumping = false;
      world.touched = true;
      work();
    });
  };
  const work = (): void => {
    try {
      if (latest !== undefined) archivist.expect(latest);
      latest = undefined;
      if (archivist.work(workMs)) pump();
    } catch (error) {
      onFatal(error as Error);
    }
  };
  const reported = (): number => figures?.position ?? -1;
  const historian = createHistorian({
    ...place,
    skips: options.skips,
    engines,
    report,
    writer,
    database: 'the database of the life',
    headPosition: options.head().position,
    clock: world.programClock,
    scheduler: { after: later },
    bounds: { ...historianBounds, batchRows: 500, queueRows: 5000 },
    onFigures: (now) => {
      figures = now;
      forgetEndedBefore(state.views, now.time);
      for (const each of asked) if (each.position <= reported()) each.answer?.(true);
    },
    wake: pump,
  });
  const archivist = createArchivist({
    ...place,
    skips: options.skips,
    engines,
    clock: world.programClock,
    snapshotEvery: world.machine.snapshotEvery,
    // The virtual clock stands still while this runs, so the number of commands alone decides.
    stopwatch: world.programClock.now,
    processorMs: world.programClock.now,
    report,
    historian,
  });
  historian.begin().catch((error: Error) => onFatal(error));
  pump();

  const answer = <T>(question: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const want = durable;
      later(1 + prng.below(20), () => {
        world.touched = true;
        // As in the thread: any failure except that of a snapshot ends the program, without an
        // answer.
        try {
          archivist.expect(want);
          latest = latest === want ? undefined : latest;
          archivist.catchUp();
        } catch (error) {
          onFatal(error as Error);
          return;
        }
        try {
          resolve(question());
        } catch (error) {
          if (isSnapshotFailure(error)) reject(error);
          else onFatal(error as Error);
        }
      });
    });
  const ask = async (name: keyof HistoryQueries, what: unknown): Promise<unknown> => {
    const { position } = options.head();
    const failed = { reason: 'databaseFailed' };
    const behind = { reason: 'historyBehind' };
    if (historian.figures().status === 'stopped') return failed;
    if (position > reported()) {
      historian.urge(position);
      pump();
      const found = await new Promise<boolean>((resolve) => {
        const each: Asked = { position, answer: undefined };
        each.answer = (found) => {
          asked.delete(each);
          world.touched = true;
          resolve(found);
        };
        asked.add(each);
        later(historyBounds.failingMs, () => {
          if (historian.figures().failing) each.answer?.(false);
        });
        later(historyBounds.waitMs, () => each.answer?.(false));
      });
      if (!found) return historian.figures().failing ? failed : behind;
    }
    await pause();
    if (world.database.mode === 'down') return failed;
    const query = historyQueries[name] as (from: typeof reader, what: unknown) => Promise<unknown>;
    return structuredClone(await query(reader, structuredClone(what)));
  };
  const letGo = (): void => {
    writer.close().catch(onFatal);
    reader.destroy().catch(onFatal);
    try {
      archivist.close();
    } catch {
      // The disk has died with the program: there is nothing to close.
    }
  };
  return {
    onDurable: (now) => {
      durable = now;
      latest = now;
      pump();
    },
    port: {
      stateHash: () => answer(archivist.hashes),
      invariants: () =>
        answer(() => ({ ...archivist.invariants(), position: archivist.position() })),
      snapshot: () => answer(() => ({ position: archivist.takeSnapshot() })),
      adlQuantiles: (account) => answer(() => archivist.adlQuantiles(account)),
      proveWallet: async () => 'none',
      longShort: (market) => answer(() => archivist.longShort(market)),
    },
    ask: ask as AskHistory,
    historian: historian.figures,
    position: archivist.position,
    close: async () => {
      await historian.close();
      letGo();
    },
    drop: letGo,
  };
}
