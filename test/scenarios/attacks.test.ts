// A person with several accounts tries to get more out of the exchange than they paid in. Each
// scenario ends with the person's total wealth: not more than at the start. The conditions are as
// good as possible for the attack: no trading fees, and free choice of every price that a client
// can choose. attacksOnPrices.test.ts has the attacks that use the prices of the exchange.

import { expect, test } from 'vitest';
import { grind } from './grinding.ts';
import { scenario } from './scenario.ts';
import { free } from './stages.ts';

const feeless = `${free} liquidationFeeRate 0 fundingFactor 0`;

scenario(
  'LIQ-5 attack: a liquidation into bids of the same person gains nothing and costs the fee',
  `
  # Ava long 0.1, Bob short 0.1 from 60000, Cyd bids for what Ava is sold, as low as her bankruptcy
  # price of 56000. All that Ava loses Cyd and Bob have; no fee is left to take. At 56300 there is
  # one: 20.
  market BTCUSDT ${free}
  credit ava 400
  credit bob 10000
  credit cyd 10000
  insurance 100000
  index 60000
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  cyd buy 0.05 @ 56000
  cyd buy 0.05 @ 56300
  index 56500
  liquidated ava cyd 0.05@56300 ava cyd 0.05@56000
  charged ava 15
  cyd sell 0.1 @ 56500
  bob buy 0.1 @ 56500
  wealth ava bob cyd 20385
  funds insurance 100015
  `,
);

scenario(
  'LIQ-3 LIQ-5 attack: a takeover gains nothing for a person who also holds the other side',
  `
  # Ava's 0.8 of equity at 58400 go to the fund with her position, at 58200. Then the price returns:
  # it is the fund that gains. Bob, whose short remains, is as he would be.
  market BTCUSDT ${feeless}
  credit ava 7.2
  credit bob 1000
  credit eve 1000
  insurance 1000
  index 60000
  ava leverage 50
  ava buy 0.004 @ 60000
  bob sell 0.004 @ 60000
  index 58400
  takenOver ava 0.004@58200
  wealth ava bob 1006.4
  index 60000
  bob buy 0.004 @ 60000
  eve sell 0.004 @ 60000
  wealth ava bob 1000
  fund has equity 1007.2
  `,
);

scenario(
  'LIQ-5 MAR-4 attack: an account cannot move its margin to another by sales below the market',
  `
  # Ava sells to Bob below the mark until nothing is left, and then lets the price fall. Each sale
  # must leave her maintenance, a reducing one more than nothing; what she loses by them Bob gains.
  market BTCUSDT ${feeless}
  credit ava 200
  credit bob 10000
  credit eve 10000
  insurance 1000
  index 60000
  ava leverage 50
  ava buy 0.1 @ 60000
  eve sell 0.1 @ 60000
  bob buy 0.1 @ 57900
  # 200 - 0.05 x 2100 is above nothing; all of it would be 210, the other half 105 of 95.
  ava sell 0.1 @ 57900 -> marginInsufficient
  ava sell 0.05 @ 57900 -> FILLED
  ava sell 0.05 @ 57900 -> marginInsufficient
  bob cancelAll
  bob buy 0.05 @ 58100.1
  ava sell 0.05 @ 58100.1 -> FILLED
  ava has position 0 balance 0.005
  index 54000
  # Bob holds what Ava bought at 60000: 600 down at 54000, and not a unit of it is the fund's.
  wealth ava bob 9600
  bob sell 0.1 @ 54000
  eve buy 0.1 @ 54000
  wealth ava bob 9600
  eve has balance 10600
  funds insurance 1000 shortfall 0
  `,
);

/** Ava, long, waits for the boundary as near to her maintenance as she may be; Bob is paid. */
const waiting = (terms: string) => `
  market BTCUSDT ${free} liquidationFeeRate 0 ${terms}
  credit ava 120.6
  credit bob 10000
  house bob
  insurance 1000
  index 60000
  ava leverage 50
  bob sell 0.1 @ 60000
  ava buy 0.1 @ 60000 -> FILLED
  index 59388.1
  ava has equity 59.41 maintenance 59.3881 flagged no
  funding whole
  ava has position 0
`;

scenario(
  'FUND-2a attack: a rate up to the maintenance rate costs an account no more than its equity',
  `
  # She pays 59.3881, and nothing is missing that the fund would pay to Bob.
  ${waiting('')}
  events fundingCovered 0
  events lossCovered 0
  wealth ava bob atMost 10120.6
  funds shortfall 0
  `,
);

scenario(
  'FUND-2a attack: remaining risk: with a rate above the maintenance rate the fund pays the rest',
  `
  # Of 5 %, 296.9405, she pays 120.6, all that she has, and is closed where she bought; the fund pays
  # 176.3405 to Bob, who may be the same person.
  ${waiting('fundingFactor 0.05 maxFundingRate 0.05')}
  events fundingCovered 1
  wealth ava bob 10296.9405
  funds insurance 823.6595 shortfall 0
  `,
);

scenario(
  'FUND-2 attack: a pair with both sides pays funding to itself and loses the rounding to the fund',
  `
  # Eve, honest, makes the longs pay: 0.01 x 5 / 5.998 = 0.00833611. Of Ava's and Bob's 0.500497
  # each that is 0.00417219..: up for her, down for him.
  market DUSTUSDT ${free} minOrderSize 0.000001
  credit ava 10
  credit bob 10
  credit eve 10
  credit mm 10
  house mm
  index 1.003
  eve buy 5 @ 1.003
  mm sell 5 @ 1.003
  ava buy 0.499 @ 1.003
  bob sell 0.499 @ 1.003
  funding whole
  wealth ava bob 19.999999
  index 1.003
  funding whole
  wealth ava bob 19.999998
  ava sell 0.499 @ 1.003
  bob buy 0.499 @ 1.003
  wealth ava bob 19.999998
  `,
);

scenario(
  'FUND-3 BAL-4 attack: money frozen in far orders still pays funding and losses, not the fund',
  `
  # Of 1000, 120 hold 0.1 BTC; two bids for 21.89 ETH at 1000, without offers, freeze 439.989
  # each: 0.022 are left. Funding of 60 comes of them and of the collateral; the loss of 500 of what
  # is left of it, 60.022, and of the newer bid.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit ava 1000
  credit bob 10000
  house bob
  insurance 1000
  tick BTCUSDT=60000 ETHUSDT=3000
  ava leverage 50
  ava leverage 50 ETHUSDT
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  ava buy ETHUSDT 21.89 @ 1000 id far
  ava buy ETHUSDT 21.89 @ 1000 id farther
  ava has available 0.022
  funding whole
  paid ava -60 bob 60
  ava has available 0 held 60.022 freezes 879.978
  drift 55000
  bob buy 0.1 @ 55000
  ava sell 0.1 @ 55000 reduceOnly -> FILLED
  ava order farther status CANCELED reason MARGIN
  ava order far status NEW
  # 1000 - 60 - 500.
  ava has balance 440 position 0
  wealth ava bob 11000
  funds insurance 1000 shortfall 0
  `,
);

test('UNIT-3 FUND-2 attack: 20,000 orders of a few lots turn no rounding into a gain', () => {
  for (const [seed, terms] of [
    [1, 'makerFee 0 takerFee 0'],
    [2, 'makerFee -0.0005 takerFee 0.0005'],
    [3, 'makerFee -0.00033333 takerFee 0.00033334 liquidationFeeRate 0'],
  ] as const) {
    const ground = grind({ seed, rounds: 20_000, terms });
    expect(ground.gainMax, terms).toBeLessThanOrEqual(0);
    expect(ground.after).toBeLessThan(ground.before);
    expect(ground.trades).toBeGreaterThan(2000);
    expect(ground.fundings).toBeGreaterThan(400);
  }
});

scenario(
  'TRG-1 FUND-3 attack: two accounts whose triggers fire together only trade with each other',
  `
  # Ava long, Bob short 0.1. Both wait for 59000: her stop sells at 58500 or better, his target buys
  # at the market. Her stop was accepted first: it rests, his target takes it, below the mark. Sum: nothing.
  market BTCUSDT ${free}
  credit ava 10000
  credit bob 10000
  index 60000
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  ava trigger sell 0.1 STOP stop 59000 @ 58500 reduceOnly id hers
  bob trigger buy 0.1 TAKE_PROFIT_MARKET stop 59000 reduceOnly id his
  index 58900
  trades 0.1@60000 0.1@58500
  ava has position 0 balance 9850
  bob has position 0 balance 10150
  wealth ava bob 20000
  `,
);

scenario(
  'LIQ-4 attack: with an exhausted fund a pair deleverages only itself',
  `
  # The fund has 40. Ava long, Bob short 0.1 from 60000, each with 130, alone in the
  # market. 5 % down Ava is at -170: the fund may take 0.000.. lots, Bob's 300 of profit end at
  # Ava's price, 58700: he has her 130 and no more.
  market BTCUSDT ${feeless}
  credit ava 130
  credit bob 130
  insurance 40
  index 60000
  ava leverage 50
  bob leverage 50
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  index 57000
  takenOver
  deleveraged ava bob 0.1@58700
  ava has balance 0
  wealth ava bob 260
  funds insurance 40 shortfall 0
  `,
);

scenario(
  'LIQ-4 attack: a pair with honest counterparties wins no more than the market gave',
  `
  # As before, but Eve is short 0.1 as well and Fay long, honest and rich. Ranked by leverage Bob
  # comes first: he, not Eve, is closed at Ava's price.
  market BTCUSDT ${feeless}
  credit ava 130
  credit bob 130
  credit eve 10000
  credit fay 10000
  index 60000
  ava leverage 50
  bob leverage 50
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  fay buy 0.1 @ 60000
  eve sell 0.1 @ 60000
  index 57000
  deleveraged ava bob 0.1@58700
  wealth ava bob 260
  eve has equity 10300
  fay has equity 9700
  `,
);

scenario(
  'LIQ-1 MAR-7 attack: an isolated liquidation with the hedge in another account gains nothing',
  `
  # Ava isolated, long 0.1 on 120 with 1000 free; Bob, cross, short. 5 % down Ava's position is at
  # -180: it ends at 58800, where its collateral does, and Bob's with it. She keeps her 1000,
  # and his gain is her loss.
  market BTCUSDT ${feeless}
  credit ava 1120
  credit bob 1000
  insurance 40
  ava mode isolated
  index 60000
  ava leverage 50
  ava buy 0.1 @ 60000
  bob sell 0.1 @ 60000
  index 57000
  deleveraged ava bob 0.1@58800
  ava has balance 1000
  bob has balance 1120
  wealth ava bob 2120
  funds insurance 40 shortfall 0
  `,
);

scenario(
  'SYM-2 LIQ-4 attack: an isolated winner shares the deficit of the other account of the same person',
  `
  # At a delivery Ava is 365 short of 495. Bob, isolated, was paid 297 of it, honest Dora 198; the
  # position he won with has ended and has no equity. He gives 0.6 of the 365 all the same.
  market BTCUSDT ${feeless}
  credit ava 130
  credit bob 10000
  credit dora 10000
  bob mode isolated
  after 750
  index 54000
  steady 54000 for 97760
  index 59000
  ava leverage 50
  ava buy 0.1 @ 59000
  bob sell 0.06 @ 59000
  dora sell 0.04 @ 59000
  change status CLOSE deliveryTime 1760000100000
  wealth ava bob 10130
  after 1500
  index 59000
  settled 54050
  shared bob 219 dora 146
  wealth ava bob atMost 10130
  wealth ava bob 10078
  funds shortfall 0
  `,
);
