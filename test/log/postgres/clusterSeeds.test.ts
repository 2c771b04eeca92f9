// Many runs of two processes under drawn faults, and the planted mistakes that need many.

import { expect, test } from 'vitest';
import { simulateCluster } from './simulateCluster.ts';
import type { Mistake } from './steppedDatabase.ts';

test('two processes under faults keep every promise, in three hundred runs', async () => {
  for (let seed = 1001; seed <= 1300; seed += 1) {
    const { violation } = await simulateCluster({ seed });
    expect(violation, `seed ${seed}`).toBe(undefined);
  }
});

const mistakes: readonly Mistake[] = ['noFence', 'takeOverBlindly', 'readAfterBarrier'];

// They show themselves seldom, and handovers would make it rarer.
test.each(mistakes)('the planted mistake %s is found', async (mistake) => {
  let found: string | undefined;
  for (let seed = 1; seed <= 600 && found === undefined; seed += 1) {
    found = (await simulateCluster({ seed, mistakes: [mistake], handovers: false })).violation;
  }
  expect(found).toBeTypeOf('string');
});
