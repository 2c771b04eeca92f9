// Fee tiers by volume and by the operator's word (MAR-6), and what they demand of rebates (MAR-3).
// A scenario begins at 08:53:20 UTC, 54400000 ms before the next day. The price is the operator's,
// which a gap of days does not hold up (PRC-2).

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import { addVolume, tierOf, volumeOf } from '../../src/engine/clearing/fees.ts';
import { feeTiersMax, moneyMax } from '../../src/engine/limits.ts';
import type { Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld } from './world.ts';

const start = `
  market BTCUSDT indexSources manual:1
  tiers 0:0:0 10000:0.1:0.05 20000:1:0.5
  credit anna 100000
  credit ben 100000
  index 60000 source manual
`;

scenario(
  'MAR-6 volume as maker and as taker gives the tier of the next UTC day',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # 12000 each, at the base rates: 2.4 and 6.
  anna has tier 0 volume 0 makerFee 0.0002 takerFee 0.0005 balance 99997.6
  ben has balance 99994
  after 54399749
  anna has tier 0 volume 0
  after 1
  anna has tier 1 volume 12000 makerFee 0.00018 takerFee 0.000475
  ben has tier 1 volume 12000
  index 60000 source manual
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # 6000 x 0.00018 = 1.08, 6000 x 0.000475 = 2.85.
  anna has balance 99996.52
  ben has balance 99991.15
  funds feeRevenue 12.33
  # What is traded today does not count today.
  anna has tier 1 volume 12000
  after 86400000
  anna has tier 1 volume 18000
  `,
);

scenario(
  'MAR-6 the volume of a day counts for the fourteen days after it',
  `
  ${start}
  anna buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  # 14 days.
  after 1209600000
  anna has tier 1 volume 12000
  after 86400000
  anna has tier 0 volume 0
  `,
);

scenario(
  'MAR-6 the days of the window are counted one by one',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  after 259200000
  index 60000 source manual
  anna buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  anna has volume 6000 tier 0
  after 86400000
  anna has volume 18000 tier 1
  index 60000 source manual
  anna buy 0.3 @ 60000
  ben sell 0.3 @ 60000
  after 86400000
  anna has volume 36000 tier 2
  # The first day falls out on the fifteenth after it, then the others.
  after 777600000
  anna has volume 36000
  after 86400000
  anna has volume 30000
  index 60000 source manual
  anna buy 0.001 @ 60000
  ben sell 0.001 @ 60000
  anna has volume 30000
  after 172800000
  anna has volume 30060 tier 2
  after 86400000
  anna has volume 18060 tier 1
  after 86400000
  anna has volume 60 tier 0
  `,
);

scenario(
  'MAR-6 the operator sets the lowest tier of an account, and it holds at once',
  `
  ${start}
  tier anna 2
  anna has tier 2 makerFee 0 takerFee 0.00025 volume 0
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has balance 100000
  ben has balance 99997
  tier anna 1
  anna has tier 1
  anna buy 0.4 @ 60000
  ben sell 0.4 @ 60000
  after 86400000
  # 30000 are worth more than the operator's word.
  anna has tier 2
  tier anna 0
  anna has tier 2
  `,
);

scenario(
  'MAR-6 MAR-6b feeTiersInvalid: the operator names a tier that is not in the table',
  `
  ${start}
  tier anna 3 -> feeTiersInvalid there are tiers 0…2
  tier anna -1 -> feeTiersInvalid
  tier anna 0.5 -> feeTiersInvalid
  tier anna 2
  # In a shorter table it is the last one.
  tiers 0:0:0 10000:0.1:0.05
  anna has tier 1
  tiers 0:0:0 10000:0.1:0.05 20000:1:0.5
  anna has tier 2
  `,
);

scenario(
  'MAR-6 MAR-6b a new table holds at once, with the volume of the days before',
  `
  ${start}
  anna buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  tiers 0:0:0 5000:0.2:0.2
  anna has tier 0
  after 86400000
  anna has tier 1 takerFee 0.0004
  tiers 0:0:0 12000:0.3:0.3
  anna has tier 1 takerFee 0.00035
  tiers 0:0:0 12000.000001:0.3:0.3
  anna has tier 0 takerFee 0.0005
  index 60000 source manual
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # The tier of an account that has traded today is found anew, too.
  anna has tier 0
  tiers 0:0:0 12000:0.3:0.3
  anna has tier 1 takerFee 0.00035
  `,
);

scenario(
  'MAR-6 UNIT-3 a discount is rounded down: rate = base - floor(base x discount)',
  `
  # 0.00050001 x 0.5 = 0.000250005.
  market BTCUSDT takerFee 0.00050001
  credit anna 1000
  tiers 0:0:0 1:0.5:0.5
  tier anna 1
  anna has takerFee 0.00025001 makerFee 0.0001
  tiers 0:0:0 1:1:1
  anna has takerFee 0 makerFee 0
  `,
);

scenario(
  'MAR-6 MAR-3 a rebate has no discount',
  `
  market BTCUSDT makerFee -0.0001
  tiers 0:0:0 1:1:0.5
  credit anna 1000
  tier anna 1
  anna has makerFee -0.0001 takerFee 0.00025
  `,
);

scenario(
  'MAR-3 termsInvalid feeTiersInvalid: maker + taker is not below 0 for any pair of tiers',
  `
  referral off
  market BTCUSDT makerFee -0.0002
  # 0.0005 x 0.4 = 0.0002 pays the rebate exactly.
  tiers 0:0:0 1000:0:0.60002 -> feeTiersInvalid BTCUSDT: maker + taker not below 0 for every pair of tiers, for a referee too
  tiers 0:0:0 500:0:0.1 1000:0:0.6
  change takerFee 0.0004 -> termsInvalid makerFee maker + taker not below 0 for every pair of fee tiers, for a referee too
  change makerFee -0.00020001 -> termsInvalid makerFee
  market ETHUSDT makerFee -0.00020001 -> termsInvalid makerFee
  market ETHUSDT makerFee -0.0002
  change makerFee -0.0001 takerFee 0.00025
  `,
);

scenario(
  'MAR-6 MAR-6a feeTiersInvalid: a table begins at 0 without discounts, ascends, and never takes back',
  `
  market BTCUSDT
  tiers -> feeTiersInvalid
  tiers 1:0:0 -> feeTiersInvalid
  tiers 0:0.1:0 -> feeTiersInvalid the first tier begins at 0 and has no discount
  tiers 0:0:0.1 -> feeTiersInvalid
  tiers 0:0:0 0:0.1:0.1 -> feeTiersInvalid volumes ascend
  tiers 0:0:0 2:0.1:0.1 1:0.2:0.2 -> feeTiersInvalid
  tiers 0:0:0 1:0.2:0.1 2:0.1:0.1 -> feeTiersInvalid discounts never fall from one tier to the next
  tiers 0:0:0 1:0.1:0.2 2:0.1:0.1 -> feeTiersInvalid
  tiers 0:0:0 1:1.00000001:0 -> feeTiersInvalid
  tiers 0:0:0 1:0:-0.1 -> feeTiersInvalid
  tiers 0:0:0 1:0:-0.00000001 -> feeTiersInvalid discounts are rates from 0 to 1
  tiers 0:0:0 9007199254.740991:1:1
  tiers 0:0:0
  `,
);

test('MAR-6 MAR-6a feeTiersInvalid: volumes are whole units, discounts whole rates', () => {
  const { exchange } = createWorld();
  const detailOf = (minVolume: number, discount: number): unknown => {
    const first = { minVolume: 0, makerDiscount: 0, takerDiscount: 0 };
    const second = { minVolume, makerDiscount: discount, takerDiscount: discount };
    const command = { kind: 'setFeeTiers', tiers: [first, second] } as never;
    const outcome = applyCommand(exchange, command, 0 as Time);
    return outcome.kind === 'rejected' ? outcome.rejection : outcome.kind;
  };
  const reported = (detail: string) => ({ reason: 'feeTiersInvalid', detail });
  expect(detailOf(1.5, 0)).toEqual(reported('volumes are amounts'));
  expect(detailOf(2 ** 53, 0)).toEqual(reported('volumes are amounts'));
  expect(detailOf(1, 0.5)).toEqual(reported('discounts are rates from 0 to 1'));
  expect(detailOf(1, 1)).toBe('accepted');
});

test('MAR-6 feeTiersInvalid: the number of tiers in a table is bounded', () => {
  const table = (length: number): string =>
    Array.from({ length }, (_, index) => `${index}:0:0`).join(' ');
  play(
    createWorld(),
    `
    tiers ${table(feeTiersMax)}
    tiers ${table(feeTiersMax + 1)} -> feeTiersInvalid
    `,
  );
});

scenario(
  'MAR-6 ORD-4 a trade with itself counts in no tier',
  `
  ${start}
  anna buy 0.2 @ 60000
  anna sell 0.2 @ 60000 stp NONE -> FILLED
  anna has position 0
  after 86400000
  anna has volume 0 tier 0
  `,
);

scenario(
  'MAR-6 ORD-10 a tentative execution that is undone adds no volume',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  after 86400000
  index 60000 source manual
  # On the new day the trial of a killed FOK rolls the days and is taken back.
  anna buy 0.1 @ 60000
  ben sell 0.2 @ 60000 FOK -> REJECTED
  ben test sell 0.1 @ 60000 -> accepted
  anna has volume 6000
  after 86400000
  anna has volume 6000
  ben has volume 6000
  `,
);

test('MAR-6 trades of an undone tentative execution add no volume', () => {
  const world = play(
    createWorld(),
    `${start}
    anna buy 0.2 @ 60000
    ben sell 0.2 @ 60000
    after 86400000
    index 60000 source manual
    ben sell 0.1 @ 60000`,
  );
  const before = structuredClone(accountOf(world, 'anna').volume);
  play(world, 'anna buy 0.2 @ 60000 FOK -> REJECTED');
  expect(accountOf(world, 'anna').volume).toEqual(before);
  play(world, 'anna buy 0.1 @ 60000 FOK -> FILLED');
  expect(accountOf(world, 'anna').volume).toMatchObject({ today: 6_000_000_000, tier: 1 });
});

test('MAR-6 MAR-6c volume beyond the largest number stays at that bound', () => {
  const world = play(createWorld(), `${start}`);
  const { exchange } = world;
  const account = accountOf(world, 'anna');
  for (let day = 0; day < 3; day += 1) {
    addVolume(exchange, account, moneyMax);
    addVolume(exchange, account, moneyMax);
    expect(account.volume.today).toBe(moneyMax);
    exchange.time = (exchange.time + 86_400_000) as Time;
  }
  expect(volumeOf(exchange, account)).toBe(moneyMax);
  expect(tierOf(exchange, account)).toBe(2);
});

scenario(
  'MAR-6 volume older than fourteen days does not come back with the next trade',
  `
  # Days 0 and 1, then nothing for twenty days.
  market BTCUSDT makerFee 0 takerFee 0 fundingFactor 0
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  after 86400000
  ${'prices sim=60000 after 1000\n'.repeat(3)}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  after 1728000000
  anna has volume 0
  ${'prices sim=60000 after 1000\n'.repeat(3)}
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  after 86400000
  anna has volume 600
  `,
);
