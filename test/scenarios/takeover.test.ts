// What the insurance fund takes over, and what it may not (LIQ-3). The markets take no trading fees
// and no liquidation fee unless said so, and no funding.

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { freeOfFunding } from './stages.ts';
import { createWorld } from './world.ts';

const feeless = `${freeOfFunding} liquidationFeeRate 0`;

/** Anna long 0.01 from 60000; at 58400, where maintenance is 5.84, she has her credit less 16. */
const start = (credit: string, insurance: string, terms = feeless) => `
  market BTCUSDT ${terms}
  credit anna ${credit}
  credit ben 10000
  credit cleo 10000
  insurance ${insurance}
  index 60000
  anna leverage 50
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
`;

scenario(
  'LIQ-3 at two thirds of Σ maintenance the fund does not take over, below them it does',
  `
  # 2/3 x 5.84 = 3.893333: 3.8934 waits, 3.8933 does not. The bankruptcy price 58400 - 389.33: .3
  # down.
  ${start('19.8934', '10000')}
  index 58400
  takenOver
  anna has flagged yes position 0.01 equity 3.8934
  index 58399.9
  # Equity 3.8924 of 5.83999.
  takenOver anna 0.01@58010.7
  anna has position 0 flagged no
  `,
);

scenario(
  'LIQ-3 equity of exactly two thirds of Σ maintenance is not below two thirds',
  `
  # At 57000: equity 33.8 - 30 of 5.7.
  ${start('33.8', '10000')}
  index 57000
  takenOver
  flags anna yes
  anna has position 0.01 equity 3.8 maintenance 5.7
  `,
);

scenario(
  'LIQ-4 equity of exactly two thirds of Σ maintenance is not below it: no account is deleveraged',
  `
  # At 57000: equity 33.8 - 30 of 5.7. The fund has nothing. At 56999.9 it is 3.799 of 5.69999.
  ${start('33.8', '1').replace('insurance 1', '')}
  index 57000
  takenOver
  deleveraged
  anna has position 0.01 equity 3.8 maintenance 5.7
  index 56999.9
  deleveraged anna ben 0.01@56620
  `,
);

scenario(
  'LIQ-3 an account that fills of the book bring above two thirds waits',
  `
  # Equity 3 of 5.84. Cleo bids 0.008 at the mark: 3 stand against 1.168 then, and more than 1.2
  # times: the fund is not asked, and nothing more is closed.
  ${start('19', '10000')}
  cleo buy 0.008 @ 58400
  index 58400
  liquidated anna cleo 0.008@58400
  takenOver
  flags anna yes anna no
  anna has position 0.002 equity 3 maintenance 1.168
  `,
);

scenario(
  'LIQ-3 LIQ-4 the fund takes at most a quarter of itself in one market, the rest is deleveraged',
  `
  # Anna has 3 of 5.84: bankruptcy price 58100. 250 / 58400 = 0.0042..: 4 lots. With 100 more the fund
  # may have 275 / 58300 = 0.00471: nothing of Emil's 0.01, who has 3 at 58300. With another 100 it is
  # 300 / 58200 = 0.00515: one lot of Fay's, who has 3 at 58200.
  ${start('19', '1000')}
  credit emil 20
  credit fay 21
  emil leverage 50
  fay leverage 50
  emil buy 0.01 @ 60000
  fay buy 0.01 @ 60000
  ben sell 0.02 @ 60000
  index 58400
  takenOver anna 0.004@58100
  deleveraged anna ben 0.006@58100
  anna has position 0 flagged no
  fund has position 0.004 entry 232.4 balance 1000 equity 1001.2
  insurance 100
  index 58300
  takenOver
  deleveraged emil ben 0.01@58000
  insurance 100
  index 58200
  takenOver fay 0.001@57900
  deleveraged fay ben 0.009@57900
  fund has position 0.005
  `,
);

/** Five times 0.004 from 60000 with 7.2: at 58400 0.8 of 2.336, below two thirds. */
const five = (insurance: string) => `
  market BTCUSDT ${feeless}
  market SOLUSDT ${feeless}
  market DOTUSDT ${feeless}
  market XRPUSDT ${feeless}
  market LTCUSDT ${feeless}
  credit ben 10000
  insurance ${insurance}
  tick BTCUSDT=60000 SOLUSDT=60000 DOTUSDT=60000 XRPUSDT=60000 LTCUSDT=60000
  credit a 7.2
  credit b 7.2
  credit c 7.2
  credit d 7.2
  credit e 7.2
  a leverage 50 BTCUSDT
  b leverage 50 SOLUSDT
  c leverage 50 DOTUSDT
  d leverage 50 XRPUSDT
  e leverage 50 LTCUSDT
  a buy 0.004 @ 60000 BTCUSDT
  b buy 0.004 @ 60000 SOLUSDT
  c buy 0.004 @ 60000 DOTUSDT
  d buy 0.004 @ 60000 XRPUSDT
  e buy 0.004 @ 60000 LTCUSDT
  ben sell 0.004 @ 60000 BTCUSDT
  ben sell 0.004 @ 60000 SOLUSDT
  ben sell 0.004 @ 60000 DOTUSDT
  ben sell 0.004 @ 60000 XRPUSDT
  ben sell 0.004 @ 60000 LTCUSDT
  tick BTCUSDT=58400 SOLUSDT=58400 DOTUSDT=58400 XRPUSDT=58400 LTCUSDT=58400
`;

scenario(
  'LIQ-3 over all markets the fund takes at most its own size',
  `
  # Each is 233.6 of notional, a quarter would be 248.2. Four are 934.4; of the fifth one lot fits,
  # 992.8 in all.
  ${five('992.8')}
  takenOver a 0.004@58200 b 0.004@58200 c 0.004@58200 d 0.004@58200 e 0.001@58200
  deleveraged LTCUSDT e ben 0.003@58200
  reduced
  e has position 0 LTCUSDT balance 0
  `,
);

scenario(
  'LIQ-3 over all markets a fund that has one unit less takes one lot less',
  `
  ${five('992.799999')}
  takenOver a 0.004@58200 b 0.004@58200 c 0.004@58200 d 0.004@58200
  deleveraged LTCUSDT e ben 0.004@58200
  `,
);

scenario(
  'LIQ-3 a position of one lot is taken over by a fund that has exactly four times its notional',
  `
  # 1.9 - 1.6 of 0.584 at 58400; 4 x 58.4 = 233.6.
  market BTCUSDT ${feeless}
  credit anna 1.9
  credit ben 10000
  insurance 233.6
  index 60000
  anna leverage 50
  anna buy 0.001 @ 60000
  ben sell 0.001 @ 60000
  index 58400
  takenOver anna 0.001@58100
  `,
);

scenario(
  'LIQ-3 the immediate loss beyond the mark counts, so the fund takes less above the mark',
  `
  # 5 from 60000 with 7000. At 57000: -8000, bankruptcy price 57000 + 1600. 4 x 57000 t <= 1,000,000
  # - 1600 t: t = 1000000 / 229600 = 4.3554. (Without the loss 4.385 would fit.) 0.645 is
  # deleveraged.
  market BTCUSDT ${feeless}
  credit anna 7000
  credit ben 100000
  insurance 1000000
  index 60000
  anna leverage 50
  anna buy 5 @ 60000
  ben sell 5 @ 60000
  index 57000
  takenOver anna 4.355@58600
  deleveraged anna ben 0.645@58600
  anna has balance 0
  # 4.355 x 1600 = 6968 below its balance.
  fund has position 4.355 balance 1000000 equity 993032
  funds shortfall 0
  `,
);

scenario(
  'LIQ-3 the smaller of balance and equity counts as the size of the fund',
  `
  # Gus, long 0.08 ETH from 3000 with 6.4, leaves his position to the fund at 2930 - 0.8 / 0.08 =
  # 2920. At 2780 it is 11.2 down: equity 988.8, a quarter 247.2. Anna, short 0.01 BTC from 61000
  # with 19, has 4 of 6.25 at 62500: 247.2 / 62500 = 0.00395: 3 lots. A quarter of the balance would
  # be 4 lots.
  market BTCUSDT ${feeless}
  market ETHUSDT ${feeless}
  credit anna 19
  credit gus 6.4
  credit ben 10000
  insurance 1000
  tick BTCUSDT=61000 ETHUSDT=3000
  anna leverage 50
  gus leverage ETHUSDT 50
  anna sell 0.01 @ 61000
  ben buy 0.01 @ 61000
  gus buy ETHUSDT 0.08 @ 3000
  ben sell ETHUSDT 0.08 @ 3000
  tick BTCUSDT=61000 ETHUSDT=2930
  takenOver gus 0.08@2920
  fund has position 0.08 ETHUSDT balance 1000 equity 1000.8
  tick BTCUSDT=62500 ETHUSDT=2780
  takenOver anna 0.003@62900
  fund has position -0.003 BTCUSDT balance 1000
  `,
);

/**
 * Anna long 0.004 from 60000 with 7.2: at 58400 her 0.8 of 2.336 go to the fund, at 58200. Gus, Hal
 * and Ian are long 0.05 ETH from 3000: Gus with 4 has 0.5 of 1.465 at 2930, Hal with 4.5 has 0.5 at
 * 2920, Ian with 5 at 2910. Each is then far below two thirds, and within every other bound of the
 * fund.
 */
const taken = (insurance: string) => `
  market BTCUSDT ${feeless}
  market ETHUSDT ${feeless}
  credit anna 7.2
  credit ben 10000
  credit gus 4
  credit hal 4.5
  credit ian 5
  insurance ${insurance}
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  gus leverage ETHUSDT 50
  hal leverage ETHUSDT 50
  ian leverage ETHUSDT 50
  gus buy ETHUSDT 0.05 @ 3000
  hal buy ETHUSDT 0.05 @ 3000
  ian buy ETHUSDT 0.05 @ 3000
  ben sell ETHUSDT 0.15 @ 3000
  tick BTCUSDT=58400 ETHUSDT=3000
  takenOver anna 0.004@58200
`;

scenario(
  'LIQ-3 LIQ-3b after a loss of 7.5 % of its highest equity in eight hours the fund takes nothing over',
  `
  # BTC falls to 38316.3: the fund has lost 0.004 x 19883.7 = 79.5348 of 1000. Gus is deleveraged.
  ${taken('1000')}
  index 52560
  index 47304
  index 42573.6
  index 38316.3
  tick BTCUSDT=38316.3 ETHUSDT=2930
  fund has equity 920.4652
  takenOver
  deleveraged ETHUSDT gus ben 0.05@2920
  # The highest equity stood in the ten minutes from 08:50 on. 47 such later, at 16:49:59, it
  # counts.
  after 28594250
  tick BTCUSDT=38316.3 ETHUSDT=2930 after 1000
  tick BTCUSDT=38316.3 ETHUSDT=2930 after 1000
  tick BTCUSDT=38316.3 ETHUSDT=2920 after 1000
  shows live true ETHUSDT
  takenOver
  deleveraged ETHUSDT hal ben 0.05@2910
  # At 16:50:00 it does not any more.
  tick BTCUSDT=38316.3 ETHUSDT=2910 after 1000
  takenOver ian 0.05@2900
  `,
);

scenario(
  'LIQ-3 a fund that has lost less still takes over',
  `
  # At 42573.6 the loss is 62.5056 of 1000.
  ${taken('1000')}
  index 52560
  index 47304
  tick BTCUSDT=42573.6 ETHUSDT=2930
  fund has equity 937.9944
  takenOver gus 0.05@2920
  `,
);

scenario(
  'LIQ-3 at 92.5 % of its highest equity the fund takes over, a hundredth of a cent below it does not',
  `
  # BTC at 39450 costs the fund 0.004 x 18750 = 75 of 1000, a tick lower 75.0004.
  ${taken('1000')}
  index 52560
  index 47304
  index 42573.6
  tick BTCUSDT=39449.9 ETHUSDT=2930
  fund has equity 924.9996
  takenOver
  deleveraged ETHUSDT gus ben 0.05@2920
  tick BTCUSDT=39450 ETHUSDT=2920
  takenOver hal 0.05@2910
  # 925 and what 0.05 gained on the way from 2910 to the mark.
  fund has equity 925.5
  `,
);

scenario(
  'LIQ-3 LIQ-3b the highest equity of ten minutes counts, even when a lower one came later',
  `
  # Half an hour later the fund has 2000 and then 0.004 x 38200 = 152.8 less: 7.64 %. Of the 1000 of
  # the first ten minutes, which its peaks begin with, that would be nothing lost.
  ${taken('1000')}
  after 1800000
  insurance 1000
  tick BTCUSDT=58400 ETHUSDT=3000 after 1000
  tick BTCUSDT=58400 ETHUSDT=3000 after 1000
  tick BTCUSDT=58400 ETHUSDT=3000 after 1000
  fund has equity 2000.8
  after 121000
  tick BTCUSDT=20000 ETHUSDT=3000 after 1000
  tick BTCUSDT=20000 ETHUSDT=3000 after 1000
  tick BTCUSDT=20000 ETHUSDT=3000 after 1000
  fund has equity 1847.2
  tick BTCUSDT=20000 ETHUSDT=2930
  takenOver
  deleveraged ETHUSDT gus ben 0.05@2920
  `,
);

scenario(
  'LIQ-3 an opposite position of the fund is closed first, at the bankruptcy price',
  `
  # Fay short 0.01 from 58400 with 15.5: at 59700 she has 2.5 of 5.97; 59700 + 250 = 59950. The fund
  # has 0.004: it closes them, realising 0.004 x 1750 = 7, and opens 0.004 short, 238.8 of notional.
  # The other 0.002 are deleveraged.
  ${taken('1000')}
  credit fay 15.5
  fay leverage 50
  fay sell 0.01 @ 58400
  ben buy 0.01 @ 58400
  index 59700
  takenOver fay 0.008@59950
  fund has position -0.004 entry -239.8 balance 1007 equity 1008
  deleveraged fay ben 0.002@59950
  fay has position 0 balance 0
  `,
);

scenario(
  'LIQ-3 the fund gets a fee of 0.5 % of all that one step closed, at most the equity left',
  `
  # Long 0.01 from 60000 with 19; at 58400 3 of 5.84. Down to 58400 - 300: 0.004 sold at 58200; 2.2
  # are below 2.336. The fund takes 0.006 at 58400 - 366.6, up. The fee would be 0.005 x (232.8 +
  # 348.2004) = 2.905002; the 0.0004 that rounding leaves are taken.
  ${start('19', '10000', freeOfFunding)}
  cleo buy 0.004 @ 58200
  index 58400
  liquidated anna cleo 0.004@58200
  takenOver anna 0.006@58033.4
  charged anna 0.0004
  anna has balance 0
  funds insurance 10000.0004 feeRevenue 0
  `,
);

scenario(
  'LIQ-3 LIQ-4 an empty fund takes nothing over, and everything is deleveraged',
  `
  ${start('19', '1').replace('insurance 1', '')}
  index 58400
  takenOver
  deleveraged anna ben 0.01@58100
  anna has position 0 balance 0
  `,
);

test('LIQ-3 a takeover sells a long position and buys a short one', () => {
  for (const [taker, other, price] of [
    ['buy', 'sell', 58400],
    ['sell', 'buy', 61600],
  ] as const) {
    const world = play(
      createWorld(),
      `
      market BTCUSDT ${feeless}
      credit anna 19
      credit ben 10000
      insurance 10000
      index 60000
      anna leverage 50
      anna ${taker} 0.01 @ 60000
      ben ${other} 0.01 @ 60000
      index ${price}
      `,
    );
    const [takenOver] = world.recent.filter((event) => event.kind === 'takenOver');
    expect(takenOver).toMatchObject({ side: taker === 'buy' ? -1 : 1, lots: 10, tradeId: 2 });
  }
});
