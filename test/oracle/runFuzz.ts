// `node scripts/node24.mjs test/oracle/runFuzz.ts --seed 1 --scenarios 100000`: the engine against
// its oracle; with `--vault` their money lies in a vault. Prints how often each path was taken; at
// a difference the shortest scenario found.

import { parseArgs } from 'node:util';
import { runScenario } from './fuzz.ts';
import { tellDifference } from './tellDifference.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    scenarios: { type: 'string', default: '1000' },
    differences: { type: 'string', default: '1' },
    vault: { type: 'boolean', default: false },
  },
});

const first = Number(values.seed);
const scenarios = Number(values.scenarios);
const differencesMax = Number(values.differences);
const totals = new Map<string, number>();
let commands = 0;
let differences = 0;
let done = 0;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const started = process.hrtime.bigint();
for (let seed = first; seed < first + scenarios && differences < differencesMax; seed += 1) {
  const scenario = runScenario(seed, values.vault);
  done += 1;
  commands += scenario.steps.length;
  for (const [name, number] of scenario.tally) totals.set(name, (totals.get(name) ?? 0) + number);
  if (scenario.difference === undefined) continue;
  differences += 1;
  say(tellDifference(scenario));
}
const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
say(`${done} scenarios, ${commands} commands, ${differences} differences, ${seconds} s`);
for (const [name, number] of [...totals].sort()) say(`  ${name} ${number}`);
process.exitCode = differences === 0 ? 0 : 1;
