// `npm run kills -- [--seed N] [--from N] [--rounds N] [--processes N] [--workers N]
// [--faults a,b]`: real processes on a real PostgreSQL with a standby, under load, with faults that
// a seed draws. It prints a line for each round, ends with one line of JSON, and with exit code 1
// when a promise was broken. SIGTERM to this program alone ends the campaign after the present
// round.

import { parseArgs } from 'node:util';
import { percentile } from '../bench/report.ts';
import { drawFaults, type FaultName, faultNames } from './faults.ts';
import { runRounds } from './runRounds.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function readWhole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least) {
    throw new Error(`--${name} is a whole number from ${least} on, not ${text}`);
  }
  return value;
}

function readFaults(text: string): readonly FaultName[] {
  return text.split(',').map((name) => {
    if (faultNames.includes(name as FaultName)) return name as FaultName;
    throw new Error(`${name} is no fault; there are ${faultNames.join(', ')}`);
  });
}

async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '200' },
      processes: { type: 'string', default: '3' },
      workers: { type: 'string', default: '0' },
      faults: { type: 'string' },
    },
  });
  const options = {
    seed: readWhole('seed', values.seed, 0),
    from: readWhole('from', values.from, 1),
    rounds: readWhole('rounds', values.rounds, 1),
    processes: readWhole('processes', values.processes, 2),
    workers: readWhole('workers', values.workers, 0),
  };
  const among = values.faults === undefined ? faultNames : readFaults(values.faults);
  let stopping = false;
  process.once('SIGTERM', () => {
    stopping = true;
  });
  const began = performance.now();
  const result = await runRounds({
    ...options,
    draw: (prng) => drawFaults(prng, among),
    say,
    isEnough: () => stopping,
  });
  for (const violation of result.violations) process.stderr.write(`${violation}\n`);
  const { pausesMs, violations, ...figures } = result;
  say(
    JSON.stringify({
      ...{ seed: options.seed, from: options.from, ...figures },
      pause_p50_ms: pausesMs.length === 0 ? null : percentile(pausesMs, 0.5),
      pause_max_ms: pausesMs.length === 0 ? null : Math.max(...pausesMs),
      seconds: Math.round((performance.now() - began) / 1000),
      violations: violations.length,
    }),
  );
  return violations.length === 0;
}

try {
  // A round that did not end in its time may still be under way.
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exitCode = 2;
}
