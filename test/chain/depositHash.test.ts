// The hash of deposits, twice: by viem, which the service uses and the contract's tests compare
// with its events, and by the engine, which can load no package (VLT-2).

import { expect, test } from 'vitest';
import { depositHash as byChain, noDeposits } from '../../src/chain/depositHash.ts';
import { depositHash as byEngine, noDeposits as none } from '../../src/engine/depositHash.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Money } from '../../src/units/units.ts';

test('VLT-2 engine and service compute the same hash of any deposits', () => {
  expect(none).toBe(noDeposits);
  const prng = createPrng(3);
  let before = noDeposits;
  for (let index = 1; index < 300; index += 1) {
    const digits = Array.from({ length: 40 }, () => prng.below(16).toString(16)).join('');
    const account = `0x${digits}` as const;
    const units = Math.floor(prng.unit() * 2 ** prng.below(54)) as Money;
    const place = index === 299 ? 2 ** 52 + 7 : index;
    const hash = byChain(before, BigInt(place), { account, units: BigInt(units) });
    expect(byEngine(before, { index: place, address: account, units })).toBe(hash);
    before = hash;
  }
});
