// The thread for one part of the engine's benchmark: the engine, our book alone, or the peer, over
// one stream. engine.ts starts it; it answers with one message.

import { parentPort, workerData } from 'node:worker_threads';
import { compareResults, runOurBook, runPeer } from './bookAlone.ts';
import { createEngineLog, runEngineLog } from './engineLog.ts';
import { createStream, fullDepth, type Stream, type StreamShape } from './orderStreams.ts';
import { check, grouped, percentiles } from './report.ts';

export type PartTask = {
  readonly part: 'engine' | 'book' | 'peer';
  readonly shape: StreamShape;
  readonly rounds: number;
};

export type PartResult = { readonly rates: readonly number[]; readonly lines: readonly string[] };

function streamLine({ shape, counts, result }: Stream): string {
  return (
    `stream "${shape.name}": ${grouped(shape.preload)} orders before the clock starts, then ` +
    `${grouped(counts.limits)} limits, ${grouped(counts.cancels)} cancels, ` +
    `${grouped(counts.crossing)} crossing; ${grouped(result.trades)} trades in all, ` +
    `${grouped(result.resting)} orders rest at the end`
  );
}

/** Commands per second of every round after the first; each must have the same result. */
function runEnginePart(stream: Stream, rounds: number): PartResult {
  const log = createEngineLog(stream);
  const rates: number[] = [];
  const cpuRates: number[] = [];
  const microseconds: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const run = runEngineLog(log);
    check(run.eventHash === log.eventHash, `events hash to ${run.eventHash}, not ${log.eventHash}`);
    const depth = run.exchange.markets.flatMap(({ book }) => fullDepth(book));
    const resting = run.exchange.orders.size;
    compareResults('the engine', { ...stream.result, resting, depth }, stream.result);
    if (round === 0) continue;
    rates.push(run.commandsPerSecond);
    cpuRates.push(run.commandsPerCpuSecond);
    for (const value of run.microseconds) microseconds.push(value);
  }
  const lines = [
    streamLine(stream),
    `  engine: ${rates.map(grouped).join(', ')} commands/s`,
    `  per second of its thread's processor time: ${cpuRates.map(grouped).join(', ')}`,
    `  of a batch, per command: ${percentiles(microseconds, 'µs')}; event hash ${log.eventHash}`,
  ];
  return { rates, lines };
}

function runBookPart(who: string, stream: Stream, rounds: number, run: () => number): PartResult {
  const rates = Array.from({ length: rounds }, run);
  const line = `${who}, "${stream.shape.name}": ${rates.map(grouped).join(', ')} operations/s`;
  return { rates, lines: [line] };
}

function runPart({ part, shape, rounds }: PartTask): PartResult {
  const stream = createStream(shape);
  if (part === 'engine') return runEnginePart(stream, rounds);
  if (part === 'book') {
    runOurBook(stream);
    return runBookPart('our book alone', stream, rounds, () => runOurBook(stream));
  }
  // The first round checks every answer; the timed rounds do not.
  runPeer(stream, true);
  return runBookPart('nodejs-order-book', stream, rounds, () => runPeer(stream, false));
}

parentPort?.postMessage(runPart(workerData as PartTask));
