// How long an order takes at fixed rates, beside what the machine's disk and timer do, after enough
// orders that code is compiled and history has rows. With the folder of another checkout both
// exchanges are measured in turn. The load is a separate process (gatewayLoad.ts).

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { askOnce } from './childProcess.ts';
import { loadShareMax } from './closedLoad.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { sleepDelays, syncTimes } from './machineFloor.ts';
import { type Key, makeRequests, openAccounts } from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, percentile, say, sayConditions, sayResult } from './report.ts';
import { readThreadTimes, type ThreadTimes, timesPerOrder } from './threadTimes.ts';

const usage = 'latency takes the folder of another checkout with its node_modules, then options';
const connections = 64;
const requestsMade = 8192;
/** Orders a second. */
const rates = [2000, 5000] as const;
const warmSeconds = 10;
const floorMs = 2000;

type Options = {
  seconds: number;
  rounds: number;
  accounts: number;
  /** Orders before anything is measured. */
  warm: number;
};

/** One exchange, its rounds by rate. */
type Subject = {
  readonly name: string;
  readonly directory: string;
  readonly server: RunningServer;
  readonly keys: readonly Key[];
  readonly rounds: Map<number, Round[]>;
};

type Round = {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly times: ThreadTimes;
};

/** Prints everything; fails when an answer is wrong or the load was too busy. */
export async function runLatencyBench(args: readonly string[]): Promise<void> {
  const [folder = '', ...flags] = args;
  const beside = folder === '' || folder.startsWith('--') ? undefined : resolve(folder);
  if (beside !== undefined && !existsSync(join(beside, 'src', 'bin'))) throw new Error(usage);
  const defaults: Options = { seconds: 10, rounds: 5, accounts: 64, warm: 200_000 };
  const options = readNumbers('latency [DIR]', beside === undefined ? args : flags, defaults);
  check(options.seconds <= 25, 'a round is at most 25 seconds: timestamps are made before it');
  sayConditions('latency', {
    rates: `${rates.map(grouped).join(' and ')} orders/s by plan, latency from planned time to answer`,
    rounds: `${options.rounds} of ${options.seconds} s at each rate, exchanges in turn; medians`,
    warm: `${grouped(options.warm)} orders as fast as answers come, before`,
    load: `${connections} keep-alive connections of one other process, ${options.accounts} accounts`,
    server: 'the whole program: gateway, engine, log on files with fdatasync, history in SQLite',
    beside: beside ?? 'no other checkout',
  });
  const subjects: Subject[] = [];
  try {
    subjects.push(await openSubject('here', undefined, options));
    if (beside !== undefined) subjects.push(await openSubject('there', beside, options));
    for (const subject of subjects) await warmUp(subject, options);
    const floors: Floor[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      floors.push(measureFloor());
      for (const rate of rates) {
        for (const subject of subjects) await runRound(subject, rate, options);
      }
    }
    sayFigures(subjects, floors);
  } finally {
    for (const { server, directory } of subjects) {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

async function openSubject(
  name: string,
  tree: string | undefined,
  options: Options,
): Promise<Subject> {
  const directory = mkdtempSync(join(tmpdir(), 'evermark-bench-'));
  const server = await startServer({
    data: directory,
    flags: [...quietFlags, '--rate-limit-scale', '1000000', '--workers', '0'],
    ...(tree === undefined ? {} : { program: join(tree, 'src/bin/evermark.ts') }),
  });
  const accounts = await openAccounts(server, options.accounts);
  const keys = accounts.map(({ key }) => key);
  return { name, directory, server, keys, rounds: new Map() };
}

/** As fast as answers come. */
async function warmUp(subject: Subject, { warm }: Options): Promise<void> {
  let answered = 0;
  while (answered < warm) {
    answered += (await askLoad(subject, { milliseconds: warmSeconds * 1000, rate: 0 })).answered;
  }
}

async function runRound(subject: Subject, rate: number, { seconds }: Options): Promise<void> {
  const { server, rounds } = subject;
  const before = readThreadTimes(server.pid);
  const load = await askLoad(subject, { milliseconds: seconds * 1000, rate });
  const times = timesPerOrder(before, readThreadTimes(server.pid), load.answered);
  const reached = (load.answered * 1000) / load.milliseconds;
  check(reached > rate * 0.9, `${grouped(reached)} of ${rate} orders/s: latencies mean nothing`);
  check(load.coreShare < loadShareMax, 'the load used so much of a core that it measures itself');
  const list = rounds.get(rate) ?? [];
  rounds.set(rate, list);
  const of = (part: number): number => percentile(load.latencies, part);
  list.push({ p50: of(0.5), p99: of(0.99), most: of(1), times });
}

async function askLoad(
  { server, keys, name }: Subject,
  { milliseconds, rate }: Pick<LoadPlan, 'milliseconds' | 'rate'>,
): Promise<LoadResult> {
  const load = await askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', {
    port: server.port,
    connections,
    milliseconds,
    rate,
    stamps: false,
    requests: makeRequests(keys, requestsMade),
  });
  const { answered, accepted, refusal } = load;
  check(answered > 0, `${name}: no order was answered`);
  check(accepted === answered, `${name}: ${answered - accepted} refused, one so: ${refusal}`);
  return load;
}

type Floor = { readonly sync: number; readonly sleep: number };

const measureFloor = (): Floor => ({
  sync: percentile(syncTimes(floorMs), 0.99),
  sleep: percentile(sleepDelays(floorMs), 0.99),
});

function sayFigures(subjects: readonly Subject[], floors: readonly Floor[]): void {
  const sync = median(floors.map((each) => each.sync));
  const sleep = median(floors.map((each) => each.sleep));
  say(`the machine: sync p99 ${sync.toFixed(2)} ms, a sleep is late by p99 ${sleep.toFixed(2)} ms`);
  const figures: Record<string, number> = {};
  for (const { name, rounds } of subjects) {
    for (const [rate, list] of rounds) {
      const middle = (of: (round: Round) => number): number => rounded(median(list.map(of)));
      const [p50, p99, most] = [middle(of50), middle(of99), middle(ofMost)];
      const trading = middle(({ times }) => times.trading);
      const text = list.map((each) => `${each.p50.toFixed(2)}/${each.p99.toFixed(1)}`).join(', ');
      say(
        `${name} at ${grouped(rate)} /s: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms; ` +
          `trading thread ${trading} µs an order; rounds ${text}`,
      );
      figures[`${name}_p50_ms_${rate}`] = p50;
      figures[`${name}_p99_ms_${rate}`] = p99;
      figures[`${name}_p99_of_sync_${rate}`] = rounded(p99 / sync);
      figures[`${name}_trading_us_${rate}`] = trading;
      figures[`${name}_process_us_${rate}`] = middle(({ times }) => times.all);
    }
  }
  sayResult({ bench: 'latency', sync_p99_ms: rounded(sync), ...figures });
}

const of50 = ({ p50 }: Round): number => p50;
const of99 = ({ p99 }: Round): number => p99;
const ofMost = ({ most }: Round): number => most;
const rounded = (value: number): number => Number(value.toFixed(2));
