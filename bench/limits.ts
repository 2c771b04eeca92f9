// What the machine itself can do, for comparison with our figures: messages echoed over bare
// sockets, HMACs, syncs of a file, random reads of memory. Of our own code only the HMAC runs.

import { hmacMatches, makeHmacKey } from '../src/gateway/identity/hmacSignature.ts';
import { createPrng } from '../src/std/prng.ts';
import { askOnce, askProcess, forkHere } from './childProcess.ts';
import type { EchoPlan } from './echoLoad.ts';
import { syncBytes, syncTimes } from './machineFloor.ts';
import { readNumbers } from './readNumbers.ts';
import {
  check,
  grouped,
  median,
  percentile,
  percentiles,
  say,
  sayConditions,
  sayResult,
} from './report.ts';

/** The approximate size of an order's request and of its answer, bytes. */
const messageBytes = 512;
/**
 * A sync that takes longer is a pause of the disk, and determines the slowest orders of a second.
 */
const stallMs = 20;
const readBytes = 16 * 1024 * 1024;
const hmacBody = Buffer.alloc(150, 'a');

/** Runs everything in rounds, prints the medians. */
export async function runLimitsBench(args: readonly string[]): Promise<void> {
  const { milliseconds, rounds } = readNumbers('limits', args, { milliseconds: 2000, rounds: 3 });
  sayConditions('limits', {
    rounds: `${rounds} of ${milliseconds} ms each; medians`,
    echo: `${messageBytes} bytes there and back, 64 sockets, one process on either side`,
    hmac: 'SHA-256 over 150 bytes, compared in constant time; one thread',
    sync: `${syncBytes} bytes and fdatasync, one after the other, into a file of zeros`,
    read: `a byte of ${readBytes / 2 ** 20} MB at a place that the last one names`,
  });
  const echoes: number[] = [];
  for (let round = 0; round < rounds; round += 1) echoes.push(await echo(milliseconds));
  const hmacs = repeat(rounds, () => perSecond(milliseconds, 256, hmac()));
  const syncs = Array.from({ length: rounds }, () => syncTimes(milliseconds));
  const syncRates = syncs.map((times) => (times.length * 1000) / sumOf(times));
  const allSyncs = syncs.flat();
  const reads = repeat(rounds, () => perSecond(milliseconds, 65_536, read()));
  const nanoseconds = 1e9 / median(reads);
  say(`echo: ${echoes.map(grouped).join(', ')} /s`);
  say(`hmac: ${hmacs.map(grouped).join(', ')} /s`);
  say(`sync: ${syncRates.map(grouped).join(', ')} /s`);
  say(`  one of them: ${percentiles(allSyncs, 'ms')}`);
  const stalled = sumOf(allSyncs.filter((each) => each > stallMs)) / sumOf(allSyncs);
  say(`  ${(stalled * 100).toFixed(1)} % of the time in syncs of more than ${stallMs} ms`);
  say(`random read: ${nanoseconds.toFixed(0)} ns`);
  sayResult({
    bench: 'limits',
    echo_per_s: Math.round(median(echoes)),
    hmac_per_s: Math.round(median(hmacs)),
    sync_per_s: Math.round(median(syncRates)),
    sync_p99_ms: Number(percentile(allSyncs, 0.99).toFixed(2)),
    sync_max_ms: Number(percentile(allSyncs, 1).toFixed(1)),
    random_read_ns: Math.round(nanoseconds),
  });
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

function repeat(rounds: number, measure: () => number): number[] {
  return Array.from({ length: rounds }, measure);
}

/** How often a second `step` runs; the clock is read after every `steps` steps. */
function perSecond(milliseconds: number, steps: number, step: () => void): number {
  const started = performance.now();
  let [count, passed] = [0, 0];
  while (passed < milliseconds) {
    for (let i = 0; i < steps; i += 1) step();
    count += steps;
    passed = performance.now() - started;
  }
  return (count * 1000) / passed;
}

function hmac(): () => void {
  const key = makeHmacKey('a'.repeat(64));
  const wrong = { text: '', body: hmacBody, signature: '0'.repeat(64) };
  return () => check(!hmacMatches(key, wrong), 'no text has this signature');
}

/** Walks through all places in one cycle, in an order drawn from a seed. */
function read(): () => void {
  const places = new Int32Array(readBytes / Int32Array.BYTES_PER_ELEMENT);
  const prng = createPrng(1);
  places.forEach((_, i) => {
    places[i] = i;
  });
  // Sattolo's shuffle: a permutation of one cycle.
  for (let i = places.length - 1; i > 0; i -= 1) {
    const j = prng.below(i);
    [places[i], places[j]] = [places[j]!, places[i]!];
  }
  let at = 0;
  return () => {
    at = places[at]!;
  };
}

async function echo(milliseconds: number): Promise<number> {
  const server = forkHere('echoServer.ts');
  try {
    const port = await askProcess<number>(server, {});
    const plan = { port, milliseconds, connections: 64, bytes: messageBytes };
    return await askOnce<EchoPlan, number>('echoLoad.ts', plan);
  } finally {
    server.kill();
  }
}
