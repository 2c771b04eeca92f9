// A short run of keepCopies.ts; runLocalCopies.ts makes the long one.

import { expect, test } from 'vitest';
import { keepCopies } from './keepCopies.ts';

test.each([12, 13, 14])(
  'WS-1 WS-2 copies that survive disconnections equal the state, seed %i',
  async (seed) => {
    const { messages, drops, resumed, resets, heard } = await keepCopies(seed, 8000);
    expect(messages).toBeGreaterThanOrEqual(8000);
    expect(drops).toBeGreaterThan(100);
    expect(resumed - resets).toBeGreaterThan(500);
    const states = ['NEW', 'PENDING', 'FINISHED', 'CANCELED', 'EXPIRED', 'FAILED'];
    expect(heard).toEqual(
      new Set([...heard, 'figures', ...states.map((each) => `trigger ${each}`)]),
    );
  },
);
