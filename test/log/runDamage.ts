// `node scripts/node24.mjs test/log/runDamage.ts --seed 1 --count 100000`: damage upon damage. Prints
// how often each end was come to; after five broken promises it ends, and has told each.

import { parseArgs } from 'node:util';
import { tryDamage } from './tryDamage.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
  },
});

const violationsMax = 5;
const first = Number(values.seed);
const tally = new Map<string, number>();
let violations = 0;
let cases = 0;
for (; cases < Number(values.count) && violations < violationsMax; cases += 1) {
  let end: string;
  try {
    end = await tryDamage(first + cases);
  } catch (error) {
    violations += 1;
    end = 'BROKEN';
    process.stdout.write(`seed ${first + cases} ${(error as Error).message}\n`);
  }
  tally.set(end, (tally.get(end) ?? 0) + 1);
}
process.stdout.write(`${cases} cases, ${violations} broken promises\n`);
for (const [end, count] of [...tally].sort((a, b) => b[1] - a[1])) {
  process.stdout.write(`  ${count} ${end}\n`);
}
process.exitCode = violations === 0 ? 0 : 1;
