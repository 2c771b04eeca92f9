// Many runs of three processes with links under drawn faults.

import { expect, test } from 'vitest';
import { simulateProcesses } from './simulateProcesses.ts';

test('three processes with links keep every promise, in three hundred runs', async () => {
  for (let seed = 1001; seed <= 1300; seed += 1) {
    const { violation } = await simulateProcesses({ seed });
    expect(violation, `seed ${seed}`).toBe(undefined);
  }
});
