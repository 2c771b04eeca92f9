// `npm test`: types and style at the same time, then every test but the long ones and those in a
// browser; `--long` and `--page`: these alone; `--all`: everything. Further arguments go to the
// test runner. Names the steps that fail; the tests run when types and style have passed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { longTests, pageTests } from './longTests.ts';

const root = resolve(import.meta.dirname, '..');
const [first, ...others] = process.argv.slice(2);
const isLong = first === '--long';
const isPage = first === '--page';
const isAll = first === '--all';
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
const tests: Step = {
  name: 'tests',
  program: 'vitest/vitest.mjs',
  args: ['run', ...chosen, ...further],
};

type Step = { readonly name: string; readonly program: string; readonly args: readonly string[] };

/** Gives the status of a step, and names it when it fails. */
async function run({ name, program, args }: Step): Promise<number> {
  const path = join(root, 'node_modules', program);
  const child = spawn(process.execPath, [path, ...args], { cwd: root, stdio: 'inherit' });
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (status !== 0) {
    process.stderr.write(`${name} failed${signal === null ? '' : ` (${signal})`}\n`);
  }
  return status ?? 1;
}

const statuses = alone === undefined ? await Promise.all(checks.map(run)) : [];
process.exitCode = statuses.find((status) => status !== 0) ?? (await run(tests));
