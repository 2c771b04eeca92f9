// The engine of this checkout beside that of another one, in one process, batch by batch in turn,
// on the streams of the engine's benchmark. Other work on the machine slows both alike, so the
// ratio is steady where absolute figures are not. Collections of garbage count little: percentiles
// leave out the batches that they interrupt.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EngineLog, LogBatch } from './engineLog.ts';
import type { StreamShape } from './orderStreams.ts';
import { readNumbers } from './readNumbers.ts';
import { check, percentile, say, sayConditions, sayResult } from './report.ts';

const usage = 'beside takes the folder of another checkout with its node_modules, then options';
const seed = 20_251_010;
const chainId = 43_113;
const fractions = { p10: 0.1, p25: 0.25, p50: 0.5 } as const;

type Ratios = Record<keyof typeof fractions, number>;

type Side = {
  readonly log: EngineLog;
  /** Gives a new engine: it runs a batch, and then hashes its events like a replica. */
  readonly begin: () => (batch: LogBatch) => void;
};

/**
 * Prints the speed of this engine divided by the other's, at three percentiles of the time of a
 * batch, for each round. The ratio of a checkout beside a copy of itself shows the error: 0.01 to
 * 0.02.
 */
export async function runBesideBench(args: readonly string[]): Promise<void> {
  const [folder = '', ...flags] = args;
  const other = resolve(folder);
  if (folder.startsWith('--') || !existsSync(join(other, 'src', 'engine'))) throw new Error(usage);
  const options = readNumbers('beside DIR', flags, { operations: 100_000, rounds: 3 });
  sayConditions('beside', { other, ...options, unit: 'commands per second here / there' });
  const here = resolve(import.meta.dirname, '..');
  const found: Record<string, readonly Ratios[]> = {};
  const { streamShapes } = await moduleOf<typeof import('./orderStreams.ts')>(
    here,
    'bench/orderStreams.ts',
  );
  for (const shape of streamShapes(seed, options.operations)) {
    const sides = [await openSide(here, shape), await openSide(other, shape)] as const;
    compareRound(...sides);
    const rounds = Array.from({ length: options.rounds }, () => compareRound(...sides));
    say(`  ${shape.name}: ${rounds.map((each) => JSON.stringify(each)).join(' ')}`);
    found[shape.name] = rounds;
  }
  sayResult({ bench: 'beside', speed: found });
}

const moduleOf = async <Module>(tree: string, file: string): Promise<Module> =>
  (await import(pathToFileURL(join(tree, file)).href)) as Module;

async function openSide(tree: string, shape: StreamShape): Promise<Side> {
  const of = <Module>(file: string): Promise<Module> => moduleOf<Module>(tree, file);
  const streams = await of<typeof import('./orderStreams.ts')>('bench/orderStreams.ts');
  const logs = await of<typeof import('./engineLog.ts')>('bench/engineLog.ts');
  const engine = await of<typeof import('../src/engine/apply.ts')>('src/engine/apply.ts');
  const states = await of<typeof import('../src/engine/exchange.ts')>('src/engine/exchange.ts');
  const codec = await of<typeof import('../src/engine/codec/commandCodec.ts')>(
    'src/engine/codec/commandCodec.ts',
  );
  const ahead = await of<typeof import('../src/replica/readAhead.ts')>('src/replica/readAhead.ts');
  const events = await of<typeof import('../src/engine/snapshot/eventHash.ts')>(
    'src/engine/snapshot/eventHash.ts',
  );
  const hashes = await of<typeof import('../src/std/hash.ts')>('src/std/hash.ts');
  const bytes = await of<typeof import('../src/std/bytes.ts')>('src/std/bytes.ts');
  const begin: Side['begin'] = () => {
    const exchange = states.createExchange(chainId);
    const hash = hashes.createHash64();
    return (batch) => {
      engine.beginBatch(exchange, batch.time);
      const reader = bytes.createByteReader(batch.bytes);
      const commands = [];
      while (reader.offset < reader.end) commands.push(codec.decodeCommand(reader));
      for (const [index, { command, deadline }] of commands.entries()) {
        ahead.readAhead(exchange, commands, index);
        engine.applyCommand(exchange, command, deadline);
      }
      for (const event of exchange.events) events.hashEvent(hash, event);
      exchange.events = [];
    };
  };
  return { log: logs.createEngineLog(streams.createStream(shape)), begin };
}

/** Both engines run the whole stream; the one that is first changes with every batch. */
function compareRound(here: Side, there: Side): Ratios {
  const sides = [here, there].map(({ log, begin }) => ({
    log,
    run: begin(),
    times: [] as number[],
  }));
  const { length } = here.log.batches;
  check(length === there.log.batches.length, 'both checkouts make the same stream');
  for (let at = 0; at < length; at += 1) {
    for (const { log, run, times } of at % 2 === 0 ? sides : sides.toReversed()) {
      const batch = log.batches[at]!;
      const begun = performance.now();
      run(batch);
      if (batch.timed) times.push((performance.now() - begun) / batch.commands);
    }
  }
  const [own, others] = sides.map(({ times }) => times);
  const ratio = (fraction: number): number =>
    Number((percentile(others!, fraction) / percentile(own!, fraction)).toFixed(3));
  return { p10: ratio(fractions.p10), p25: ratio(fractions.p25), p50: ratio(fractions.p50) };
}
