// `npm run sim -- seeds --from A --count N [--workers 2] [options of a life]`: many lives in
// processes of their own, stopped at the first violation, with one line of JSON that sums them up.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readLife, readWhole } from './lifeArguments.ts';

type Sums = {
  seeds: number;
  commands: number;
  kills: number;
  hours: number;
  violations: number;
  readonly faults: Record<string, number>;
  readonly counts: Record<string, number>;
};

const own = ['--from', '--count', '--workers'];

/** Whether nothing was wrong in any. */
export async function runSeeds(args: readonly string[]): Promise<boolean> {
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
  // What is wrong with the options is said once, and not by every process.
  readLife(from, rest);
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
    while (next < from + count && sums.violations === 0) {
      const seed = next;
      next += 1;
      await runSeed(sums, seed, rest);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  sums.hours = Math.round(sums.hours * 100) / 100;
  process.stdout.write(`${JSON.stringify(sums)}\n`);
  return sums.violations === 0;
}

async function runSeed(sums: Sums, seed: number, args: readonly string[]): Promise<void> {
  const entry = join(import.meta.dirname, '../sim.ts');
  const child = spawn(process.execPath, [entry, String(seed), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const read = createInterface({ input: child.stdout });
  read.on('line', (line) => lines.push(line));
  const code = await new Promise<number>((resolve) => {
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  sums.seeds += 1;
  const result = readResult(lines.at(-1));
  if (code !== 0 || result === undefined) {
    sums.violations += Math.max(1, result?.violations ?? 1);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  if (result === undefined) return;
  sums.commands += result.commands;
  sums.kills += result.kills;
  sums.hours += result.hours;
  add(sums.faults, result.faults);
  add(sums.counts, result.counts);
}

type Result = Omit<Sums, 'seeds'>;

function readResult(line: string | undefined): Result | undefined {
  try {
    return JSON.parse(line ?? '') as Result;
  } catch {
    return undefined;
  }
}

function add(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + value;
}
