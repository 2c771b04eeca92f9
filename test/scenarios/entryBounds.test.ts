// Acceptance to the last unit (MAR-4, MAR-1, ORD-3): what an order must leave is there, or a unit
// is missing. The rules are in fillCheck.test.ts, fillCheckIsolated.test.ts, marginModes.test.ts.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

scenario(
  'MAR-4 a crossing order needs its loss, its fee and its freeze, exact to the unit',
  `
  # 6010 x 1.005 / 20 = 302.0025, 0.1 x 100 of loss, 0.05 % of 6010.
  market BTCUSDT
  credit anna 315.007499
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60100
  anna buy 0.1 @ 60100 -> marginInsufficient
  credit anna 0.000001
  anna buy 0.1 @ 60100 -> FILLED
  `,
);

scenario(
  'MAR-4 an order that closes everything may leave zero equity, but not one unit less',
  `
  # At 56100 0.1 from 60000 has 10 left of 400, which a sale at 56000 would cost.
  market BTCUSDT ${free}
  credit anna 399.999999
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  drift 56100
  anna sell 0.1 @ 56000 reduceOnly -> marginInsufficient
  credit anna 0.000001
  anna sell 0.1 @ 56000 reduceOnly -> NEW
  `,
);

scenario(
  'MAR-4e an order that closes a part may rest at the bankruptcy price, and no tick beyond',
  `
  # 10 are left for 0.1 at 56100: 56000 uses them up. Half at 56000 loses 5, half of them.
  market BTCUSDT ${free}
  credit anna 400
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  drift 56100
  anna sell 0.05 @ 55999.9 reduceOnly -> marginInsufficient
  anna sell 0.05 @ 56000 reduceOnly -> NEW
  `,
);

scenario(
  'MAR-9a MAR-7 isolated: available pays the fee and the rest of the initial margin of a resting order',
  `
  # 6061 x 1.005 / 50 = 121.8261, less a loss of 61: 59.1739 more are twice the maintenance of 60, and
  # the maker's fee is 1.2122.
  market BTCUSDT
  credit anna 182.212199
  anna mode isolated
  anna leverage 50
  index 60000
  anna buy 0.1 @ 60610 -> marginInsufficient
  credit anna 0.000001
  anna buy 0.1 @ 60610 -> NEW
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: maintenance counts the position that the order would leave',
  `
  # At 57600 60 are left of 300. Another 0.1 at 58464 freeze 117.51264 and lose 86.4, and available
  # makes 115.2 of it: 175.2 are not twice the maintenance of 115.2.
  market BTCUSDT ${free}
  credit anna 1000
  credit ben 10000
  anna mode isolated
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 57600
  anna leverage 50
  anna buy 0.1 @ 58464 -> marginInsufficient
  `,
);

/**
 * Unified: 0.1 BTC from 60000 on 120 at 65000: 500 of profit, 10 available, 130 of initial margin.
 */
const unifiedOf = (amount: string, between = ''): string => `
  market BTCUSDT ${free}
  ${between}
  market ETHUSDT ${free}
  credit anna ${amount}
  credit ben 100000
  anna mode unified
  anna leverage 50
  anna leverage ETHUSDT 50
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  tick BTCUSDT=65000 ETHUSDT=3000
  anna has unrealized 500 maintenance 65
`;
const unified = `
  ${unifiedOf('130')}
  anna has available 10
`;

scenario(
  'MAR-4 MAR-7 unified: the offset of open orders counts like their freezes',
  `
  # 630 - 130 = 500, less 15000 x 1.005 / 50 = 301.5: 198.5. 9900 need 198.99, of 208.5 that could be
  # held; 9875 need 198.4875.
  ${unified}
  anna buy ETHUSDT 5 @ 3000
  anna has available 0 freezes 10 uncovered 291.5
  anna buy ETHUSDT 3.96 @ 2500 -> marginInsufficient
  anna buy ETHUSDT 3.95 @ 2500 -> NEW
  `,
);

scenario(
  'MAR-4 MAR-7 unified: a market without a position between two others does not count',
  `
  # 630.49 - 130 - 301.5 are the 198.99 that 9900 need.
  ${unifiedOf('130.49', 'market AVAXUSDT')}
  anna buy ETHUSDT 5 @ 3000
  anna has uncovered 291.01
  anna buy ETHUSDT 3.96 @ 2500 -> NEW
  `,
);

scenario(
  'MAR-4 MAR-7 marginInsufficient: unified, equity is one unit below what its open orders need',
  `
  ${unifiedOf('130.489999', 'market AVAXUSDT')}
  anna buy ETHUSDT 5 @ 3000
  anna buy ETHUSDT 3.96 @ 2500 -> marginInsufficient
  `,
);

scenario(
  'MAR-4 MAR-3 marginInsufficient: the rebate of an order that would rest does not count yet',
  `
  # 100 of loss against the mark, and 6100 x 1.005 / 20 to freeze.
  market BTCUSDT makerFee -0.0001
  credit anna 406.524999
  index 60000
  anna buy 0.1 @ 61000 -> marginInsufficient
  credit anna 0.000001
  anna buy 0.1 @ 61000 -> NEW
  `,
);

scenario(
  'MAR-4 MAR-7 unified: the offset of positions does not count like a freeze',
  `
  # ETH filled stands on 10, and on 290 of profit. 630 - 130 - 300 = 200 are above 199.995.
  ${unified}
  anna buy ETHUSDT 5 @ 3000
  ben sell ETHUSDT 5 @ 3000
  anna has available 0 freezes 0 uncovered 290
  anna buy ETHUSDT 3.98 @ 2500 -> NEW
  `,
);

scenario(
  'ORD-1 MAR-1 an IOC that meets no order freezes nothing, even with an almost empty account',
  `
  market BTCUSDT
  credit anna 1
  anna withdraw 0.999999
  index 60000
  anna buy 0.1 @ 60000 IOC -> CANCELED IOC
  anna buy 0.1 @ 60000 -> marginInsufficient
  `,
);

scenario(
  'ORD-3 slippage counts on both sides of the mark, and an order without fills has none',
  `
  # 59880 is 0.2 % below 60000.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 61000 slippage 0 -> NEW
  ben buy 0.1 @ 59880
  anna sell 0.1 market slippage 0.00199999 -> slippageExceeded
  anna sell 0.1 market slippage 0.002 -> FILLED
  `,
);

scenario(
  'OI-1 MAR-1 only what an order opens counts against the cap, not what its position covers',
  `
  # Ben's 6000, and 0.2 of 0.3 at 61000.
  market BTCUSDT ${free} openInterestCap 18200
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.301 @ 61000 -> openInterestCapExceeded
  anna sell 0.3 @ 61000 -> NEW
  `,
);

scenario(
  'ORD-1 without a mark no order for an amount of money is accepted',
  `
  market BTCUSDT
  credit anna 1000
  anna buy quote 100 market -> priceUnavailable
  `,
);

/**
 * Anna's bid for BTC, with 2 ETH from 3000 at 2800: equity 400 less, initial margin 112 and 300.
 */
const rebated = (credit: string): string => `
  market BTCUSDT makerFee -0.0001
  market ETHUSDT ${free}
  credit anna ${credit}
  credit ben 100000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage ETHUSDT 50
  anna buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  anna buy 0.1 @ 60000 id bid
  drift ETHUSDT 2800
`;

scenario(
  'MAR-4 MAR-3 the rebate of a fill does not replace margin that the maker is short of',
  `
  ${rebated('811.999999')}
  ben sell 0.1 @ 60000 IOC -> CANCELED IOC
  anna order bid status CANCELED reason MARGIN
  `,
);

scenario(
  'MAR-4 MAR-3 a maker with enough margin gets its rebate',
  `
  ${rebated('812')}
  ben sell 0.1 @ 60000 IOC -> FILLED
  anna has balance 812.6
  `,
);
