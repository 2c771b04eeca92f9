// `npm test`: types, style, then every test. Stops at the first that fails and names it.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const steps = [
  { name: 'types', program: 'typescript/bin/tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'style', program: '@biomejs/biome/bin/biome', args: ['check', '.'] },
  { name: 'tests', program: 'vitest/vitest.mjs', args: ['run', ...process.argv.slice(2)] },
];

for (const { name, program, args } of steps) {
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
