// Who pays when a payer of funding cannot (FUND-3, LIQ-3), and the funding of the fund's own
// positions. The boundary is set by the operator: now. Trades cost nothing.

import { scenario } from './scenario.ts';

const free = 'makerFee 0 takerFee 0';

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
  'FUND-3 LIQ-3 what a payer lacks the fund pays, and the receivers get all of it',
  `
  ${start('45')}
  insurance 1000
  funding settle
  paid gus -45 ada 630 bob 315
  helped gus 900
  funds insurance 100 shortfall 0
  gus has balance 0 position 10.5
  `,
);

scenario(
  'FUND-3 LIQ-3 what the fund does not have the receivers lack, pro rata',
  `
  # 45 + 400 of 945 are there: 630 x 445 / 945 = 296.66.., 315 x 445 / 945 = 148.33.., down; the
  # last unit goes to the fund.
  ${start('45')}
  insurance 400
  funding settle
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
  funding settle
  paid gus -44.999999 ada 29.999999 bob 14.999999
  covered
  funds insurance 0.000001 shortfall 0
  `,
);

scenario(
  'FUND-3 several payers: each pays what it can, the fund helps in the order of accounts',
  `
  # Gus 10 long with 40, Hal 10 long with 100: 900 each. The fund has 1000: 860 for Gus, 140 for
  # Hal, who lacks 660 more. Ada gets 1800 - 660.
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
  funding settle
  paid gus -40 hal -100 ada 1140
  helped gus 860 hal 140
  funds insurance 0 shortfall 0
  `,
);

/** Anna's 0.004 came to the fund at 58200, the mark being 58400; Ben is short 0.004. */
const held = (insurance: string) => `
  market BTCUSDT ${free} liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  credit cleo 10000
  credit mm 10000
  house mm
  insurance ${insurance}
  index 60000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  index 58400
  takenOver anna 0.004@58200
`;

scenario(
  'FUND-1 FUND-3 the position of the fund receives, and is not counted in the rate',
  `
  # Only Ben's short counts: -1 %. 233.6 x 0.01.
  ${held('1000')}
  openInterest 0 0.004
  funding settle
  paid ben -2.336 fund 2.336
  fund has balance 1002.336
  `,
);

scenario(
  'FUND-3 LIQ-3 the position of the fund pays from its balance',
  `
  # Cleo long 0.1 against the house: 0.01 x (0.1 - 0.004) / 0.104 = 0.00923077. The fund pays 233.6
  # x 0.00923077 = 2.156307872, up; Cleo 5840 x 0.00923077 = 53.9076968, up; Ben gets 2.156307872,
  # down, Mm 53.9076968, down: two units are left.
  ${held('1000')}
  cleo buy 0.1 @ 58400
  mm sell 0.1 @ 58400
  shows fundingRate 0.00923077
  funding settle
  paid fund -2.156308 cleo -53.907697 ben 2.156307 mm 53.907696
  fund has balance 997.843694
  `,
);

scenario(
  'FUND-3 LIQ-3 what the fund itself cannot pay the receivers lack: no shortfall',
  `
  # At 58000 the fund is 0.8 down; Gus drains what it may spend, 999.2: 0.8 are left of it. At
  # 0.00923077 it owes 2.14153864, up: 1.341539 lack of 53.538466 + 2.141538 that are owed; of what
  # is owed, Ben gets 2.141538 x 54.338465 / 55.680004 = 2.08994.., Mm 53.538466 x the same, both
  # down.
  ${held('1000')}
  index 58000
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  credit gus 45
  index XRPUSDT 100
  gus leverage 50 XRPUSDT
  gus buy XRPUSDT 20 @ 100
  mm sell XRPUSDT 20 @ 100
  funding settle XRPUSDT
  fund has balance 0.8
  cleo buy 0.1 @ 58000
  mm sell 0.1 @ 58000
  funding settle
  paid fund -0.8 cleo -53.538466 ben 2.08994 mm 52.248524
  covered
  funds insurance 0.000002 shortfall 0
  `,
);
