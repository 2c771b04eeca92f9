// The insurance fund's own positions (LIQ-3, LIQ-6): how it unwinds them, when they are reduced,
// and what becomes of a fund that has nothing left. No liquidation fee, no funding but where it
// drains.

import { expect, test } from 'vitest';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import { play, scenario } from './scenario.ts';
import { drained, free } from './stages.ts';
import { createWorld } from './world.ts';

/** Anna's 0.004 come to the fund at 58200, with the mark at 58400. */
const taken = (terms: string) => `
  market BTCUSDT ${terms} fundingFactor 0 liquidationFeeRate 0
  market ETHUSDT ${terms} fundingFactor 0 liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  credit cleo 100000
  insurance 1000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  tick BTCUSDT=58400 ETHUSDT=3000
  takenOver anna 0.004@58200
`;

scenario(
  'LIQ-6 the fund sells within the base taker fee of the mark, a tenth of that depth per step',
  `
  # 58400 less 0.05 % is 58370.8. 0.025 + 0.01 lie within: 3.5, so 3 lots, at the best price first.
  ${taken('takerFee 0.0005 makerFee 0')}
  cleo buy 0.1 @ 58370.7 id out
  cleo buy 0.01 @ 58370.8
  cleo buy 0.025 @ 58380
  index 58400
  liquidated fund cleo 0.003@58380
  # Bought at 58200: 0.003 x 180. No fee.
  fund has position 0.001 entry 58.2 balance 1000.54
  # 32 lots are left there: another 3 would go.
  index 58400
  liquidated fund cleo 0.001@58380
  fund has position 0 entry 0 balance 1000.72
  index 58400
  liquidated
  cleo order out status NEW
  # A print of the fund is none for the mark.
  shows last 58380 lastRegular 60000
  `,
);

scenario(
  'LIQ-6 the fund does not trade against less than ten lots, nor in a market that did not tick',
  `
  ${taken('takerFee 0.0005 makerFee 0')}
  cleo buy 0.009 @ 58400
  index 58400
  liquidated
  # Anna's, Ben's and Cleo's: the fund has placed nothing.
  events orderPlaced 3
  cleo buy 0.001 @ 58399
  index ETHUSDT 3000
  liquidated
  index 58400
  liquidated fund cleo 0.001@58400
  `,
);

test('LIQ-6 the unwinding order belongs to the fund and is not marked as a liquidation', () => {
  const steps = `${taken(free)}\n cleo buy 0.1 @ 58400\n index 58400`;
  const world = play(createWorld(), steps);
  const orders = world.events.flatMap((event) =>
    event.kind === 'orderEnded' ? [event.order] : [],
  );
  const own = orders.filter(({ account }) => account === insuranceAccount);
  expect(own).toMatchObject([{ origin: 'unwinding', status: 'FILLED', side: -1, lots: 4 }]);
});

scenario(
  'LIQ-6 the fund buys its short positions back',
  `
  # Short 0.004 from 60000 with 7.2; at 61600 0.8 of 2.464: 61800. The bound is 61630.8.
  market BTCUSDT takerFee 0.0005 makerFee 0 fundingFactor 0 liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  credit cleo 100000
  insurance 1000
  index 60000
  anna leverage 50
  anna sell 0.004 @ 60000
  ben buy 0.004 @ 60000
  index 61600
  takenOver anna 0.004@61800
  cleo sell 0.1 @ 61630.9
  index 61600
  liquidated
  cleo sell 0.02 @ 61630.8
  index 61600
  liquidated fund cleo 0.002@61630.8
  fund has position -0.002 entry -123.6 balance 1000.3384
  `,
);

scenario(
  'LIQ-6 without a taker fee the mark is the bound, and nothing is unwound in HALT',
  `
  ${taken(free)}
  cleo buy 0.1 @ 58400
  change status HALT
  index 58400
  liquidated
  change status CLOSE
  liquidated fund cleo 0.004@58400
  fund has balance 1000.8
  `,
);

scenario(
  'LIQ-6 fund_reduction: net notional above the fund is closed at the mark against the best rank',
  `
  # 1000 - 900 = 100. 0.004 x 58400 = 233.6: 133.6 too many, 2.28.. lots of 58.4: 3, against Ben.
  ${taken(free)}
  ${drained('10.5')}
  paid gus -45 mm 945
  helped gus 900
  # Gus, whom the funding left with nothing, goes first; all of it in the command that drains.
  deleveraged gus mm 10.5@100
  reduced ben 0.003@58400
  # Bought at 58200: 0.003 x 200 gained.
  fund has position 0.001 entry 58.2 balance 100.6
  # 60000 - 58400.
  ben has position -0.001 balance 10004.8
  index 58400
  reduced
  `,
);

scenario(
  'LIQ-6 PRC-4 a stale market is not reduced',
  `
  ${taken(free)}
  after 5001
  ${drained('10.5')}
  helped gus 900
  reduced
  index ETHUSDT 3000
  reduced
  fund has position 0.004
  index 58400
  reduced ben 0.003@58400
  `,
);

/** The fund has besides 0.07 ETH from 2920, by Hal. */
const two = `
  ${taken(free)}
  credit hal 5.6
  hal leverage 50 ETHUSDT
  hal buy ETHUSDT 0.07 @ 3000
  ben sell ETHUSDT 0.07 @ 3000
  tick BTCUSDT=58400 ETHUSDT=2930
  takenOver hal 0.07@2920
  fund has position 0.07 ETHUSDT entry 204.4
`;

scenario(
  'LIQ-3 the fund pays its own closing losses by realising profit of its other positions',
  `
  # BTC 58000 is 0.8 down, ETH 2950 2.1 up; then 1000.1 are drained. Nothing is left to spend, 1.3 of
  # equity: in the same command everything goes, BTC with the larger notional first. Its loss of 0.8
  # is taken of ETH, which then brings 1.3.
  ${two}
  insurance 0.1
  tick BTCUSDT=58000 ETHUSDT=2950
  fund has balance 1000.1 equity 1001.4
  ${drained('20')}
  # Gus owes 1800, has 45, the fund 1000.1: Mm gets 1045.1.
  paid gus -45 mm 1045.1
  reduced ben 0.004@58000 ben 0.07@2950
  realized fund 0.8
  covered
  fund has balance 1.3 position 0
  fund has position 0 ETHUSDT
  funds shortfall 0
  `,
);

scenario(
  'LIQ-3 a fund without equity is deleveraged at its own bankruptcy price',
  `
  # BTC 58000: 0.8 down; the fund may spend 999.2, while BTC is silent. At 57900 it has 0.8 - 1.2 = -0.4: 57900 + 0.4 /
  # 0.004 = 58000. Ben, short from 60000, closes there; the fund pays its 0.8.
  ${taken(free)}
  index 58000
  after 5001
  ${drained('20')}
  paid gus -45 mm 1044.2
  deleveraged gus mm 20@100
  fund has balance 0.8 equity 0
  index 57900
  deleveraged fund ben 0.004@58000
  reduced
  fund has balance 0 position 0
  ben has balance 10008 position 0
  funds shortfall 0
  `,
);

scenario(
  'LIQ-6 LIQ-6a the unpaid amount of a reduction returns to the repaid shortfall and is not shared',
  `
  # BTC 58700 is 2 up, ETH 2910 0.7 down. Both are silent when 1000 are drained: 1.3 of equity.
  ${two}
  tick BTCUSDT=58700 ETHUSDT=2910
  after 5001
  ${drained('20')}
  fund has balance 0 equity 1.3
  # Rob, long 10 SOL with 25, has -75 at 90: 97.5. Pia, short, has 60 + 100 - 120, for she is long 12
  # AVAX: she would fall below zero and is closed at the mark. Of the 75 she bears 40, all she has.
  market SOLUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  market AVAXUSDT ${free} fundingFactor 0 liquidationFeeRate 0
  credit rob 25
  credit pia 60
  tick SOLUSDT=100 AVAXUSDT=100
  rob leverage 50 SOLUSDT
  pia leverage 50 SOLUSDT
  pia leverage 50 AVAXUSDT
  rob buy SOLUSDT 10 @ 100
  pia sell SOLUSDT 10 @ 100
  pia buy AVAXUSDT 12 @ 100
  ben sell AVAXUSDT 12 @ 100
  tick SOLUSDT=90 AVAXUSDT=90
  covered rob 0 40 35
  funds shortfall 35
  # BTC, the larger notional, first: its 2 repay the shortfall. Then the 0.7 of ETH are missing. Ben, who
  # is 6.3 up there, keeps his profit: the debt of another market is not his.
  tick BTCUSDT=58700 ETHUSDT=2910
  reduced ben 0.004@58700 ben 0.07@2910
  shared
  covered fund 0 0 0.7
  funds shortfall 33.7
  fund has balance 0 position 0
  fund has position 0 ETHUSDT
  `,
);

scenario(
  'LIQ-6 LIQ-6a deleveraging stops once the fund has equity, and a reduction closes the excess',
  `
  # BTC 57995 is 0.82 down, ETH 2930 0.7 up, 0.10005 are left: 57995 + 0.01995 / 0.004, up to 58000,
  # where 0.00005 are left to the fund; it closes ETH at the mark.
  ${two}
  tick BTCUSDT=58000 ETHUSDT=2930
  after 5001
  ${drained('20')}
  insurance 0.00005
  fund has balance 0.10005 equity 0.00005
  tick BTCUSDT=57995 ETHUSDT=2930
  deleveraged fund ben 0.004@58000
  reduced ben 0.07@2930
  covered
  fund has balance 0.00005 position 0
  `,
);

scenario(
  'LIQ-6 LIQ-4b a reduction finds accounts that opened after the ranking',
  `
  # Fund long 0.004, Dora 0.001 with 1.2; Ben short 0.003, Fay 0.002, who is long 0.12 ETH. At 56200
  # and 2875 Dora has -1: 57200, against Ben. Fay has 10 + 4.4 - 15: ETH at 2875 + 0.6 / 0.12, BTC by
  # the book, at Gil's price. The fund has 2 of 224.8: of the ranking Ben's 0.002 are left, then Gil.
  ${taken(free)}
  credit dora 1.2
  credit fay 10
  credit gil 10000
  dora leverage 50
  fay leverage 50
  fay leverage 50 ETHUSDT
  fay sell 0.002 @ 58400
  ben buy 0.002 @ 58400
  dora buy 0.001 @ 58400
  ben sell 0.001 @ 58400
  fay buy ETHUSDT 0.12 @ 3000
  ben sell ETHUSDT 0.12 @ 3000
  gil sell 0.002 @ 56200
  after 5001
  ${drained('20')}
  insurance 10
  tick BTCUSDT=56200 ETHUSDT=2875
  deleveraged BTCUSDT dora ben 0.001@57200
  deleveraged ETHUSDT fay ben 0.12@2880
  liquidated fay gil 0.002@56200
  reduced ben 0.002@56200 gil 0.002@56200
  fund has position 0 balance 2
  `,
);
