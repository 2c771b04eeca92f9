// When the insurance fund's own positions are deleveraged or reduced, to the unit, which of them
// first, and the same for what it is short (LIQ-3, LIQ-6). The rest is in
// insuranceFund.test.ts.

import { scenario } from './scenario.ts';
import { drained, free } from './stages.ts';

/** Anna's 0.004 come to the fund at 58200, with the mark at 58400. */
const long = `
  market BTCUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  market ETHUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  insurance 1000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  tick BTCUSDT=58400 ETHUSDT=3000
  takenOver anna 0.004@58200
`;

/** Anna's -0.004 come to the fund at 61800, with the mark at 61600. */
const short = `
  market BTCUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  insurance 1000
  index 60000
  anna leverage 50
  anna sell 0.004 @ 60000
  ben buy 0.004 @ 60000
  index 61600
  takenOver anna 0.004@61800
`;

scenario(
  'LIQ-3 ORD-6 a fund with zero equity is deleveraged, and its flat counterparty loses reduce-only orders',
  `
  # BTC 58000 is 0.8 down; while it is silent the fund spends the 999.2 that it may.
  ${long}
  ben buy 0.004 @ 50000 reduceOnly id r
  index 58000
  after 5001
  ${drained('20')}
  fund has balance 0.8 equity 0
  index 58000
  deleveraged fund ben 0.004@58000
  reduced
  fund has balance 0 position 0
  ben has position 0 orders 0
  ben order r status CANCELED
  `,
);

scenario(
  'LIQ-6 a fund with one unit of equity is reduced and not deleveraged',
  `
  ${long}
  index 58000
  after 5001
  ${drained('20')}
  insurance 0.000001
  index 58000
  deleveraged
  reduced ben 0.004@58000
  fund has balance 0.000001 position 0
  `,
);

scenario(
  'LIQ-3 LIQ-6 a short position of the fund is deleveraged and reduced like a long one',
  `
  # BTC 62000 is 0.8 down.
  ${short}
  index 62000
  after 5001
  ${drained('20')}
  fund has balance 0.8 equity 0
  index 62000
  deleveraged fund ben 0.004@62000
  fund has balance 0 position 0
  `,
);

scenario(
  'LIQ-6 a short position of the fund above its balance is closed at the mark',
  `
  # 246.4 of notional, 100 of means: 146.4 / 61.6 = 2.37.., 3 lots.
  ${short}
  ${drained('10.5')}
  reduced ben 0.003@61600
  fund has position -0.001 entry -61.8
  `,
);

scenario(
  'LIQ-6 net notional equal to the balance of the fund stays',
  `
  # 0.004 x 58400 = 233.6; 900 are drained while BTC is silent.
  ${long}
  after 5001
  ${drained('10.5')}
  insurance 133.6
  index 58400
  reduced
  fund has balance 233.6 position 0.004
  `,
);

scenario(
  'LIQ-6 net notional one unit above the balance of the fund closes one lot',
  `
  ${long}
  after 5001
  ${drained('10.5')}
  insurance 133.599999
  index 58400
  reduced ben 0.001@58400
  `,
);

scenario(
  'LIQ-6 the position with the larger notional is reduced first, in any order of listing',
  `
  # Hal's 0.08 ETH come at 2920. 234.4 of ETH and 233.6 of BTC, 100 are left: ETH whole, then 133.6 -
  # 0.8 of BTC, of which a lot is 58.4.
  ${long}
  credit hal 6.4
  hal leverage 50 ETHUSDT
  hal buy ETHUSDT 0.08 @ 3000
  ben sell ETHUSDT 0.08 @ 3000
  tick BTCUSDT=58400 ETHUSDT=2930
  takenOver hal 0.08@2920
  ${drained('10.5')}
  reduced ben 0.08@2930 ben 0.003@58400
  fund has position 0.001
  fund has position 0 ETHUSDT
  `,
);
