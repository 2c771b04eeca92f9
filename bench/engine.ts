// The speed of the engine: full clearing, decoding and event hash over three seeded streams, and
// the book alone beside the npm package `nodejs-order-book` on two of them. Also the heap of a
// million resting orders, and how long collections of garbage hold the engine up.

import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { youngFlags } from '../src/bin/relaunchWithHeap.ts';
import type { PartResult, PartTask } from './engineThread.ts';
import { hugeShape, streamShapes } from './orderStreams.ts';
import { readNumbers } from './readNumbers.ts';
import { median, say, sayConditions, sayResult } from './report.ts';

function readOptions(args: readonly string[]) {
  return readNumbers('engine', args, { seed: 20_251_010, operations: 500_000, rounds: 3 });
}

/** Runs everything and prints it; fails when a result is wrong. */
export async function runEngineBench(args: readonly string[]): Promise<void> {
  const { seed, operations, rounds } = readOptions(args);
  sayConditions('engine', {
    seed,
    rounds: `${rounds} timed after one to warm up; the median counts; each part in its own thread`,
    engine: 'decode, apply with full clearing, hash every event; batches of 100 commands; warmed',
    book: 'sweep, insert, unlink; makes its order records; no money',
    peer: 'nodejs-order-book 10.1.1, self-trade prevention on as in ours; no money',
    heap: 'of the exchange after the last round, by collections before and after it is dropped',
    pauses: 'of the engine by collections of garbage, in the timed parts',
  });
  // The heaps of the threads are like that of trading.
  youngFlags.forEach(setFlagsFromString);
  const [plain, large] = streamShapes(seed, operations);
  const engine = await runPart({ part: 'engine', shape: plain, rounds });
  const engineLarge = await runPart({ part: 'engine', shape: large, rounds });
  const engineHuge = await runPart({ part: 'engine', shape: hugeShape(seed, operations), rounds });
  const book = await runPart({ part: 'book', shape: plain, rounds });
  const bookLarge = await runPart({ part: 'book', shape: large, rounds });
  const peer = await runPart({ part: 'peer', shape: plain, rounds });
  const peerLarge = await runPart({ part: 'peer', shape: large, rounds });
  sayResult({
    bench: 'engine',
    commands_per_s: rateOf(engine),
    commands_per_s_100k: rateOf(engineLarge),
    commands_per_s_1m: rateOf(engineHuge),
    book_ops_per_s: rateOf(book),
    book_ops_per_s_100k: rateOf(bookLarge),
    peer_ops_per_s: rateOf(peer),
    peer_ops_per_s_100k: rateOf(peerLarge),
    ratio: rounded(median(engine.rates) / median(peer.rates)),
    ratio_100k: rounded(median(engineLarge.rates) / median(peerLarge.rates)),
    ratio_1m_to_10k: rounded(median(engineHuge.rates) / median(engine.rates)),
    heap_mb_1m: rounded(engineHuge.heapMegabytes),
    longest_pause_ms: rounded(engine.longestPauseMs),
    longest_pause_ms_100k: rounded(engineLarge.longestPauseMs),
    longest_pause_ms_1m: rounded(engineHuge.longestPauseMs),
  });
}

const rateOf = ({ rates }: PartResult): number => Math.round(median(rates));

const rounded = (value: number): number => Number(value.toFixed(2));

/**
 * Runs one part in its own thread, so that no part runs on code that another part made the compiler
 * optimise.
 */
async function runPart(task: PartTask): Promise<PartResult> {
  const worker = new Worker(new URL('./engineThread.ts', import.meta.url), { workerData: task });
  const [result] = (await Promise.race([once(worker, 'message'), failureOf(worker)])) as [
    PartResult,
  ];
  for (const line of result.lines) say(line);
  await worker.terminate();
  return result;
}

/** Rejects when the thread ends; an error of the thread already rejects `once`. */
async function failureOf(worker: Worker): Promise<never> {
  const [code] = await once(worker, 'exit');
  throw new Error(`a thread of the benchmark ended with ${code} and gave no result`);
}
