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
  'LIQ-7 short: rounded down to a tick',
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
  'LIQ-7 none: a long that no mark can bring down, and no position',
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
