// A simulated run of the whole exchange is a function of its seed. lifeMistakes.test.ts holds that
// it finds mistakes, lifeSeeds.test.ts that the program makes none.

import { expect, test } from 'vitest';
import { readLife } from '../../sim/life/lifeArguments.ts';
import { resultLine } from '../../sim/life/resultLine.ts';
import { type LifeResult, runLife } from '../../sim/life/runLife.ts';

const live = (seed: number, ...args: string[]): Promise<LifeResult> =>
  runLife(readLife(seed, args));

test('the same seed gives the same run', async () => {
  const args = ['--commands', '500', '--faults', 'kill,duplicated,slowDisk'];
  const once = await live(15, ...args);
  const again = await live(15, ...args);
  expect(once.violations).toEqual([]);
  expect(once.kills).toBeGreaterThan(0);
  expect(resultLine(again)).toBe(resultLine(once));
});

test('another seed gives another run', async () => {
  const one = await live(8, '--commands', '300', '--faults', 'none');
  const other = await live(9, '--commands', '300', '--faults', 'none');
  expect(one.violations).toEqual([]);
  expect(other.violations).toEqual([]);
  expect(one.stateHash).not.toBe(other.stateHash);
});
