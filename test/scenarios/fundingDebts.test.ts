// Who pays when a payer of funding cannot (FUND-3, LIQ-3), the funding of the fund's own positions,
// and accounts that funding ruins (LIQ-5). Where nothing else is said, all positions have stood for
// a whole interval. Trades cost nothing.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

/** Gus, long 10.5 XRP from 100, must pay 90 for each, 945 in all, to 0.7 and 0.3 of the shorts. */
const start = (credit: string) => `
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  credit gus ${credit}
  credit ada 10000
  credit bob 10000
  house ada
  house bob
  index 100
  gus leverage 50
  gus buy 10.5 @ 100
  ada sell 7 @ 100
  bob sell 3.5 @ 100
`;

scenario(
  'FUND-3 LIQ-3 the fund pays what a payer cannot, and the receivers get all of it',
  `
  ${start('45')}
  insurance 1000
  funding whole
  paid gus -45 ada 630 bob 315
  helped gus 900
  # Gus is at nothing: in the same command a quarter of what the fund has left takes over 0.25, the
  # shorts take the rest (LIQ-5).
  takenOver gus 0.25@100
  deleveraged gus ada 7@100 gus bob 3.25@100
  funds insurance 100 shortfall 0
  gus has balance 0 position 0
  rows gus 45 -45
  `,
);

scenario(
  'FUND-3 LIQ-3 the fund pays even when only one unit is missing',
  `
  ${start('944.999999')}
  insurance 1
  funding whole
  paid gus -944.999999 ada 630 bob 315
  helped gus 0.000001
  `,
);

scenario(
  'FUND-3 UNIT-3 when no account pays, no account receives and no residue is left',
  `
  # Gus has lost all that he has by XRP while BTC was silent. At 10:00 he owes 60.0001 x 0.00333333 =
  # 0.20000013.., up, and Mm is owed it, down: one unit more is missing than is owed.
  after 399750
  market BTCUSDT ${free} fundingFactor 0.00333333 fundingIntervalHours 1
  credit gus 180
  credit mm 10000
  house mm
  index 60000.1
  gus leverage 50
  gus buy 0.001 @ 60000.1
  mm sell 0.001 @ 60000.1
  steady 60000.1 for 3594000 every 60000
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  index XRPUSDT 100
  gus leverage 50 XRPUSDT
  gus buy XRPUSDT 2 @ 100
  mm sell XRPUSDT 2 @ 100
  after 5001
  index XRPUSDT 100
  funding whole XRPUSDT
  paid gus -180 mm 180
  gus has balance 0 position 0.001
  after 499
  index 60000.1
  paid gus 0 mm 0
  helped
  funds insurance 0 shortfall 0
  gus has balance 0 position 0
  mm has balance 10180
  `,
);

scenario(
  'FUND-3 LIQ-3 when the fund cannot pay the rest, the receivers share the cut pro rata',
  `
  # 45 + 400 of 945 are there: 630 x 445 / 945 = 296.66.., 315 x 445 / 945 = 148.33.., down; the
  # last unit goes to the fund.
  ${start('45')}
  insurance 400
  funding whole
  paid gus -45 ada 296.666666 bob 148.333333
  helped gus 400
  funds insurance 0.000001 shortfall 0
  `,
);

scenario(
  'FUND-3 UNIT-3 without a fund the receivers share what was collected, rounded down',
  `
  # 44.999999: two thirds are 29.9999993, one third 14.9999996: 0.000001 is left.
  ${start('44.999999')}
  funding whole
  paid gus -44.999999 ada 29.999999 bob 14.999999
  covered
  funds insurance 0.000001 shortfall 0
  `,
);

scenario(
  'FUND-3 with several payers each pays what it can, and the fund helps in account order',
  `
  # Gus 10 long with 40, Hal 10 long with 100: 900 each. The fund has 1000: 860 for Gus, 140 for
  # Hal, who is 660 more short. Ada gets 1800 - 660.
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  credit gus 40
  credit hal 100
  credit ada 10000
  house ada
  insurance 1000
  index 100
  gus leverage 50
  gus buy 10 @ 100
  hal buy 10 @ 100
  ada sell 20 @ 100
  funding whole
  paid gus -40 hal -100 ada 1140
  helped gus 860 hal 140
  funds insurance 0 shortfall 0
  `,
);

/**
 * Anna's 0.004 came to the fund at 58200, the mark being 58400; Ben is short 0.004. Only from then
 * on is there open interest.
 */
const held = (insurance: string) => `
  market BTCUSDT ${free} liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  credit cleo 10000
  credit mm 10000
  house mm
  house anna
  house ben
  insurance ${insurance}
  index 60000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  index 58400
  takenOver anna 0.004@58200
  house ben off
`;

scenario(
  'FUND-1 FUND-3 the position of the fund receives funding and does not count in the rate',
  `
  # Only Ben's short counts: -1 %. 233.6 x 0.01.
  ${held('1000')}
  openInterest 0 0.004
  funding whole
  paid ben -2.336 fund 2.336
  fund has balance 1002.336
  `,
);

scenario(
  'FUND-3 LIQ-4 what the position of the fund receives repays the shortfall first',
  `
  # While BTC is silent the fund is drained of all it has, and Rob, long 10 SOL with 25, is 75 short at
  # 90, of which Pia bears the 40 that she has (LIQ-6a). Since 09:00 the fund has stood against Ben.
  after 399500
  ${held('1000').replace('liquidationFeeRate 0', 'liquidationFeeRate 0 fundingIntervalHours 1')}
  steady 58400 for 3592000 every 60000
  after 5001
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  market SOLUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  market AVAXUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  credit gus 45
  credit rob 25
  credit pia 60
  tick XRPUSDT=100 SOLUSDT=100 AVAXUSDT=100
  gus leverage 50 XRPUSDT
  gus buy XRPUSDT 20 @ 100
  mm sell XRPUSDT 20 @ 100
  funding whole XRPUSDT
  rob leverage 50 SOLUSDT
  pia leverage 50 SOLUSDT
  pia leverage 50 AVAXUSDT
  rob buy SOLUSDT 10 @ 100
  pia sell SOLUSDT 10 @ 100
  pia buy AVAXUSDT 12 @ 100
  ben sell AVAXUSDT 12 @ 100
  tick SOLUSDT=90 AVAXUSDT=90
  fund has balance 0 position 0.004
  funds shortfall 35
  after 2499
  index 58400
  paid ben -2.336 fund 2.336
  # Then what it cannot hold is reduced, with a profit of 0.8.
  reduced ben 0.004@58400
  funds insurance 0 shortfall 31.864
  `,
);

scenario(
  'FUND-3 LIQ-3 the fund pays funding on its position from its balance',
  `
  # Cleo long 0.1 against the house: 0.01 x (0.1 - 0.004) / 0.104 = 0.00923077. The fund pays 233.6
  # x 0.00923077 = 2.156307872, up; Cleo 5840 x 0.00923077 = 53.9076968, up; Ben gets 2.156307872,
  # down, Mm 53.9076968, down: two units are left. It is 16:00.
  after 25599500
  ${held('1000')}
  cleo buy 0.1 @ 58400
  mm sell 0.1 @ 58400
  shows fundingRate 0.00923077
  index 58400
  funding whole
  paid fund -2.156308 cleo -53.907697 ben 2.156307 mm 53.907696
  fund has balance 997.843694
  `,
);

scenario(
  'FUND-3 LIQ-3 when the fund cannot pay its own funding, receivers get less and no shortfall arises',
  `
  # At 58000 the fund is 0.8 down. BTC falls silent, so that the fund keeps its position while Gus
  # drains what it may spend, 999.2: 0.8 are left. At 10:00 it owes by 0.00923077 2.14153864, up:
  # 1.341539 are missing of 53.538466 + 2.141538 that are owed; of what is owed, Ben gets 2.141538 x
  # 54.338465 / 55.680004 = 2.08994.., Mm 53.538466 x the same, both down.
  after 399250
  ${held('1000')
    .replace('liquidationFeeRate 0', 'liquidationFeeRate 0 fundingIntervalHours 1')
    .replace('house ben off', '')}
  index 58000
  house ben off
  cleo buy 0.1 @ 58000
  mm sell 0.1 @ 58000
  steady 58000 for 3590000 every 60000
  after 5001
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  credit gus 45
  index XRPUSDT 100
  gus leverage 50 XRPUSDT
  gus buy XRPUSDT 20 @ 100
  mm sell XRPUSDT 20 @ 100
  funding whole XRPUSDT
  fund has balance 0.8 position 0.004
  after 4749
  index 58000
  paid fund -0.8 cleo -53.538466 ben 2.08994 mm 52.248524
  # Then it has 0.000002 - 0.8: 58000 + 199.9995, up, where it bought.
  deleveraged fund ben 0.004@58200
  covered
  funds insurance 0.000002 shortfall 0
  `,
);

scenario(
  'LIQ-5 OPS-1 an account that fails after operator funding is liquidated in the same command',
  `
  # Long 0.1 from 60000 with 120.6. At 59990 119.6 stand; 59.99 of funding leave 59.61 of 59.99. Sold
  # there: a loss of 1, and 0.5 % of 5999.
  market BTCUSDT ${free}
  credit anna 120.6
  credit mm 10000
  credit cleo 10000
  house mm
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  cleo buy 0.1 @ 59990
  index 59990
  anna has equity 119.6 maintenance 59.99 flagged no
  funding whole
  paid anna -59.99 mm 59.99
  flags anna yes anna no
  liquidated anna cleo 0.1@59990
  charged anna 29.995
  rows anna 120.6 -59.99 -1 -29.995
  anna has position 0 balance 29.615
  `,
);

scenario(
  'LIQ-5 PRC-4 an account that then fails in a market that is not live waits for its next price',
  `
  # Gus, long 0.1 BTC from 60000 and 1 XRP from 100 with 129.9, pays 90 of funding for XRP: 39.9, of 60
  # and 1. XRP is sold, without a fee (LIQ-3c); BTC, silent for 5 s, is left until it ticks.
  market BTCUSDT ${free}
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  credit gus 129.9
  credit mm 10000
  house mm
  tick BTCUSDT=60000 XRPUSDT=100
  gus leverage 50
  gus leverage 50 XRPUSDT
  gus buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  gus buy XRPUSDT 1 @ 100
  mm sell XRPUSDT 1 @ 100
  mm buy XRPUSDT 1 @ 100
  mm buy 0.1 @ 60000
  after 5001
  index XRPUSDT 100
  funding whole XRPUSDT
  paid gus -90 mm 90
  liquidated gus mm 1@100
  charged
  gus has equity 39.9 maintenance 60 position 0.1 flagged yes
  index 60000
  liquidated gus mm 0.1@60000
  charged gus 30
  gus has balance 9.9 flagged no
  `,
);
