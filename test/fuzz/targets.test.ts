// A few cases of every target of the fuzzer in every test run; campaigns are `npm run fuzz`.

import { expect, test } from 'vitest';
import { openTarget } from '../../fuzz/targets.ts';

test.each([
  ['http', 400],
  ['raw', 100],
  ['lane', 4000],
  ['frames', 400],
  ['tokens', 2000],
  ['signatures', 150],
  ['hmac', 5000],
  ['signer', 2000],
  ['decimals', 10_000],
])('%s: %i cases break no promise', async (name, count) => {
  const target = await openTarget(name);
  const report = await target({ seed: 1, count, trying: () => {}, stopped: () => false });
  expect(report.violations).toEqual([]);
  expect(report.cases).toBe(count);
});
