// `npm test`: types, style and every test but the long ones and those in a browser, all at the same
// time; `--long` and `--page`: these alone; `--all`: everything. `--page --again` runs the files
// of the page that did not pass a second time, because a browser may stall. Further arguments go to
// the test runner. Names the steps that fail, at once and again at the end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { patienceMs } from '../test/page/patience.ts';
import { longTests, pageTests } from './longTests.ts';

const root = resolve(import.meta.dirname, '..');
const [first, ...others] = process.argv.slice(2);
const isLong = first === '--long';
const isPage = first === '--page';
const isAll = first === '--all';
const isAgain = isPage && others[0] === '--again';
const further = isLong || isPage || isAll ? others : process.argv.slice(2);

const apart = [...longTests, ...pageTests];
const missing = apart.filter((file) => !existsSync(join(root, file)));
if (missing.length > 0) {
  process.stderr.write(`scripts/longTests.ts names missing files: ${missing.join(', ')}\n`);
  process.exit(1);
}

const alone = isLong ? longTests : isPage ? pageTests : undefined;
const chosen = alone ?? (isAll ? [] : apart.map((file) => `--exclude=${file}`));
// One thread for each: the compiler's threads do the same work again.
const types = (project: string): string[] => ['-p', project, '--singleThreaded'];
const checks: readonly Step[] = [
  { name: 'types', program: 'typescript/bin/tsc', args: types('tsconfig.json') },
  { name: 'types of the page', program: 'typescript/bin/tsc', args: types('src/page') },
  { name: 'style', program: '@biomejs/biome/bin/biome', args: ['check', '.'] },
];
const ofPage = [
  `--expect.poll.timeout=${patienceMs}`,
  // A whole test may wait several times.
  `--testTimeout=${3 * patienceMs}`,
  `--hookTimeout=${3 * patienceMs}`,
  // A browser keeps several processors busy.
  '--maxWorkers=2',
];
const tests: Step = {
  name: 'tests',
  program: 'vitest/vitest.mjs',
  args: ['run', ...chosen, ...(isPage ? ofPage : []), ...further],
};

type Step = {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** It is killed after so many milliseconds, with what it has started. */
  readonly longestMs?: number;
};

/** A group of its own does not receive what the terminal sends. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Gives the status of a step, and names it when it fails. */
async function run(step: Step): Promise<number> {
  const { name, args, longestMs } = step;
  const path = join(root, 'node_modules', step.program);
  const child = spawn(process.execPath, [path, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...step.environment },
    // A group of processes, which is killed as one.
    detached: longestMs !== undefined,
  });
  const kill = (): boolean => process.kill(-child.pid!, 'SIGKILL');
  const stop = (): never => {
    kill();
    process.exit(1);
  };
  const late = longestMs === undefined ? undefined : setTimeout(kill, longestMs);
  if (longestMs !== undefined) for (const signal of stopSignals) process.on(signal, stop);
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(late);
  for (const each of stopSignals) process.off(each, stop);
  if (status !== 0) {
    process.stderr.write(`${name} failed${signal === null ? '' : ` (${signal})`}\n`);
  }
  return status ?? 1;
}

/** All files of the page, and then those that did not pass. */
const pageRunsMs = [1_500_000, 900_000];

async function runPageAgain(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'evermark-passed-'));
  const passed = join(directory, 'passed');
  let status = 0;
  let left = pageTests;
  for (const longestMs of pageRunsMs) {
    writeFileSync(passed, '');
    const args = ['run', ...left, ...ofPage, ...others.slice(1)];
    const environment = { EVERMARK_PASSED_TESTS: passed };
    status = await run({ ...tests, args, environment, longestMs });
    const names = new Set(readFileSync(passed, 'utf8').split('\n'));
    left = left.filter((file) => !names.has(file) || names.has(`error ${file}`));
    if (status === 0 || left.length === 0) break;
    process.stderr.write(`did not pass: ${left.join(', ')}\n`);
  }
  rmSync(directory, { recursive: true });
  return status;
}

// Many tests wait for a disk or a timer, so the checks use what they leave of the cores.
const steps = alone === undefined ? [...checks, tests] : [tests];
const statuses = await Promise.all(isAgain ? [runPageAgain()] : steps.map(run));
const failed = steps.filter((_, at) => statuses[at] !== 0).map(({ name }) => name);
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(', ')}\n`);
process.exitCode = statuses.find((status) => status !== 0) ?? 0;
