// `node scripts/node24.mjs test/scenarios/runGrinding.ts --seed 1 --rounds 1000000`: grinds
// roundings for a given time. Ends with code 1 when an account became richer.

import { parseArgs } from 'node:util';
import { grind } from './grinding.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1000000' },
    terms: { type: 'string', default: 'makerFee 0 takerFee 0' },
  },
});

const { seed, rounds, terms } = values;
const ground = grind({ seed: Number(seed), rounds: Number(rounds), terms });
process.stdout.write(`${JSON.stringify(ground)}\n`);
process.exitCode = ground.gainMax > 0 ? 1 : 0;
