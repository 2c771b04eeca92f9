// Goal: the rules pay no attack more than they admit, and the accounting of every scenario is
// whole. Method: 20,000 scenarios in two processes; each asserts that the sources of a gain sum up
// to it and that no money is made or lost.

import { expect, test } from 'vitest';
import { searchAttacks } from '../../sim/attack/attack.ts';
import { readAttackOptions } from '../../sim/attack/attackOptions.ts';
import { scoreOf } from '../../sim/attack/climb.ts';
import { familyNames } from '../../sim/attack/families.ts';

test('BAL-2 MAR-10 FUND-1c FUND-1d 20,000 attacks: every gain has its sources, no gap pays more than admitted', async () => {
  const options = readAttackOptions(['--count', '20000', '--workers', '2', '--seed', '11']);
  const result = await searchAttacks(options);
  expect(result.scenarios).toBeGreaterThanOrEqual(20_000);
  expect(result.families.map(({ family }) => family)).toEqual(familyNames);
  for (const { family, faults, best } of result.families) {
    expect(faults, family).toEqual([]);
    expect(scoreOf(best.played), family).toBeLessThanOrEqual(0);
  }
});
