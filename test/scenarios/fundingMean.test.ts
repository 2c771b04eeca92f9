// The rate of funding is that of the mean imbalance of its interval (FUND-1b). The scenarios begin at
// 08:53:20 UTC, 1760000000000, 09:00 is 400 s away; the interval is an hour. What is paid at a rate
// stands in funding.test.ts.

import { scenario } from './scenario.ts';

const hourly = 'makerFee 0 takerFee 0 fundingIntervalHours 1';

scenario(
  'FUND-1b attack: a rate is not forced across the boundary by a trade just before it',
  `
  # Eve is long 1, honestly; Ava short 1. A second before 09:00 Bob, who is Ava, buys 0.4 of the house
  # and sells it after. By the imbalance of the moment, 0.4 / 2.4, Eve would pay 100, Ava get 100, and
  # Bob pay 40 and 24 of fees: +36. The mean is a 400th of it: Ava and Bob lose the fees.
  market BTCUSDT makerFee 0 fundingIntervalHours 1
  credit ava 100000
  credit bob 100000
  credit eve 100000
  credit mm 100000
  house mm
  index 60000
  ava sell 1 @ 60000
  eve buy 1 @ 60000 -> FILLED
  steady 60000 for 398750
  shows fundingRate 0
  mm sell 0.4 @ 60000
  bob buy 0.4 @ 60000 -> FILLED
  prices sim=60000 after 1000
  # 0.01 x 1/6 x 1000 / 399750.
  paid bob -0.100063 eve -0.250157 ava 0.250156 mm 0.100062
  funded 1760000400000 0.00000417
  mm buy 0.4 @ 60000
  bob sell 0.4 @ 60000 -> FILLED
  # 24 of fees; 0.250156 won and 0.100063 paid.
  wealth ava bob 199976.150093
  `,
);

scenario(
  'FUND-1b the rate of an interval is known at its boundary, whatever is traded before a price comes',
  `
  # The imbalance was 1 until 09:00. No price comes for 20 s, in which Ben takes the part of the house.
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  steady 60000 for 399250
  after 500
  shows fundingDue 1760000400000
  after 10000
  ben sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  # The new interval: 1 for 10 s, now 0.
  shows fundingRate 0.01
  after 10000
  shows fundingRate 0.005
  index 60000
  # The house held the short until the boundary.
  paid anna -60 ben 0 mm 60
  funded 1760000400000 0.01
  `,
);

scenario(
  'FUND-1b time without open interest does not count, and before any time the moment does',
  `
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  shows fundingRate 0
  steady 60000 for 100000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  # No time has passed.
  shows fundingRate 0.01
  steady 60000 for 100000
  shows fundingRate 0.01
  anna sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  steady 60000 for 100000
  shows fundingRate 0.01
  # 100 s of 1, then of 0.5 - 0.25 / 0.75 = 1/3 for 50 s: 0.01 x (100 + 50/3) / 150.
  anna buy 0.5 @ 60000
  mm sell 0.25 @ 60000
  ben sell 0.25 @ 60000
  steady 60000 for 50000
  shows fundingRate 0.00777778
  `,
);

scenario(
  'FUND-1b OPS-1 OPS-2 a settlement by hand and another length leave the interval as it is',
  `
  # 1 for 200 s, then 0 for 100 s: two thirds.
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  steady 60000 for 200000
  ben sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  steady 60000 for 100000
  funding settle
  # In the 100 s of Ben the rate was 0.
  paid anna -40 ben 0 mm 40
  shows fundingRate 0.00666667
  change fundingIntervalHours 8
  shows fundingRate 0.00666667
  change fundingIntervalHours 1
  steady 60000 for 99750
  # 200 of 399.75 s.
  funded 1760000400000 0.00500313
  shows fundingRate 0
  `,
);

scenario(
  'FUND-1b SYM-1 HALT ends no interval, and its time counts',
  `
  # 1 for 100 s, in HALT 1 for 100 s, then 0 for 199.75 s.
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  steady 60000 for 100000
  change status HALT
  steady 60000 for 100000
  change status TRADING
  ben sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  steady 60000 for 199750
  funded 1760000400000 0.00500313
  `,
);
