// Hours of load: orders at one rate, while every account's stream is read and the resident memory
// of the program is measured. It reports how much memory grew an hour after the warm-up, and
// whether a stream missed an order. At the end `evermark verify` replays the log.

import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../src/client/createClient.ts';
import { runEvermark } from '../test/fixtures/runEvermark.ts';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../test/fixtures/temporaryDirectory.ts';
import { type BenchAccount, openAccounts, symbol } from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, percentile, say, sayConditions, sayResult } from './report.ts';
import type { Heard } from './streamReaders.ts';
import {
  type AskReaders,
  privatePlan,
  residentMegabytes,
  sendOrders,
  withReaders,
} from './streams.ts';

/** Seconds of load without a pause; timestamps are made before it. */
const strokeSeconds = 20;
/** Time for messages that are still on the way when a stroke ends. */
const settleMs = 500;

type Options = { minutes: number; warm: number; rate: number; accounts: number };

/** After one stroke of load. */
type Sample = {
  readonly hours: number;
  readonly megabytes: number;
  readonly orders: number;
  /** Orders that no stream has reported. */
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
};

/**
 * Prints a line for each stroke and the slope; fails when an event was lost or an invariant broken.
 */
export async function runSoakBench(args: readonly string[]): Promise<void> {
  const options = readNumbers('soak', args, { minutes: 120, warm: 30, rate: 6000, accounts: 64 }, [
    'warm',
  ]);
  check(options.warm < options.minutes, 'the time to warm up is a part of the whole');
  sayConditions('soak', {
    load: `${options.rate} signed orders/s by plan, in strokes of ${strokeSeconds} s`,
    between: 'every account cancels what rests, and the index price is set again',
    streams: `${options.accounts} accounts, half by the channel account, half by listen key`,
    minutes: `${options.minutes}, of which the first ${options.warm} do not count for memory`,
  });
  using directory = createTemporaryDirectory();
  const data = directory.path;
  const server = await startServer({
    data,
    flags: [...quietFlags, '--rate-limit-scale', '1000000'],
  });
  try {
    const samples = await soak(server, options);
    const { ok, failures } = await server.operator.getInvariants();
    check(ok, failures.join('; '));
    await server.stop();
    const { code, errors } = await runEvermark(server, ['verify', '--data', data]);
    check(code === 0, `evermark verify: ${errors}`);
    say('evermark verify: log, state and history agree');
    sayFigures(samples, options);
  } finally {
    await server.stop();
  }
}

async function soak(server: RunningServer, options: Options): Promise<Sample[]> {
  const accounts = await openAccounts(server, options.accounts);
  const samples: Sample[] = [];
  await withReaders(async (ask) => {
    await ask(await privatePlan(server, accounts));
    const begun = performance.now();
    const hours = (): number => (performance.now() - begun) / 3_600_000;
    while (hours() * 60 < options.minutes) {
      const sample = { ...(await stroke(server, accounts, options, ask)), hours: hours() };
      samples.push(sample);
      const { megabytes, orders, lost, p50, p99 } = sample;
      say(
        `${(sample.hours * 60).toFixed(1)} min: ${megabytes.toFixed(1)} MB resident, ` +
          `${grouped(orders)} orders, ${lost} lost, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      );
    }
  });
  return samples;
}

async function stroke(
  server: RunningServer,
  accounts: readonly BenchAccount[],
  { rate }: Options,
  ask: AskReaders,
): Promise<Omit<Sample, 'hours'>> {
  await server.operator.setIndexPrice({ symbol, price: '60000' });
  const sent = await sendOrders(server, accounts, { rate, seconds: strokeSeconds, stamps: true });
  await wait(settleMs);
  const heard = await ask<Heard>({ do: 'heard' });
  let lost = 0;
  sent.answeredAt.forEach((at, order) => {
    if (typeof at === 'number' && typeof heard[order] !== 'number') lost += 1;
  });
  await Promise.all(accounts.map((account) => tidyUp(server, account)));
  await wait(settleMs);
  await ask({ do: 'forget' });
  return {
    megabytes: residentMegabytes(server),
    orders: sent.answered,
    lost,
    p50: percentile(sent.latencies, 0.5),
    p99: percentile(sent.latencies, 0.99),
  };
}

/**
 * What an account's client does from time to time: it cancels its orders, and extends its listen
 * key.
 */
async function tidyUp({ http }: RunningServer, { key }: BenchAccount): Promise<void> {
  const [apiKey, secretKey] = key;
  const { fapi } = createClient({ baseUrl: http, apiKey, secretKey });
  await fapi.cancelAllOpenOrders({ symbol });
  await fapi.startListenKey();
}

function sayFigures(samples: readonly Sample[], options: Options): void {
  const warm = samples.filter(({ hours }) => hours * 60 >= options.warm);
  const { mean, slope } = lineThrough(warm);
  const orders = samples.reduce((sum, sample) => sum + sample.orders, 0);
  const lost = samples.reduce((sum, sample) => sum + sample.lost, 0);
  const percentAnHour = (slope / mean) * 100;
  say(
    `memory after ${options.warm} min: ${mean.toFixed(0)} MB on average, ${slope.toFixed(1)} MB an ` +
      `hour, ${percentAnHour.toFixed(2)} %/h; ${grouped(orders)} orders, ${lost} not told of`,
  );
  check(lost === 0, `streams lost ${lost} orders`);
  sayResult({
    bench: 'soak',
    hours: Number(samples.at(-1)!.hours.toFixed(2)),
    orders,
    lost,
    mean_mb: Math.round(mean),
    percent_per_hour: Number(percentAnHour.toFixed(2)),
  });
}

/** Least squares over the samples: the mean, and the growth in an hour. */
function lineThrough(samples: readonly Sample[]): { mean: number; slope: number } {
  const meanOf = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [mean, middle] = [meanOf(({ megabytes }) => megabytes), meanOf(({ hours }) => hours)];
  const along = meanOf(({ hours, megabytes }) => (hours - middle) * (megabytes - mean));
  return { mean, slope: along / meanOf(({ hours }) => (hours - middle) ** 2) };
}
