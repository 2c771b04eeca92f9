// Withdrawals in two phases (NAT-3) and what may be withdrawn (MAR-8).

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import { withdrawalsMax, withdrawalsPerAccountMax } from '../../src/engine/limits.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import type { AccountId, Money, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

/** Anna is short 0.1 from 60000 with 5000; at 79000 she is below maintenance. */
const shortAt72000 = `
  market BTCUSDT maxLeverage 2 maintenanceMarginRate 0.4
  credit anna 5000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  index 66000
  index 72000
`;

scenario(
  'NAT-3 a withdrawal leaves the balance at once and leaves the exchange when it is completed',
  `
  market BTCUSDT
  credit anna 1000
  anna withdraw 400.000001
  anna has available 599.999999 balance 599.999999 withdrawable 599.999999
  funds pendingWithdrawals 400.000001 deposits 1000 withdrawals 0
  withdrawal last complete
  anna has available 599.999999 balance 599.999999
  funds pendingWithdrawals 0 deposits 1000 withdrawals 400.000001
  `,
);

scenario(
  'NAT-3 a released withdrawal goes back to its account',
  `
  market BTCUSDT
  credit anna 1000
  anna withdraw 1000
  anna has available 0
  anna withdraw 0.000001 -> balanceInsufficient "max":0
  withdrawal last release
  anna has available 1000 balance 1000
  funds pendingWithdrawals 0 deposits 1000 withdrawals 0
  `,
);

scenario(
  'NAT-3 withdrawals wait side by side and end in any order',
  `
  market BTCUSDT
  credit anna 1000
  credit ben 500
  anna withdraw 100
  ben withdraw 200
  anna withdraw 300
  funds pendingWithdrawals 600
  withdrawal last release
  withdrawal first complete
  funds pendingWithdrawals 200 withdrawals 100
  anna has balance 900
  ben has balance 300
  `,
);

scenario(
  'NAT-3 withdrawalUnknown: the withdrawal never existed or has ended',
  `
  market BTCUSDT
  credit anna 1000
  withdrawal 1 complete -> withdrawalUnknown
  anna withdraw 100
  anna withdraw 100
  withdrawal first complete
  withdrawal last release
  withdrawal first complete -> withdrawalUnknown
  withdrawal first release -> withdrawalUnknown
  withdrawal last release -> withdrawalUnknown
  funds pendingWithdrawals 0 withdrawals 100
  `,
);

scenario(
  'NAT-3 amountInvalid: the amount is zero or negative',
  `
  market BTCUSDT
  credit anna 1000
  anna withdraw 0 -> amountInvalid
  anna withdraw -0.000001 -> amountInvalid
  `,
);

scenario(
  'MAR-8 balanceInsufficient: money of orders and positions stays, and 10 % of the notional',
  `
  market BTCUSDT
  credit anna 1000
  credit ben 1000
  index 60000
  anna buy 0.1 @ 60000 id x
  # 6000 / 20 x 1.005 = 301.5 are frozen.
  anna has withdrawable 698.5
  ben sell 0.1 @ 60000
  # 300 of collateral, 1.2 of fee; of an equity of 998.8 a tenth of 6000 must stay.
  anna has available 698.8 collateral 300 equity 998.8 withdrawable 398.8
  anna withdraw 398.800001 -> balanceInsufficient "max":398800000
  anna withdraw 398.8
  anna has available 300 equity 600 withdrawable 0
  anna withdraw 0.000001 -> balanceInsufficient "max":0
  `,
);

scenario(
  'MAR-8 a loss stays, a profit cannot be withdrawn, and collateral counts beside freezes',
  `
  market BTCUSDT
  credit anna 1000
  credit ben 1000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 59000
  # 998.8 - 100 less a tenth of 5900.
  anna has equity 898.8 withdrawable 308.8
  # 300 + 291.45 are more than 590.
  anna buy 0.1 @ 58000 id x
  anna has freezes 291.45 available 407.35 withdrawable 307.35
  anna cancel x
  index 64000
  # 1398.8 - 640 are more than what is available.
  anna has equity 1398.8 available 698.8 withdrawable 698.8
  anna withdraw 698.8
  anna has available 0 equity 700
  index 63000
  # A lower mark leaves too little: nothing is withdrawable, and never less than nothing.
  anna has equity 600 withdrawable 0
  `,
);

scenario(
  'MAR-8 UNIT-3 a tenth of the notional is rounded up',
  `
  # 7.001 x 1.003 = 7.022003, a tenth of it 0.7022003.
  market DUSTUSDT makerFee 0 takerFee 0
  credit anna 2
  credit ben 100
  index 1.003
  anna buy 7.001 @ 1.003
  ben sell 7.001 @ 1.003
  anna has withdrawable 1.297799
  `,
);

scenario(
  'MAR-8 UNIT-3 the last unit of the notional may be the one that is rounded up',
  `
  # 7.007 x 1.003 = 7.028021, a tenth of it 0.7028021.
  market DUSTUSDT makerFee 0 takerFee 0
  credit anna 2
  credit ben 100
  index 1.003
  anna buy 7.007 @ 1.003
  ben sell 7.007 @ 1.003
  anna has withdrawable 1.297197
  `,
);

scenario(
  'MAR-8 MAR-7 the unified-margin offset counts like frozen money',
  `
  market BTCUSDT
  credit anna 700
  credit ben 10000
  anna mode unified
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 64000
  # 12000 / 20 x 1.005 = 603 for 398.8 that are available.
  anna buy 0.2 @ 60000 -> NEW
  anna has available 0 freezes 398.8 uncovered 204.2 withdrawable 0
  credit anna 500
  anna has equity 1598.8 withdrawable 500
  index 62000
  # 1398.8 less 300 + 398.8 + 204.2.
  anna has equity 1398.8 available 500 withdrawable 495.8
  anna withdraw 495.800001 -> balanceInsufficient "max":495800000
  anna withdraw 495.8
  `,
);

scenario(
  'MAR-8a when maintenance is above a tenth of the notional, maintenance stays',
  `
  # Short 0.1 from 60000 at leverage 2; at 90000 the loss is 3000, maintenance 0.4 x 9000 = 3600.
  market BTCUSDT maxLeverage 2 maintenanceMarginRate 0.4
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  index 66000
  index 72000
  index 79000
  index 86000
  index 90000
  anna has available 6998.8 collateral 3000 equity 6998.8 maintenance 3600 withdrawable 3398.8
  anna withdraw 3398.8
  # Collateral and a tenth alone would have let 600 more go, and the next tick would have found
  # an equity of 3000 below maintenance.
  index 90000
  anna has position -0.1 equity 3600 maintenance 3600 withdrawable 0
  `,
);

scenario(
  'MAR-8 MAR-8b LIQ-1 balanceInsufficient: an account in liquidation can withdraw nothing',
  `
  ${shortAt72000}
  # 3098.8 is below 3160: flagged; there are no offers, so the position stays.
  index 79000
  anna has equity 3098.8 maintenance 3160 flagged yes
  # Above maintenance again, below 1.2 of it: 3298.8 - 3080 are free, but the flag stands.
  index 77000
  anna has position -0.1 equity 3298.8 maintenance 3080 flagged yes withdrawable 0
  anna withdraw 0.000001 -> balanceInsufficient "max":0
  # 3798.8 is above 1.2 x 2880: the flag falls.
  index 72000
  anna has flagged no withdrawable 798.8
  anna withdraw 798.8
  `,
);

scenario(
  'MAR-8 MAR-7 LIQ-1 the flag ends with the last position, and then everything is withdrawable',
  `
  ${shortAt72000}
  index 79000
  anna has flagged yes withdrawable 0
  # The jumps have made the market reduce-only. Ben sells what Anna closes; no tick comes between.
  ben sell 0.1 @ 79000 reduceOnly
  anna buy 0.1 @ 79000 reduceOnly -> FILLED
  anna has position 0 flagged no balance 3094.85 withdrawable 3094.85
  anna withdraw 94.85
  anna mode isolated
  `,
);

scenario(
  'ID-3 NAT-3 a repeated request with a known key returns the first withdrawal',
  `
  market BTCUSDT
  credit anna 1000
  anna withdraw 100 key k request r
  anna withdraw 100 key k request r -> repeated
  anna has balance 900
  anna withdraw 200 key k request s -> idempotencyConflict
  # Also when it has ended since.
  withdrawal last complete
  anna withdraw 100 key k request r -> repeated
  # Only accepted requests are remembered.
  anna withdraw 1000 key l request r -> balanceInsufficient
  anna withdraw 900 key l request s
  anna has balance 0
  `,
);

scenario(
  'NAT-3 withdrawalsLimit: at most 200 withdrawals of one account wait, so that others find room',
  `
  market BTCUSDT
  credit anna 1000
  credit ben 1000
  ${'anna withdraw 0.000001\n'.repeat(200)}
  anna withdraw 0.000001 -> withdrawalsLimit
  anna withdraw 2000 -> withdrawalsLimit
  ben withdraw 1000
  withdrawal first release
  anna withdraw 1
  anna withdraw 1 -> withdrawalsLimit
  withdrawal last complete
  anna withdraw 1
  `,
);

test('NAT-3 capacityReached: the number of waiting withdrawals is bounded', () => {
  const world = play(createWorld(), 'market BTCUSDT\ncredit anna 1000');
  const { exchange } = world;
  const amount = 1 as Money;
  const none = { idempotencyKey: '', idempotencyRequest: '' };
  for (let count = 0; count < withdrawalsMax; count += 1) {
    const reference = `${count}`;
    const address = `0x${reference.padStart(40, '0')}`;
    if (count % withdrawalsPerAccountMax === 0) {
      applyCommand(
        exchange,
        { kind: 'credit', address, amount: 200 as Money, reference },
        0 as Time,
      );
    }
    const account = (exchange.accounts.length - 1) as AccountId;
    const command = { kind: 'requestWithdrawal', account, amount, ...none } as const;
    expectSame(applyCommand(exchange, command, 0 as Time).kind, 'accepted');
  }
  play(
    world,
    `
    anna withdraw 0.000001 -> capacityReached withdrawals
    withdrawal first release
    anna withdraw 0.000001
    `,
  );
});

test('NAT-3 BAL-3 each phase is an event with the balance after it', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 1000
    anna withdraw 100
    anna withdraw 200
    withdrawal first complete
    withdrawal last release
    `,
  );
  const reported = world.events.flatMap((event) => {
    if (event.kind === 'withdrawalRequested') return [['requested', event.amount, event.balance]];
    if (event.kind !== 'withdrawalResolved') return [];
    return [[event.completed ? 'completed' : 'released', event.amount, event.balance]];
  });
  expect(reported).toEqual([
    ['requested', 100_000_000, 900_000_000],
    ['requested', 200_000_000, 700_000_000],
    ['completed', 100_000_000, 700_000_000],
    ['released', 200_000_000, 900_000_000],
  ]);
});

test('NAT-3 no withdrawal leaves the insurance fund or an account that does not exist', () => {
  const world = play(createWorld(), 'market BTCUSDT\ninsurance 1000');
  const none = { idempotencyKey: '', idempotencyRequest: '' };
  const request = (account: number) =>
    applyCommand(
      world.exchange,
      {
        kind: 'requestWithdrawal',
        account: account as AccountId,
        amount: 1 as Money,
        ...none,
      },
      0 as Time,
    );
  expect(request(insuranceAccount)).toMatchObject({ rejection: { reason: 'fault' } });
  expect(request(1)).toMatchObject({ rejection: { reason: 'accountUnknown' } });
  play(world, 'funds insurance 1000 pendingWithdrawals 0');
});
