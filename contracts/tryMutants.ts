// `npm run contracts:mutants`: compiles the vault with one mistake at a time and runs the test that
// must notice it. Prints the survivors and one line of JSON; exit code 1 when a mistake survives.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { artifactText, compile, readSources } from './compile.ts';
import { type Mutant, mutants } from './mutants.ts';
import { mutated } from './mutated.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'evermark-mutants-'));
cpSync(join(root, 'contracts/artifacts'), folder, { recursive: true });

function mutate(mutant: Mutant): void {
  const sources = { ...readSources(), ...mutated(mutant) };
  const [artifact] = compile(sources, ['EvermarkVault'], true);
  writeFileSync(join(folder, 'EvermarkVault.json'), artifactText(artifact!));
}

/** Whether the named test fails, and some test of that name has run. */
function isNoticed({ test: [file, title] }: Mutant): boolean {
  const args = ['run', `test/contracts/${file}.test.ts`, '-t', title, '--reporter=json'];
  const { stdout } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd: root,
    env: { ...process.env, EVERMARK_ARTIFACTS: folder },
    encoding: 'utf8',
    timeout: 600_000,
  });
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { numFailedTests: number };
  return report.numFailedTests > 0;
}

const survivors: Mutant[] = [];
try {
  for (const mutant of mutants) {
    mutate(mutant);
    if (isNoticed(mutant)) continue;
    survivors.push(mutant);
    process.stdout.write(`survives: ${mutant.file}: ${mutant.right} → ${mutant.wrong}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const figures = { mutants: mutants.length, survivors: survivors.length };
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;
