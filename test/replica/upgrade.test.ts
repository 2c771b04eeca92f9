// Goal: a log goes on under another engine, whatever that changes and whenever the process dies, and
// every range of it is explained by the engine that wrote it. Method: logs are continued by engines
// of changed sources, kept beside them; then all consumers of a log read it from its beginning.

import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createArchivist } from '../../src/archivist/createArchivist.ts';
import { rebuildHistory } from '../../src/archivist/rebuildHistory.ts';
import { makeDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { readActivation } from '../../src/replica/activation.ts';
import type { Engines } from '../../src/replica/engines.ts';
import { keepEngine, openKeptEngines } from '../../src/replica/keptEngines.ts';
import { beginning } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { figuresOf, type ReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { listSnapshots } from '../../src/replica/snapshotFile.ts';
import { systemClock } from '../../src/std/clock.ts';
import { type Disk, fileDisk } from '../../src/std/disk.ts';
import {
  feesRoundedDown,
  keepChangedEngine,
  otherComment,
  type SourceChange,
  stateWithEra,
} from '../fixtures/changedEngine.ts';
import { createFickleHistory } from '../fixtures/fickleHistory.ts';
import { type FileReplica, openFileReplica, testChain } from '../fixtures/fileReplica.ts';
import { riskyHour } from '../fixtures/riskyHour.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { viewContents } from '../fixtures/viewContents.ts';
import { openBeside } from '../history/openBeside.ts';

const noSkips = createSkipIndex([]);

const fingerprint = ({ engine, exchange, ...state }: ReplicaState): unknown => ({
  figures: figuresOf({ engine, exchange, ...state }),
  state: engine.stateHash(exchange),
  prices: engine.priceHash(exchange),
  broken: engine.checkInvariants(exchange).failures,
  views: viewContents(state.views),
  ran: state.ran,
});

/** A deployment whose log one release after the other runs. */
type Deployment = {
  readonly path: string;
  readonly log: string;
  readonly engines: string;
  readonly release: (changes?: readonly SourceChange[]) => Promise<Engines>;
  readonly open: (engines: Engines, disk?: Disk) => Promise<FileReplica>;
  readonly [Symbol.dispose]: () => void;
};

function createDeployment(): Deployment {
  const temporary = createTemporaryDirectory();
  const { path } = temporary;
  const { engines, log } = makeDataDirectory(path, testChain);
  return {
    path,
    log,
    engines,
    release: (changes) => keepChangedEngine(engines, changes),
    open: (by, disk = fileDisk) =>
      openFileReplica(path, { segmentBytes: 64 * 1024, engines: by, disk }),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

/** Without a snapshot, by a process that has never seen the log. */
function replayed({ log, engines }: Deployment): ReplicaState {
  const { state, place } = beginning(testChain, openKeptEngines(engines));
  replayLog(state, place, { directory: log, skips: noSkips });
  return state;
}

const activationsOf = ({ log }: Deployment): unknown[] =>
  [...readBatches(log, 1)].flatMap((batch) => {
    const activation = readActivation(batch);
    return activation === undefined ? [] : [{ position: batch.position, ...activation }];
  });

describe('the log goes on under another engine', () => {
  test.each([
    ['of another rule', feesRoundedDown],
    ['of another comment', [otherComment]],
    ['of another state, with a migration', stateWithEra],
  ])('%s', async (_, changes) => {
    using deployment = createDeployment();
    const first = await deployment.release();
    const before = await deployment.open(first);
    await riskyHour(before);
    await before.trade(1, 300);
    const left = fingerprint(before.state);
    await before.close();

    const second = await deployment.release(changes);
    expect(second.present.hash).not.toBe(first.present.hash);
    const between = await deployment.open(second);
    const boundary = before.state.position;
    expect(between.state.position).toBe(boundary + 1);
    expect(
      listSnapshots({ disk: fileDisk, directory: join(deployment.path, 'snapshots') }),
    ).toEqual([boundary, boundary + 1]);
    expect(activationsOf(deployment)).toEqual([
      {
        position: boundary + 1,
        from: first.present.hash,
        to: second.present.hash,
        stateHashBefore: (left as { state: string }).state,
        priceHashBefore: (left as { prices: string }).prices,
        stateHashAfter: between.state.engine.stateHash(between.state.exchange),
        priceHashAfter: between.state.engine.priceHash(between.state.exchange),
      },
    ]);
    await between.trade(2, 300);
    const after = fingerprint(between.state);
    await between.close();

    expect(fingerprint(replayed(deployment))).toEqual(after);
    const again = await deployment.open(second);
    expect(again.recovered.snapshot).toBe(boundary + 1);
    expect(fingerprint(again.state)).toEqual(after);
    await again.close();
    const verified = verifyDirectory({
      ...makeDataDirectory(deployment.path, testChain),
      chainId: testChain,
    });
    expect(verified).toMatchObject({
      position: between.state.position,
      state_hash: (after as { state: string }).state,
      engines: [
        { hash: first.present.hash, from: 1 },
        { hash: second.present.hash, from: boundary + 1 },
      ],
    });
    expect(verified.snapshots.filter(({ ok }) => !ok)).toEqual([]);
    expect(verified.invariants.failures).toEqual([]);
  });
});
