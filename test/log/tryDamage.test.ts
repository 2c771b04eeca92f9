// Damage to files is reported or does no harm (tryDamage.ts); `npm run fuzz -- log` tries more of
// it.

import { expect, test } from 'vitest';
import { tryDamage } from './tryDamage.ts';

const cases = 100;

test('a damaged deployment starts unchanged, or a message states what is wrong', async () => {
  const ends = new Map<string, number>();
  for (let seed = 1; seed <= cases; seed += 1) {
    const end = (await tryDamage(seed)).split(':')[0]!;
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  // Damage that no reader meets proves nothing.
  const count = (end: RegExp): number =>
    [...ends].reduce((sum, [name, number]) => sum + (end.test(name) ? number : 0), 0);
  expect(count(/^refused/)).toBeGreaterThan(cases / 5);
  expect(count(/^recovered, whole/)).toBeGreaterThan(cases / 5);
  expect(count(/a snapshot passed over/)).toBeGreaterThan(5);
  expect(count(/damage reported to readers/)).toBeGreaterThan(5);
});
