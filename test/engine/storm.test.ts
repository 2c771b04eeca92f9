// Command storms over a small world (stormWorld.ts), every command watched (stormWatch.ts).

import { expect, test } from 'vitest';
import { createWatch, step } from './stormWatch.ts';
import { createStorm, drawCommand } from './stormWorld.ts';

const seeds = 24;
const commandsPerSeed = 10_000;

test('BAL-2 BAL-3 MAR-1 MAR-2 MAR-4 MAR-7 ORD-6 ORD-10 LIQ-5 storms of commands', {
  timeout: 400_000,
}, () => {
  const totals = new Map<string, number>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const watch = createWatch(createStorm(seed));
    for (let index = 0; index < commandsPerSeed; index += 1) {
      const command = drawCommand(watch.storm);
      step(watch, command, index % 4 === 0);
      expect(watch.failures, `seed ${seed}, command ${index}: ${JSON.stringify(command)}`).toEqual(
        [],
      );
    }
    for (const [name, number] of [...watch.counts, ...watch.rejections]) {
      totals.set(name, (totals.get(name) ?? 0) + number);
    }
  }
  // A storm in which nothing happens proves nothing.
  const atLeast = { traded: 15_000, orderModified: 10_000, SELF_TRADE: 1000, COUNTDOWN: 100 };
  const bites = { MARGIN: 100, REDUCE_ONLY: 100, orderCut: 100, profitRealized: 20, OI_CAP: 1 };
  const risks = { liquidationFlagged: 300, takenOver: 100, deleveraged: 100, LIQUIDATION: 100 };
  const rest = { triggerFired: 1000, fundingPaid: 2000, collateralTransferred: 100 };
  for (const [name, least] of Object.entries({ ...atLeast, ...bites, ...risks, ...rest })) {
    expect(totals.get(name) ?? 0, name).toBeGreaterThanOrEqual(least);
  }
});
