// The liquidation price that position records show (LIQ-7), and the maintenance margin behind it.

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT makerFee 0 takerFee 0
  market ETHUSDT makerFee 0 takerFee 0
  credit anna 400
  credit ben 10000
  index 60000
  index ETHUSDT 3000
`;

scenario(
  'LIQ-7 long: the mark at which equity = maintenance, rounded up to a tick',
  `
  # (0 - 400 + 6000) / (0.1 x 0.99) = 56565.65..
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has maintenance 60 liquidation 56565.7
  index 56565.7
  # Equity 56.57, maintenance 56.5657: one tick below it no longer holds.
  anna has equity 56.57 maintenance 56.5657 liquidation 56565.7
  index 56565.6
  anna has equity 56.56 maintenance 56.5656 liquidation 56565.7
  `,
);

scenario(
  'LIQ-7 short: the mark is rounded down to a tick',
  `
  # (400 - 0 + 6000) / (0.1 x 1.01) = 63366.33..
  ${start}
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  anna has liquidation 63366.3
  `,
);

scenario(
  'LIQ-7 the other markets count at their present mark',
  `
  # Long 1 ETH from 3000 besides: (30 - 400 + 6000) / 0.099 = 56868.68..; at 3100 equity is 500 and
  # the maintenance of ETH 31: 5531 / 0.099 = 55868.68..
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna leverage ETHUSDT 50
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  anna has liquidation 56868.7
  index ETHUSDT 3100
  anna has equity 500 maintenance 91 liquidation 55868.7
  # ETH itself: (60 - 500 + 3100) / 0.99 = 2686.86..
  anna has ETHUSDT liquidation 2686.87
  `,
);

scenario(
  'LIQ-7 there is no price for a long that no mark can liquidate, nor without a position',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna has liquidation 0
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has liquidation 0
  `,
);

scenario(
  'LIQ-7 LIQ-7a the margin ratio is at most 100, also without equity',
  `
  # 400 and 0.1 from 60000. At 56010 equity is 1, maintenance 56.01; at 56005 0.5, 56.005: 112.01.
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  drift 56010
  anna has equity 1 maintenance 56.01 marginRatio 56.01
  drift 56005
  anna has equity 0.5 maintenance 56.005 marginRatio 100
  drift 56000
  anna has equity 0 marginRatio 100
  drift 55000
  anna has equity -100 marginRatio 100
  `,
);

/** Anna isolated, long 0.1 BTC from 60000 on 300, long 1 ETH from 3000 on 150, 550 available. */
const isolated = `
  market BTCUSDT makerFee 0 takerFee 0
  market ETHUSDT makerFee 0 takerFee 0
  credit anna 1000
  credit ben 10000
  anna mode isolated
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
`;

scenario(
  'LIQ-7 MAR-7 isolated: the mark at which the equity of the position equals its own maintenance',
  `
  # (6000 - 300) / 0.099 = 57575.75..; (3000 - 150) / 0.99 = 2878.78..; whatever else the account
  # has.
  ${isolated}
  anna has liquidation 57575.8
  anna has liquidation 2878.79 ETHUSDT
  tick BTCUSDT=60000 ETHUSDT=3200
  anna has liquidation 57575.8
  # (6000 - 400) / 0.099 = 56565.65..
  anna collateral 100
  anna has liquidation 56565.7
  credit anna 1000
  anna has liquidation 56565.7
  `,
);

scenario(
  'LIQ-7 LIQ-1 MAR-7 isolated: at that price the position holds, one tick below it fails',
  `
  ${isolated}
  index 57575.8
  anna has flagged no
  index 57575.7
  anna has flagged yes
  anna has flagged no ETHUSDT
  `,
);

scenario(
  'LIQ-7 LIQ-1 cross short: at that price the account holds, one tick beyond it fails',
  `
  # 6400 / 0.101 = 63366.33..: 63366.3.
  ${start}
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  index 63366.3
  anna has liquidation 63366.3 flagged no
  index 63366.4
  anna has flagged yes
  `,
);

scenario(
  'LIQ-7 the margin ratio is Σ maintenance / equity, rounded up, over all positions',
  `
  # (60 + 30) / 400; at 57000 (57 + 30) / 100; at 56700 86.7 / 70 = 1.238571428..
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna leverage ETHUSDT 50
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  anna has marginRatio 0.225
  index 57000
  anna has marginRatio 0.87
  index 56700
  anna has marginRatio 1.23857143
  `,
);
