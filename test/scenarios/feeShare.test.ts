// The insurance fund's share of the trading fees (LIQ-8). The scenarios begin at 1760000000000, 40
// s before a minute ends.

import { scenario } from './scenario.ts';

/** A trade at 60000: 0.1 costs its maker 1.2 and its taker 3. */
const start = (terms: string) => `
  market BTCUSDT ${terms}
  credit anna 10000
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
`;

scenario(
  'LIQ-8 the fund gets its share of the fees when a minute has ended, until it has its target',
  `
  # 0.2 x 4.2 = 0.84; of the next 0.84 only what is missing of 1.5.
  ${start('fundFeeShare 0.2 fundTarget 1.5')}
  funds feeRevenue 4.2 insurance 0
  after 39749
  funds feeRevenue 4.2 insurance 0
  after 1
  funds feeRevenue 3.36 insurance 0.84
  rows fund 0.84
  index 60000
  ben buy 0.1 @ 60000
  anna sell 0.1 @ 60000 -> FILLED
  after 59750
  funds feeRevenue 6.9 insurance 1.5
  rows fund 0.84 0.66
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  after 60000
  funds feeRevenue 11.1 insurance 1.5
  events feesShared 2
  `,
);

scenario(
  'LIQ-8 MAR-3 UNIT-3 rebates are subtracted, and a share is rounded down',
  `
  # 3 - 0.6 = 2.4, of which 0.33333333 are 0.799999992.
  ${start('makerFee -0.0001 fundFeeShare 0.33333333 fundTarget 1000')}
  after 39750
  funds feeRevenue 1.600001 insurance 0.799999
  `,
);

scenario(
  'LIQ-8 the equity of the fund counts, its positions at the mark included',
  `
  # The fund holds 0.004 from 58200; at 58450 it has 1000 + 1, at 58200 1000.
  market BTCUSDT makerFee 0 takerFee 0 liquidationFeeRate 0
  market ETHUSDT fundFeeShare 0.2 fundTarget 1000.5
  credit anna 7.2
  credit ben 10000
  credit cleo 10000
  insurance 1000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  index 58400
  takenOver anna 0.004@58200
  cleo sell ETHUSDT 1 @ 3000
  ben buy ETHUSDT 1 @ 3000
  # Maker 0.6 and taker 1.5.
  index 58450
  after 39250
  events feesShared 0
  funds feeRevenue 2.1 insurance 1000
  tick BTCUSDT=58200 ETHUSDT=3000
  cleo buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  after 59750
  rows fund 1000 0.42
  `,
);

scenario(
  'LIQ-8 fees of a minute without a share stay fee revenue for good',
  `
  ${start('')}
  after 39750
  funds feeRevenue 4.2 insurance 0
  change fundFeeShare 0.9 fundTarget 1000
  after 60000
  funds feeRevenue 4.2 insurance 0
  events feesShared 0
  `,
);
