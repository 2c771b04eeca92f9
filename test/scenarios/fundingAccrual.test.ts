// Funding accrues with time (FUND-1c): who pays is who held, for as long as it did. The scenarios
// begin at 08:53:20 UTC, 1760000000000, and wait until 09:00; the interval is an hour.

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { atFundingCap, hourly } from './stages.ts';
import { createWorld } from './world.ts';

/** Eve is long 10 against the house from 09:00 to 09:59:59: the rate is 1 %. */
const crowded = (terms: string) => `
  after 399750
  market BTCUSDT ${terms}
  credit ava 1000000
  credit eve 1000000
  credit mia 1000000
  credit mm 1000000
  house mm
  index 60000
  mm sell 10 @ 60000
  eve buy 10 @ 60000 -> FILLED
  steady 60000 for 3599000 every 1000
`;

scenario(
  'FUND-1c attack: selling just before the boundary and buying back after it takes no funding',
  `
  # Ava sells 4 into Mia's bid a second before 10:00. By what she holds she would get 4 x 60000 x 1 % =
  # 2400, and Mia pay them. By time it is a second of 3600, at the rate of then, 0.01 x 10 / 18; the
  # fees are 240.
  ${crowded('makerFee 0 fundingIntervalHours 1')}
  mia buy 4 @ 60000
  ava sell 4 @ 60000 -> FILLED
  prices sim=60000 after 1000
  paid eve -5999.25926 mia -0.370371 ava 0.37037 mm 5999.25926
  mia sell 4 @ 60000
  ava buy 4 @ 60000 -> FILLED
  wealth ava 999760.37037
  `,
);

scenario(
  'FUND-1c attack: a payer that is gone at the boundary pays for the time in which it held',
  `
  # Eve sells all of it a second before 10:00 and has nothing; she owes 6000 x 3599 / 3600. Mia, who
  # bought it, owes the last second.
  ${crowded(hourly)}
  mia buy 10 @ 60000
  eve sell 10 @ 60000 -> FILLED
  prices sim=60000 after 1000
  paid eve -5998.333334 mia -1.666667 mm 6000
  eve has position 0
  funded 1760004000000 0.01
  `,
);

scenario(
  'FUND-1c attack: an account alone with the house for the last ten seconds gets no whole interval',
  `
  # From 16:00 to 23:59:50 no account but internal ones has a position. Then Eve buys 10 of the house at
  # a bad time, and Ava sells 4. By the time with open interest Ava would get 1,028.5704 for 240 of
  # fees. By the length of the interval it is ten seconds of eight hours.
  after 25599750
  market BTCUSDT makerFee 0
  credit ava 1000000
  credit eve 1000000
  credit mm 1000000
  house mm
  index 60000
  steady 60000 for 28790000 every 60000
  mm sell 10 @ 60000
  eve buy 10 @ 60000 -> FILLED
  mm buy 4 @ 60000
  ava sell 4 @ 60000 -> FILLED
  prices sim=60000 after 10000
  # 0.01 x 6 / 14 = 0.00428571: 600000 and 240000 x that x 10 / 28800.
  paid eve -0.892857 ava 0.357142 mm 0.535713
  funded 1760054400000 0.00000149
  mm sell 4 @ 60000
  ava buy 4 @ 60000 -> FILLED
  # 120 and 120 of fees.
  wealth ava 999760.357142
  `,
);

scenario(
  'FUND-1c OPS-1 what is settled by hand and what is left of the interval make the whole of it',
  `
  # Eve and the house for the hour, Ava and Mia for the second half, at 0.01 x 10 / 18.
  ${crowded(hourly).replace('3599000 every 1000', '1800000 every 60000')}
  funding settle
  paid eve -3000 mm 3000
  funded 1760002200000 0.005
  # At once again: nothing has accrued.
  index 60000
  mia buy 4 @ 60000
  ava sell 4 @ 60000 -> FILLED
  steady 60000 for 899750 every 59983
  funding settle
  # At 1 % 0.25 s, then 899.75 s.
  paid eve -833.519185 mia -333.241008 ava 333.241007 mm 833.519185
  funded 1760003100000 0.0013892
  steady 60000 for 900000 every 60000
  paid eve -833.334 mia -333.3336 ava 333.3336 mm 833.334
  `,
);

scenario(
  'FUND-1c LIQ-3 the fund does not pay what an account owes of lots that it no longer has',
  `
  # Gus, long 10 from 100 at 90 % an hour, sells 9 a second before 10:00 at the mark. He owes 900 less
  # 0.225 and has 100. Of the lot that he still has he owes 90, which he has paid: the short bears 799.775.
  after 399750
  market XRPUSDT ${hourly} fundingFactor 0.9 maxFundingRate 0.9
  credit gus 100
  credit ada 10000
  credit bea 10000
  house ada
  insurance 1000
  index 100
  gus leverage 50
  gus buy 10 @ 100
  ada sell 10 @ 100
  steady 100 for 3599000 every 1000
  bea buy 9 @ 100
  gus sell 9 @ 100
  prices sim=100 after 1000
  paid gus -100 bea -0.225 ada 100.225
  helped
  funds insurance 1000 shortfall 0
  `,
);

scenario(
  'FUND-1c MAR-8 what is owed so far stays when money is withdrawn',
  `
  # Anna holds 1 for half an hour at 1 %: 300.
  after 399750
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 100000
  house mm
  index 60000
  anna buy 1 @ 60000
  mm sell 1 @ 60000
  anna has withdrawable 4000
  steady 60000 for 1800000 every 60000
  anna has withdrawable 3700
  ben buy 1 @ 60000
  anna sell 1 @ 60000
  anna has position 0 available 10000 withdrawable 9700
  anna withdraw 9700.000001 -> balanceInsufficient
  anna withdraw 9700
  steady 60000 for 1800000 every 60000
  paid anna -300 ben -300 mm 600
  anna has balance 0
  `,
);

scenario(
  'FUND-1c MAR-8 what a boundary without a price leaves due is owed beside the interval so far',
  `
  # 600 at 10:00, for which no price comes, and 24 of the next 3600 s.
  after 399750
  market BTCUSDT ${hourly}
  credit anna 10000
  credit mm 100000
  house mm
  index 60000
  anna buy 1 @ 60000
  mm sell 1 @ 60000
  steady 60000 for 3595000 every 1000
  anna has withdrawable 3400.833333
  after 29000
  anna has withdrawable 3396
  `,
);

scenario(
  'FUND-1c SYM-2 a delivery settles what has accrued as its part of the interval',
  `
  # 60 for an hour: 1800 s of 3600.
  ${atFundingCap()}
  change status CLOSE deliveryTime 1760002200000
  steady 60000 for 1799000 every 1000
  prices sim=60000 after 1000
  paid anna -30 mm 30
  settled 60000
  anna has balance 9970
  `,
);

test.each([
  // 100 for half an hour and 50 for the other half.
  { minutes: 30, closed: 50, lots: 75, amount: 45 },
  // 74.5, 61.75 and 87.25.
  { minutes: 30, closed: 51, lots: 75, amount: 44.7 },
  { minutes: 15, closed: 51, lots: 62, amount: 37.05 },
  { minutes: 45, closed: 51, lots: 87, amount: 52.35 },
])(
  'FUND-1c the row of a payment names the mean lots of its hour: $closed of 100 closed after $minutes minutes',
  ({ minutes, closed, lots, amount }) => {
    // Who is short pays at a negative rate.
    for (const side of [1, -1] as const) {
      const [own, other] = side > 0 ? ['buy', 'sell'] : ['sell', 'buy'];
      const world = play(
        createWorld(),
        `
      ${atFundingCap().replace('anna buy', `anna ${own}`).replace('mm sell', `mm ${other}`)}
      steady 60000 for ${minutes * 60_000} every 60000
      anna ${other} ${closed / 1000} @ 60000
      mm ${own} ${closed / 1000} @ 60000
      steady 60000 for ${(60 - minutes) * 60_000} every 60000
      `,
      );
      const paid = world.events.flatMap((event) =>
        event.kind === 'fundingPaid' ? [[event.account, event.lots, event.amount]] : [],
      );
      const due = amount * 1_000_000;
      expect(paid).toEqual([
        [1, side * lots, -due],
        [2, -side * lots, due],
      ]);
    }
  },
);

const bought = 'cleo buy 0.01 @ 60000\nmm sell 0.01 @ 60000';

test.each([
  ['a settled boundary', bought, 'steady 60000 for 3600000 every 60000'],
  ['a boundary in HALT', bought, 'change status HALT\nafter 3600000'],
  ['the operator', bought, 'steady 60000 for 60000\nfunding settle'],
  [
    'who opens while one is due',
    '',
    `steady 60000 for 2999900 every 100\nafter 200\n${bought}\nindex 60000`,
  ],
])(
  'FUND-3 ORD-14 accounts pay by their number, in whatever order they have traded: %s',
  (_, early, end) => {
    const world = play(
      createWorld(),
      `
    ${atFundingCap()}
    credit cleo 10000
    credit dora 10000
    steady 60000 for 600000 every 60000
    dora buy 0.01 @ 60000
    mm sell 0.01 @ 60000
    ${early}
    anna buy 0.01 @ 60000
    mm sell 0.01 @ 60000
    ${end}
    `,
    );
    const rows = world.events.flatMap((event) =>
      // The house is paid, after all who pay.
      event.kind === 'fundingPaid' && event.account !== 2 ? [event.account] : [],
    );
    expect(rows.slice(-3)).toEqual([1, 3, 4]);
  },
);
