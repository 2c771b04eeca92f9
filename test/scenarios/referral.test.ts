// Referral as it earns (NAT-4): the discount of a referee, the share of its referrer, the claim.
// Codes, bindings and the operator's terms stand in referralBindings.test.ts.

import { expect, test } from 'vitest';
import { positionIn } from '../../src/engine/account.ts';
import { accrueReferrals } from '../../src/engine/clearing/accrueReferral.ts';
import { assertCommandConserves } from '../../src/engine/clearing/conservation.ts';
import { debitFee, payRebate } from '../../src/engine/clearing/debit.ts';
import type { Fill } from '../../src/engine/fill.ts';
import type { MarketId, Money, OrderId } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld, evenLedgers } from './world.ts';

/** Rita has a code, and Anna is bound to it. 0.1 at 60000 costs 1.2 as maker and 3 as taker. */
const start = (terms = '', symbol = 'BTCUSDT') => `
  market ${symbol} ${terms}
  credit rita 100
  credit anna 10000
  credit ben 10000
  rita code RITA
  anna bind RITA
`;

scenario(
  'NAT-4 NAT-4b NAT-4c a referee pays 4 % less of its fees, and its referrer accrues 10 % of them',
  `
  ${start()}
  index 60000
  anna has takerFee 0.00048 makerFee 0.000192
  ben has takerFee 0.0005 makerFee 0.0002
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  # 3 x 0.96 = 2.88, of which 0.288 are for Rita; Ben pays 1.2.
  anna has balance 9997.12
  ben has balance 9998.8
  rita has balance 100 accrued 0.288 accruedToday 0.288 referees 1
  funds feeRevenue 3.792 referralPayable 0.288
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  # As maker 1.2 x 0.96 = 1.152, of which 0.1152.
  anna has balance 9995.968
  rita has balance 100 accrued 0.4032
  funds feeRevenue 7.8288 referralPayable 0.4032
  events referralAccrued 2
  `,
);

test('NAT-4c the event of each fill reports what has accrued in its day', () => {
  const world = play(
    createWorld(),
    `
    ${start()}
    index 60000
    ben sell 0.1 @ 60000
    anna buy 0.1 @ 60000 -> FILLED
    anna sell 0.1 @ 60000
    ben buy 0.1 @ 60000 -> FILLED
    rita has accrued 0.4032 accruedToday 0.4032
    after 86400000
    steady 60000 for 3000
    ben sell 0.1 @ 60000
    anna buy 0.1 @ 60000 -> FILLED
    rita has accruedToday 0.288
    `,
  );
  const reported = world.events.flatMap((event) =>
    event.kind === 'referralAccrued' ? [[event.day, event.amount, event.today]] : [],
  );
  const day = Math.floor(1_760_000_000_000 / 86_400_000);
  expect(reported).toEqual([
    [day, 288_000, 288_000],
    [day, 115_200, 403_200],
    [day + 1, 288_000, 288_000],
  ]);
});

scenario(
  'NAT-4b UNIT-3 the discount lowers the rate, and the fee is then rounded up once',
  `
  # 7.022003 at 0.000192 is 0.001348224.. and at 0.00048 it is 0.00337056..
  ${start('', 'DUSTUSDT')}
  index 1.003
  anna buy 7.001 @ 1.003
  ben sell 7.001 @ 1.003
  anna has balance 9999.998651
  # 10 % of 0.001349 is 0.0001349.
  rita has accrued 0.000134
  ben buy 7.001 @ 1.003
  anna sell 7.001 @ 1.003
  anna has balance 9999.99528
  # 10 % of 0.003371 is 0.0003371.
  rita has accrued 0.000471
  `,
);

scenario(
  'NAT-4b NAT-4c UNIT-3 fills of one lot save no fee, and nothing accrues of them',
  `
  # A lot is 0.001: 0.02 % and 0.05 % of it are 0.0000002 and 0.0000005, each rounded up to a unit.
  ${start('minOrderSize 0.000001', 'DUSTUSDT')}
  index 1
  ben sell 0.001 @ 1
  ben sell 0.001 @ 1
  ben sell 0.001 @ 1
  anna buy 0.003 @ 1 -> FILLED
  anna has balance 9999.999997
  ben has balance 9999.999997
  rita has accrued 0
  funds feeRevenue 0.000006 referralPayable 0
  events traded 3 referralAccrued 0
  `,
);

scenario(
  'NAT-4c a rebate counts against the fee that pays it, and a rebate of a referee earns nothing',
  `
  ${start('makerFee -0.0001')}
  index 60000
  anna has takerFee 0.00048 makerFee -0.0001
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  # 2.88 less 0.6: 10 % of 2.28.
  rita has accrued 0.228
  ben has balance 10000.6
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  anna has balance 9997.72
  rita has accrued 0.228
  funds feeRevenue 4.452 referralPayable 0.228
  `,
);

scenario(
  'NAT-4c both sides of a fill are of referees: each fee counts once, for its own referrer',
  `
  ${start()}
  credit cleo 100
  cleo code CLEO
  ben bind CLEO
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.288
  cleo has accrued 0.1152
  funds feeRevenue 3.6288 referralPayable 0.4032
  `,
);

scenario(
  'NAT-4c ORD-4 a referee that trades with itself accrues both fees, less than they are',
  `
  ${start()}
  index 60000
  anna sell 0.1 @ 60000
  anna buy 0.1 @ 60000 stp NONE -> FILLED
  # 2.88 + 1.152 = 4.032.
  anna has balance 9995.968
  rita has accrued 0.4032
  funds feeRevenue 3.6288
  `,
);

scenario(
  'NAT-4c ORD-4 MAR-3 a referee that pays its own rebate accrues only what remains of its fee',
  `
  ${start('makerFee -0.00048')}
  index 60000
  anna sell 0.1 @ 60000
  anna buy 0.1 @ 60000 stp NONE -> FILLED
  # The rebate is 2.88, and so is the fee: nothing remains.
  anna has balance 10000
  rita has accrued 0
  funds feeRevenue 0 referralPayable 0
  `,
);

scenario(
  'NAT-4c LIQ-8 the fund shares what rebates and referrers have left, down to nothing',
  `
  ${start('makerFee -0.0001 fundFeeShare 1 fundTarget 1000')}
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  funds feeRevenue 2.052 referralPayable 0.228 insurance 0
  after 39750
  funds feeRevenue 0 referralPayable 0.228 insurance 2.052
  rita claim
  funds feeRevenue 0 referralPayable 0 insurance 2.052
  `,
);

scenario(
  'NAT-4c LIQ-1 of a liquidation only the maker pays a fee, and only its referrer accrues',
  `
  market BTCUSDT
  credit rita 100
  rita code RITA
  credit anna 140
  credit ben 10000
  credit cleo 10000
  anna bind RITA
  cleo bind RITA
  index 60000
  anna leverage 50
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.288
  cleo buy 0.1 @ 59110
  index 59110
  liquidated anna cleo 0.1@59110
  # 5911 x 0.000192 = 1.134912, of which 0.113491.
  cleo has balance 9998.865088
  rita has accrued 0.401491
  funds referralPayable 0.401491
  `,
);

scenario(
  'NAT-4c ORD-10 an execution that is taken back accrues nothing',
  `
  ${start()}
  index 60000
  ben sell 0.1 @ 60000
  anna test buy 0.1 @ 60000
  anna buy 0.2 @ 60000 FOK -> REJECTED
  anna buy 100 @ 60000 IOC -> notionalAboveMax
  rita has accrued 0 accruedToday 0
  funds referralPayable 0 feeRevenue 0
  events referralAccrued 0
  `,
);

scenario(
  'NAT-4c only the direct referrer earns, not the one above it',
  `
  market BTCUSDT
  credit rita 100
  credit anna 10000
  credit ben 10000
  rita code RITA
  anna code ANNA
  anna bind RITA
  ben bind ANNA
  index 60000
  credit cleo 10000
  cleo sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  anna has accrued 0.288
  rita has accrued 0
  `,
);

scenario(
  'NAT-4 MAR-6 the discount of a tier comes first, then that of a referee',
  `
  ${start()}
  tiers 0:0:0 1000000:0.1:0.2
  tier anna 1
  index 60000
  # 0.0002 less 10 % less 4 %, 0.0005 less 20 % less 4 %.
  anna has makerFee 0.0001728 takerFee 0.000384
  change takerFee 0.00050001
  # 50001 less 10000 is 40001, less floor(1600.04).
  anna has takerFee 0.00038401
  `,
);

scenario(
  'NAT-4d BAL-3 a claim moves everything that has accrued into available money, as one row',
  `
  ${start()}
  index 60000
  rita claim -> referralNothingToClaim
  anna claim -> referralNothingToClaim
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita claim
  rita has balance 100.288 available 100.288 accrued 0 claimed 0.288
  rows rita 100 0.288
  funds referralPayable 0 feeRevenue 3.792
  rita claim -> referralNothingToClaim
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  rita claim
  rita has balance 100.4032 claimed 0.4032
  rows rita 100 0.288 0.1152
  rita withdraw 100.4032
  `,
);

scenario(
  'NAT-4d referralNothingToClaim: an account without a code has nothing',
  `
  market BTCUSDT
  login dora
  dora claim -> referralNothingToClaim
  `,
);

scenario(
  'NAT-4d what has accrued counts by UTC days',
  `
  # The next day begins 54400000 ms after the start.
  ${start('indexSources manual:1')}
  index 60000 source manual
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita has accruedToday 0.288
  after 54399750
  index 60000 source manual
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.4032 accruedToday 0.1152
  rita claim
  rita has accruedToday 0.1152
  `,
);

test('NAT-4c BAL-4 a fee that is paid in part pays its rebate first, and the rest is shared', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit rita 100
    credit anna 5
    credit ben 1
    rita code RITA
    anna bind RITA
    ben bind RITA
    index 60000
    `,
  );
  const { exchange } = world;
  const [anna, ben] = [accountOf(world, 'anna'), accountOf(world, 'ben')];
  const market = 0 as MarketId;
  const collected = debitFee(exchange, anna, positionIn(anna, market), 6_000_000 as Money);
  expect(collected).toBe(5_000_000);
  const due = 4_500_000 as Money;
  const rebate = payRebate(exchange, ben, positionIn(ben, market), { due, collected });
  const side = { order: 1 as OrderId, pnl: 0 as Money, balance: 0 as Money, position: 0 as never };
  const taker: Fill = { account: anna.id, ...side, fee: collected };
  const maker: Fill = { account: ben.id, ...side, fee: -rebate as Money };
  accrueReferrals(exchange, market, { taker, maker });
  assertCommandConserves(exchange);
  evenLedgers(world);
  // 10 % of the 0.5 that the rebate has left.
  play(world, 'rita has accrued 0.05\nfunds feeRevenue 0.45 referralPayable 0.05');
  // A fee of which nothing could be collected pays nothing.
  accrueReferrals(exchange, market, {
    taker: { ...taker, fee: 0 as Money },
    maker: { ...maker, fee: 0 as Money },
  });
  play(world, 'rita has accrued 0.05');
});
