// A hundred runs of three processes with links under drawn faults. `npm run sim -- links` makes any
// number.

import { expect, test } from 'vitest';
import { simulateProcesses } from './simulateProcesses.ts';

test('three processes with links keep every promise, in a hundred runs', async () => {
  for (let seed = 1001; seed <= 1100; seed += 1) {
    const { violation } = await simulateProcesses({ seed });
    expect(violation, `seed ${seed}`).toBe(undefined);
  }
});
