// Command storms over a small world (stormWorld.ts), every command watched (stormWatch.ts).

import { expect, test } from 'vitest';
import { createWatch, step } from './stormWatch.ts';
import { createStorm, drawCommand } from './stormWorld.ts';

// More of them are drawn by `npm run fuzz`.
const seeds = 7;
const commandsPerSeed = 10_000;

test('BAL-2 BAL-3 MAR-1 MAR-2 MAR-4 MAR-7 MAR-9 ORD-6 ORD-10 LIQ-5 storms of commands', () => {
  const totals = new Map<string, number>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const watch = createWatch(createStorm(seed));
    for (let index = 0; index < commandsPerSeed; index += 1) {
      const command = drawCommand(watch.storm);
      step(watch, command, index % 4 === 0);
      // Asking the runner after every command would take a fifth of the time.
      if (watch.failures.length === 0) continue;
      const where = `seed ${seed}, command ${index}: ${JSON.stringify(command)}`;
      expect(watch.failures, where).toEqual([]);
    }
    for (const [name, number] of [...watch.counts, ...watch.rejections]) {
      totals.set(name, (totals.get(name) ?? 0) + number);
    }
  }
  // A storm in which nothing happens proves nothing. About half of what these seeds reach.
  const orders = { traded: 2520, orderModified: 3920, SELF_TRADE: 448, COUNTDOWN: 33 };
  const cuts = { MARGIN: 112, REDUCE_ONLY: 100, orderCut: 95, OI_CAP: 1 };
  const brackets = { leverageAboveBracket: 560, positionLimitExceeded: 67 };
  const risks = { liquidationFlagged: 84, takenOver: 28, deleveraged: 25, LIQUIDATION: 22 };
  const money = {
    fundingPaid: 1120,
    collateralTransferred: 67,
    profitRealized: 1,
    feesShared: 140,
  };
  const reached = { ...orders, ...cuts, ...brackets, ...risks, ...money, triggerFired: 340 };
  for (const [name, least] of Object.entries(reached)) {
    expect(totals.get(name) ?? 0, name).toBeGreaterThanOrEqual(least);
  }
});
