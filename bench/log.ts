// How fast commands become durable, and how fast the exchange restarts: a stream of orders through
// the replica into the log on files, the same bytes into the log alone, then a restart that replays
// all of it.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDataDirectory } from '../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../src/bin/verify.ts';
import { openFileLog } from '../src/log/file/openFileLog.ts';
import { figuresOf } from '../src/replica/replicaState.ts';
import { quietFlags, startServer } from '../test/fixtures/startServer.ts';
import { createEngineLog, type EngineLog } from './engineLog.ts';
import { createStream, streamShapes } from './orderStreams.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, say, sayConditions, sayResult } from './report.ts';
import { playThroughReplica } from './throughReplica.ts';

/** The hash of no engine: these batches are never replayed. */
const engineHash = 'be';

type Options = { seed: number; commands: number; rounds: number };

function readOptions(args: readonly string[]): Options {
  return readNumbers('log', args, { seed: 20_251_010, commands: 1_000_000, rounds: 3 });
}

/** Runs everything and prints it; fails when a result is wrong. */
export async function runLogBench(args: readonly string[]): Promise<void> {
  const { seed, commands, rounds } = readOptions(args);
  const resting = Math.min(100_000, commands - 1);
  const [plain, large] = streamShapes(seed, commands - resting);
  sayConditions('log', {
    seed,
    log: 'one write and fdatasync a batch on a thread of its own, 64 MB segments',
    batches: 'of 100 commands, at most 4 on their way to the disk',
    replica: 'encode, append, apply with full clearing, hash every event, release when durable',
    restart: 'the program, from spawn to its readiness line; no snapshot, all of it in the tail',
  });
  const log = createEngineLog(createStream(plain));
  const tail = createEngineLog(createStream({ ...large, preload: resting }));
  const directory = mkdtempSync(join(tmpdir(), 'evermark-bench-'));
  try {
    const raw: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      raw.push(await appendAlone(join(directory, `raw-${round}`), log));
      rates.push(await appendThroughReplica(join(directory, `round-${round}`), log));
    }
    const kept = join(directory, 'tail');
    const slower = await appendThroughReplica(kept, tail);
    say(`log alone: ${raw.map(grouped).join(', ')} commands/s durable`);
    say(`through the replica: ${rates.map(grouped).join(', ')} commands/s durable`);
    say(`  with ${grouped(tail.stream.result.resting)} orders resting: ${grouped(slower)}`);
    const restarts: Restart[] = [];
    for (let round = 0; round < rounds; round += 1) {
      restarts.push(await restart(kept, tail));
    }
    sayRestarts(restarts);
    sayResult({
      bench: 'log',
      commands_per_s: Math.round(median(raw)),
      replica_commands_per_s: Math.round(median(rates)),
      recovery_ms: Math.round(median(restarts.map(({ ms }) => ms))),
      rss_mb: Math.round(median(restarts.map(({ rss }) => rss))),
      commands: tail.batches.reduce((sum, batch) => sum + batch.commands, 0),
      open_orders: tail.stream.result.resting,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Commands per second of the log without an engine. */
async function appendAlone(path: string, { batches }: EngineLog): Promise<number> {
  const log = await openFileLog({ directory: path });
  let wake = (): void => {};
  log.onDurable(() => wake());
  const durable = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const started = performance.now();
  let commands = 0;
  for (const { time, bytes, commands: count } of batches) {
    while (!log.ready()) await durable();
    log.append({ time, engineHash, count, commands: bytes });
    commands += count;
  }
  while (log.head().position < batches.length) await durable();
  const seconds = (performance.now() - started) / 1000;
  await log.close();
  rmSync(path, { recursive: true });
  return commands / seconds;
}

/** Commands per second from submit to release; keeps its data directory. */
async function appendThroughReplica(path: string, engineLog: EngineLog): Promise<number> {
  const { log, state, submitted, seconds } = await playThroughReplica(path, engineLog);
  const { eventHash } = figuresOf(state);
  check(eventHash === engineLog.eventHash, `events hash to ${eventHash}`);
  await log.close();
  return submitted / seconds;
}

type Restart = { readonly ms: number; readonly rss: number; readonly peak: number };

/** Starts the program on the directory, kills it, and checks the state that it recovered. */
async function restart(path: string, { stream }: EngineLog): Promise<Restart> {
  // The archivist of the previous round may have taken a snapshot.
  rmSync(join(path, 'snapshots'), { recursive: true, force: true });
  const started = performance.now();
  const server = await startServer({
    data: path,
    flags: quietFlags,
  });
  const ms = performance.now() - started;
  // The archivist also replays all of it; only then the memory has its final size.
  const { position, state_hash } = await server.operator.getStateHash();
  const rss = megabytesOf(server.pid, 'VmRSS');
  const peak = megabytesOf(server.pid, 'VmHWM');
  await server.kill();
  const found = verifyDirectory(findDataDirectory(path));
  check(found.ok, `the invariants do not hold: ${found.invariants.failures[0]}`);
  check(found.position >= position, 'the log lost batches');
  check(found.state_hash === state_hash, `the state hashes to ${state_hash}`);
  check(
    Number(found.invariants.figures.orders) === stream.result.resting,
    `${found.invariants.figures.orders} orders rest, not ${stream.result.resting}`,
  );
  return { ms, rss, peak };
}

function sayRestarts(restarts: readonly Restart[]): void {
  const times = restarts.map(({ ms }) => `${grouped(ms)} ms`);
  const sizes = restarts.map(({ rss, peak }) => `${grouped(rss)} MB (peak ${grouped(peak)})`);
  say(`restart: ${times.join(', ')}`);
  say(`  resident, both replicas caught up: ${sizes.join(', ')}`);
}

/** The memory that the process uses now, or its highest value. */
function megabytesOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const match = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status);
  check(match !== null, 'this system does not tell how much memory a process holds');
  return Number(match[1]) / 1024;
}
