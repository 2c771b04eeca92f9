// A few cases of the targets of cost and of work in every test run. Costs are compared with a plain
// request of the same run and may be ten times their budget. No noise of the machine makes a
// request that expensive when it is read only once.

import { expect, test } from 'vitest';
import { createCostTarget } from '../../fuzz/costTarget.ts';
import { createWorkTarget } from '../../fuzz/workTarget.ts';

const margin = 10;

test.runIf(process.platform === 'linux')(
  'no request costs the trading thread many times its budget',
  async () => {
    const target = createCostTarget({ margin, makers: 8, violationsMax: 20 });
    const report = await target({ seed: 1, count: 130, trying: () => {}, stopped: () => false });
    expect(report.violations).toEqual([]);
    expect(report.cases).toBeGreaterThan(5);
  },
);

test('no command costs the engine many times the weight that it is charged', async () => {
  const target = createWorkTarget({ margin });
  const report = await target({ seed: 1, count: 8, trying: () => {}, stopped: () => false });
  expect(report.violations).toEqual([]);
});
