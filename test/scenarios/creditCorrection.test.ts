// Credits that the operator corrects by their reference (OPS-1b): never below zero, and never from
// what a position or an order needs.

import { expect, test } from 'vitest';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld } from './world.ts';

scenario(
  'OPS-1b a correction reduces a credit, and the difference leaves account and deposits',
  `
  market BTCUSDT
  credit anna 1000 reference one
  correct anna one 100.5 reference fix
  anna has available 100.5 balance 100.5
  funds deposits 100.5
  correct anna one 0 reference all
  anna has available 0
  funds deposits 0
  events credited 3
  `,
);

scenario(
  'OPS-1b a correction is done once per reference',
  `
  market BTCUSDT
  credit anna 1000 reference one
  credit anna 500 reference two
  correct anna one 400 reference fix
  correct anna one 400 reference fix -> accepted
  anna has available 900
  correct anna one 300 reference fix -> referenceConflict
  correct anna two 300 reference fix -> referenceConflict
  correct anna two 300 reference one -> referenceConflict
  credit anna 1 reference fix -> referenceConflict
  # The mistake is not made again by who repeats it.
  credit anna 1000 reference one -> referenceConflict
  credit anna 400 reference one -> accepted
  anna has available 900
  `,
);

scenario(
  'OPS-1b a reference is repeated only for the same correction of the same account',
  `
  market BTCUSDT
  credit anna 1000 reference one
  credit anna 5 reference two
  credit ben 400 reference other
  correct anna one 400 reference fix
  # A correction, but of another account.
  correct ben other 400 reference fix -> referenceConflict
  # Of this account, but no correction; nor one of nothing.
  correct anna one 400 reference two -> referenceConflict
  correct anna two 0 reference rest
  correct anna one 400 reference two -> referenceConflict
  # A correction by a single unit is one as well.
  correct anna one 399.999999 reference unit
  correct anna one 399.999999 reference unit -> accepted
  `,
);

scenario(
  'OPS-1b what remains nothing is a credit, and a correction by one unit is none',
  `
  market BTCUSDT
  credit anna 1000 reference one
  correct anna one 999.999999 reference unit
  correct anna unit 0 -> creditUnknown
  correct anna one 0 reference fix
  correct anna one 0 -> amountInvalid
  `,
);

scenario(
  'OPS-1b creditUnknown: the reference names no credit of this account, or a correction',
  `
  market BTCUSDT
  credit anna 1000 reference one
  credit ben 1000 reference other
  insurance 1000 reference fund
  correct anna nothing 1 -> creditUnknown
  correct anna other 1 -> creditUnknown
  correct anna fund 1 -> creditUnknown
  correct anna one 1 reference fix
  correct anna fix 0 -> creditUnknown
  `,
);

scenario(
  'OPS-1b amountInvalid: a correction only reduces a credit, and not below zero',
  `
  market BTCUSDT
  credit anna 1000 reference one
  correct anna one 1000 -> amountInvalid
  correct anna one 1001 -> amountInvalid
  correct anna one -1 -> amountInvalid
  correct anna one 999.999999
  anna has available 999.999999
  `,
);

scenario(
  'OPS-1b balanceInsufficient: a correction takes back only what the account could withdraw',
  `
  market BTCUSDT maintenanceMarginRate 0.01
  credit anna 1000 reference one
  credit anna 5 reference rest
  credit ben 100000
  index 60000
  anna leverage 10
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000
  # A tenth of the notional and the collateral stay.
  correct anna one 0 -> balanceInsufficient
  correct anna one 700
  anna has flagged no
  `,
);

scenario(
  'OPS-1b balanceInsufficient: a correction cannot take back spent or pending money',
  `
  market BTCUSDT
  credit anna 1000 reference one
  anna withdraw 900
  correct anna one 0 -> balanceInsufficient
  correct anna one 899 -> balanceInsufficient
  correct anna one 900
  anna has available 0
  `,
);

scenario(
  'OPS-1b TRG-7 a correction ends the triggers that the remaining equity does not support',
  `
  market BTCUSDT
  index 60000
  credit anna 20 reference one
  anna trigger buy 0.001 STOP_MARKET stop 61000 id a
  anna trigger buy 0.001 STOP_MARKET stop 61000 id b
  correct anna one 19
  anna triggers a
  anna trigger b status CANCELED
  `,
);

test('OPS-1b BAL-2 the corrected amount no longer counts as a deposit', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 1000 reference one
    correct anna one 1 reference fix
    `,
  );
  const { figures, ok } = checkInvariants(world.exchange);
  expect(ok).toBe(true);
  expect(figures.deposits).toBe(1_000_000n);
  const reported = world.events.flatMap((event) =>
    event.kind === 'credited' ? [[event.amount, event.balance, event.reference]] : [],
  );
  expect(reported).toEqual([
    [1_000_000_000, 1_000_000_000, 'one'],
    [-999_000_000, 1_000_000, 'fix'],
  ]);
  expect(accountOf(world, 'anna').available).toBe(1_000_000);
});
