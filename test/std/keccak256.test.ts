// Keccak-256 against another implementation.

import { keccak_256 } from '@noble/hashes/sha3';
import { expect, test } from 'vitest';
import { keccak256 } from '../../src/std/keccak256.ts';
import { createPrng } from '../../src/std/prng.ts';

test('messages of every length around the size of a block have the hash that others compute', () => {
  const prng = createPrng(1);
  for (let length = 0; length < 420; length += 1) {
    const message = Uint8Array.from({ length }, () => prng.below(256));
    expect(keccak256(message)).toEqual(keccak_256(message));
  }
});
