// `npm run fuzz -- <target> [--seed N] [--count N]`: cases drawn from a seed against one target of
// the exchange. It ends with one line of JSON, and with exit code 1 when a promise was broken. Each
// violation prints the command that repeats it. SIGTERM and SIGINT end the run early, with its
// results so far.

import { parseArgs } from 'node:util';
import { sentenceOf } from './target.ts';
import { targets } from './targets.ts';

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || !Number.isSafeInteger(value)) {
    throw new Error(`a flag takes a whole number, not "${text}"`);
  }
  return value;
}

async function run(name: string, flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...flags],
    options: { seed: { type: 'string', default: '1' }, count: { type: 'string' } },
  });
  const { open, count } = targets[name]!;
  const seed = wholeNumber(values.seed);
  const target = await open();
  let last = '';
  // An unhandled rejection would end the exchange, so it ends the run.
  const crash = (error: unknown): never => {
    process.stderr.write(`crashed at: npm run fuzz -- ${last}\n${sentenceOf(error)}\n`);
    process.exit(1);
  };
  process.on('unhandledRejection', crash).on('uncaughtException', crash);
  let stopping = false;
  const stop = (): void => {
    stopping = true;
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  const started = process.hrtime.bigint();
  const { cases, tally, violations, figures } = await target({
    seed,
    count: values.count === undefined ? count : wholeNumber(values.count),
    trying: (again) => {
      last = again;
    },
    stopped: () => stopping,
  });
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
  for (const { what, again } of violations) {
    process.stderr.write(`${what}\n  again: npm run fuzz -- ${again}\n`);
  }
  const summary = { target: name, seed, cases, violations: violations.length, seconds, tally };
  process.stdout.write(`${JSON.stringify({ ...summary, ...figures })}\n`);
  return violations.length === 0;
}

const [name = '', ...flags] = process.argv.slice(2);
if (!Object.hasOwn(targets, name)) {
  const names = Object.keys(targets).join(' | ');
  process.stderr.write(`usage: npm run fuzz -- ${names} [--seed N] [--count N]\n`);
  process.exit(2);
}
try {
  process.exitCode = (await run(name, flags)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
