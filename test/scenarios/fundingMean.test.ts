// The rate of funding is the mean of its interval by time (FUND-1b), and the rate that clients see
// is what would be paid if the present stands. The scenarios begin at 08:53:20 UTC, 1760000000000,
// and wait until 09:00; the interval is an hour. What is paid at a rate stands in funding.test.ts.

import { scenario } from './scenario.ts';
import { atFundingCap, hourly } from './stages.ts';

/** At 09:00. */
const three = (terms = '') => `
  after 399750
  market BTCUSDT ${hourly} ${terms}
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
`;

/** Anna long 0.1 against the house: 1 %. */
const start = `
  ${three()}
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
`;

/** The house closes, Ben takes its part: the rate is 0. */
const balanced = 'ben sell 0.1 @ 60000\n  mm buy 0.1 @ 60000';

scenario(
  'FUND-1b attack: a rate is not forced across the boundary by a trade just before it',
  `
  # Eve is long 1, honestly; Ava short 1. A second before 10:00 Bob, who is Ava, buys 0.4 of the house
  # and sells it after. By the imbalance of the moment, 0.4 / 2.4, Eve would pay 100, Ava get 100, and
  # Bob pay 40 and 24 of fees: +36. The mean is a 3600th of it: Ava and Bob lose the fees.
  after 399750
  market BTCUSDT makerFee 0 fundingIntervalHours 1
  credit ava 100000
  credit bob 100000
  credit eve 100000
  credit mm 100000
  house mm
  index 60000
  ava sell 1 @ 60000
  eve buy 1 @ 60000 -> FILLED
  steady 60000 for 3599000 every 1000
  shows fundingRate 0
  mm sell 0.4 @ 60000
  bob buy 0.4 @ 60000 -> FILLED
  # 0.01 x 1/6 x 1 / 3600.
  shows fundingRate 0.00000046
  prices sim=60000 after 1000
  paid bob -0.011112 eve -0.027778 ava 0.027777 mm 0.011111
  funded 1760004000000 0.00000046
  mm buy 0.4 @ 60000
  bob sell 0.4 @ 60000 -> FILLED
  # 24 of fees; 0.027777 won and 0.011112 paid.
  wealth ava bob 199976.016665
  `,
);

scenario(
  'FUND-1b the rate of an interval is known at its boundary, whatever is traded before a price comes',
  `
  # The imbalance was 1 until 10:00. No price comes for 20 s, in which Ben takes the part of the house.
  ${start}
  steady 60000 for 3599500 every 60000
  after 500
  shows fundingDue 1760004000000
  after 10000
  ${balanced}
  # The new interval: 1 for 10 s, now 0.
  shows fundingRate 0.00002778
  after 10000
  shows fundingRate 0.00002778
  index 60000
  # The house held the short until the boundary.
  paid anna -60 ben 0 mm 60
  funded 1760004000000 0.01
  `,
);

scenario(
  'FUND-1b the rate shown is what is paid if the present stands; without open interest it is 0',
  `
  ${three()}
  shows fundingRate 0
  steady 60000 for 900000 every 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  # For three quarters of the hour.
  shows fundingRate 0.0075
  steady 60000 for 900000 every 60000
  shows fundingRate 0.0075
  anna sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  # For one quarter.
  shows fundingRate 0.0025
  steady 60000 for 900000 every 60000
  shows fundingRate 0.0025
  # 0.5 - 0.25 / 0.75 = 1/3 for the last quarter: 0.01 x (1 + 1/3) / 4.
  anna buy 0.5 @ 60000
  mm sell 0.25 @ 60000
  ben sell 0.25 @ 60000
  shows fundingRate 0.00333333
  steady 60000 for 900000 every 60000
  # Of the first quarter 15, of the last 25: 30000 x 0.00333333 / 4, the parts of the shorts half.
  paid anna -39.999975 ben 12.499987 mm 27.499987
  funded 1760004000000 0.00333333
  # And now 1/3 for all of it.
  shows fundingRate 0.00333333
  `,
);

scenario(
  'FUND-1b FUND-3 a market that is listed within an interval pays the part that is left',
  `
  # Listed ten seconds before 09:00: 60 x 10 / 3600.
  ${atFundingCap(389_750)}
  shows fundingRate 0.00002778
  steady 60000 for 10000
  paid anna -0.166667 mm 0.166666
  funded 1760000400000 0.00002778
  `,
);

scenario(
  'FUND-1b OPS-2 a longer interval counts from its own begin, a shorter one for as long as it lasts',
  `
  # 09:30: of eight hours, until 16:00, six and a half are left and half an hour has passed.
  ${start}
  steady 60000 for 1800000 every 60000
  shows fundingRate 0.01
  change fundingIntervalHours 8
  shows fundingRate 0.00875 nextFunding 1760025600000
  # 12:30: an hour again, until 13:00. The interval has lasted four hours, all of them at 1 %.
  steady 60000 for 10800000 every 60000
  shows fundingRate 0.00875
  change fundingIntervalHours 1
  shows fundingRate 0.01 nextFunding 1760014800000
  steady 60000 for 1800000 every 60000
  paid anna -60 mm 60
  funded 1760014800000 0.01
  # The next one is an hour long.
  shows fundingRate 0.01
  steady 60000 for 3600000 every 60000
  paid anna -60 mm 60
  `,
);

scenario(
  'FUND-1b SYM-1 HALT ends no interval, and its time counts; a boundary in HALT pays nothing',
  `
  # 1 for a quarter, in HALT 1 for a quarter, then 0 for half an hour.
  ${start}
  steady 60000 for 900000 every 60000
  change status HALT
  # If it stayed so.
  shows fundingRate 0
  steady 60000 for 900000 every 60000
  change status TRADING
  shows fundingRate 0.01
  ${balanced}
  shows fundingRate 0.005
  steady 60000 for 1800000 every 60000
  paid anna -30 ben 0 mm 30
  funded 1760004000000 0.005
  `,
);

scenario(
  'FUND-1b SYM-2 before a delivery the rate shown is that of the time until it',
  `
  # Half past nine.
  ${start}
  change status CLOSE deliveryTime 1760002200000
  shows fundingRate 0.005
  steady 60000 for 1799000 every 1000
  shows fundingRate 0.005
  prices sim=60000 after 1000
  paid anna -30 mm 30
  settled 60000
  shows fundingRate 0
  `,
);
