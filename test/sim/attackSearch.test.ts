// Goal: a long search is whole: its accounting holds in every scenario, all families are played, and
// no account holds more than it may. Method: 20,000 scenarios in two processes; each asserts that
// the sources of a gain sum up to it and that no money is made or lost.

import { expect, test } from 'vitest';
import { searchAttacks } from '../../sim/attack/attack.ts';
import { readAttackOptions } from '../../sim/attack/attackOptions.ts';
import { familyNames } from '../../sim/attack/families.ts';

test('BAL-2 20,000 attacks: every unit of a gain has a source', async () => {
  const options = readAttackOptions(['--count', '20000', '--workers', '2', '--seed', '11']);
  const result = await searchAttacks(options);
  expect(result.scenarios).toBeGreaterThanOrEqual(20_000);
  expect(result.families.map(({ family }) => family)).toEqual(familyNames);
  for (const { family, faults } of result.families) expect(faults, family).toEqual([]);
});
