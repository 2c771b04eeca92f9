// Liquidation of isolated positions (LIQ-1 … LIQ-4, MAR-7): each is tested and closed alone, with
// its own flag and its own wait; and the unified-margin offset. No fees unless stated.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

/** Anna isolated: 0.1 BTC from 60000 on 300, 2 ETH from 3000 on 300, 400 available. */
const alone = `
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 1000
  credit ben 100000
  credit cleo 100000
  anna mode isolated
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  anna has available 400 collateral 600
`;

scenario(
  'LIQ-1 MAR-7 isolated: only the failing position is closed, and orders end only in its market',
  `
  # BTC at 57500: 300 - 250 = 50 against 57.5; bankruptcy price 57000. Sold at 57400: a loss of 260
  # and a fee of 0.5 % of 5740, 28.7. Of the 300 come back 11.3. The account has 650 of equity all
  # the time.
  ${alone}
  anna buy 0.01 @ 50000 id here
  anna buy ETHUSDT 0.01 @ 1000 id there
  cleo buy 0.1 @ 57400
  tick BTCUSDT=57500 ETHUSDT=3000
  flags anna yes anna no
  liquidated anna cleo 0.1@57400
  charged anna 28.7
  anna order here status CANCELED reason LIQUIDATION
  anna order there status NEW
  anna has position 0 held 0 balance 711.3
  anna has position 2 ETHUSDT held 300 flagged no
  # 711.3 - 300 - 0.01 x 1000 / 20 x 1.005.
  anna has available 410.7975
  `,
);

scenario(
  'LIQ-1 LIQ-3 MAR-7 isolated: the fee takes the rest of the position and nothing from available',
  `
  # Sold at 57010 the loss is 299; of the fee of 28.505 only 1 is left to take.
  ${alone}
  cleo buy 0.1 @ 57010
  tick BTCUSDT=57500 ETHUSDT=3000
  liquidated anna cleo 0.1@57010
  charged anna 1
  anna has available 400 balance 700
  funds insurance 1
  `,
);

scenario(
  'LIQ-2 LIQ-4 MAR-7 isolated: below zero the position is deleveraged at its bankruptcy price',
  `
  # BTC at 56500: 300 - 350 = -50. Its loss is its own: 56500 + 50 / 0.1 = 57000. Ben, 350 up, is
  # closed there with 300. Neither ETH nor the 400 available pay.
  ${alone}
  tick BTCUSDT=56500 ETHUSDT=3000
  flags anna yes anna no
  deleveraged anna ben 0.1@57000
  covered
  charged
  anna has position 0 balance 700 available 400
  anna has position 2 ETHUSDT held 300
  ben has position 0 balance 100300
  `,
);

scenario(
  'LIQ-1 MAR-7 isolated: of two failing positions the one with less equity comes first',
  `
  # BTC 57500: 50 of 57.5. ETH 2870: 300 - 260 = 40 of 57.4. Each is sold at its mark with its fee:
  # 28.75 and 28.7.
  ${alone}
  cleo buy 0.1 @ 57500
  cleo buy ETHUSDT 2 @ 2870
  tick BTCUSDT=57500 ETHUSDT=2870
  liquidated anna cleo 2@2870 anna cleo 0.1@57500
  charged anna 28.7 anna 28.75
  flags anna yes anna no anna yes anna no
  # 1000 - 260 - 28.7 - 250 - 28.75.
  anna has balance 432.55 available 432.55
  `,
);

/** Two isolated positions of 240,000 on 7000 each; BTC falls to 58800, where a step is due. */
const large = (bid: string) => `
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 20000
  credit ben 100000
  credit cleo 1000000
  credit dora 1000000
  anna mode isolated
  anna leverage 50
  anna leverage ETHUSDT 50
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 4 @ 60000
  ben sell 4 @ 60000
  anna buy ETHUSDT 80 @ 3000
  ben sell ETHUSDT 80 @ 3000
  anna collateral 2200
  anna collateral 2200 ETHUSDT
  cleo buy 1.513 @ ${bid}
  tick BTCUSDT=58800 ETHUSDT=3000
  liquidated anna cleo 1.513@${bid}
`;

scenario(
  'LIQ-1 LIQ-1c MAR-7 isolated: collateral that a step releases stays with the rest and restores it',
  `
  # 2200 of 2352: 1.513 are sold at the mark, of 2647.75 of collateral 1815.6 are lost, 444.822 are
  # fee. The other 387.328 stay: 4352.25 + 387.328 - 2.487 x 1200 = 1755.178, of 1.2 x 1462.356 =
  # 1754.8272. Without them 1367.85 would be left, and no step would ever restore it.
  ${large('58800')}
  flags anna yes anna no
  charged anna 444.822
  anna has position 2.487 held 4739.578 available 6000 balance 17739.578 flagged no
  `,
);

scenario(
  'LIQ-1c MAR-7 isolated: collateral that a partial fill of the step releases stays with the rest',
  `
  # At 57500 50 of 57.5, all is for sale. 0.04 at 57200 free 120 and lose 112: 8 stay: 180 + 8 - 150 =
  # 38 of 34.5. Of the fee of 11.44 half of 3.5 is taken. The flag would fall from 1.2 times, 41.4, on.
  ${alone}
  cleo buy 0.04 @ 57200
  tick BTCUSDT=57500 ETHUSDT=3000
  liquidated anna cleo 0.04@57200
  charged anna 1.75
  anna has position 0.06 held 186.25 available 400 flagged yes
  # It stands, and is not closed further.
  cleo buy 0.06 @ 57400
  tick BTCUSDT=57500 ETHUSDT=3000
  liquidated
  anna has position 0.06 flagged yes
  `,
);

scenario(
  'LIQ-1c LIQ-3 MAR-7 isolated: what the book released counts before the fund is asked',
  `
  # 19 of collateral; at 58400 3 of 5.84. 0.008 at the mark free 15.2 and lose 12.8: the other 0.002 have
  # 3.8 + 2.4 - 3.2 = 3 of 1.168. Without the 2.4 it would be 0.6, and the fund would take them over.
  market BTCUSDT makerFee 0 takerFee 0 fundingFactor 0 liquidationFeeRate 0
  credit anna 100
  credit ben 10000
  credit cleo 10000
  insurance 10000
  index 60000
  anna mode isolated
  anna leverage 50
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  anna collateral +7
  cleo buy 0.008 @ 58400
  index 58400
  liquidated anna cleo 0.008@58400
  takenOver
  flags anna yes anna no
  anna has position 0.002 held 6.2 available 81
  `,
);

scenario(
  'LIQ-1c MAR-7 isolated: a step that frees nothing leaves the collateral as it is',
  `
  # At the bankruptcy price, 58250, the released 2647.75 are lost; a fee would take what the rest needs.
  ${large('58250')}
  charged
  anna has position 2.487 held 4352.25 available 6000 flagged yes
  `,
);

scenario(
  'LIQ-1 MAR-7 isolated: each position has its own wait of 30 s',
  `
  # The first step: 2200 against 2352, (2822.4 - 2200) / 411.6 = 1.513 lots as for a cross account.
  # A second later ETH falls to 2940 and fails as BTC did: 622.4 / (0.007 x 2940) = 30.2429: 30.25.
  # BTC waits until 30 s have passed since its own step.
  ${large('58300')}
  dora buy 4 @ 58750
  dora buy ETHUSDT 80 @ 2940
  events traded 3
  tick BTCUSDT=58800 ETHUSDT=2940 after 1000
  liquidated anna dora 30.25@2940
  tick BTCUSDT=58800 ETHUSDT=2940 after 28750
  events traded 4
  tick BTCUSDT=58800 ETHUSDT=2940
  liquidated ETHUSDT
  events traded 5
  `,
);

scenario(
  'LIQ-1 MAR-7 marginInsufficient: only the flagged position may not grow',
  `
  ${large('58300')}
  anna has flagged yes
  anna buy 0.001 @ 50000 -> marginInsufficient
  anna sell 2.488 @ 61000 -> marginInsufficient
  anna sell 1 @ 61000 -> NEW
  anna buy ETHUSDT 0.01 @ 2900 -> NEW
  anna has flagged no ETHUSDT
  `,
);

scenario(
  'LIQ-1 MAR-7 isolated: the flag ends when collateral is added',
  `
  # BTC 57500, no bids: 50 of 57.5. 1.2 times are 69: 19 are missing, whatever the account has besides.
  ${alone}
  tick BTCUSDT=57500 ETHUSDT=3000
  flags anna yes
  anna collateral 18.999999
  tick BTCUSDT=57500 ETHUSDT=3000
  anna has flagged yes
  anna collateral 0.000001
  tick BTCUSDT=57500 ETHUSDT=3000
  flags anna no
  anna has flagged no position 0.1
  `,
);

scenario(
  'MAR-7 LIQ-3 isolated: the fund takes over one position of an account by the same rules',
  `
  # BTC 57300: 300 - 270 = 30, below two thirds of 57.3. Bankruptcy price 57300 - 300 = 57000: the
  # fund takes all 0.1, for a quarter of 24000 is 6000. Anna pays 300; her 400 and ETH stay.
  ${alone}
  insurance 24000
  tick BTCUSDT=57300 ETHUSDT=3000
  takenOver anna 0.1@57000
  charged
  anna has position 0 balance 700 available 400
  fund has position 0.1 entry 5700 balance 24000 equity 24030
  `,
);

/** Unified: 0.1 BTC from 60000 on 300, 50 available, and 500 of profit at 65000. */
const unified = `
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 350
  credit ben 100000
  credit cleo 100000
  anna mode unified
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has available 50 held 300
  index 65000
  anna has unrealized 500
`;

scenario(
  'MAR-7 marginInsufficient: profit replaces the missing part of a freeze, up to the profit',
  `
  # 3 ETH at 3000 freeze 9000 / 20 x 1.005 = 452.25: 50 from available, 402.25 by profit. 97.75 of
  # the profit are left, but of the equity of 850 BTC needs 6500 / 20 = 325 (MAR-9): 72.75 are left.
  # 0.49 ETH take 73.8675, 0.48 take 72.36.
  ${unified}
  anna buy ETHUSDT 3 @ 3000 id x
  anna order x freeze 50
  anna has available 0 freezes 50 uncovered 402.25
  anna buy ETHUSDT 0.49 @ 3000 -> marginInsufficient
  anna buy ETHUSDT 0.48 @ 3000 id y
  anna order y freeze 0
  anna has uncovered 474.61
  # Given back with the order, what stood in first.
  anna cancel y
  anna has uncovered 402.25 freezes 50
  anna cancel x
  anna has uncovered 0 available 50
  `,
);

scenario(
  'MAR-7 UNIT-3 profit replaces a single unit of a freeze, and the offset is given back',
  `
  # 0.33 ETH freeze 990 / 20 x 1.005 = 49.7475.
  ${unified.replace('credit anna 350', 'credit anna 349.747499').replace('available 50', '')}
  anna buy ETHUSDT 0.33 @ 3000 id x
  anna has available 0 freezes 49.747499 uncovered 0.000001
  anna cancel x
  anna has available 49.747499 freezes 0 uncovered 0
  `,
);

scenario(
  'MAR-7 MAR-2 the offset moves to the position with the fill and is given back with the close',
  `
  # Filled at 3000 the margin is 450: 50 of money, 400 stand in; 2.25 of the freeze are given back.
  # Half closed: 25 of collateral and 200 of the rest.
  ${unified}
  anna buy ETHUSDT 3 @ 3000
  cleo sell ETHUSDT 3 @ 3000
  anna has uncovered 400 available 0 freezes 0
  anna has position 3 ETHUSDT held 50
  cleo buy ETHUSDT 1.5 @ 3000
  anna sell ETHUSDT 1.5 @ 3000
  anna has uncovered 200 available 25 balance 350
  anna has position 1.5 ETHUSDT held 25
  cleo buy ETHUSDT 1.5 @ 3000
  anna sell ETHUSDT 1.5 @ 3000
  anna has uncovered 0 available 50 balance 350
  `,
);

scenario(
  'MAR-7 UNIT-3 a partial close gives its part of the offset back, rounded down',
  `
  # A third of 50 and of 400.
  ${unified}
  anna buy ETHUSDT 3 @ 3000
  cleo sell ETHUSDT 3 @ 3000
  cleo buy ETHUSDT 1 @ 3000
  anna sell ETHUSDT 1 @ 3000
  anna has uncovered 266.666667 available 16.666666
  anna has position 2 ETHUSDT held 33.333334
  `,
);

scenario(
  'MAR-7 LIQ-1 unified accounts are liquidated like cross ones, with any offset',
  `
  # The profit goes: at 59000 equity is 350 - 100 = 250 against 59 + 90 = 149; ETH at 2950 takes
  # 150: 100 against 59 + 88.5 = 147.5, not below two thirds, 98.3. ETH has the larger maintenance:
  # sold at the mark, of a fee of 44.25 only 29.2 are taken: 1.2 x 59 = 70.8 are left, and BTC stays.
  ${unified}
  anna buy ETHUSDT 3 @ 3000
  cleo sell ETHUSDT 3 @ 3000
  tick BTCUSDT=59000 ETHUSDT=3000
  anna has equity 250 maintenance 149 flagged no
  cleo buy ETHUSDT 3 @ 2950
  cleo buy 0.1 @ 59000
  tick BTCUSDT=59000 ETHUSDT=2950
  liquidated anna cleo 3@2950
  charged anna 29.2
  anna has uncovered 0 equity 70.8 flagged no
  # 350 - 150 - 29.2.
  anna has balance 170.8
  `,
);
