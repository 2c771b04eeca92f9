// `npm run sim -- seeds --from A --count N [--workers 2] [options of a run]`: many runs, one after
// the other in each of several processes. It stops at the first violation and sums the runs up in
// one line of JSON. On SIGTERM the present runs finish and no more begin.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { createProgress } from '../../src/std/progress.ts';
import { readLife, readWhole } from './lifeArguments.ts';
import type { LifeResult } from './runLife.ts';

type Sums = {
  seeds: number;
  commands: number;
  kills: number;
  hours: number;
  violations: number;
  readonly faults: Record<string, number>;
  readonly counts: Record<string, number>;
};

export type SeedsOptions = {
  readonly from: number;
  readonly count: number;
  readonly workers: number;
  /** The options of each run, as on its command line. */
  readonly args: readonly string[];
  /** Receives each run that has ended. */
  readonly onResult?: (result: LifeResult) => void;
  /** Whether to begin no more runs. */
  readonly isEnough?: () => boolean;
};

/** `npm run sim -- seeds`: gives whether no run had a violation. */
export async function runSeeds(args: readonly string[]): Promise<boolean> {
  const options = readSeeds(args);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(JSON.stringify(options));
  const progress = createProgress({ what: 'lives', total: options.count });
  let done = 0;
  let enough = false;
  process.once('SIGTERM', () => {
    enough = true;
  });
  const sums = await runEachSeed({
    ...options,
    isEnough: () => enough,
    onResult: ({ seed, violations }) => {
      done += 1;
      progress.reached(done);
      if (violations.length === 0) return;
      progress.end();
      say(violations[0]!);
      say(`npm run sim -- ${[seed, ...options.args].join(' ')}`);
    },
  });
  progress.end();
  say(JSON.stringify(sums));
  return sums.violations === 0;
}

const own = ['--from', '--count', '--workers'];

function readSeeds(args: readonly string[]): SeedsOptions {
  const named = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (own.includes(args[at]!)) {
      named.set(args[at]!, args[at + 1] ?? '');
      at += 1;
    } else rest.push(args[at]!);
  }
  const from = readWhole(named.get('--from') ?? '1', '--from');
  const count = readWhole(named.get('--count') ?? '100', '--count');
  const workers = readWhole(named.get('--workers') ?? '2', '--workers');
  // An error in the options is reported once, and not by every process.
  readLife(from, rest);
  return { from, count, workers: Math.max(1, workers), args: rest };
}

export async function runEachSeed(options: SeedsOptions): Promise<Sums> {
  const { from, count, workers, args, onResult, isEnough = () => false } = options;
  const sums: Sums = {
    seeds: 0,
    commands: 0,
    kills: 0,
    hours: 0,
    violations: 0,
    faults: {},
    counts: {},
  };
  let next = from;
  const work = async (): Promise<void> => {
    const child = fork(join(import.meta.dirname, 'seedWorker.ts'), [...args], {
      // A run makes many objects with a short life.
      execArgv: ['--max-semi-space-size=64'],
    });
    try {
      while (next < from + count && sums.violations === 0 && !isEnough()) {
        const seed = next;
        next += 1;
        const result = await runIn(child, seed);
        add(sums, result);
        onResult?.(result);
      }
    } finally {
      child.disconnect();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  sums.hours = Math.round(sums.hours * 100) / 100;
  return sums;
}

function runIn(child: ChildProcess, seed: number): Promise<LifeResult> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(new Error(`the process of seed ${seed} ended with ${code}`));
    };
    child.once('exit', onExit);
    child.once('message', (result) => {
      child.off('exit', onExit);
      resolve(result as LifeResult);
    });
    child.send(seed);
  });
}

function add(sums: Sums, result: LifeResult): void {
  sums.seeds += 1;
  sums.commands += result.commands;
  sums.kills += result.kills;
  sums.hours += result.hours;
  sums.violations += result.violations.length;
  addAll(sums.faults, result.faults);
  addAll(sums.counts, result.counts);
}

function addAll(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + value;
}
