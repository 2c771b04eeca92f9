// The thread for one part of the engine's benchmark: the engine, our book alone, or the peer, over
// one stream. engine.ts starts it; it answers with one message.

import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { Exchange } from '../src/engine/exchange.ts';
import { warmEngine } from '../src/replica/warmEngine.ts';
import { collectGarbage } from '../src/std/collectGarbage.ts';
import { compareResults, runOurBook, runPeer } from './bookAlone.ts';
import { createEngineLog, type EngineLog, runEngineLog } from './engineLog.ts';
import { createStream, fullDepth, type Stream, type StreamShape } from './orderStreams.ts';
import { check, grouped, percentiles } from './report.ts';
import { type Pause, watchPauses } from './watchPauses.ts';

export type PartTask = {
  readonly part: 'engine' | 'book' | 'peer';
  readonly shape: StreamShape;
  readonly rounds: number;
};

export type PartResult = {
  readonly rates: readonly number[];
  readonly lines: readonly string[];
  /** Of the engine; 0 for the book alone and the peer. */
  readonly heapMegabytes: number;
  /** Of the timed parts of all rounds; 0 for the book alone and the peer. */
  readonly longestPauseMs: number;
};

function streamLine({ shape, counts, result }: Stream): string {
  return (
    `stream "${shape.name}": ${grouped(shape.preload)} orders before the clock starts, then ` +
    `${grouped(counts.limits)} limits, ${grouped(counts.cancels)} cancels, ` +
    `${grouped(counts.crossing)} crossing; ${grouped(result.trades)} trades in all, ` +
    `${grouped(result.resting)} orders rest at the end`
  );
}

type Rounds = {
  readonly rates: number[];
  readonly cpuRates: number[];
  readonly microseconds: number[];
  readonly pauses: Pause[];
  /** What the last round has made; the measurement of the heap drops it. */
  exchange: Exchange | null;
};

/** Commands per second of every round after the first; each must have the same result. */
async function runEngineRounds(log: EngineLog, rounds: number): Promise<Rounds> {
  const { stream } = log;
  const found: Rounds = { rates: [], cpuRates: [], microseconds: [], pauses: [], exchange: null };
  const watch = watchPauses();
  for (let round = 0; round <= rounds; round += 1) {
    found.exchange = null;
    const run = runEngineLog(log);
    const timed = (await watch.take()).filter(({ at }) => at >= run.timedFrom);
    check(run.eventHash === log.eventHash, `events hash to ${run.eventHash}, not ${log.eventHash}`);
    const depth = run.exchange.markets.flatMap(({ book }) => fullDepth(book));
    const resting = run.exchange.orders.size;
    compareResults('the engine', { ...stream.result, resting, depth }, stream.result);
    found.exchange = run.exchange;
    if (round === 0) continue;
    found.rates.push(run.commandsPerSecond);
    found.cpuRates.push(run.commandsPerCpuSecond);
    for (const value of run.microseconds) found.microseconds.push(value);
    for (const pause of timed) found.pauses.push(pause);
  }
  return found;
}

async function runEnginePart(stream: Stream, rounds: number): Promise<PartResult> {
  // As a start does.
  warmEngine();
  const log = createEngineLog(stream);
  const found = await runEngineRounds(log, rounds);
  const { rates, cpuRates, microseconds, pauses } = found;
  const before = collectedMegabytes();
  found.exchange = null;
  const heapMegabytes = before - collectedMegabytes();
  check(heapMegabytes > 0, 'the exchange was in the heap until it was dropped');
  const lines = [
    streamLine(stream),
    `  engine: ${rates.map(grouped).join(', ')} commands/s`,
    `  per second of its thread's processor time: ${cpuRates.map(grouped).join(', ')}`,
    `  of a batch, per command: ${percentiles(microseconds, 'µs')}; event hash ${log.eventHash}`,
    `  heap of the exchange ${heapMegabytes.toFixed(1)} MB; ${pausesLine(pauses)}`,
  ];
  return { rates, lines, heapMegabytes, longestPauseMs: longestOf(pauses) };
}

/** Megabytes that the thread uses after a collection, with the memory of its buffers. */
function collectedMegabytes(): number {
  collectGarbage('all');
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return (heap + buffers) / 1_000_000;
}

function pausesLine(pauses: readonly Pause[]): string {
  const major = pauses.filter(({ isMajor }) => isMajor);
  const minor = pauses.filter(({ isMajor }) => !isMajor);
  const each = (of: readonly Pause[]): string =>
    `${of.length}, at most ${longestOf(of).toFixed(1)} ms`;
  return `pauses by collection: young ${each(minor)}; others ${each(major)}`;
}

const longestOf = (pauses: readonly Pause[]): number =>
  pauses.reduce((longest, { ms }) => Math.max(longest, ms), 0);

function runBookPart(who: string, stream: Stream, rounds: number, run: () => number): PartResult {
  const rates = Array.from({ length: rounds }, run);
  const line = `${who}, "${stream.shape.name}": ${rates.map(grouped).join(', ')} operations/s`;
  return { rates, lines: [line], heapMegabytes: 0, longestPauseMs: 0 };
}

async function runPart({ part, shape, rounds }: PartTask): Promise<PartResult> {
  const stream = createStream(shape);
  if (part === 'engine') return await runEnginePart(stream, rounds);
  if (part === 'book') {
    runOurBook(stream);
    return runBookPart('our book alone', stream, rounds, () => runOurBook(stream));
  }
  // The first round checks every answer; the timed rounds do not.
  runPeer(stream, true);
  return runBookPart('nodejs-order-book', stream, rounds, () => runPeer(stream, false));
}

parentPort?.postMessage(await runPart(workerData as PartTask));
