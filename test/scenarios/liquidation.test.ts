// Which accounts are liquidated, and how much is closed when (LIQ-1): the tests, the flag, the
// steps and their distance. What a step does beyond the book is in takeover.test.ts and
// deleveraging.test.ts. The markets take no fees here unless said so.

import { expect, test } from 'vitest';
import { markHoldersDirty } from '../../src/engine/clearing/liquidationIndex.ts';
import type { Ticks } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { free } from './stages.ts';
import { createWorld } from './world.ts';

/** Anna long 0.1 from 60000 with 400, Cleo and Dora with money; below 56565.7 she fails (LIQ-7). */
const small = `
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 400
  credit ben 100000
  credit cleo 100000
  credit dora 100000
  index 60000
  index ETHUSDT 3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

/** Anna long 4 from 60000 with 7000: 240,000 of notional. */
const large = `
  market BTCUSDT ${free}
  credit anna 7000
  credit ben 100000
  credit cleo 1000000
  credit dora 1000000
  index 60000
  anna leverage 50
  anna buy 4 @ 60000
  ben sell 4 @ 60000
`;

/** From 60000 to 187000 in steps that the gate passes. */
const risen = [66, 72, 79, 86, 94, 103, 113, 124, 136, 149, 163, 179, 187]
  .map((thousand) => `index ${thousand}000`)
  .join('\n  ');

scenario(
  'LIQ-1 a short with equity beyond the reach of the mark is tested when the mark has doubled',
  `
  # Up to 120000 Ben need not be tested. At 199000: equity 14000 - 13900 = 100, maintenance 199.
  market BTCUSDT ${free}
  credit anna 100000
  credit ben 14000
  credit dora 100000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  dora sell 0.1 @ 199000
  ${risen}
  ben has equity 1300 flagged no
  index 199000
  flags ben yes ben no
  liquidated ben dora 0.1@199000
  `,
);

scenario(
  'LIQ-1 a short opened at a fallen mark is tested before the mark doubles its former value',
  `
  # Up to 120000 no account that can bear it is tested. Ben, short from 40000 with 4500, can bear 80000.
  market BTCUSDT ${free} fundingFactor 0
  credit anna 100000
  credit ben 4500
  index 60000
  after 121000
  ${'prices sim=40000 after 1000\n'.repeat(3)}
  anna buy 0.1 @ 40000
  ben sell 0.1 @ 40000
  after 121000
  ${'prices sim=85000 after 1000\n'.repeat(3)}
  flags ben yes ben no
  `,
);

scenario(
  'LIQ-1 equity equal to Σ maintenance is not liquidated, one tick lower it is',
  `
  # 406.5 - 350 of 56.5.
  market BTCUSDT ${free}
  credit anna 406.5
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 56500
  anna has equity 56.5 maintenance 56.5 flagged no
  index 56499.9
  flags anna yes
  `,
);

scenario(
  'LIQ-1 LIQ-3 below Σ maintenance the account is flagged, its orders end, a small position is sold whole',
  `
  # At 56500: equity 400 - 350 = 50, maintenance 56.5. Bankruptcy price 56500 - 50 / 0.1 = 56000.
  # Sold 0.06 @ 56400 and 0.04 @ 56300: a loss of 216 + 148; the fee is 0.5 % of 3384 + 2252, which
  # are 28.18. 400 - 364 - 28.18 = 7.82.
  ${small}
  anna buy 0.01 @ 50000 id bid
  anna buy ETHUSDT 0.1 @ 1000 id ether
  anna trigger sell 0.1 STOP_MARKET stop 50000 reduceOnly id stop
  cleo buy 0.06 @ 56400
  dora buy 0.2 @ 56300 id rest
  index 56600
  anna has equity 60 maintenance 56.6 flagged no
  index 56500
  flags anna yes anna no
  liquidated anna cleo 0.06@56400 anna dora 0.04@56300
  charged anna 28.18
  anna order bid status CANCELED reason LIQUIDATION
  anna order ether status CANCELED reason LIQUIDATION
  # Triggers stay: this one will fail when it fires.
  anna triggers stop
  dora order rest open 0.16
  anna has position 0 balance 7.82 available 7.82 flagged no
  funds insurance 28.18 shortfall 0
  `,
);

scenario(
  'LIQ-1 an account must fail at the mark and at the index too',
  `
  # The book stands 150 below the index of 56600: after 75 s the premium is a third of it, the mark
  # 56550. There equity is 55 and maintenance 56.55; at the index 60 and 56.6. When the index comes
  # to 56560 both fail: premium -500 + (-1100 + 500) x 250 / 150250 ticks = -50.1, mark 56509.9,
  # equity 50.99; at the index 56 against 56.56. Sold at 56400: 400 - 360 - 28.2 (0.5 % of 5640).
  ${small}
  change markClamp 0.009
  index 56600
  cleo buy 0.2 @ 56400
  dora sell 0.2 @ 56500
  after 74750
  index 56600
  mark 56550
  anna has equity 55 maintenance 56.55 flagged no position 0.1
  index 56560
  mark 56509.9
  liquidated anna cleo 0.1@56400
  charged anna 28.2
  anna has position 0 balance 11.8
  `,
);

scenario(
  'LIQ-1 an account that fails at the index alone is not liquidated',
  `
  # The book stands above: mark 56650, where equity is 65; at the index of 56550 it is 55 and fails.
  ${small}
  change markClamp 0.009
  index 56600
  cleo buy 0.2 @ 56750
  dora sell 0.2 @ 56850
  after 74750
  index 56600
  mark 56666.7
  # Premium 666.667 + (2500 - 666.667) x 250 / 150250 = 669.717 ticks.
  index 56550
  mark 56617
  anna has equity 61.7 flagged no position 0.1
  `,
);

test('LIQ-1 at equity ≤ 0 at the mark the index test does not apply', () => {
  // No accepted price brings the mark so far from the index, for the clamp is below the maintenance
  // rate (PRC-1): it is put there. 56000: equity 0; 55999.9: below.
  for (const [mark, sold] of [
    [560_000, '0.1@56000'],
    [559_999, '0.1@56000'],
  ] as const) {
    const world = play(createWorld(), `${small}\nanna buy ETHUSDT 0.01 @ 3000`);
    play(world, 'ben sell ETHUSDT 0.01 @ 3000\ncleo buy 0.1 @ 56000\nindex 60000');
    const market = world.exchange.markets[0]!;
    market.prices.mark = mark as Ticks;
    markHoldersDirty(world.exchange, market);
    play(world, `index ETHUSDT 3000\nliquidated anna cleo ${sold}\nanna has position 0`);
    expect(market.prices.index).toBe(600_000);
  }
});

scenario(
  'LIQ-1 above 100,000 USDT only as many lots are closed as restore 1.2 × Σ maintenance',
  `
  # At 58800: equity 7000 - 4800 = 2200, maintenance 2352, of which two thirds are 1568.
  # (1.2 x 2352 - 2200) / ((1.2 x 0.01 - 0.005) x 58800) = 622.4 / 411.6 = 1.5121..: 1.513.
  # Sold at the mark: equity 2200 - 0.005 x 1.513 x 58800 = 1755.178; maintenance of the 2.487 left
  # 1462.356, 1.2 times 1754.8272. With a lot less it would be 1755.472 against 1755.5328.
  ${large}
  cleo buy 4 @ 58800
  index 58800
  liquidated anna cleo 1.513@58800
  charged anna 444.822
  flags anna yes anna no
  anna has position 2.487 equity 1755.178 maintenance 1462.356 flagged no
  `,
);

scenario(
  'LIQ-1 UNIT-3 maintenance is rounded up, at the mark and at the index',
  `
  # 0.501 from 1.003; at 0.992 0.010480 - 0.005511 = 0.004969 are left of 0.00496992.
  market DUSTUSDT ${free} minOrderSize 0.000001
  credit anna 0.01048
  credit ben 10
  index 1.003
  anna leverage 50
  anna buy 0.501 @ 1.003
  ben sell 0.501 @ 1.003
  index 0.992
  flags anna yes
  anna has equity 0.004969 maintenance 0.00497
  `,
);

scenario(
  'LIQ-1 a number of lots that divides without rest is not rounded up',
  `
  # Equity 2200.0608: (2822.4 - 2200.0608) / 411.6 = 622.3392 / 411.6 = 1.512.
  ${large.replace('credit anna 7000', 'credit anna 7000.0608')}
  cleo buy 4 @ 58800
  index 58800
  liquidated anna cleo 1.512@58800
  `,
);

scenario(
  'LIQ-1 a position of exactly 100,000 USDT is closed whole',
  `
  # 2 x 50000; equity 2900 - 2000 = 900 of 1000, of which two thirds are less. A part would be
  # (1.2 x 1000 - 900) / (0.007 x 50000) = 0.857..
  market BTCUSDT ${free}
  credit anna 2900
  credit ben 100000
  credit cleo 1000000
  index 51000
  anna leverage 50
  anna buy 2 @ 51000
  ben sell 2 @ 51000
  cleo buy 2 @ 50000
  index 50000
  liquidated anna cleo 2@50000
  `,
);

scenario(
  'LIQ-1 a step closes at least a fifth of the position, rounded up to a lot',
  `
  # Without a liquidation fee the formula comes to less: at 58838 equity is 7000 - 4.001 x 1162 =
  # 2350.838, maintenance 2354.10838 (rounded up to 2354.10838); (2824.930056 - 2350.838) /
  # (0.012 x 58838) = 0.6714..; a fifth of 4.001 is 0.8002: 0.801.
  market BTCUSDT ${free} liquidationFeeRate 0
  credit anna 7000
  credit ben 100000
  credit cleo 1000000
  index 60000
  anna leverage 50
  anna buy 4.001 @ 60000
  ben sell 4.001 @ 60000
  cleo buy 4 @ 58838
  index 58838
  liquidated anna cleo 0.801@58838
  charged
  anna has position 3.2 flagged no
  `,
);

/** Large, sold short of its aim: 1.513 at 58300 and not at 58800. */
const halfway = `
  ${large}
  cleo buy 1.513 @ 58300
  index 58800
`;

scenario(
  'LIQ-1 LIQ-1a steps are 30 s apart',
  `
  # The bankruptcy price is 58800 - 2200 / 4 = 58250. The loss is 1.513 x 500 = 756.5, and no fee is
  # taken (LIQ-3c): equity 1443.5 against maintenance 1462.356. The second step: (1754.8272 - 1443.5)
  # / 411.6 = 0.7563..: 0.757 at 58700. Loss 75.7; of the fee of 0.005 x 44435.9 = 222.1795 only
  # half of 1367.8 - 1017.24 is taken, which leaves less than 1.2 x 1017.24 = 1220.688.
  ${halfway}
  liquidated anna cleo 1.513@58300
  charged
  flags anna yes
  anna has position 2.487 equity 1443.5 maintenance 1462.356 flagged yes
  dora buy 4 @ 58700
  index 58800
  liquidated
  after 29499
  index 58800
  liquidated
  anna has position 2.487
  # 250 + 29499 + 250 + 1 ms.
  prices sim=58800 after 1
  liquidated anna dora 0.757@58700
  charged anna 175.28
  flags
  anna has position 1.73 equity 1192.52 maintenance 1017.24 flagged yes
  `,
);

scenario(
  'LIQ-1 below two thirds of Σ maintenance the whole position is closed without a wait',
  `
  # A quarter of a second later at 58600: equity 1443.5 - 497.4 = 946.1; maintenance 1457.382, two
  # thirds 971.588. All 2.487, though 145,738.2 of notional; at 58590 a loss of 24.87, and a fee of
  # 0.5 % of 145713.33.
  ${halfway}
  dora buy 4 @ 58590
  index 58600
  liquidated anna dora 2.487@58590
  charged anna 728.56665
  anna has position 0 balance 192.66335 flagged no
  `,
);

scenario(
  'LIQ-1 marginInsufficient: a flagged account may only reduce, and the flag ends at 1.2',
  `
  # At 58900: equity 1443.5 + 2.487 x 100 = 1692.2, maintenance 1464.843, 1.2 times 1757.8116:
  # nothing more is closed, also after 30 s. At 59200: 2438.3 against 1.2 x 1472.304 = 1766.7648.
  ${halfway}
  dora buy 4 @ 58700
  index 58900
  liquidated
  anna buy 0.001 @ 40000 -> marginInsufficient
  anna sell 2.488 @ 59500 -> marginInsufficient
  anna sell 2.487 @ 59500 -> NEW
  anna sell 2.487 @ 60000 reduceOnly -> NEW
  anna cancelAll
  steady 58900 for 31000
  anna has position 2.487 equity 1692.2 flagged yes
  index 59200
  flags anna no
  # It may open again once it has its initial margin.
  anna buy 0.001 @ 40000 -> marginInsufficient
  credit anna 10000
  anna buy 0.001 @ 40000 -> NEW
  `,
);

scenario(
  'LIQ-1 LIQ-1b the flag ends with the last position, in the command that closes it',
  `
  ${halfway}
  index 58900
  dora buy 2.487 @ 58900
  anna has flagged yes
  anna sell 2.487 @ 58900 reduceOnly -> FILLED
  flags anna no
  # 7000 - 1.513 x 1700 - 2.487 x 1100.
  anna has flagged no balance 1692.2
  anna buy 0.001 @ 40000 -> NEW
  `,
);

scenario(
  'LIQ-1 MAR-3 liquidation fills pay the liquidation fee and no taker fee, and the maker pays as always',
  `
  # Anna pays 0.02 % of 6000 as maker, 1.2: at 56600 equity is 58.8 and holds, at 56500 48.8. She
  # sells at 56400: 400 - 1.2 - 360 = 38.8, less 0.5 % of 5640. Cleo pays 0.02 % of 5640, 1.128.
  market BTCUSDT
  credit anna 400
  credit ben 10000
  credit cleo 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.1 @ 56400
  index 56500
  anna has position 0 balance 10.6
  cleo has balance 9998.872
  # 1.2 + 3 + 1.128.
  funds insurance 28.2 feeRevenue 5.328
  `,
);
