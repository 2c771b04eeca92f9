// Money from outside for the insurance fund (OPS-1), which repays the shortfall first (LIQ-4).

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { insuranceAddress } from '../../src/engine/marginModes.ts';
import { type Money, type Time, usdt } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld, evenLedgers } from './world.ts';

scenario(
  'OPS-1 a credit of the insurance fund becomes its balance',
  `
  insurance 1000.000001 reference one
  funds insurance 1000.000001 deposits 1000.000001
  insurance 0.999999 reference two
  funds insurance 1001 deposits 1001
  `,
);

scenario(
  'OPS-1 a repeated reference with the same amount gets the same answer, and the fund is credited once',
  `
  insurance 1000 reference one
  insurance 1000 reference one -> accepted
  funds insurance 1000 deposits 1000
  `,
);

scenario(
  'OPS-1 referenceConflict: accounts and the fund share one set of references',
  `
  market BTCUSDT
  insurance 1000 reference one
  insurance 1001 reference one -> referenceConflict
  credit anna 1000 reference one -> referenceConflict
  credit anna 1000 reference two
  credit anna 1000 reference one -> referenceConflict
  insurance 1000 reference two -> referenceConflict
  funds insurance 1000 deposits 2000
  `,
);

scenario(
  'OPS-1 amountInvalid: a credit of the fund is zero or negative',
  `
  insurance 0 -> amountInvalid
  insurance -1 -> amountInvalid
  `,
);

test('OPS-1 OPS-1a LIQ-4 a credit repays the shortfall first', () => {
  const world = play(createWorld(), 'market BTCUSDT\ncredit anna 1000');
  // As if Anna had won an amount that was never paid: money and shortfall balance each other.
  const missing = (30 * usdt) as Money;
  accountOf(world, 'anna').available = (1030 * usdt) as Money;
  world.exchange.funds.shortfall = missing;
  evenLedgers(world);
  play(
    world,
    `
    insurance 20
    funds insurance 0 shortfall 10 deposits 1020
    insurance 15
    funds insurance 5 shortfall 0 deposits 1035
    `,
  );
  const reported = world.events.flatMap((event) =>
    event.kind === 'insuranceCredited' ? [[event.amount, event.balance]] : [],
  );
  expect(reported).toEqual([
    [20_000_000, 0],
    [15_000_000, 5_000_000],
  ]);
});

test('OPS-1 a credit or a flag cannot name the address of the fund', () => {
  const { exchange } = play(createWorld(), 'insurance 1000');
  const commands: Command[] = [
    { kind: 'credit', address: insuranceAddress, amount: usdt, reference: 'one' },
    { kind: 'flagAccount', address: insuranceAddress, house: false, feeTier: undefined },
  ];
  for (const command of commands) {
    const outcome = applyCommand(exchange, command, 0 as Time);
    expect(outcome).toMatchObject({ rejection: { reason: 'fault' } });
  }
  expect(exchange.accounts[0]).toMatchObject({ available: 1000 * usdt, house: true });
});
