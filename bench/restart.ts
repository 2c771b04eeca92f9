// How long the exchange is away when its process is killed: orders at a steady speed, with the
// archivist and history beside them, until SIGKILL; then starts of the whole program, from spawn to
// its readiness line, each on a copy of that directory.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findDataDirectory } from '../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../src/bin/verify.ts';
import { openLogReader } from '../src/log/file/openLogReader.ts';
import { listSnapshots } from '../src/replica/snapshotFile.ts';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { askOnce } from './childProcess.ts';
import { type StreamShape, streamShapes } from './orderStreams.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, say, sayConditions, sayResult } from './report.ts';
import type { RestartPlan, RestartWritten } from './restartWriter.ts';

/** An idle exchange writes a batch each second. */
const idleBatchMs = 1100;

type Options = {
  seed: number;
  commands: number;
  rounds: number;
  small: number;
  large: number;
  rate: number;
};

function readOptions(args: readonly string[]): Options {
  return readNumbers('restart', args, {
    seed: 20_261_130,
    commands: 1_000_000,
    rounds: 5,
    small: 10_000,
    large: 300_000,
    rate: 20_000,
  });
}

/** Runs everything and prints it; fails when a result is wrong. */
export async function runRestartBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const { seed, commands, rounds, rate } = options;
  sayConditions('restart', {
    seed,
    orders: `${grouped(commands)} commands at ${grouped(rate)} a second behind the first orders`,
    beside: 'the archivist and history in SQLite; then SIGKILL',
    restart: `the program on a copy, from spawn to its readiness line, ${rounds} times`,
  });
  const [plain, large] = streamShapes(seed, commands);
  const small = await measure({ ...plain, preload: options.small }, options);
  const many = await measure({ ...large, preload: options.large, widthTicks: 4000 }, options);
  sayResult({
    bench: 'restart',
    restart_ms: Math.round(median(small.ms)),
    restart_max_ms: Math.round(Math.max(...small.ms)),
    restart_tail: small.tail,
    large_restart_ms: Math.round(median(many.ms)),
    large_restart_max_ms: Math.round(Math.max(...many.ms)),
    large_tail: many.tail,
    large_resting: many.resting,
  });
}

type Measured = {
  readonly ms: readonly number[];
  /** The commands that no snapshot contains. */
  readonly tail: number;
  readonly resting: number;
};

async function measure(shape: StreamShape, { rounds, rate }: Options): Promise<Measured> {
  const root = mkdtempSync(join(tmpdir(), 'evermark-bench-'));
  try {
    const path = join(root, 'killed');
    const plan: RestartPlan = { path, shape, perSecond: rate };
    const written = await askOnce<RestartPlan, RestartWritten>('restartWriter.ts', plan);
    const { tail, snapshot } = tailOf(path);
    say(`${grouped(written.resting)} orders resting, ${grouped(written.commands)} commands`);
    say(`  killed ${grouped(tail)} commands behind the snapshot of batch ${snapshot}`);
    await compile(path, join(root, 'compiling'));
    const ms: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const copy = join(root, `round-${round}`);
      cpSync(path, copy, { recursive: true });
      ms.push(await restart(copy, written, round === 0));
      rmSync(copy, { recursive: true });
    }
    say(`  restarts: ${ms.map((each) => `${grouped(each)} ms`).join(', ')}`);
    return { ms, tail, resting: written.resting };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * What was killed had been started before, and so the runtime finds what it has compiled. Here a
 * start on a copy makes that, in the cache that all programs of this fixture share.
 */
async function compile(path: string, copy: string): Promise<void> {
  cpSync(path, copy, { recursive: true });
  const server = await startServer({ data: copy, flags: quietFlags });
  await server.operator.getStateHash();
  // The archivist's thread writes its part when it has nothing else to do.
  await wait(3000);
  await server.kill();
  rmSync(copy, { recursive: true });
}

function tailOf(path: string): { readonly tail: number; readonly snapshot: number } {
  const directory = findDataDirectory(path);
  const snapshot = listSnapshots(directory.snapshots).at(-1) ?? 0;
  let tail = 0;
  for (const { count } of openLogReader(directory.log).read(snapshot + 1)) tail += count;
  return { tail, snapshot };
}

/** Starts the program, kills it, and checks, if asked, the state that it recovered. */
async function restart(
  path: string,
  { resting }: RestartWritten,
  isChecked: boolean,
): Promise<number> {
  const started = performance.now();
  const server = await startServer({
    data: path,
    flags: quietFlags,
    environment: { EVERMARK_SEGMENT_SIZE: '64' },
  });
  const ms = performance.now() - started;
  if (!isChecked) {
    await server.kill();
    return ms;
  }
  const { position, state_hash } = await settledHash(server);
  await server.kill();
  const found = verifyDirectory(findDataDirectory(path));
  check(found.ok, `the invariants do not hold: ${found.invariants.failures[0]}`);
  check(found.position >= position, 'the log lost batches');
  check(found.state_hash === state_hash, `the state hashes to ${state_hash}`);
  const { orders } = found.invariants.figures;
  check(Number(orders) === resting, `${orders} orders rest, not ${resting}`);
  return ms;
}

type StateHash = Awaited<ReturnType<RunningServer['operator']['getStateHash']>>;

/** When two batches have the same: what was due has run, and later batches are empty. */
async function settledHash({ operator }: RunningServer): Promise<StateHash> {
  for (let shown = await operator.getStateHash(); ; ) {
    await wait(idleBatchMs);
    const later = await operator.getStateHash();
    if (later.position > shown.position && later.state_hash === shown.state_hash) return later;
    shown = later;
  }
}
