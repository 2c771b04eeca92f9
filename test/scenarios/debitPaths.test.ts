// The one order of debits (BAL-4) on every path that debits.test.ts leaves: funding, liquidation
// fees, trading fees, and all of it for isolated positions. No trading fees unless stated.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

const tenth = 'fundingFactor 0.1 maxFundingRate 0.1';

scenario(
  'BAL-4 funding is paid from available, collateral, profit, newest orders, other collateral',
  `
  # Anna owes 0.1 x 60000 x 0.1 = 600. 100 are available, 120 hold BTC, AVAX is 200 up, the newer
  # ETH bid holds 50.25, the older 100.5; 29.25 of the 60 of ETH remain to be taken. AVAX keeps its
  # 80.
  market BTCUSDT ${free} ${tenth}
  market ETHUSDT ${free}
  market AVAXUSDT ${free} maxLeverage 25
  credit anna 510.75
  credit mm 10000
  house mm
  tick BTCUSDT=60000 ETHUSDT=3000 AVAXUSDT=20
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna leverage 25 AVAXUSDT
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  mm sell ETHUSDT 1 @ 3000
  anna buy AVAXUSDT 100 @ 20
  mm sell AVAXUSDT 100 @ 20
  anna buy ETHUSDT 5 @ 1000 id older
  anna buy ETHUSDT 2.5 @ 1000 id newer
  anna has available 100 freezes 150.75 collateral 260
  drift AVAXUSDT 22
  funding whole
  paid anna -600 mm 600
  realized anna 200
  anna order older status CANCELED reason MARGIN
  anna order newer status CANCELED reason MARGIN
  anna has available 0 freezes 0 held 0 balance 110.75
  anna has held 30.75 ETHUSDT
  anna has held 80 entry 2200 AVAXUSDT
  `,
);

scenario(
  'BAL-4 funding takes no more than it needs: it realises a part of the profit and keeps an order',
  `
  # 300 at 0.05 BTC: 100 available, 60 of collateral, 140 of the profit of 200.
  market BTCUSDT ${free} ${tenth}
  market ETHUSDT ${free}
  market AVAXUSDT ${free} maxLeverage 25
  credit anna 340.5
  credit mm 10000
  house mm
  tick BTCUSDT=60000 ETHUSDT=3000 AVAXUSDT=20
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna leverage 25 AVAXUSDT
  anna buy 0.05 @ 60000
  mm sell 0.05 @ 60000
  anna buy AVAXUSDT 100 @ 20
  mm sell AVAXUSDT 100 @ 20
  anna buy ETHUSDT 5 @ 1000 id bid
  drift AVAXUSDT 22
  funding whole
  realized anna 140
  anna order bid status NEW
  anna has available 0 freezes 100.5 balance 180.5
  anna has held 80 entry 2140 AVAXUSDT
  `,
);

scenario(
  'BAL-4 LIQ-3 a liquidation pays loss and fee from available, other profit, other collateral',
  `
  # 185: 120 hold BTC, 60 ETH, 5 are available. BTC at 56500, ETH at 3245: 185 - 350 + 245 = 80 of
  # 88.95. The loss of 350 takes 125 and 225 of the profit; the fee of 28.25 the other 20 and 8.25
  # of the 60.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 185
  credit ben 10000
  credit cleo 10000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  cleo buy 0.1 @ 56500
  tick BTCUSDT=56500 ETHUSDT=3245
  liquidated anna cleo 0.1@56500
  realized anna 225 anna 20
  charged anna 28.25
  anna has available 0 balance 51.75 position 0 flagged no
  anna has held 51.75 entry 3245 ETHUSDT
  `,
);

scenario(
  'BAL-4 MAR-7 isolated: a fee takes available first, then the collateral of its position',
  `
  # 301.5 are frozen and 300 locked; of a fee of 3 available pays 1.5, the position 1.5.
  market BTCUSDT
  credit anna 301.5
  credit ben 10000
  anna mode isolated
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  anna has available 0 held 298.5 balance 298.5
  # 3, and 1.2 of the maker.
  funds feeRevenue 4.2
  `,
);

scenario(
  'BAL-4 MAR-7 isolated: funding takes available, own collateral and profit, then the fund pays',
  `
  # At 61000: 610 are owed by 0.1 BTC. 100 available, 300 of collateral, 100 of profit; ETH keeps
  # its 150, though it is 500 up. 110 fall on the fund. The position, left with nothing, ends in the
  # same command, where it stands.
  market BTCUSDT ${free} ${tenth}
  market ETHUSDT ${free}
  credit anna 550
  credit mm 10000
  house mm
  insurance 300
  anna mode isolated
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  mm sell ETHUSDT 1 @ 3000
  drift 61000
  drift ETHUSDT 3500
  funding whole
  paid anna -500 mm 610
  realized anna 100
  helped anna 110
  deleveraged anna mm 0.1@61000
  rows anna 550 100 -500
  anna has available 0 held 0 position 0 balance 150
  anna has held 150 entry 3000 ETHUSDT
  funds insurance 190 shortfall 0
  `,
);

scenario(
  'BAL-4 MAR-7 isolated: funding that available can pay leaves the position unchanged',
  `
  market BTCUSDT ${free} ${tenth}
  credit anna 950
  credit mm 10000
  house mm
  anna mode isolated
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  funding whole
  paid anna -600 mm 600
  anna has available 50 held 300
  `,
);

scenario(
  'BAL-4 MAR-7 isolated: a loss takes the collateral that the close released, then the rest of it',
  `
  # Half is sold at 53900 with the mark at 56000: a loss of 305; 300 are released, 5 more come from
  # the other 300. Available keeps its 100.
  market BTCUSDT ${free}
  credit anna 700
  credit ben 10000
  anna mode isolated
  index 60000
  anna leverage 10
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 56000
  ben buy 0.05 @ 53900
  anna sell 0.05 @ 53900 -> FILLED
  anna has available 100 held 295 position 0.05
  # A smaller loss leaves what was released to available: 0.02 of 0.05 release 118, 80 are lost.
  ben buy 0.02 @ 56000
  anna sell 0.02 @ 56000 -> FILLED
  anna has available 138 held 177 position 0.03
  `,
);

scenario(
  'BAL-4 MAR-7 unified pays like cross: it realises profit and keeps its offset',
  `
  # 350: 300 hold BTC, 50 are available. 500 up, 450 of ETH are bought on 50 and 400 of profit. BTC
  # owes 650: 300 of collateral, 350 of its profit.
  market BTCUSDT ${free} ${tenth}
  market ETHUSDT ${free}
  credit anna 350
  credit mm 10000
  house mm
  anna mode unified
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  index 65000
  anna buy ETHUSDT 3 @ 3000
  mm sell ETHUSDT 3 @ 3000
  anna has uncovered 400
  funding whole
  paid anna -650 mm 650
  realized anna 350
  anna has available 0 held 0 uncovered 400 balance 50 equity 200
  anna has held 50 ETHUSDT
  `,
);

/** Anna pays 10 % of 0.5 DUST at the mark to Mm; each test chooses her credit and so the rest. */
const dusty = (credit: string, first = '') => `
  market DUSTUSDT makerFee 0 takerFee 0 minOrderSize 0.000001 fundingFactor 0.9 maxFundingRate 0.1
  market ETHUSDT makerFee 0 takerFee 0
  credit anna ${credit}
  credit mm 10000
  house mm
  tick DUSTUSDT=1.003 ETHUSDT=3000
  ${first}
  anna buy 0.5 @ 1.003
  mm sell 0.5 @ 1.003
`;

scenario(
  'BAL-4 UNIT-3 the collateral pays one unit that available cannot pay, before the profit',
  `
  # At 1.103 0.05515 are due; 0.025075 are collateral, 0.055149 available.
  ${dusty('0.080224')}
  tick DUSTUSDT=1.103 ETHUSDT=3000
  anna has available 0.055149 held 0.025075 unrealized 0.05
  funding whole
  paid anna -0.05515 mm 0.05515
  realized
  anna has available 0 held 0.025074
  `,
);

scenario(
  'BAL-4 MAR-7 UNIT-3 isolated: the collateral pays one unit that available cannot pay',
  `
  ${dusty('0.075224', 'anna mode isolated')}
  funding whole
  anna has available 0 held 0.025074
  `,
);

/** At 1.103: a profit of 0.05, and 0.05515 due. */
const risen = (first = '') => `
  ${dusty('0.055149', first)}
  tick DUSTUSDT=1.103 ETHUSDT=3000
  funding whole
  paid anna -0.05515 mm 0.05515
  realized anna 0.000001
  anna has available 0 held 0 equity 0.049999
`;

scenario('BAL-4 UNIT-3 the profit pays one unit that available and collateral cannot pay', risen());

scenario(
  'BAL-4 MAR-7 UNIT-3 isolated: the profit pays one unit that available and collateral cannot pay',
  risen('anna mode isolated'),
);

scenario(
  'BAL-4 UNIT-3 the newest order is cancelled for a single unpaid unit',
  `
  # 0.5 x 0.9 / 20 x 1.005 = 0.0226125, up. 0.05015 are due of 0.050149.
  ${dusty('0.072762')}
  anna buy 0.5 @ 0.9 id x
  anna has available 0.025074 held 0.025075 freezes 0.022613
  funding whole
  anna order x status CANCELED reason MARGIN
  anna has available 0.022612 held 0
  `,
);

scenario(
  'BAL-4 UNIT-3 the collateral of another position pays a last unpaid unit',
  `
  # ETH holds 30 / 20.
  ${dusty('1.550149', 'anna buy ETHUSDT 0.01 @ 3000\n  mm sell ETHUSDT 0.01 @ 3000')}
  anna has available 0.025074 collateral 1.525075
  funding whole
  anna has available 0 held 0
  anna has held 1.499999 ETHUSDT
  `,
);

scenario(
  'BAL-4 FUND-2 UNIT-3 the fund pays with its last unit',
  `
  # 0.05015 are due of 0.050148. The fund has one of the two units.
  ${dusty('0.050148')}
  insurance 0.000001
  funding whole
  helped anna 0.000001
  funds insurance 0
  `,
);

scenario(
  'BAL-4 the largest of several profits is realised first, and alone while it is enough',
  `
  # AVAX costs 180: 0.75 are available, 150 come back, 29.25 are missing. BTC is 100 up, ETH 200.
  market BTCUSDT makerFee 0 takerFee 0
  market ETHUSDT makerFee 0 takerFee 0
  market AVAXUSDT makerFee 0 takerFee 0
  credit anna 330.75
  credit ben 100000
  tick BTCUSDT=60000 ETHUSDT=3000 AVAXUSDT=30
  anna leverage 50
  anna leverage ETHUSDT 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  anna buy AVAXUSDT 100 @ 30
  ben sell AVAXUSDT 100 @ 30
  tick BTCUSDT=61000 ETHUSDT=3200 AVAXUSDT=28.2
  anna has available 0.75 equity 450.75
  ben buy AVAXUSDT 100 @ 28.2
  anna sell AVAXUSDT 100 @ 28.2
  realized ETHUSDT anna 29.25
  realized BTCUSDT
  anna has available 0 equity 450.75
  `,
);
