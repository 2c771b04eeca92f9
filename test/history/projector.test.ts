// Goal: the rows contain everything that the engine did, once, whenever they are drained and
// wherever a projector begins. Method: drawn streams of every kind of command, storms, and the
// oracle's crashes in which accounts fall, through a replica with a projector. Its tables are
// compared with the engine's records and views, and with the tables of other projectors that got
// the same batches and were drained at other times.

import { expect, test } from 'vitest';
import { fillKinds, ledgerKinds } from '../../src/history/rows.ts';
import { createReplicaState } from '../../src/replica/replicaState.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createStream, openingCommands } from '../engine/commandStream.ts';
import { createStorm, drawCommand } from '../engine/stormWorld.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { seedsWithGaps } from '../oracle/drawWorld.ts';
import { drawSteps } from '../oracle/fuzz.ts';
import { expectLedger, expectTables, ledgerOfTables } from './expectTables.ts';
import {
  applyMemoryBatch,
  attachedCopy,
  createProjection,
  drainProjection,
  type MemoryBatch,
  type Projection,
} from './projection.ts';
import { contentsOf } from './tableModel.ts';

const seeds = 3;
const batchesPerSeed = 6000;
const copiesMax = 3;
/** Short ones with gaps of the price; one in fifty leads to a shared deficit. */
const crashes = 120;

/** A projection at its beginning, and batches that are drawn from the state they lead to. */
type Course = { readonly projection: Projection; readonly draw: () => MemoryBatch };

function streamCourse(seed: number): Course {
  const projection = createProjection();
  const stream = createStream(seed, () => projection.state.exchange);
  let opened = false;
  const draw = (): MemoryBatch => {
    const command = opened ? stream.next() : undefined;
    opened = true;
    const commands = command === undefined ? openingCommands() : [command];
    return { time: stream.time(), commands };
  };
  return { projection, draw };
}

/** A storm begins with an exchange; what happened in it comes with the first batch. */
function stormCourse(seed: number): Course {
  const storm = createStorm(seed);
  const state = createReplicaState(storm.exchange.chainId, testEngines);
  const projection = createProjection(state);
  Object.assign(state, { exchange: storm.exchange });
  const draw = (): MemoryBatch => {
    const command = drawCommand(storm);
    return { time: storm.exchange.time, commands: [command] };
  };
  return { projection, draw };
}

/** Kinds of the ledger's rows and of fills that have been seen. */
const reported = new Set<string>();

function noteKinds({ tables }: Projection): void {
  for (const { kind } of ledgerOfTables(tables)) reported.add(kind);
  for (const { kind } of tables.fills.values()) reported.add(kind);
}

const courses = { stream: streamCourse, storm: stormCourse };
const each = Object.entries(courses).flatMap(([name, begin]) =>
  Array.from({ length: seeds }, (_, index) => [`${name} ${index + 1}`, begin, index + 1] as const),
);

test.each(each)(
  'BAL-3a HIST-1 HIST-2 ID-1 the tables contain every row once: %s',
  (_, begin, seed) => {
    const prng = createPrng(seed + 100);
    const { projection: running, draw } = begin(seed);
    const { projection: undrained } = begin(seed);
    const copies: Projection[] = [];
    for (let index = 0; index < batchesPerSeed; index += 1) {
      const batch = draw();
      for (const each of [running, undrained, ...copies]) applyMemoryBatch(each, batch);
      for (const copy of copies) if (prng.below(50) === 0) drainProjection(copy);
      if (prng.below(200) > 0) continue;
      drainProjection(running);
      expectSame(running.projector.size(), 0);
      expectLedger(running);
      if (prng.below(8) === 0) expectTables(running);
      if (copies.length < copiesMax && prng.below(4) === 0) copies.push(attachedCopy(running));
    }
    expect(copies).toHaveLength(copiesMax);
    drainProjection(running);
    expectTables(running);
    const tables = contentsOf(running.tables);
    for (const other of [undrained, ...copies]) {
      drainProjection(other);
      expectSame(other.place, running.place);
      expectSame(contentsOf(other.tables), tables);
    }
    noteKinds(running);
  },
);

test('BAL-3a HIST-1 the tables contain crashes, drained after every command or never', () => {
  for (const seed of seedsWithGaps(crashes)) {
    const [drained, undrained] = [createProjection(), createProjection()];
    for (const { time, command } of drawSteps(seed)) {
      for (const each of [drained, undrained])
        applyMemoryBatch(each, { time, commands: [command] });
      drainProjection(drained);
    }
    drainProjection(undrained);
    expectTables(drained);
    expect(contentsOf(undrained.tables)).toEqual(contentsOf(drained.tables));
    noteKinds(drained);
  }
});

// Courses in which nothing happens prove nothing.
test('every kind of row was written', () => {
  expect([...ledgerKinds, ...fillKinds].filter((kind) => !reported.has(kind))).toEqual([]);
});
