// Credits of the operator (OPS-1) and the balance they become (BAL-1, BAL-2).

import { expect, test } from 'vitest';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld } from './world.ts';

scenario(
  'OPS-1 BAL-1 a credit creates the account and becomes its available balance',
  `
  market BTCUSDT
  credit anna 1000.000001 reference one
  anna has available 1000.000001 freezes 0 collateral 0 balance 1000.000001
  credit anna 0.999999 reference two
  anna has available 1001
  events accountCreated 1 credited 2
  `,
);

scenario(
  'OPS-1 a repeated reference with the same amount gets the same answer and is credited once',
  `
  market BTCUSDT
  credit anna 1000 reference one
  credit anna 1000 reference one -> accepted
  anna has available 1000
  `,
);

scenario(
  'OPS-1 referenceConflict: a known reference comes with another amount or account',
  `
  market BTCUSDT
  credit anna 1000 reference one
  credit anna 1001 reference one -> referenceConflict
  credit ben 1000 reference one -> referenceConflict
  anna has available 1000
  `,
);

scenario(
  'OPS-1 amountInvalid: the amount is zero or negative',
  `
  market BTCUSDT
  credit anna 0 -> amountInvalid
  credit anna -1 -> amountInvalid
  `,
);

scenario(
  'OPS-1 BAL-2a capacityReached: the sum owed to all accounts has a bound, exact to the unit',
  `
  market BTCUSDT
  credit anna 4000000000 reference one
  insurance 499999999.999998
  credit ben 0.000003 -> capacityReached owed
  insurance 0.000003 -> capacityReached owed
  credit ben 0.000002
  credit anna 0.000001 -> capacityReached owed
  insurance 0.000001 -> capacityReached owed
  # What was credited before is answered again.
  credit anna 4000000000 reference one
  # It is owed as long as it is pending, and no more when it has left.
  anna withdraw 1000
  anna withdraw 1
  credit ben 0.000001 -> capacityReached owed
  withdrawal last release
  credit ben 0.000001 -> capacityReached owed
  withdrawal first complete
  credit ben 1000.000001 -> capacityReached owed
  credit ben 1000
  ben has available 1000.000002
  `,
);

test('BAL-2 balances and funds less entry notional always equal the deposits', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT makerFee -0.0001
    credit anna 10000
    credit ben 10000.000003
    index 60000
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    index 61000
    anna sell 0.03 @ 61000 id x
    ben buy 0.03 @ 61000
    `,
  );
  const { figures } = checkInvariants(world.exchange);
  // 7000000 units lie in fees of 3 - 0.6 + 0.915 - 0.183; Anna won 30 of what Ben lost.
  expect(figures.deposits).toBe(20_000_000_003n);
  expect(figures.feeRevenue).toBe(3_132_000n);
  expect(figures.balances).toBe(20_000_000_003n - 3_132_000n);
  expect(figures.entries).toBe(0n);
  expect(figures.difference).toBe(0n);
  expect(accountOf(world, 'anna').available).toBeGreaterThan(0);
});
