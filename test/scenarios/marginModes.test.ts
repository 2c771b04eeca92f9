// Margin modes: switching between them, and the collateral of isolated positions (MAR-7).

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { TransferCollateral } from '../../src/engine/command.ts';
import type { Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld } from './world.ts';

/** Anna isolated and long 0.1 from 60000 with 300 of collateral, 1.2 of fee paid. */
const isolated = `
  market BTCUSDT
  credit anna 1000
  credit ben 1000
  anna mode isolated
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has available 698.8 held 300
`;

scenario(
  'MAR-7 an account is cross until it chooses another mode',
  `
  market BTCUSDT
  credit anna 1000
  anna has mode cross
  anna mode isolated
  anna has mode isolated
  anna mode unified
  anna has mode unified
  anna mode cross
  anna has mode cross
  `,
);

scenario(
  'MAR-7 openOrdersPresent: the mode cannot change while an order rests',
  `
  market BTCUSDT
  market ETHUSDT
  credit anna 1000
  index 60000
  index 3000 ETHUSDT
  anna buy 0.1 @ 3000 ETHUSDT id x
  anna mode isolated -> openOrdersPresent
  anna has mode cross
  anna cancel x
  anna mode isolated
  `,
);

scenario(
  'MAR-7 TRG-2 openOrdersPresent: the mode cannot change while a trigger of any route waits',
  `
  market BTCUSDT
  credit anna 1000
  index 60000
  anna trigger buy 0.01 STOP_MARKET stop 65000 id x
  anna mode isolated -> openOrdersPresent
  anna cancelTrigger x
  anna trigger sell 0.01 STOP_MARKET stop 55000 id y algo
  anna mode isolated -> openOrdersPresent
  anna cancelTrigger y
  anna mode isolated
  `,
);

scenario(
  'MAR-7 openPositionsPresent: the mode cannot change while a position is open, in any mode',
  `
  ${isolated}
  anna mode cross -> openPositionsPresent
  anna mode unified -> openPositionsPresent
  ben mode isolated -> openPositionsPresent
  # Orders are reported first.
  anna buy 0.1 @ 50000 id x
  anna mode cross -> openOrdersPresent
  anna cancel x
  ben buy 0.1 @ 60000
  anna sell 0.1 @ 60000
  anna mode cross
  ben mode unified
  `,
);

scenario(
  'MAR-7 a request for the current mode is always accepted and changes nothing',
  `
  ${isolated}
  anna buy 0.1 @ 50000
  anna mode isolated -> accepted
  ben mode cross -> accepted
  anna has mode isolated
  `,
);

scenario(
  'MAR-7 BAL-1 collateral is added from available, and the balance stays the same',
  `
  ${isolated}
  anna collateral 100
  anna has available 598.8 held 400 collateral 400 balance 998.8 crossBalance 598.8
  anna collateral 598.800001 -> balanceInsufficient "max":598800000
  anna collateral 598.8
  anna has available 0 held 998.8 balance 998.8 crossBalance 0
  anna collateral 0.000001 -> balanceInsufficient "max":0
  # A cross account has no collateral of its own to a position.
  ben has balance 997 crossBalance 997
  `,
);

scenario(
  'MAR-7 MAR-9a a removal leaves twice the maintenance, whatever the leverage setting',
  `
  # 0.1 stand behind 30000 of open interest, at 5 %: a maintenance of 300, and 600 of collateral.
  market BTCUSDT openInterestCap 120000 brackets 30000:0.01,120000:0.05 makerFee 0 takerFee 0
  credit anna 1000
  credit ben 1000000
  credit cleo 100000
  house ben
  index 60000
  ben sell 0.6 @ 60000
  cleo buy 0.5 @ 60000
  anna mode isolated
  anna leverage 10
  anna buy 0.1 @ 60000
  anna has collateral 600 maintenance 300
  anna leverage 50
  # The setting asks for 120.
  anna collateral -0.000001 -> balanceInsufficient "max":0
  anna collateral 100
  anna collateral -100.000001 -> balanceInsufficient "max":100000000
  anna collateral -100
  # At 61000 it is 305.
  index 61000
  anna collateral 50
  anna collateral -40.000001 -> balanceInsufficient "max":40000000
  `,
);

scenario(
  'MAR-7 balanceInsufficient: a removal must leave collateral + min(0, unrealised) at the margin',
  `
  ${isolated}
  # All of 300 is needed at 60000.
  anna collateral -0.000001 -> balanceInsufficient "max":0
  anna collateral 100
  index 59500
  # 400 - 50 - 5950 / 20.
  anna collateral -52.500001 -> balanceInsufficient "max":52500000
  # A profit may not leave: 400 - 6100 / 20.
  index 61000
  anna collateral -95.000001 -> balanceInsufficient "max":95000000
  anna collateral -95
  anna has available 693.8 held 305 balance 998.8
  `,
);

scenario(
  'MAR-7 MAR-5 the leverage setting decides what must stay',
  `
  ${isolated}
  anna leverage 50
  # 300 - 6000 / 50.
  anna collateral -180.000001 -> balanceInsufficient "max":180000000
  anna collateral -80
  anna leverage 10
  anna collateral -0.000001 -> balanceInsufficient "max":0
  anna leverage 50
  change maxLeverage 40
  # 220 - 6000 / 40.
  anna collateral -70.000001 -> balanceInsufficient "max":70000000
  anna collateral -70
  anna has held 150
  `,
);

scenario(
  'MAR-7 UNIT-3 the margin that must stay is rounded up',
  `
  # 7.022003 / 20 = 0.35110015, up to 0.351101.
  market DUSTUSDT
  credit anna 10
  credit ben 10
  anna mode isolated
  index 1.003
  anna buy 7.001 @ 1.003
  ben sell 7.001 @ 1.003
  anna has held 0.351101
  anna collateral 0.01
  anna collateral -0.010001 -> balanceInsufficient "max":10000
  anna collateral -0.01
  `,
);

test('MAR-7 accountUnknown, marketUnknown: a transfer needs an existing account and market', () => {
  const world = play(createWorld(), isolated);
  const { exchange } = world;
  const { id: account } = accountOf(world, 'anna');
  const transfer = (given: { account: number; market: number }) => {
    const command = { kind: 'transferCollateral', delta: 1, ...given } as TransferCollateral;
    return applyCommand(exchange, command, 0 as Time);
  };
  const rejected = (reason: string) => ({ kind: 'rejected', rejection: { reason } });
  expect(transfer({ account: 99, market: 0 })).toEqual(rejected('accountUnknown'));
  expect(transfer({ account, market: 1 })).toEqual(rejected('marketUnknown'));
  expect(transfer({ account, market: 0 }).kind).toBe('accepted');
});

scenario(
  'MAR-7 amountInvalid: the amount of a transfer is zero',
  `
  ${isolated}
  anna collateral 0 -> amountInvalid
  `,
);

scenario(
  'MAR-7 marginModeCross: only an isolated position has collateral of its own',
  `
  ${isolated}
  ben collateral 10 -> marginModeCross
  ben collateral -10 -> marginModeCross
  credit clara 1000
  clara mode unified
  clara collateral 10 -> marginModeCross
  `,
);

scenario(
  'MAR-7 positionMissing: collateral needs a position',
  `
  ${isolated}
  market ETHUSDT
  anna collateral 10 ETHUSDT -> positionMissing
  anna leverage 10 ETHUSDT
  anna collateral 10 ETHUSDT -> positionMissing
  ben buy 0.1 @ 60000
  anna sell 0.1 @ 60000
  anna collateral 10 -> positionMissing
  `,
);

scenario(
  'MAR-7 MAR-7a LIQ-1 collateral can be added to a position in liquidation, but not removed',
  `
  # Short 0.1 from 60000, maintenance 45 %: opened at leverage 1 (MAR-9a), then at 2.
  market BTCUSDT maxLeverage 2 maintenanceMarginRate 0.45
  credit anna 7000
  credit ben 10000
  anna mode isolated
  index 60000
  anna leverage 1
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  anna leverage 2
  anna collateral -600
  anna has held 5400
  index 66000
  index 72600
  # 3500 is below 3555: flagged; there are no offers, so the position stays.
  index 79000
  anna has flagged yes
  # 3600 is above 3510, below 1.2 of it.
  index 78000
  anna has position -0.1
  anna collateral -0.000001 -> balanceInsufficient "max":0
  anna collateral 700
  # 4300 is above 4212: the flag falls with the next tick.
  index 78000
  anna has flagged no
  index 71000
  index 65000
  index 60000
  # 6100 - 5400.
  anna collateral -700.000001 -> balanceInsufficient "max":700000000
  anna collateral -700
  `,
);

scenario(
  'MAR-7 LIQ-1 added or removed collateral counts at the next tick',
  `
  # Long 0.1 from 60000 with 300: at 57500 its own equity is 50, its maintenance 57.5.
  ${isolated}
  credit dora 1000
  dora buy 0.1 @ 57100 id bid
  anna collateral 10
  index 57500
  # 60 stand against 57.5.
  anna has position 0.1
  index 60000
  anna collateral -10
  index 57500
  # Sold to the bid, above its bankruptcy price.
  anna has position 0
  dora order bid status FILLED
  `,
);

scenario(
  'LIQ-7 the margin ratio is maintenance / equity, rounded up, 0 without positions',
  `
  market BTCUSDT
  credit anna 1000
  credit ben 1000
  index 60000
  anna has marginRatio 0
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # 60 / 998.8 = 0.0600720865.
  anna has marginRatio 0.06007209
  `,
);

test('MAR-7 a switch and a transfer are events', () => {
  const world = play(createWorld(), isolated);
  play(world, 'anna collateral 100\nanna collateral -40');
  const account = accountOf(world, 'anna').id;
  const kinds = ['marginModeSet', 'collateralTransferred'];
  expect(world.events.filter(({ kind }) => kinds.includes(kind))).toEqual([
    { kind: 'marginModeSet', account, mode: 'isolated' },
    {
      kind: 'collateralTransferred',
      account,
      market: 0,
      delta: 100_000_000,
      collateral: 400_000_000,
    },
    {
      kind: 'collateralTransferred',
      account,
      market: 0,
      delta: -40_000_000,
      collateral: 360_000_000,
    },
  ]);
});
