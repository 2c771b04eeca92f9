// How fast the engine is: full clearing, decoding and event hash over two seeded streams, and the
// book alone beside the npm package `nodejs-order-book` on the first of them.

import { compareResults, runOurBook, runPeer } from './bookAlone.ts';
import { createEngineLog, type EngineLog, runEngineLog } from './engineLog.ts';
import { check, grouped, median, percentiles, say, sayConditions, sayResult } from './report.ts';
import { createStream, fullDepth, type Stream, streamShapes } from './streams.ts';

const usage = 'engine takes --seed N --operations N --rounds N';

function readOptions(args: readonly string[]): {
  seed: number;
  operations: number;
  rounds: number;
} {
  const options = { seed: 20_251_010, operations: 500_000, rounds: 3 };
  for (let i = 0; i < args.length; i += 2) {
    const name = (args[i] ?? '').replace(/^--/, '');
    const value = Number(args[i + 1]);
    if (!Object.hasOwn(options, name)) throw new Error(`${usage}; not ${args[i]}`);
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${usage}; ${args[i]} wants N`);
    options[name as keyof typeof options] = value;
  }
  return options;
}

/** Runs everything, prints it, fails when a result is wrong. */
export async function runEngineBench(args: readonly string[]): Promise<void> {
  const { seed, operations, rounds } = readOptions(args);
  sayConditions('engine', {
    seed,
    rounds: `${rounds} timed after one to warm up; the median counts`,
    engine: 'decode, apply with full clearing, hash every event; batches of 100 commands',
    book: 'sweep, insert, unlink; makes its order records; no money',
    peer: 'nodejs-order-book 10.1.1, self-trade prevention on as in ours; no money',
  });
  const [plain, large] = streamShapes(seed, operations).map(createStream) as [Stream, Stream];
  sayStream(plain);
  sayStream(large);
  const engine = benchEngine(createEngineLog(plain), rounds);
  const engineLarge = benchEngine(createEngineLog(large), rounds);
  const book = benchBook('book alone', plain, rounds, () => runOurBook(plain));
  const bookLarge = benchBook('book alone', large, rounds, () => runOurBook(large));
  runPeer(plain, true);
  const peer = benchBook('peer', plain, rounds, () => runPeer(plain, false));
  sayResult({
    bench: 'engine',
    commands_per_s: Math.round(engine),
    commands_per_s_100k: Math.round(engineLarge),
    book_ops_per_s: Math.round(book),
    book_ops_per_s_100k: Math.round(bookLarge),
    peer_ops_per_s: Math.round(peer),
    ratio: Number((engine / peer).toFixed(2)),
  });
}

function sayStream({ shape, counts, result }: Stream): void {
  say(
    `stream "${shape.name}": ${grouped(shape.preload)} orders before the clock starts, then ` +
      `${grouped(counts.limits)} limits, ${grouped(counts.cancels)} cancels, ` +
      `${grouped(counts.crossing)} crossing; ${grouped(result.trades)} trades in all, ` +
      `${grouped(result.resting)} orders rest at the end`,
  );
}

/** Commands per second, the median of the rounds; every round must end alike. */
function benchEngine(log: EngineLog, rounds: number): number {
  const { stream } = log;
  const rates: number[] = [];
  const microseconds: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const run = runEngineLog(log);
    check(run.eventHash === log.eventHash, `events hash to ${run.eventHash}, not ${log.eventHash}`);
    const depth = run.exchange.markets.flatMap(({ book }) => fullDepth(book));
    const resting = run.exchange.orders.size;
    compareResults('the engine', { ...stream.result, resting, depth }, stream.result);
    if (round === 0) continue;
    rates.push(run.commandsPerSecond);
    for (const value of run.microseconds) microseconds.push(value);
  }
  say(`engine, "${stream.shape.name}": ${rates.map(grouped).join(', ')} commands/s`);
  say(`  of a batch, per command: ${percentiles(microseconds, 'µs')}; event hash ${log.eventHash}`);
  return median(rates);
}

function benchBook(who: string, stream: Stream, rounds: number, run: () => number): number {
  run();
  const rates = Array.from({ length: rounds }, run);
  say(`${who}, "${stream.shape.name}": ${rates.map(grouped).join(', ')} operations/s`);
  return median(rates);
}
