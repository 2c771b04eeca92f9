// `node scripts/node24.mjs test/engine/runBracketCrowd.ts --seed 1 --seeds 1000 --commands 2000`:
// crowds in markets with brackets (MAR-10c), as many as wanted. Ends with code 1 at the first seed
// that breaks the property.

import { parseArgs } from 'node:util';
import { runCrowd } from './bracketCrowd.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1000' },
    commands: { type: 'string', default: '2000' },
  },
});

const first = Number(values.seed);
const commands = Number(values.commands);
const sums = { opened: 0, reduced: 0, closed: 0, turned: 0, forced: 0 };
const most = { filled: 0, bare: 0 };
let least = 1;
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const result = runCrowd({ seed, commands });
  const { violations } = result;
  if (violations.length > 0) {
    process.stdout.write(`${JSON.stringify({ seed, commands, violations })}\n`);
    process.exitCode = 1;
    break;
  }
  for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
  most.filled = Math.max(most.filled, result.filled);
  most.bare = Math.max(most.bare, result.bare);
  least = Math.min(least, result.least);
}
process.stdout.write(`${JSON.stringify({ ...sums, ...most, least })}\n`);
