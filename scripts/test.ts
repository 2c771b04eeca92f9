// `npm test`: types, style, then every test but the long ones and those in a browser; `--long` and
// `--page`: these alone; `--all`: everything. Further arguments go to the test runner. Stops at the
// first step that fails and names it.

import { spawnSync } from 'node:child_process';
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
const checks = [
  { name: 'types', program: 'typescript/bin/tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'types of the page', program: 'typescript/bin/tsc', args: ['-p', 'src/page'] },
  { name: 'style', program: '@biomejs/biome/bin/biome', args: ['check', '.'] },
];
const tests = { name: 'tests', program: 'vitest/vitest.mjs', args: ['run', ...chosen, ...further] };

for (const { name, program, args } of alone === undefined ? [...checks, tests] : [tests]) {
  const path = join(root, 'node_modules', program);
  const { status, signal } = spawnSync(process.execPath, [path, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.stderr.write(`${name} failed${signal === null ? '' : ` (${signal})`}\n`);
    process.exit(status ?? 1);
  }
}
