// A hundred runs of two processes under drawn faults, and the planted mistakes that few runs
// reveal. `npm run sim -- lease` makes any number of runs.

import { expect, test } from 'vitest';
import { simulateCluster } from './simulateCluster.ts';
import type { Mistake } from './steppedDatabase.ts';

test('two processes under faults keep every promise, in a hundred runs', async () => {
  for (let seed = 1001; seed <= 1100; seed += 1) {
    const { violation } = await simulateCluster({ seed });
    expect(violation, `seed ${seed}`).toBe(undefined);
  }
});

/** With the seed that revealed it when this was written: most runs do not reveal a mistake. */
const mistakes: readonly (readonly [Mistake, number])[] = [
  ['noFence', 321],
  ['takeOverBlindly', 47],
  ['readAfterBarrier', 391],
];

// They show themselves seldom, and handovers would make it rarer.
test.each(mistakes)('the planted mistake %s is found', async (mistake, first) => {
  let found: string | undefined;
  for (let seed = first; seed < first + 600 && found === undefined; seed += 1) {
    found = (await simulateCluster({ seed, mistakes: [mistake], handovers: false })).violation;
  }
  expect(found).toBeTypeOf('string');
});
