// The speed of the engine: full clearing, decoding and event hash over two seeded streams, and the
// book alone beside the npm package `nodejs-order-book` on the same streams.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PartResult, PartTask } from './engineThread.ts';
import { streamShapes } from './orderStreams.ts';
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
    engine: 'decode, apply with full clearing, hash every event; batches of 100 commands',
    book: 'sweep, insert, unlink; makes its order records; no money',
    peer: 'nodejs-order-book 10.1.1, self-trade prevention on as in ours; no money',
  });
  const [plain, large] = streamShapes(seed, operations);
  const engine = await runPart({ part: 'engine', shape: plain, rounds });
  const engineLarge = await runPart({ part: 'engine', shape: large, rounds });
  const book = await runPart({ part: 'book', shape: plain, rounds });
  const bookLarge = await runPart({ part: 'book', shape: large, rounds });
  const peer = await runPart({ part: 'peer', shape: plain, rounds });
  const peerLarge = await runPart({ part: 'peer', shape: large, rounds });
  sayResult({
    bench: 'engine',
    commands_per_s: Math.round(engine),
    commands_per_s_100k: Math.round(engineLarge),
    book_ops_per_s: Math.round(book),
    book_ops_per_s_100k: Math.round(bookLarge),
    peer_ops_per_s: Math.round(peer),
    peer_ops_per_s_100k: Math.round(peerLarge),
    ratio: Number((engine / peer).toFixed(2)),
    ratio_100k: Number((engineLarge / peerLarge).toFixed(2)),
  });
}

/**
 * Runs one part in its own thread, so that no part runs on code that another part made the compiler
 * optimise.
 */
async function runPart(task: PartTask): Promise<number> {
  const worker = new Worker(new URL('./engineThread.ts', import.meta.url), { workerData: task });
  const [result] = (await Promise.race([once(worker, 'message'), failureOf(worker)])) as [
    PartResult,
  ];
  for (const line of result.lines) say(line);
  await worker.terminate();
  return median(result.rates);
}

/** Rejects when the thread ends; an error of the thread already rejects `once`. */
async function failureOf(worker: Worker): Promise<never> {
  const [code] = await once(worker, 'exit');
  throw new Error(`a thread of the benchmark ended with ${code} and gave no result`);
}
