// The sizes of the heap that a start takes from the memory of its machine.

import { expect, test } from 'vitest';
import { youngMegabytes } from '../../src/bin/relaunchWithHeap.ts';

test.each([
  { memory: 512, young: 16 },
  { memory: 1800, young: 32 },
  { memory: 3580, young: 32 },
  { memory: 3584, young: 64 },
  { memory: 24_000, young: 64 },
])('a machine of $memory MB gives half of new objects $young MB', ({ memory, young }) => {
  expect(youngMegabytes(memory)).toBe(young);
});
