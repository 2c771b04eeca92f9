// What a projector costs its replica. A recorded stream of orders is applied, with its events
// hashed and shown in the views; then again, with rows made from the events. The rows are dropped,
// as often as a database would take them.

import { createProjector } from '../../src/history/createProjector.ts';
import type { HistoryPlace } from '../../src/history/history.ts';
import type { LogBatch } from '../../src/log/log.ts';
import { applyBatch } from '../../src/replica/applyBatch.ts';
import { createReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { hashHex } from '../../src/std/hash.ts';
import { testEngines } from '../../test/fixtures/testEngines.ts';
import { createEngineLog, type EngineLog } from '../engineLog.ts';
import { createStream, streamShapes } from '../orderStreams.ts';
import { check, median } from '../report.ts';

export type Projecting = {
  readonly seed: number;
  readonly operations: number;
  readonly rounds: number;
  /** Rows of a drain, about. */
  readonly rowsPerDrain: number;
};

export type ProjectingRates = {
  readonly commands_per_s_alone: number;
  readonly commands_per_s_projecting: number;
  readonly rows_per_s: number;
};

/** The medians of the rounds, without the first round, which warms up. */
export function measureProjecting(projecting: Projecting): ProjectingRates {
  const [plain] = streamShapes(projecting.seed, projecting.operations);
  const log = createEngineLog(createStream(plain));
  const alone: number[] = [];
  const beside: Round[] = [];
  for (let round = 0; round <= projecting.rounds; round += 1) {
    const [one, other] = [play(log, undefined), play(log, projecting.rowsPerDrain)];
    if (round === 0) continue;
    alone.push(one.commands / one.seconds);
    beside.push(other);
  }
  const rate = (of: (round: Round) => number): number =>
    Math.round(median(beside.map((round) => of(round) / round.seconds)));
  return {
    commands_per_s_alone: Math.round(median(alone)),
    commands_per_s_projecting: rate(({ commands }) => commands),
    rows_per_s: rate(({ rows }) => rows),
  };
}

type Round = { readonly commands: number; readonly seconds: number; readonly rows: number };

/** Applies the whole log. The first part, which fills the books, is not timed. */
function play({ batches, eventHash }: EngineLog, rowsPerDrain: number | undefined): Round {
  const state = createReplicaState(43113, testEngines);
  const projector = rowsPerDrain === undefined ? undefined : createProjector(beginning, state);
  if (projector !== undefined) state.onEvents = (events) => projector.take(events, state);
  const skips = createSkipIndex([]);
  let [commands, rows, milliseconds] = [0, 0, 0];
  for (const [index, { bytes, commands: count, time, timed }] of batches.entries()) {
    const batch: LogBatch = { ...unchained, position: index + 1, time, count, commands: bytes };
    const begun = performance.now();
    applyBatch(state, batch, skips);
    const waiting = projector?.size() ?? 0;
    if (waiting >= (rowsPerDrain ?? Number.POSITIVE_INFINITY)) projector!.drain(state);
    if (!timed) continue;
    milliseconds += performance.now() - begun;
    commands += count;
    if (waiting >= (rowsPerDrain ?? Number.POSITIVE_INFINITY)) rows += waiting;
  }
  check(hashHex(state.eventHash) === eventHash, 'the events are those of the engine that recorded');
  return { commands, rows, seconds: milliseconds / 1000 };
}

/** The chain of batches is not checked here. */
const unchained = { hash: Buffer.alloc(32), previousHash: Buffer.alloc(32), engineHash: '' };

const beginning: HistoryPlace = {
  position: 0,
  hash: '',
  time: 0,
  counters: { ledger: 0, amendments: 0, aggregates: [] },
};
