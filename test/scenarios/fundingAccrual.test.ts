// Funding accrues with time (FUND-1c): who pays is who held, for as long as it did. The scenarios begin
// at 08:53:20 UTC, 1760000000000, 09:00 is 400 s away; the interval is an hour.

import { scenario } from './scenario.ts';

const hourly = 'makerFee 0 takerFee 0 fundingIntervalHours 1';

/** Eve is long 10 against the house: the rate is 1 %. */
const crowded = (terms: string) => `
  market BTCUSDT ${terms}
  credit ava 1000000
  credit eve 1000000
  credit mia 1000000
  credit mm 1000000
  house mm
  index 60000
  mm sell 10 @ 60000
  eve buy 10 @ 60000 -> FILLED
  steady 60000 for 398750
`;

scenario(
  'FUND-1c attack: selling just before the boundary and buying back after it takes no funding',
  `
  # Ava sells 4 into Mia's bid a second before 09:00. By what she holds she would get 4 x 60000 x 1 % =
  # 2400, and Mia pay them. By time it is a second of 399.75, at the rate of then, 0.01 x 10 / 18; the
  # fees are 240.
  ${crowded('makerFee 0 fundingIntervalHours 1')}
  mia buy 4 @ 60000
  ava sell 4 @ 60000 -> FILLED
  prices sim=60000 after 1000
  paid eve -5993.329171 mia -3.335421 ava 3.33542 mm 5993.32917
  mia sell 4 @ 60000
  ava buy 4 @ 60000 -> FILLED
  wealth ava 999763.33542
  `,
);

scenario(
  'FUND-1c attack: a payer that is gone at the boundary pays for the time in which it held',
  `
  # Eve sells all of it a second before 09:00 and has nothing; she owes 6000 x 398.75 / 399.75. Mia, who
  # bought it, owes the last second.
  ${crowded(hourly)}
  mia buy 10 @ 60000
  eve sell 10 @ 60000 -> FILLED
  prices sim=60000 after 1000
  paid eve -5984.99062 mia -15.009381 mm 6000
  eve has position 0
  funded 1760000400000 0.01
  `,
);

scenario(
  'FUND-1c LIQ-3 the fund does not pay what an account owes of lots that it no longer has',
  `
  # Gus, long 10 from 100 at 90 % an hour, sells 9 with a loss of 0 and withdraws nothing: he owes all of
  # 900 and has 100. Of the lot that he still has he owes 90, which he has paid: the short bears 800.
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
  steady 100 for 399499
  bea buy 9 @ 100
  gus sell 9 @ 100
  prices sim=100 after 251
  paid gus -100 bea -0.508593 ada 100.508592
  helped
  funds insurance 1000.000001 shortfall 0
  `,
);

scenario(
  'FUND-1c MAR-8 what is owed so far stays when money is withdrawn',
  `
  # Anna held 1 for 180 s at 1 %: 600 x 180 / 399.75 are owed at 09:00 if the open interest stays.
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 100000
  house mm
  index 60000
  anna buy 1 @ 60000
  mm sell 1 @ 60000
  steady 60000 for 180000
  anna has withdrawable 3729.831144
  ben buy 1 @ 60000
  anna sell 1 @ 60000
  anna has position 0 available 10000 withdrawable 9729.831144
  anna withdraw 9729.831145 -> balanceInsufficient
  anna withdraw 9729.831144
  steady 60000 for 219750
  paid anna -270.168856 ben -329.831145 mm 600
  anna has balance 0
  `,
);

scenario(
  'FUND-1c SYM-2 a delivery settles what has accrued as its part of the interval',
  `
  # 60 for an hour: 99.75 s of 3600.
  market BTCUSDT ${hourly}
  credit anna 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  change status CLOSE deliveryTime 1760000100000
  steady 60000 for 98750
  prices sim=60000 after 1000
  paid anna -1.6625 mm 1.6625
  settled 60000
  anna has balance 9998.3375
  `,
);
