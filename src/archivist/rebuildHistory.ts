// Writes history again from the log, from its first batch on, into empty tables. Nothing else may
// write the same tables at the same time.

import { createProjector } from '../history/createProjector.ts';
import type { HistoryPlace, HistoryWriter } from '../history/history.ts';
import type { LogReader } from '../log/log.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import type { Engines } from '../replica/engines.ts';
import { beginning } from '../replica/recoverState.ts';
import { checkContinues } from '../replica/replayLog.ts';
import type { SkipIndex } from '../replica/skipIndex.ts';
import { historianBounds } from './historianBounds.ts';

export type RebuildHistory = {
  readonly writer: HistoryWriter;
  readonly log: LogReader;
  readonly chainId: number;
  readonly skips: SkipIndex;
  readonly engines: Engines;
  /** The last batch whose rows are written. */
  readonly toPosition: number;
  /** Rows of a transaction. */
  readonly batchRows?: number;
  /** Receives the place after every transaction. */
  readonly onWritten?: (place: HistoryPlace) => void;
};

/** The tables already contain rows. */
export class HistoryNotEmpty extends Error {
  override name = 'HistoryNotEmpty';
}

/**
 * Gives the place of the tables at the end. Throws `HistoryNotEmpty`, the rejections of a writer,
 * `LogDamaged`, `PoisonCommand`, `EngineRefused`. Cost: a replay of the whole log, and its rows.
 */
export async function rebuildHistory(options: RebuildHistory): Promise<HistoryPlace> {
  const { writer, log, chainId, skips, toPosition } = options;
  const { batchRows = historianBounds.batchRows, onWritten } = options;
  let place = await writer.open();
  if (place.position !== 0) {
    throw new HistoryNotEmpty(`the tables already contain the log up to batch ${place.position}`);
  }
  const { state, place: from } = beginning(chainId, options.engines);
  const projector = createProjector(place, state);
  state.onEvents = (events) => projector.take(events, state);
  let at = from;
  for (const batch of log.read(1, toPosition)) {
    checkContinues(at, batch.previousHash, log.name);
    applyBatch(state, batch, skips);
    at = { position: batch.position, hash: batch.hash.toString('hex') };
    if (projector.size() < batchRows && at.position < toPosition) continue;
    const { rows, counters } = projector.drain(state);
    const to = { ...at, time: state.time, counters };
    await writer.write(rows, place, to);
    place = to;
    onWritten?.(place);
  }
  return place;
}
