// Runs a command of this project on Node 24, with any Node (20 or newer) that runs npm itself.
// Takes the running Node when it is new enough, else the binary in the optional package
// `node-<platform>-<architecture>`. It is plain JavaScript, because it runs before the version is
// known.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const majorMin = 24;

/** The path of a Node of at least `majorMin`, or undefined. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= majorMin) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  try {
    const require = createRequire(import.meta.url);
    const binary = join(dirname(require.resolve(`${name}/package.json`)), 'bin', file);
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

const node = findNode();
if (node === undefined) {
  process.stderr.write(
    `Evermark needs Node ${majorMin} or newer. This is ${process.version}, and the package that ` +
      `carries Node ${majorMin} for ${process.platform}-${process.arch} is not installed. Run ` +
      '"npm ci" (with optional dependencies), or use a newer Node.\n',
  );
  process.exit(1);
}

const args = process.argv.slice(2);
// The program keeps what the runtime has compiled of it, beside the packages: a subcommand starts
// twice as fast then.
const cache = fileURLToPath(new URL('../node_modules/.cache/evermark', import.meta.url));
const child = spawn(node, args, {
  stdio: 'inherit',
  env: {
    ...(args[0]?.endsWith('evermark.ts') && { NODE_COMPILE_CACHE: cache }),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm sends a signal only to its shell, and some shells die of it without passing it on.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 200);
}
child.on('error', (error) => {
  process.stderr.write(`Cannot start ${node}: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
});
