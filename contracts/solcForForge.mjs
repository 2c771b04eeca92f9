#!/usr/bin/env node
// npm's solc behind the command line that forge expects of a compiler: `--version`, and
// `--standard-json` with the input on stdin. Its output is the answer; imports come with the input.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const solc = createRequire(import.meta.url)('solc');

if (process.argv.includes('--version')) {
  const banner = 'solc, the solidity compiler commandline interface';
  process.stdout.write(`${banner}\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  process.stderr.write('only --version and --standard-json are known\n');
  process.exitCode = 1;
}
