// How many durable orders a second the whole program takes over HTTP, compared with a bare fastify
// and a bare node:http server that parse, check the same HMAC and answer as many bytes; and what an
// order costs each thread. With --workers N also for exchanges with 1 to N gateway workers. With
// --memory 1 the log is on a file system in memory, so that the figures contain no pauses of the
// disk. The load is a process of its own. latency.ts has the times of single orders.

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import type { BareSetup } from './bareWork.ts';
import { askOnce, askProcess, forkHere } from './childProcess.ts';
import { askClosedLoad, type ClosedResult, hasWrk } from './closedLoad.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { type Key, makeRequests, openAccounts } from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, say, sayConditions, sayResult } from './report.ts';
import { eachThread, readThreadTimes, type ThreadTimes, timesPerOrder } from './threadTimes.ts';

const requestsMade = 8192;
/** The approximate size of the HTTP head in a bare server's answer. */
const bareHeadBytes = 155;
/** The first orders after a start, most of whose code is not compiled yet. */
const firstOrders = 20_000;
const firstMsMax = 60_000;
/** An exchange is warm when the runtime's threads take less of an order, microseconds. */
const warmHelpersUs = 5;
const warmRoundsMax = 12;

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
  /** The rate of its first orders. */
  firstRate: number;
  answerBytes: number;
};

/** A server that does nothing but read, check and answer. */
type Bare = {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly rates: number[];
};

function readOptions(args: readonly string[]): Options {
  const defaults = { seconds: 6, rounds: 5, connections: 64, accounts: 64, workers: 0, memory: 0 };
  const options = readNumbers('gateway', args, defaults, ['workers', 'memory']);
  check(options.seconds <= 25, 'a round is at most 25 seconds: timestamps are made before it');
  return options;
}

/** Runs all servers in turn and prints everything; fails when an answer is wrong. */
export async function runGatewayBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  sayConditions('gateway', {
    seconds: `${options.seconds} a round`,
    rounds: `${options.rounds} of each server, in turn`,
    warm: `until the runtime's threads take less than ${warmHelpersUs} µs of an order`,
    load: `${hasWrk ? 'wrk' : 'gatewayLoad.ts'}, one thread, ${options.connections} keep-alive connections, one order out on each`,
    orders: `signed POST /fapi/v1/order, JSON body, LIMIT around the mid, ${options.accounts} accounts`,
    server: 'the whole program: gateway, engine, log on files with fdatasync, archivist, history',
    limits: 'every rate limit raised by --rate-limit-scale; all are still counted',
    bare: 'raw body, the same HMAC function, JSON.parse, an answer of as many bytes',
    workers: `0 to ${options.workers} gateway workers, an exchange of its own each`,
    log: options.memory === 0 ? 'on the disk' : 'in memory: nothing waits for a disk',
  });
  const subjects: Subject[] = [];
  const bares: Bare[] = [];
  const stolen = readStolen();
  try {
    for (let workers = 0; workers <= options.workers; workers += 1) {
      subjects.push(await openSubject(workers, options));
    }
    const { keys, answerBytes } = subjects[0]!;
    const setup: BareSetup = { keys, bodyBytes: answerBytes - bareHeadBytes };
    for (const name of ['fastify', 'http']) bares.push(await openBare(name, setup));
    await measure(subjects, bares, options);
    for (const subject of subjects) {
      await checkExchange(subject);
      sayFigures(subject, bares);
    }
    say(`stolen by other machines: ${(100 * shareStolen(stolen, readStolen())).toFixed(1)} %`);
    sayResult(resultOf(subjects, bares));
  } finally {
    for (const { child } of bares) child.kill();
    for (const { server, directory } of subjects) {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

/** An exchange that is warm; its first orders are measured. */
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
  const { pid, port } = server;
  const before = readThreadTimes(pid);
  const first = await askFirst(port, keys, options);
  const firstTimes = timesPerOrder(before, readThreadTimes(pid), first.answered);
  const firstRate = (first.answered * 1000) / first.milliseconds;
  const { answered: orders, answerBytes } = first;
  const subject: Subject = {
    ...{ workers, server, directory, keys, rates: [], times: [] },
    ...{ orders, firstRate, answerBytes },
  };
  say(`${workers} workers, the first ${grouped(orders)} orders: ${grouped(firstRate)} /s`);
  sayTimes(firstTimes);
  await warmUp(subject, options);
  return subject;
}

/** By the load that can count; it makes 20,000 orders and more a second. */
async function askFirst(
  port: number,
  keys: readonly Key[],
  { connections }: Options,
): Promise<LoadResult> {
  const requests = makeRequests(keys, requestsMade);
  const closed = { rate: 0, count: firstOrders, stamps: false };
  const plan = { port, connections, milliseconds: firstMsMax, ...closed, requests };
  const result = await askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', plan);
  const { answered, accepted, refusal } = result;
  check(accepted === answered, `${answered - accepted} orders were refused, one so: ${refusal}`);
  return result;
}

async function warmUp(subject: Subject, options: Options): Promise<void> {
  const { rates, times } = subject;
  do await runRound(subject, options);
  while (times.at(-1)!.helpers >= warmHelpersUs && times.length < warmRoundsMax);
  const helpers = times.at(-1)!.helpers.toFixed(1);
  say(
    `  warm after ${grouped(subject.orders)}: the runtime's threads take ${helpers} µs of an order`,
  );
  rates.length = 0;
  times.length = 0;
}

/** All of them in turn; the one that begins changes with each round. */
async function measure(
  subjects: readonly Subject[],
  bares: readonly Bare[],
  options: Options,
): Promise<void> {
  const { keys } = subjects[0]!;
  for (const bare of bares) await runBare(bare, keys, options);
  for (const { rates } of bares) rates.length = 0;
  const steps = [
    ...subjects.map((subject) => () => runRound(subject, options)),
    ...bares.map((bare) => () => runBare(bare, keys, options)),
  ];
  for (let round = 0; round < options.rounds; round += 1) {
    const from = round % steps.length;
    for (const step of [...steps.slice(from), ...steps.slice(0, from)]) await step();
  }
}

async function runRound(subject: Subject, options: Options): Promise<void> {
  const { server, keys } = subject;
  const before = readThreadTimes(server.pid);
  const { answered, perSecond } = await askRound(server.port, keys, options);
  subject.times.push(timesPerOrder(before, readThreadTimes(server.pid), answered));
  subject.rates.push(perSecond);
  subject.orders += answered;
}

async function runBare(
  { port, rates }: Bare,
  keys: readonly Key[],
  options: Options,
): Promise<void> {
  rates.push((await askRound(port, keys, options)).perSecond);
}

function askRound(
  port: number,
  keys: readonly Key[],
  { connections, seconds }: Options,
): Promise<ClosedResult> {
  return askClosedLoad({ port, connections, seconds, requests: makeRequests(keys, requestsMade) });
}

function sayFigures({ workers, rates, times, firstRate }: Subject, bares: readonly Bare[]): void {
  say(`${workers} workers, durable orders: ${rates.map(grouped).join(', ')} /s`);
  for (const bare of bares) {
    const ratios = ratiosOf(rates, bare);
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    say(`  ÷ bare ${bare.name} (${bare.rates.map(grouped).join(', ')} /s): ${range}`);
  }
  say(`  first orders ÷ warm: ${(firstRate / median(rates)).toFixed(2)}`);
  sayTimes(timesOf(times));
}

/** Round by round: the machine's speed changes between rounds. */
const ratiosOf = (rates: readonly number[], bare: Bare): number[] =>
  rates.map((rate, round) => rate / bare.rates[round]!);

/** The median of each thread over the rounds. */
const timesOf = (times: readonly ThreadTimes[]): ThreadTimes =>
  eachThread((name) => median(times.map((each) => each[name])));

function sayTimes({ trading, gateway, archivist, log, helpers, all }: ThreadTimes): void {
  const us = (value: number): string => value.toFixed(1);
  say(
    `  processor time of an order, µs: trading thread ${us(trading)}, gateway workers ` +
      `${us(gateway)}, log ${us(log)}, archivist ${us(archivist)}, the runtime's threads ` +
      `${us(helpers)}, whole process ${us(all)}`,
  );
}

/** The figures without workers, and the ratios with each number of them. */
function resultOf(
  subjects: readonly Subject[],
  bares: readonly Bare[],
): Readonly<Record<string, unknown>> & { bench: string } {
  const figures: Record<string, number> = {};
  const three = (value: number): number => Number(value.toFixed(3));
  for (const { workers, rates, times, firstRate } of subjects) {
    const suffix = workers === 0 ? '' : `_${workers}_workers`;
    figures[`orders_per_s${suffix}`] = Math.round(median(rates));
    for (const bare of bares) {
      figures[`ratio_${bare.name}${suffix}`] = three(median(ratiosOf(rates, bare)));
    }
    figures[`first_ratio${suffix}`] = three(firstRate / median(rates));
    const { trading, all } = timesOf(times);
    figures[`trading_us${suffix}`] = Number(trading.toFixed(1));
    figures[`process_us${suffix}`] = Number(all.toFixed(1));
  }
  for (const { name, rates } of bares) figures[`${name}_per_s`] = Math.round(median(rates));
  return { bench: 'gateway', ...figures };
}

/**
 * Checks that every invariant holds, and that the exchange has applied at least the orders that got
 * an answer.
 */
async function checkExchange({ server, orders }: Subject): Promise<void> {
  const { ok, failures } = await server.operator.getInvariants();
  check(ok, failures.join('; '));
  const metrics = await (await fetch(`${server.http}/metrics`)).text();
  const placed = /^evermark_commands_total\{kind="placeOrder"\} (\d+)$/m.exec(metrics);
  const applied = Number(placed?.[1]);
  check(applied >= orders, `${orders} orders were answered, ${applied} applied`);
  say(`${grouped(orders)} orders answered, each with 200; every invariant holds`);
}

async function openBare(name: string, setup: BareSetup): Promise<Bare> {
  const child = forkHere(name === 'http' ? 'bareHttpServer.ts' : 'bareFastifyServer.ts');
  return { name, child, port: await askProcess<number>(child, setup), rates: [] };
}

type Stolen = { readonly stolen: number; readonly all: number };

/** Ticks of all processors, and those that other virtual machines took; zero where not reported. */
function readStolen(): Stolen {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
    const ticks = line.split(/ +/).slice(1, 9).map(Number);
    return { stolen: ticks[7]!, all: ticks.reduce((sum, each) => sum + each, 0) };
  } catch {
    return { stolen: 0, all: 0 };
  }
}

const shareStolen = (before: Stolen, after: Stolen): number =>
  (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
