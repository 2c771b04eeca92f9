// A delivery (SYM-2): the price, who is paid, who pays and who pays instead; and what else becomes
// of positions when the operator changes a market (OPS-2, MAR-5, MAR-8). When a delivery is due
// is in marketTimers.test.ts. The scenarios begin at 1760000000000; trades cost nothing.

import { scenario } from './scenario.ts';
import { atFundingCap, fallenMean, freeOfFunding } from './stages.ts';

scenario(
  'SYM-2 orders end as DELISTING, triggers as EXPIRED, and positions are realised at the mean',
  `
  # 60000 for 19.875 s, 60300 for as long; the tick that settles, at 61000, is none of the hour's. Anna, long 0.1 from
  # 60000, gains 15, Ben loses them.
  market BTCUSDT ${freeOfFunding}
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 50000 id bid
  anna trigger sell 0.1 STOP_MARKET stop 50000 reduceOnly id stop
  anna trigger sell close TAKE_PROFIT_MARKET stop 90000 algo id target
  change status CLOSE deliveryTime 1760000040000
  anna sell 0.05 @ 70000 reduceOnly id out
  anna cancel out
  after 19625
  index 60300
  after 19625
  events marketSettled 0
  index 61000
  settled 60150
  delivered anna 15 ben -15
  anna order bid status CANCELED reason DELISTING
  anna trigger stop status EXPIRED
  anna trigger target status EXPIRED
  anna has balance 10015 available 10015 position 0 entry 0 orders 0
  ben has balance 9985 available 9985 position 0
  shows status CLOSE
  `,
);

scenario(
  'SYM-2 UNIT-1 the mean is a whole tick, half to even',
  `
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  tick BTCUSDT=60000 ETHUSDT=3000.01
  tick BTCUSDT=60000.1 ETHUSDT=3000.02 after 19875
  change status CLOSE deliveryTime 1760000040000
  change status CLOSE deliveryTime 1760000040000 ETHUSDT
  tick BTCUSDT=60000 ETHUSDT=3000 after 19875
  # 600000.5 and 300001.5 ticks.
  settled 60000 3000.02
  `,
);

scenario(
  'SYM-2 UNIT-3 a profit and a loss of one unit are realised as well',
  `
  # 0.001 from 1.003 at (1.003 + 1.005) / 2.
  market DUSTUSDT ${freeOfFunding} minOrderSize 0.000001
  credit anna 10
  credit ben 10
  index 1.003
  anna buy 0.001 @ 1.003
  ben sell 0.001 @ 1.003
  change status CLOSE deliveryTime 1760000040000
  after 19625
  index 1.005
  after 19625
  index 1.005
  settled 1.004
  delivered anna 0.000001 ben -0.000001
  anna has balance 10.000001
  ben has balance 9.999999
  `,
);

scenario(
  'SYM-2 without an index in the last hour the settling index is the price',
  `
  # The hour before 1760007600000 is silent.
  market BTCUSDT ${freeOfFunding}
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  change status CLOSE deliveryTime 1760007600000
  after 7599750
  steady 66000 for 2000
  events marketSettled 0
  prices sim=66000 after 1000
  settled 66000
  anna has balance 10600
  `,
);

const fallen = fallenMean(
  'credit anna 130\n  credit ben 10000\n  credit dora 10000\n  credit cleo 10000',
);

scenario(
  'SYM-2 LIQ-3 LIQ-4 the fund pays for a loser first, then the winners pro rata to their profit',
  `
  # Anna loses 495 and has 130. Of the 365 the fund pays its 100; Ben won 297, Dora 198: 265 x 0.6
  # and 265 x 0.4.
  ${fallen}
  insurance 100
  after 1500
  index 59000
  settled 54050
  delivered ben 297 dora 198 anna -495
  covered anna 100 265 0
  shared ben 159 dora 106
  anna has balance 0
  ben has balance 10138
  dora has balance 10092
  funds insurance 0 shortfall 0
  `,
);

scenario(
  'SYM-2 LIQ-4 MAR-7 a winner in isolated mode gives its share too, from what it was just paid',
  `
  # Ben's position has ended and is worth nothing; the 297 are available. 365 x 0.6 and 365 x 0.4.
  ${fallen.replace('credit cleo', 'ben mode isolated\n  credit cleo')}
  after 1500
  index 59000
  delivered ben 297 dora 198 anna -495
  shared ben 219 dora 146
  covered anna 0 365 0
  ben has balance 10078 available 10078
  dora has balance 10052
  funds shortfall 0
  `,
);

scenario(
  'SYM-2 BAL-3 each loser has a row of what the fund and then others paid, in account order',
  `
  # Emil, long 0.02 on 26, is 73 short as well. The fund has 400: all of 365, then 35. Ben won 297, Dora
  # 198, Cleo 99: of 38 that is 19, 12.666.., 6.333.., the last unit of the largest.
  ${fallen.replace(
    '  change status',
    `  credit emil 26
  insurance 400
  emil leverage 50
  emil buy 0.02 @ 59000
  cleo sell 0.02 @ 59000
  change status`,
  )}
  after 1500
  index 59000
  delivered ben 297 dora 198 cleo 99 anna -495 emil -99
  shared ben 19.000001 dora 12.666666 cleo 6.333333
  covered anna 365 0 0 emil 35 38 0
  rows anna 130 -495 365
  rows emil 26 -99 73
  rows cleo 10000 99 -6.333333
  funds insurance 0 shortfall 0
  `,
);

scenario(
  'SYM-2 LIQ-4 no winner gives more than its profit or falls below zero, and the rest is shortfall',
  `
  # Ben has lost all but 50 with ETH: long 50 from 3000, down 199.0 each. Of 365 his share would be
  # 219, he can give 50; Dora's 146 become her whole 198. 117 stay unpaid. Ben is then at nothing
  # and, ETH ticking too, closed in the same command.
  ${fallen.replace('credit ben 10000', 'credit ben 9703')}
  ben leverage 50 ETHUSDT
  ben buy ETHUSDT 50 @ 3000
  cleo sell ETHUSDT 50 @ 3000
  after 1250
  tick BTCUSDT=59000 ETHUSDT=2801
  settled 54050
  shared ben 50 dora 198
  covered anna 0 248 117
  deleveraged ben cleo 50@2801
  anna has balance 0
  ben has balance 0
  dora has balance 10000
  funds shortfall 117
  `,
);

scenario(
  'SYM-2 BAL-4 a loser pays with its orders and positions in other markets before others pay',
  `
  # Anna has 700 more: ETH, 1 long from 3000 and 100 up, on 60, and a bid that freezes 50.25. 495
  # come of 719.75 that are available; nothing else is touched.
  ${fallen}
  credit anna 700
  anna leverage 50 ETHUSDT
  anna buy ETHUSDT 1 @ 3000
  cleo sell ETHUSDT 1 @ 3000
  anna buy ETHUSDT 2.5 @ 1000 id bid
  after 1500
  tick BTCUSDT=59000 ETHUSDT=3100
  settled 54050
  covered
  realized
  # 830 - 495.
  anna has balance 335
  anna order bid status NEW
  `,
);

scenario(
  'SYM-2 LIQ-5 an account that fails after a delivery is liquidated in the settling tick',
  `
  # Anna, with 590 and ETH 1 long from 3000, has 95 - 70 left at 2930, of a maintenance of 29.3.
  ${fallen}
  credit anna 460
  anna leverage 50 ETHUSDT
  anna buy ETHUSDT 1 @ 3000
  cleo sell ETHUSDT 1 @ 3000
  cleo buy ETHUSDT 1 @ 2930
  after 1500
  tick BTCUSDT=59000 ETHUSDT=2930
  settled 54050
  liquidated anna cleo 1@2930
  # 0.5 % of 2930.
  charged anna 14.65
  anna has balance 10.35
  `,
);

scenario(
  'SYM-2 LIQ-5 an account without equity after a delivery is closed in it, even if no other market ticks',
  `
  # The mean, of 54000 for 98.01 s and 59000 for 0.99 s, takes 495 of the profit of 500 that carried
  # ETH, 1 long and 300 down: 200 + 5 - 300 = -95. ETH, priced a while ago, ends at 2700 + 95.
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  credit anna 200
  credit ben 10000
  after 750
  tick BTCUSDT=54000 ETHUSDT=3000
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna buy 0.1 @ 54000
  ben sell 0.1 @ 54000
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  steady 54000 for 97760
  index 59000
  index ETHUSDT 2700
  anna has equity 400
  change status CLOSE deliveryTime 1760000100000
  after 1000
  index 59000
  settled 54050
  deleveraged anna ben 1@2795
  anna has balance 0
  anna has position 0 ETHUSDT
  `,
);

scenario(
  'SYM-2 LIQ-3 LIQ-3a a position of the fund is realised like every other',
  `
  # 0.004 taken over at 58200; the mean of 60000 and 58400 is 59200: 4 more.
  market BTCUSDT ${freeOfFunding} liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  insurance 1000
  index 60000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  after 19625
  index 58400
  takenOver anna 0.004@58200
  change status CLOSE deliveryTime 1760000040000
  after 19625
  index 58400
  settled 59200
  delivered fund 4 ben 3.2
  fund has balance 1004 position 0
  ben has balance 10003.2
  `,
);

scenario(
  'SYM-2 FUND-3 funding that is due with the delivery is paid before it',
  `
  # 10:00 is both. The rate is the cap: 0.1 x 60000 x 0.01.
  ${atFundingCap()}
  change status CLOSE deliveryTime 1760004000000
  steady 60000 for 3599000 every 60000
  prices sim=60000 after 1250
  # And for the 0.25 s of the next hour that have passed: 60 x 250 / 3600000.
  paid anna -60 mm 60 anna -0.004167 mm 0.004166
  delivered anna 0 mm 0
  anna has balance 9939.995833
  `,
);

/** Anna long 0.1 from 60000 with 400, bid by Cleo at 56900; at 57000 she has 100. */
const raised = `
  market BTCUSDT ${freeOfFunding}
  credit anna 400
  credit ben 10000
  credit cleo 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.1 @ 56900
  index 57000
`;

scenario(
  'MAR-8 OPS-2 LIQ-1 a raised maintenance rate counts one day later, at the next tick',
  `
  # 1.99 % of 5700 are 113.43; 100 do not stand. Sold at 56900: 90, less 28.45.
  ${raised}
  change maintenanceMarginRate 0.0199
  shows maintenanceRate 1000000
  index 57000
  anna has maintenance 57 flagged no
  after 86399749
  anna has maintenance 57
  after 1
  shows maintenanceRate 1990000
  anna has maintenance 113.43 position 0.1 flagged no
  prices sim=57000 after 1000
  prices sim=57000 after 1000
  anna has position 0.1
  prices sim=57000 after 1000
  liquidated anna cleo 0.1@56900
  charged anna 28.45
  anna has balance 61.55
  `,
);

scenario(
  'MAR-8 OPS-2 a lowered maintenance rate counts at once: the next tick uses it',
  `
  # 55.5 at 56555: equity 55.5, of 56.555. At 0.99 % they are 55.98945, at 0.98 % 55.4239.
  ${raised.replace('  cleo buy 0.1 @ 56900\n', '')}
  change maintenanceMarginRate 0.0098 liquidationFeeRate 0.004
  index 56555
  anna has position 0.1 equity 55.5 maintenance 55.4239 flagged no
  `,
);

scenario(
  'MAR-5 LIQ-7 a change of leverage, of an account or a market, changes no position and no maintenance',
  `
  # (6000 - 400) / 0.099 = 56565.65..
  ${raised}
  anna has held 300 liquidation 56565.7 maintenance 57
  anna leverage 1
  anna has held 300 liquidation 56565.7 maintenance 57
  change maxLeverage 2
  index 57000
  anna has held 300 liquidation 56565.7 maintenance 57 flagged no position 0.1
  `,
);

scenario(
  'SYM-1 LIQ-1 with open positions CLOSE liquidates, HALT does not, and both keep the positions',
  `
  ${raised.replaceAll('56900', '56400')}
  change status HALT
  index 56500
  anna has position 0.1 flagged no
  index 57000
  change status TRADING
  anna has position 0.1 flagged no
  change status CLOSE
  index 56600
  anna has position 0.1 flagged no
  index 56500
  liquidated anna cleo 0.1@56400
  ben has position -0.1
  cleo has position 0.1
  `,
);
