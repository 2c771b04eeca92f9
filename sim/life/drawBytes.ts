// Bytes in place of secrets, drawn from a run's seed: the same seed gives the same keys.

import type { Prng } from '../../src/std/prng.ts';

export function drawBytes(prng: Prng, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = prng.below(256);
  return bytes;
}
