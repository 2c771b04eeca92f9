// How many durable orders a second the whole program takes over HTTP, compared with a bare fastify
// server that parses, checks the same HMAC and answers as many bytes. Then the latency of an order
// at half of that rate, for both. With --workers N also for exchanges with 1 to N gateway workers.
// With --memory 1 the log is on a file system in memory, so that the figures contain no pauses of
// the disk. The load is a separate process (gatewayLoad.ts).

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import type { BareSetup } from './bareServer.ts';
import { askOnce, askProcess, forkHere } from './childProcess.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { type Key, makeRequests, openAccounts } from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, percentile, say, sayConditions, sayResult } from './report.ts';
import { readThreadTimes, type ThreadTimes, timesPerOrder } from './threadTimes.ts';

const requestsMade = 8192;
/** The approximate size of the HTTP head in the bare server's answer. */
const bareHeadBytes = 155;

type Options = {
  seconds: number;
  rounds: number;
  connections: number;
  accounts: number;
  /** The exchange is measured without workers, and with each number of workers up to this. */
  workers: number;
  /** 1: the data directory is in memory. */
  memory: number;
};

/** One exchange with its own accounts, and the results of its rounds. */
type Subject = {
  readonly workers: number;
  readonly server: RunningServer;
  readonly directory: string;
  readonly keys: readonly Key[];
  readonly rates: number[];
  readonly times: ThreadTimes[];
  orders: number;
  answerBytes: number;
};

function readOptions(args: readonly string[]): Options {
  const defaults = { seconds: 6, rounds: 5, connections: 64, accounts: 64, workers: 0, memory: 0 };
  const options = readNumbers('gateway', args, defaults, ['workers', 'memory']);
  check(options.seconds <= 30, 'a round is at most 30 seconds: timestamps are made before it');
  return options;
}

/** Runs all servers in turn and prints everything; fails when an answer is wrong. */
export async function runGatewayBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  sayConditions('gateway', {
    seconds: `${options.seconds} a round, after one that does not count`,
    rounds: `${options.rounds} of each server, in turn`,
    load: `${options.connections} keep-alive connections of one other process, one order out on each`,
    orders: `signed POST /fapi/v1/order, JSON body, LIMIT around the mid, ${options.accounts} accounts`,
    latency: 'open loop at half the durable rate, from planned time to answer, sent within 0.2 ms',
    server: 'the whole program: gateway, engine, log on files with fdatasync, archivist',
    limits: 'every rate limit raised by --rate-limit-scale; all are still counted',
    bare: 'fastify, raw body, the same HMAC function, JSON.parse, an answer of as many bytes',
    workers: `0 to ${options.workers} gateway workers, an exchange of its own each`,
    log: options.memory === 0 ? 'on the disk' : 'in memory: nothing waits for a disk',
  });
  const subjects: Subject[] = [];
  try {
    for (let workers = 0; workers <= options.workers; workers += 1) {
      subjects.push(await openSubject(workers, options));
    }
    await measure(subjects, options);
  } finally {
    for (const { server, directory } of subjects) {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

async function openSubject(workers: number, options: Options): Promise<Subject> {
  const directory = mkdtempSync(
    join(options.memory === 0 ? tmpdir() : '/dev/shm', 'evermark-bench-'),
  );
  const server = await startServer({
    data: directory,
    flags: [...quietFlags, '--rate-limit-scale', '1000000', '--workers', String(workers)],
  });
  const accounts = await openAccounts(server, options.accounts);
  const keys = accounts.map(({ key }) => key);
  return { workers, server, directory, keys, rates: [], times: [], orders: 0, answerBytes: 0 };
}

async function measure(subjects: readonly Subject[], options: Options): Promise<void> {
  for (const subject of subjects) await runRound(subject, options);
  const { keys, answerBytes } = subjects[0]!;
  const bare = await startBare({ keys, bodyBytes: answerBytes - bareHeadBytes });
  const bareRates: number[] = [];
  try {
    checkLoad(await askLoad(bare.port, keys, options));
    for (const { rates, times } of subjects) for (const list of [rates, times]) list.length = 0;
    for (let round = 0; round < options.rounds; round += 1) {
      for (const subject of subjects) await runRound(subject, options);
      bareRates.push(rateOf(await askLoad(bare.port, keys, options)));
    }
    say(`bare fastify: ${bareRates.map(grouped).join(', ')} /s`);
    const ports = { bare: bare.port, bareRate: median(bareRates) };
    for (const subject of subjects) await sayFigures(subject, ports, options);
  } finally {
    bare.child.kill();
  }
}

async function runRound(subject: Subject, options: Options): Promise<void> {
  const { server, keys } = subject;
  const before = readThreadTimes(server.pid);
  const result = await askLoad(server.port, keys, options);
  subject.times.push(timesPerOrder(before, readThreadTimes(server.pid), result.answered));
  subject.rates.push(rateOf(result));
  subject.orders += result.answered;
  subject.answerBytes = result.answerBytes;
}

/** `rate` 0: closed loop. */
function askLoad(
  port: number,
  keys: readonly Key[],
  { connections, seconds }: Options,
  rate = 0,
): Promise<LoadResult> {
  return askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', {
    port,
    connections,
    milliseconds: seconds * 1000,
    rate,
    stamps: false,
    requests: makeRequests(keys, requestsMade),
  });
}

type Bare = { readonly bare: number; readonly bareRate: number };

async function sayFigures(subject: Subject, beside: Bare, options: Options): Promise<void> {
  const { workers, server, rates, times } = subject;
  const { bareRate } = beside;
  const durable = median(rates);
  say(`${workers} workers, durable orders: ${rates.map(grouped).join(', ')} /s`);
  const cpu = (name: keyof ThreadTimes): number => median(times.map((each) => each[name]));
  say(
    `  processor time of an order: trading thread ${cpu('trading').toFixed(1)} µs, gateway ` +
      `workers ${cpu('gateway').toFixed(1)} µs, whole process ${cpu('all').toFixed(1)} µs`,
  );
  const latencies = await measureLatencies(subject, beside, options);
  await checkExchange(server, subject.orders);
  sayResult({
    bench: 'gateway',
    workers,
    orders_per_s: Math.round(durable),
    bare_per_s: Math.round(bareRate),
    ratio: Number((durable / bareRate).toFixed(3)),
    ...latencies,
    trading_us_per_order: Number(cpu('trading').toFixed(1)),
    process_us_per_order: Number(cpu('all').toFixed(1)),
  });
}

/** Open loop at half the durable rate; rounds of the exchange and of the bare server alternate. */
async function measureLatencies(
  subject: Subject,
  { bare }: Bare,
  options: Options,
): Promise<Readonly<Record<string, number>>> {
  const rate = median(subject.rates) / 2;
  const ours: LoadResult[] = [];
  const bares: LoadResult[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    ours.push(await askLoad(subject.server.port, subject.keys, options, rate));
    bares.push(await askLoad(bare, subject.keys, options, rate));
  }
  for (const result of [...ours, ...bares]) checkOpenLoop(result, rate);
  for (const { answered } of ours) subject.orders += answered;
  say(`  open loop at ${grouped(rate)} /s, from plan to answer, p50/p99 ms of each round:`);
  say(
    `    the exchange ${ours.map(latencyText).join(', ')}; bare ${bares.map(latencyText).join(', ')}`,
  );
  const middle = (results: readonly LoadResult[], part: number): number =>
    Number(median(results.map(({ latencies }) => percentile(latencies, part))).toFixed(2));
  return {
    p50_ms: middle(ours, 0.5),
    p99_ms: middle(ours, 0.99),
    bare_p50_ms: middle(bares, 0.5),
    bare_p99_ms: middle(bares, 0.99),
  };
}

const latencyText = ({ latencies }: LoadResult): string =>
  `${percentile(latencies, 0.5).toFixed(2)}/${percentile(latencies, 0.99).toFixed(2)}`;

function rateOf(result: LoadResult): number {
  checkLoad(result);
  return (result.answered * 1000) / result.milliseconds;
}

function checkLoad({ answered, accepted, refusal }: LoadResult): void {
  check(answered > 0, 'no order was answered');
  check(accepted === answered, `${answered - accepted} orders were refused, one so: ${refusal}`);
}

function checkOpenLoop(result: LoadResult, planned: number): void {
  checkLoad(result);
  const reached = (result.answered * 1000) / result.milliseconds;
  check(reached > planned * 0.9, 'the planned rate was not reached: the latencies mean nothing');
}

/**
 * Checks that every invariant holds, and that the exchange has applied at least the orders that got
 * an answer.
 */
async function checkExchange({ operator, http }: RunningServer, orders: number): Promise<void> {
  const { ok, failures } = await operator.getInvariants();
  check(ok, failures.join('; '));
  const metrics = await (await fetch(`${http}/metrics`)).text();
  const placed = /^evermark_commands_total\{kind="placeOrder"\} (\d+)$/m.exec(metrics);
  const applied = Number(placed?.[1]);
  check(applied >= orders, `${orders} orders were answered, ${applied} applied`);
  say(`${grouped(orders)} orders answered, each with 200; every invariant holds`);
}

async function startBare(setup: BareSetup): Promise<{ child: ChildProcess; port: number }> {
  const child = forkHere('bareServer.ts');
  return { child, port: await askProcess<number>(child, setup) };
}
