// Bytes as secrets would be, drawn from a run's chance: the same seed, the same keys.

import type { Prng } from '../../src/std/prng.ts';

export function drawBytes(prng: Prng, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = prng.below(256);
  return bytes;
}
