// Goal: a log continues under another engine, whatever that changes and whenever the process dies,
// and the engine that wrote a range verifies it. Method: logs are continued by engines
// of changed sources, kept beside them; then all consumers of a log read it from its beginning.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rebuildHistory } from '../../src/archivist/rebuildHistory.ts';
import { makeDataDirectory } from '../../src/bin/dataDirectory.ts';
import { runInspect } from '../../src/bin/inspect.ts';
import { runLog } from '../../src/bin/log.ts';
import type { VerbIo } from '../../src/bin/operatorVerb.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { openFileLog } from '../../src/log/file/openFileLog.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { encodeActivation, handOver, readActivation } from '../../src/replica/activation.ts';
import { EngineRefused, type Engines } from '../../src/replica/engines.ts';
import { hashEngineSources, keepEngine, openKeptEngines } from '../../src/replica/keptEngines.ts';
import { beginning } from '../../src/replica/recoverState.ts';
import { replayLog } from '../../src/replica/replayLog.ts';
import { figuresOf, type ReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { listSnapshots, type SnapshotPlace } from '../../src/replica/snapshotFile.ts';
import { directHas, directValues } from '../../src/std/directMap.ts';
import { type Disk, fileDisk } from '../../src/std/disk.ts';
import { createPrng } from '../../src/std/prng.ts';
import {
  feesRoundedDown,
  keepChangedEngine,
  moreTokens,
  otherToken,
  type SourceChange,
  stateWithEra,
} from '../fixtures/changedEngine.ts';
import { createFickleHistory } from '../fixtures/fickleHistory.ts';
import { type FileReplica, openFileReplica, testChain } from '../fixtures/fileReplica.ts';
import { riskyHour } from '../fixtures/riskyHour.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { viewContents } from '../fixtures/viewContents.ts';
import { openBeside } from '../history/openBeside.ts';
import { createMemoryDisk, type MemoryDisk } from '../log/memoryDisk.ts';

const noSkips = createSkipIndex([]);
const recordingIo = (): VerbIo & { readonly lines: string[] } => {
  const lines: string[] = [];
  return { lines, print: (line) => lines.push(line), complain: () => {}, environment: {} };
};

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
  readonly snapshots: SnapshotPlace;
  readonly release: (changes?: readonly SourceChange[]) => Promise<Engines>;
  readonly open: (engines: Engines, disk?: Disk) => Promise<FileReplica>;
  readonly [Symbol.dispose]: () => void;
};

function createDeployment(): Deployment {
  const temporary = createTemporaryDirectory();
  const { path } = temporary;
  const { engines, log, snapshots } = makeDataDirectory(path, testChain);
  return {
    path,
    log,
    engines,
    snapshots,
    release: (changes) => keepChangedEngine(engines, changes),
    open: (by, disk = fileDisk) =>
      openFileReplica(path, { segmentBytes: 64 * 1024, engines: by, disk }),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

/** Without a snapshot, by a process that has never seen the log. */
function replayed({ log, engines }: Deployment): ReplicaState {
  const { state, place } = beginning(testChain, openKeptEngines(engines));
  replayLog(state, place, { log: openLogReader(log), skips: noSkips });
  return state;
}

const activationsOf = ({ log }: Deployment): unknown[] =>
  [...readBatches(log, 1)].flatMap((batch) => {
    const activation = readActivation(batch);
    return activation === undefined ? [] : [{ position: batch.position, ...activation }];
  });

describe('the log continues under another engine', () => {
  test.each([
    ['of another rule', feesRoundedDown],
    ['of the same rules, written otherwise', [otherToken]],
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
    expect(listSnapshots(deployment.snapshots)).toEqual([boundary, boundary + 1]);
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
    const verified = verifyDirectory(makeDataDirectory(deployment.path, testChain));
    expect(verified).toMatchObject({
      // This very release is the first of the two.
      upgrade: { ok: false, why: expect.stringContaining('does not go back') },
      position: between.state.position,
      state_hash: (after as { state: string }).state,
      engines: [
        { hash: first.present.hash, from: 1 },
        { hash: second.present.hash, from: boundary + 1 },
      ],
    });
    const inspected = recordingIo();
    const words = [boundary, boundary + 2].map(String);
    expect(await runInspect([...words, '--data', deployment.path], inspected)).toBe(0);
    expect(inspected.lines.map((line) => Object.keys(JSON.parse(line)).at(-1))).toEqual([
      'commands',
      'activation',
      'commands',
    ]);
    expect(verified.snapshots.filter(({ ok }) => !ok)).toEqual([]);
    expect(verified.invariants.failures).toEqual([]);
  });
});

describe('readers of the log', () => {
  test('history that grew over an activation equals rebuilt history, and the archivist agrees', async () => {
    using deployment = createDeployment();
    const history = createFickleHistory();
    const beside = (trading: FileReplica, engines: Engines) =>
      openBeside({
        logDirectory: deployment.log,
        snapshotDirectory: deployment.snapshots.directory,
        chainId: testChain,
        headPosition: trading.state.position,
        writer: history.writer,
        engines,
        snapshotEvery: 200,
      });
    const first = await deployment.release();
    const second = await deployment.release(feesRoundedDown);
    const before = await deployment.open(first);
    const grown = await beside(before, first);
    await before.trade(1, 500);
    await grown.finish(before.durable);
    await before.trade(2, 300);
    // History and the archivist end before the boundary, as after a kill.
    await grown.close();
    await before.close();

    const after = await deployment.open(second);
    const grownOn = await beside(after, second);
    await after.trade(3, 500);
    await grownOn.finish(after.durable);
    grownOn.archivist.takeSnapshot();
    await after.trade(4, 100);
    await grownOn.finish(after.durable);
    expect([...grown.reports, ...grownOn.reports]).toEqual([]);
    expect(grownOn.archivist.hashes().stateHash).toBe(
      after.state.engine.stateHash(after.state.exchange),
    );
    await grownOn.close();
    await after.close();

    const rebuilt = createFickleHistory();
    await rebuildHistory({
      writer: rebuilt.writer,
      log: openLogReader(deployment.log),
      chainId: testChain,
      skips: noSkips,
      engines: openKeptEngines(deployment.engines),
      toPosition: after.state.position,
      batchRows: 200,
    });
    expect(history.dump()).toEqual(rebuilt.dump());
    expect(history.dump().fills!.length).toBeGreaterThan(100);
  });

  test('a new rule holds from its activation on and not before', async () => {
    const tradedBy = async (changes: readonly SourceChange[]): Promise<[string, string]> => {
      using deployment = createDeployment();
      const before = await deployment.open(await deployment.release());
      await before.trade(1, 300);
      await before.close();
      const after = await deployment.open(await deployment.release(changes));
      const { stateHash } = after.state.engine;
      const begun = stateHash(after.state.exchange);
      await after.trade(2, 300);
      await after.close();
      return [begun, stateHash(after.state.exchange)];
    };
    const [same, changed] = [await tradedBy([otherToken]), await tradedBy(feesRoundedDown)];
    expect(changed[0]).toBe(same[0]);
    expect(changed[1]).not.toBe(same[1]);
  });
});

test('after a crash or power failure at any point the next start activates the engine', async () => {
  using deployment = createDeployment();
  const first = await deployment.release();
  const second = await deployment.release(stateWithEra);
  const tradedOn = async (disk: MemoryDisk): Promise<unknown> => {
    const before = await deployment.open(first, disk);
    await before.trade(1, 150);
    await before.close();
    return fingerprint(before.state);
  };
  // Where an undisturbed start has spent what of its budget.
  const calm = createMemoryDisk();
  const left = await tradedOn(calm);
  const spent: number[] = [];
  const noting = { ...calm } as MemoryDisk;
  const begun = calm.budget;
  for (const name of ['openFile', 'writeAt', 'syncData', 'rename', 'syncDirectory'] as const) {
    const does = calm[name] as (...args: unknown[]) => unknown;
    Object.assign(noting, {
      [name]: (...args: unknown[]) => {
        const given = does(...args);
        spent.push(begun - calm.budget);
        return given;
      },
    });
  }
  const undisturbed = await deployment.open(second, noting);
  const activated = fingerprint(undisturbed.state);
  await undisturbed.close();
  expect(spent.length).toBeGreaterThan(30);

  const prng = createPrng(7);
  let wentBack = 0;
  for (const budget of new Set(spent.map((cost) => cost - 1))) {
    const disk = createMemoryDisk();
    await tradedOn(disk);
    disk.budget = budget;
    await expect(deployment.open(second, disk)).rejects.toThrow('EIO');
    if (prng.below(2) === 0) disk.kill();
    else disk.losePower(prng);
    // Before the activation the old release may continue; behind it, it must not.
    try {
      const again = await deployment.open(first, disk);
      expect(fingerprint(again.state)).toEqual(left);
      await again.close();
      wentBack += 1;
    } catch (error) {
      expect((error as Error).message).toContain('does not go back');
    }
    const next = await deployment.open(second, disk);
    expect(fingerprint(next.state)).toEqual(activated);
    await next.trade(2, 50);
    expect(next.fatal).toEqual([]);
    await next.close();
  }
  expect(wentBack).toBeGreaterThan(5);
});

describe('refusals', () => {
  /** A log that two engines ran, the present one and then another. */
  async function upgraded(deployment: Deployment): Promise<readonly [Engines, Engines]> {
    const first = await deployment.release();
    const second = await deployment.release([otherToken]);
    for (const engines of [first, second]) {
      const opened = await deployment.open(engines);
      await opened.trade(1, 100);
      await opened.close();
    }
    return [first, second];
  }
  const short = ({ present }: Engines): string => present.hash.slice(0, 12);

  test('a return to an engine that the log has left', async () => {
    using deployment = createDeployment();
    const [first, second] = await upgraded(deployment);
    const back = deployment.open(first);
    await expect(back).rejects.toThrow(EngineRefused);
    const message = `last run by engine ${short(second)}… .* this release's engine ${short(first)}…`;
    await expect(back).rejects.toThrow(new RegExp(message));
    // Nothing was changed.
    await (await deployment.open(second)).close();
  });

  test('an engine that is missing or damaged', async () => {
    using deployment = createDeployment();
    const [first] = await upgraded(deployment);
    const third = await deployment.release([moreTokens('Again')]);
    const folder = join(deployment.engines, first.present.hash);
    const { log, engines } = deployment;
    const replay = (): unknown => {
      const { state, place } = beginning(testChain, {
        ...third,
        of: openKeptEngines(engines, third.present.hash).of,
      });
      return replayLog(state, place, { log: openLogReader(log), skips: noSkips });
    };
    renameSync(folder, `${folder}.away`);
    expect(replay).toThrow(`engine ${short(first)}…, whose sources are not kept in`);
    renameSync(`${folder}.away`, folder);
    expect(replay).not.toThrow();
    const file = join(folder, 'engine/limits.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}type Damage = 1;\n`);
    expect(replay).toThrow(`${folder} is damaged`);
    rmSync(file);
    expect(replay).toThrow(`${folder} is damaged`);
  });

  test('an engine of a version that this release cannot read', async () => {
    using deployment = createDeployment();
    await expect(
      deployment.release([['engine/engine.ts', '  events: 1,', '  events: 2,']]),
    ).rejects.toThrow(/has version 2 of its events, this release \(engine .*…\) reads 1/);
  });

  test('a state in a format without a migration', async () => {
    using deployment = createDeployment();
    const newer = await deployment.open(await deployment.release(stateWithEra));
    await newer.trade(1, 100);
    await newer.close();
    await expect(deployment.open(await deployment.release())).rejects.toThrow(
      'it keeps its state in format 9, and no migration leads there from 10',
    );
  });

  test('a first batch that is no activation, and one whose hashes differ from those of replay', async () => {
    using deployment = createDeployment();
    const first = await deployment.release();
    const second = await deployment.release([otherToken]);
    const before = await deployment.open(first);
    await before.trade(1, 100);
    const { activation } = handOver({ ...before.state, engines: second }, second.present.hash);
    await before.close();
    const replayBehind = async (commands: Buffer): Promise<unknown> => {
      using copy = createTemporaryDirectory();
      cpSync(deployment.log, copy.path, { recursive: true });
      const log = await openFileLog({ directory: copy.path, inline: true });
      const { time } = before.state;
      log.append({ time, engineHash: second.present.hash, count: 1, commands });
      await log.close();
      const { state, place } = beginning(testChain, openKeptEngines(deployment.engines));
      return replayLog(state, place, { log: openLogReader(copy.path), skips: noSkips });
    };
    await replayBehind(encodeActivation(activation));
    const other = { ...activation, stateHashBefore: '0'.repeat(16) };
    await expect(replayBehind(encodeActivation(other))).rejects.toThrow(
      /with stateHashBefore 0{16}, replay comes to/,
    );
    await expect(replayBehind(Buffer.alloc(8))).rejects.toThrow('and not its activation');
  });
});

test('a fault in a timer: its batch is skipped, and a release that corrects it continues', async () => {
  using deployment = createDeployment();
  const faulty = await deployment.release([
    [
      'engine/operations/setCountdown.ts',
      '  cancelEverything(',
      "  throw new Error('too late');\n  cancelEverything(",
    ],
  ]);
  const mended = await deployment.release();
  const first = await deployment.open(faulty);
  await first.trade(1, 100);
  const [order] = directValues(first.state.exchange.orders);
  const { account, market } = order!;
  await first.batch([{ kind: 'setCountdown', account, market, milliseconds: 1000 }]);
  first.clock.advance(2000);
  first.replica.tick();
  await first.close();
  const position = first.log.head().position;
  const message = `timers due in batch ${position} stopped the exchange: too late`;
  expect(first.fatal[0]!.message).toContain(message);
  await expect(deployment.open(mended)).rejects.toThrow(`evermark log skip ${position} batch`);

  const skip = (batch: number): Promise<number> =>
    runLog(['skip', `${batch}`, 'batch', '--data', deployment.path], recordingIo());
  await expect(skip(position - 1)).rejects.toThrow('Only the last batch of the log');
  expect(await skip(position)).toBe(0);
  const second = await deployment.open(mended);
  expect(directHas(second.state.exchange.orders, order!.id)).toBe(true);
  second.clock.advance(10);
  await second.batch([]);
  second.clock.advance(2000);
  second.replica.tick();
  await second.replica.drain();
  expect(directHas(second.state.exchange.orders, order!.id)).toBe(false);
  await second.trade(2, 100);
  expect(second.fatal).toEqual([]);
  await second.close();
  const verified = verifyDirectory(makeDataDirectory(deployment.path, testChain));
  expect(verified).toMatchObject({
    ok: true,
    skipped: [{ position, index: 'batch' }],
    state_hash: second.state.engine.stateHash(second.state.exchange),
  });
});

test('a poison command: only it is skipped, and no command that replay accepts', async () => {
  using deployment = createDeployment();
  const sure = '  exchange.committed = true;\n';
  const faulty = await deployment.release([
    ['engine/operations/setCountdown.ts', sure, `${sure}  throw new Error('torn');\n`],
  ]);
  const mended = await deployment.release();
  const first = await deployment.open(faulty);
  await first.trade(1, 100);
  const [order] = directValues(first.state.exchange.orders);
  const { account, market } = order!;
  const cancel = { kind: 'cancelAllOrders', account, market } as const;
  void first.batch([cancel, { kind: 'setCountdown', account, market, milliseconds: 1000 }]);
  await expect.poll(() => first.fatal.length).toBe(1);
  await first.close();
  const position = first.log.head().position;
  expect(first.fatal[0]!.message).toContain(`command 1 of batch ${position} stopped the exchange`);

  const skip = (at: number, index: number): Promise<number> =>
    runLog(['skip', `${at}`, `${index}`, '--data', deployment.path], recordingIo());
  await expect(skip(position, 0)).rejects.toThrow(`not command 0 of batch ${position} that stops`);
  await expect(skip(position - 1, 0)).rejects.toThrow('without stopping: it has been applied');
  expect(await skip(position, 1)).toBe(0);
  const second = await deployment.open(mended);
  expect(directHas(second.state.exchange.orders, order!.id)).toBe(false);
  await second.trade(2, 100);
  expect(second.fatal).toEqual([]);
  await second.close();
});

test('an engine that a killed process kept only in part is written again', async () => {
  using deployment = createDeployment();
  const { present } = await deployment.release();
  const kept = join(deployment.engines, present.hash);
  renameSync(kept, `${kept}.new`);
  writeFileSync(join(`${kept}.new`, 'engine/half.ts'), '// Half a');
  expect(await keepEngine(deployment.engines)).toBe(present.hash);
  expect(hashEngineSources(kept)).toBe(present.hash);
  expect(readdirSync(deployment.engines)).toEqual([present.hash]);
});
