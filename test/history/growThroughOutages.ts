// Tables that grow beside the log of a simulated day: the archivist follows it with a historian
// beside it, whose database goes away sometimes, once for so long that rows are dropped.

import type { DataDirectory } from '../../src/bin/dataDirectory.ts';
import { DatabaseFailed, type HistoryWriter } from '../../src/history/history.ts';
import { type HistoryWhere, openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { readLogHead } from '../../src/log/file/readLogHead.ts';
import { openKeptEngines } from '../../src/replica/keptEngines.ts';
import { beginning } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { type Figures, figuresOf } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { openBeside } from './openBeside.ts';

const chunkCount = 24;
const snapshots = 7;

/** The state of the trading replica at the ends of a number of equal parts of the day. */
export function figuresAlong(day: DataDirectory): Figures[] {
  const { position } = readLogHead(day.log);
  const begun = beginning(day.chainId, openKeptEngines(day.engines));
  let at = begun.place;
  return Array.from({ length: chunkCount }, (_, chunk) => {
    const toPosition = Math.floor((position * (chunk + 1)) / chunkCount);
    at = replayLog(begun.state, at, {
      log: openLogReader(day.log),
      skips: createSkipIndex([]),
      toPosition,
    });
    return figuresOf(begun.state);
  });
}

/** How many rows are written at once, and how many wait for a database that is away. */
export type GrowBounds = { readonly batchRows: number; readonly queueRows: number };

/** Resolves with the reports so far when the tables contain the whole day. */
export async function growThroughOutages(
  day: DataDirectory,
  along: readonly Figures[],
  database: HistoryWhere,
  bounds: GrowBounds,
): Promise<readonly string[]> {
  using directory = createTemporaryDirectory();
  const gate = cutOff(openHistoryWriter({ ...database, chain: day.chainId }));
  const { position, commands } = along.at(-1)!;
  const beside = await openBeside({
    logDirectory: day.log,
    snapshotDirectory: directory.path,
    chainId: day.chainId,
    headPosition: position,
    writer: gate.writer,
    engines: openKeptEngines(day.engines),
    bounds,
    snapshotEvery: Math.ceil(commands / snapshots),
  });
  for (const [index, figures] of along.entries()) {
    // Short outages, and one that is too long for the rows to wait.
    gate.cut = index % 6 === 2 || (index >= 12 && index < 20);
    await beside.follow([figures]);
  }
  await beside.finish([]);
  await beside.close();
  return beside.reports;
}

/** A writer that can be cut off from its database. */
function cutOff(writer: HistoryWriter): { readonly writer: HistoryWriter; cut: boolean } {
  const check = (): void => {
    if (gate.cut) throw new DatabaseFailed('cut off');
  };
  const gate = {
    cut: false,
    writer: {
      open: async () => {
        check();
        return writer.open();
      },
      write: async (...transaction: Parameters<HistoryWriter['write']>) => {
        check();
        await writer.write(...transaction);
      },
      close: writer.close,
    },
  };
  return gate;
}
