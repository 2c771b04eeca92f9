// MAR-10c: brackets bound what a gap costs, whatever a crowd does. A longer run:
// node scripts/node24.mjs test/engine/runBracketCrowd.ts

import { expect, test } from 'vitest';
import { runCrowd } from './bracketCrowd.ts';

const seeds = 60;
const commands = 500;

test('MAR-10c lots that entered below a bound never exceed it, nor a hole that of its table', () => {
  const sums = { opened: 0, reduced: 0, closed: 0, turned: 0, forced: 0 };
  let filled = 0;
  let least = 1;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const result = runCrowd({ seed, commands });
    expect(result.violations, `seed ${seed}`).toEqual([]);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
    filled = Math.max(filled, result.filled);
    least = Math.min(least, result.least);
  }
  for (const [name, count] of Object.entries(sums)) {
    expect(count, name).toBeGreaterThan(seeds);
  }
  // The bound is tight: the rates nearly fill it, and accounts come near two thirds of maintenance.
  expect(filled).toBeGreaterThan(0.75);
  expect(least).toBeGreaterThanOrEqual(2 / 3);
  expect(least).toBeLessThan(0.7);
});
