// `npm run contracts:forge -- [--runs N] [--depth N] [--seed N]`: random sequences of calls of the
// vault by forge, with the invariants of contracts/forge after each call; then the same, shorter,
// of the vault with each mistake of mutants.ts. Prints each broken promise and one line
// of JSON. Exit code 1 when the vault breaks one, or a mistake that must be found is not.

import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import { mutated } from './mutated.ts';
import { runForge } from './runForge.ts';

const numberOption = (standard: string) => ({ type: 'string', default: standard }) as const;
const { values } = parseArgs({
  options: { runs: numberOption('300'), depth: numberOption('300'), seed: numberOption('1') },
});
const [runs, depth, seed] = [Number(values.runs), Number(values.depth), Number(values.seed)];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const begun = performance.now();
const { held, broken } = runForge({ runs, depth, seed });
const seconds = Math.round((performance.now() - begun) / 1000);
for (const { name, reason } of broken) say(`broken: ${name}: ${reason}`);
say(
  `${held.length} invariants held over ${runs} sequences of ${depth} calls each, in ${seconds} s`,
);

const missed: string[] = [];
for (const mutant of mutants) {
  const found = runForge({ runs: 150, depth: 300, seed, changed: mutated(mutant) }).broken;
  const text = `${mutant.file}: ${mutant.right} → ${mutant.wrong}`;
  say(`${found.length === 0 ? 'survives' : `found (${found[0]!.reason})`}: ${text}`);
  if (found.length === 0 && !mutant.isBeyondForge) missed.push(text);
}
const beyond = mutants.filter(({ isBeyondForge }) => isBeyondForge).length;
say(
  JSON.stringify({
    broken: broken.length,
    mutants: mutants.length - beyond,
    missed: missed.length,
  }),
);
process.exitCode = broken.length + missed.length === 0 ? 0 : 1;
