// `npm run sim -- lease --from A --count N`: many runs of two processes on one log, under drawn
// faults of their database. `npm run sim -- links` does the same with three processes and links
// between them. It stops at the first violation, prints the command that repeats it, and ends with
// one line of JSON.

import { createProgress } from '../../src/std/progress.ts';
import { simulateProcesses } from '../../test/link/simulateProcesses.ts';
import { simulateCluster } from '../../test/log/postgres/simulateCluster.ts';
import { readNamed, readWhole } from '../life/lifeArguments.ts';

type Simulated = {
  readonly violation: string | undefined;
  readonly faults: Readonly<Record<string, number>>;
};

/** Gives whether no run had a violation. */
export const runLeaseSeeds = (args: readonly string[]): Promise<boolean> =>
  runSeeds('lease', args, (seed) => simulateCluster({ seed }));

/** The same for processes with links. */
export const runLinkSeeds = (args: readonly string[]): Promise<boolean> =>
  runSeeds('links', args, (seed) => simulateProcesses({ seed }));

async function runSeeds(
  name: string,
  args: readonly string[],
  simulate: (seed: number) => Promise<Simulated>,
): Promise<boolean> {
  const named = readNamed(args, ['--from', '--count']);
  const from = readWhole(named.get('--from') ?? '1', '--from');
  const count = readWhole(named.get('--count') ?? '300', '--count');
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const progress = createProgress({ what: 'runs', total: count });
  const faults: Record<string, number> = {};
  let found: string | undefined;
  let seed = from;
  for (; seed < from + count && found === undefined; seed += 1) {
    const run = await simulate(seed);
    found = run.violation;
    for (const [fault, times] of Object.entries(run.faults)) {
      faults[fault] = (faults[fault] ?? 0) + times;
    }
    progress.reached(seed - from + 1);
  }
  progress.end();
  if (found !== undefined) {
    say(found);
    say(`npm run sim -- ${name} --from ${seed - 1} --count 1`);
  }
  say(JSON.stringify({ simulation: name, seeds: seed - from, violation: found ?? null, faults }));
  return found === undefined;
}
