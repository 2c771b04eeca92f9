// What the probe of the keeper says of how the chain service stands.

import { expect, test } from 'vitest';
import { liquidationReport } from '../../src/bin/liquidationReport.ts';
import { noFigures } from '../../src/chain/service/startChainThread.ts';

const keeper = {
  ...{ isKeeper: true, pending: 1, submitted: 2, confirmed: 3, failed: 4 },
  ...{ reportedTo: 5, isLate: false },
};
const none = { pending: 0, submitted: 0, confirmed: 0, failed: 0 };

test('OPS-3 the probe is on where the gas account may report', () => {
  const standing = { ...noFigures, gasAccount: '0xaa', block: 7 };
  const off = { enabled: false, keeperAddress: null, submissions: none };
  expect(liquidationReport(undefined)).toEqual({ ...off, lastBlock: null });
  expect(liquidationReport(standing)).toEqual({ ...off, lastBlock: 7 });
  expect(liquidationReport({ ...standing, keeper: { ...keeper, isKeeper: false } })).toEqual({
    ...{ ...off, lastBlock: 7 },
  });
  expect(liquidationReport({ ...standing, keeper })).toEqual({
    ...{ enabled: true, keeperAddress: '0xaa', lastBlock: 7 },
    submissions: { pending: 1, submitted: 2, confirmed: 3, failed: 4 },
  });
});
