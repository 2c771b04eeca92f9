// A replica in memory with a projector beside it, and the tables that its drains make. Batches are
// given to it one by one, so that others can be given the same.

import type { Command } from '../../src/engine/command.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { createProjector, type Projector } from '../../src/history/createProjector.ts';
import type { HistoryPlace } from '../../src/history/history.ts';
import { decodeViews, encodeViews } from '../../src/market-data/encodeViews.ts';
import { applyNext, openBatch } from '../../src/replica/applyBatch.ts';
import { createReplicaState, type ReplicaState } from '../../src/replica/replicaState.ts';
import type { Time } from '../../src/units/units.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { copyOfTables, createTableModel, type TableModel, writeRows } from './tableModel.ts';

export type MemoryBatch = { readonly time: number; readonly commands: readonly Command[] };

export type Projection = {
  readonly state: ReplicaState;
  readonly projector: Projector;
  readonly tables: TableModel;
  place: HistoryPlace;
};

const beginning: HistoryPlace = {
  position: 0,
  hash: '',
  time: 0,
  counters: { ledger: 0, amendments: 0, aggregates: [] },
};

/** A projection of `state`, which is at `place`; `tables` contain everything up to there. */
export function createProjection(
  state: ReplicaState = createReplicaState(43113, testEngines),
  place = beginning,
  tables = createTableModel(),
): Projection {
  const projector = createProjector(place, state);
  state.onEvents = (events) => projector.take(events, state);
  return { state, projector, tables, place };
}

export function applyMemoryBatch({ state }: Projection, { time, commands }: MemoryBatch): void {
  openBatch(state, state.position + 1, time);
  for (const [index, command] of commands.entries()) applyNext(state, command, 0 as Time, index);
}

/** Writes the gathered rows; gives the number of rows that the projector reported. */
export function drainProjection(projection: Projection): number {
  const { state, projector, tables } = projection;
  const size = projector.size();
  const { rows, counters } = projector.drain(state);
  writeRows(tables, rows);
  const { position, time } = state;
  projection.place = { position, hash: '', time, counters };
  return size;
}

/** Another replica, restored from a snapshot of this one, which has just been drained. */
export function attachedCopy({ state, place, tables }: Projection): Projection {
  const sections: Buffer[] = [];
  const emit = (section: Buffer): void => {
    sections.push(section);
  };
  encodeSnapshot(state.exchange, emit);
  const engineSections = sections.splice(0);
  encodeViews(state.views, state.engine, emit);
  const restored: ReplicaState = {
    ...createReplicaState(state.exchange.chainId, testEngines),
    exchange: decodeSnapshot(engineSections),
    views: decodeViews(sections.values(), state.engine),
    position: state.position,
    time: state.time,
  };
  // As a database keeps it.
  return createProjection(restored, JSON.parse(JSON.stringify(place)), copyOfTables(tables));
}
