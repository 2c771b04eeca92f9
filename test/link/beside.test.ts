// What stands beside a batch comes back as it was, and bytes that are none are refused.

import { expect, test } from 'vitest';
import { type Beside, decodeBeside, encodeBeside } from '../../src/link/beside.ts';
import { LinkBreach } from '../../src/link/frameReader.ts';
import { createPrng } from '../../src/std/prng.ts';

function draw(seed: number): Beside[] {
  const prng = createPrng(seed);
  return Array.from({ length: prng.below(40) }, () => ({
    origin:
      prng.below(2) === 0 ? undefined : { process: `p${prng.below(3)}`, number: prng.below(99) },
    charge:
      prng.below(2) === 0
        ? undefined
        : { account: prng.below(5), key: prng.below(3), window: 10_000 * prng.below(4) },
  }));
}

test('origins and charges come back in the order of their commands', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const besides = draw(seed);
    expect(decodeBeside(encodeBeside(besides), besides.length)).toEqual(besides);
  }
});

test('without an origin and a charge there are no bytes, and a missing entry is an empty one', () => {
  expect(encodeBeside([undefined, {}, undefined]).length).toBe(0);
  expect(decodeBeside(Buffer.alloc(0), 2)).toEqual([{}, {}]);
  const charge = { account: 1, key: 0, window: 10_000 };
  expect(decodeBeside(encodeBeside([undefined, { charge }]), 2)).toEqual([
    { origin: undefined, charge: undefined },
    { origin: undefined, charge },
  ]);
});

test('orders of one key in one window cost two bytes each', () => {
  const charge = { account: 1, key: 2, window: 10_000 };
  const sizeOf = (count: number): number =>
    encodeBeside(Array.from({ length: count }, () => ({ charge }))).length;
  expect(sizeOf(1001) - sizeOf(1)).toBe(2000);
});

test('bytes that were cut, altered or belong to another count are refused', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const besides = draw(seed);
    const bytes = encodeBeside(besides);
    if (bytes.length === 0) continue;
    for (let end = 1; end < bytes.length; end += 1) {
      expect(() => decodeBeside(bytes.subarray(0, end), besides.length)).toThrow(LinkBreach);
    }
    expect(() => decodeBeside(Buffer.concat([bytes, Buffer.of(0)]), besides.length)).toThrow();
    expect(() => decodeBeside(bytes, besides.length + 1)).toThrow(LinkBreach);
  }
});
