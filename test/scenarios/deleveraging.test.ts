// Deleveraging (LIQ-4): when it happens, in which order, at which prices. deficits.test.ts has the
// sharing of what is still unpaid. There is no fund here unless a scenario states it, and no
// trading fees.

import { expect, test } from 'vitest';
import type { Deleveraged } from '../../src/engine/riskEvent.ts';
import { play, scenario } from './scenario.ts';
import { freeOfFunding, shortsOfTwoPrices } from './stages.ts';
import { createWorld } from './world.ts';

/** Anna long 0.01 from 60000; at 58400, where maintenance is 5.84, she has her credit less 16. */
const single = (credit: string) => `
  market BTCUSDT ${freeOfFunding}
  credit anna ${credit}
  credit ben 10000
  index 60000
  anna leverage 50
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
`;

scenario(
  'LIQ-4 at two thirds of Σ maintenance the rest waits for the book, below them it is deleveraged',
  `
  # Two thirds of 5.84 are 3.89333.. At 3.8934 she waits; a tick lower 3.8924 are below 3.893326..; the
  # bankruptcy price is 58399.9 - 389.2.
  ${single('19.8934')}
  index 58400
  deleveraged
  anna has position 0.01 equity 3.8934 flagged yes
  index 58399.9
  deleveraged anna ben 0.01@58010.7
  flags anna no
  # A deleveraging has no fee (LIQ-3c): she keeps what a tick leaves.
  charged
  anna has balance 0.0004
  ben has position 0 balance 10019.893
  funds feeRevenue 0 insurance 0
  `,
);

scenario(
  'LIQ-4 the best rank, PnL % × effective leverage, comes first',
  `
  # At 58400 of the shorts of 0.01 each: Ben 16 x 584 / (600 x 1016) = 0.0153; Cleo 16 x 584 / (600
  # x 46) = 0.3385; Dora, from 59000, 6 x 584 / (590 x 26) = 0.2284. Anna, long 0.03, has 51 - 48 =
  # 3 of 17.52: 58400 - 3 / 0.03 = 58300.
  market BTCUSDT ${freeOfFunding}
  credit anna 51
  credit ben 1000
  credit cleo 30
  credit dora 20
  credit gus 1000
  index 60000
  anna leverage 50
  cleo leverage 50
  dora leverage 50
  anna buy 0.03 @ 60000
  ben sell 0.01 @ 60000
  cleo sell 0.01 @ 60000
  gus sell 0.01 @ 60000
  index 59000
  gus buy 0.01 @ 59000
  dora sell 0.01 @ 59000
  index 58400
  deleveraged anna cleo 0.01@58300 anna dora 0.01@58300 anna ben 0.01@58300
  anna has position 0 balance 0
  cleo has balance 47
  dora has balance 27
  ben has balance 1017
  `,
);

scenario(
  'LIQ-4 equal ranks go by size, then by account, and no more is closed than was left',
  `
  # Equal PnL % and leverage: Fay 0.02 with 60, Dora and Emil 0.01 with 30 each; Ben, far richer,
  # comes last. Anna is long 0.035 with 57: 57 - 56 = 1 of 20.44: 58400 - 28.5 (1 / 0.035 = 28.57).
  market BTCUSDT ${freeOfFunding}
  credit anna 57
  credit ben 10000
  credit emil 30
  credit dora 30
  credit fay 60
  credit gus 10000
  index 60000
  anna leverage 50
  emil leverage 50
  dora leverage 50
  fay leverage 50
  anna buy 0.035 @ 60000
  gus buy 0.015 @ 60000
  dora sell 0.01 @ 60000
  emil sell 0.01 @ 60000
  fay sell 0.02 @ 60000
  ben sell 0.01 @ 60000
  index 58400
  deleveraged anna fay 0.02@58371.5 anna emil 0.01@58371.5 anna dora 0.005@58371.5
  dora has position -0.005
  ben has position -0.01
  gus has position 0.015
  `,
);

scenario(
  'LIQ-4 without an account in profit those at a loss follow, least loss % × leverage first',
  `
  # Anna is long 2 ETH, 300 down at 2850, and 0.02 BTC, 12 up at 60600, with 200: -88. Only ETH
  # bears: 2850 + 44. BTC then closes at its mark against shorts at a loss: Ben -6 x 606 / (600 x
  # 994), Cleo -6 x 606 / (600 x 94): Ben is nearer to 0.
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  credit anna 200
  credit cleo 100
  credit ben 1000
  credit dora 10000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna buy 0.02 @ 60000
  cleo sell 0.01 @ 60000
  ben sell 0.01 @ 60000
  anna buy ETHUSDT 2 @ 3000
  dora sell ETHUSDT 2 @ 3000
  tick BTCUSDT=60600 ETHUSDT=2850
  deleveraged ETHUSDT anna dora 2@2894
  deleveraged BTCUSDT anna ben 0.01@60600 anna cleo 0.01@60600
  anna has balance 0
  ben has balance 994
  funds shortfall 0
  `,
);

scenario(
  'LIQ-4 an account that would fall below zero is skipped, and closed at the mark after all others',
  `
  # At 54000 Anna has -200: 54000 + 2000. Cleo has 190 + 150 - 250 = 90, by far the better rank, and
  # would lose 0.05 x 2000 = 100. Ben takes his 0.05 at 56000; Cleo's at 54000. Anna has paid 200
  # and is 100 short of 300: shared by Ben's 200 and Cleo's 150 of profit: 57.142857 and 42.857142, the
  # last unit by Ben, whose profit is larger.
  ${shortsOfTwoPrices}
  tick BTCUSDT=54000 ETHUSDT=2875
  deleveraged anna ben 0.05@56000 anna cleo 0.05@54000
  shared ben 57.142858 cleo 42.857142
  covered anna 0 100 0
  anna has balance 0 position 0
  # 10000 + 150 (0.05 bought back at 57000) + 200 - 57.142858.
  ben has balance 10292.857142
  cleo has balance 297.142858
  funds shortfall 0
  `,
);

scenario(
  'LIQ-4 MAR-7 an isolated winner whose position is closed shares what it was paid in the command',
  `
  # As above with Ben isolated: his 0.05 are closed and worth nothing, but 200 of the profit are
  # available. No margin mode avoids sharing.
  ${shortsOfTwoPrices.replace('  anna leverage 50\n', '  ben mode isolated\n  anna leverage 50\n')}
  tick BTCUSDT=54000 ETHUSDT=2875
  deleveraged anna ben 0.05@56000 anna cleo 0.05@54000
  shared ben 57.142858 cleo 42.857142
  covered anna 0 100 0
  ben has position 0 balance 10292.857142
  funds shortfall 0
  `,
);

scenario(
  'LIQ-4 an account that stays above zero is not skipped, although its position ends',
  `
  # ETH at 2880: Cleo has 190 + 150 - 240 = 100, and loses 100. Then, at nothing, ETH is closed in
  # the same command at its mark (LIQ-5).
  ${shortsOfTwoPrices}
  tick BTCUSDT=54000 ETHUSDT=2880
  deleveraged BTCUSDT anna cleo 0.05@56000 anna ben 0.05@56000
  deleveraged ETHUSDT cleo ben 2@2880
  shared
  anna has balance 0
  cleo has balance 0 flagged no
  `,
);

scenario(
  'LIQ-4 MAR-7 for an isolated counterparty only the equity of that position counts',
  `
  # Cleo isolated: her 0.05 stand on 57 and 150 of profit: 207 carry the 100.
  ${shortsOfTwoPrices
    .replace('  cleo leverage 50\n', '  cleo mode isolated\n  cleo leverage 50\n')
    .replace('credit cleo 190', 'credit cleo 180')}
  tick BTCUSDT=54000 ETHUSDT=2960
  deleveraged anna cleo 0.05@56000 anna ben 0.05@56000
  # 180 + 50: ETH is 80 down besides.
  cleo has balance 230
  `,
);

scenario(
  'LIQ-4 the opposite position of the fund comes first',
  `
  # Anna's short 0.004 came to the fund at 61800; at 88000 it has lost 104.8 of 1000 and takes
  # nothing over. Emil, long 0.01 from 90188.5 with 22.5, has 0.615 of 8.8: 88000 - 61.5. Dora,
  # short from 90188.5, is in profit; the fund is at a loss and still first.
  market BTCUSDT ${freeOfFunding} liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  credit emil 22.5
  credit dora 1000
  insurance 1000
  index 60000
  anna leverage 50
  emil leverage 50
  anna sell 0.004 @ 60000
  ben buy 0.004 @ 60000
  index 61600
  takenOver anna 0.004@61800
  index 67760
  index 74536
  index 81989.6
  steady 90188.5 for 31000
  emil buy 0.01 @ 90188.5
  dora sell 0.01 @ 90188.5
  index 88000
  takenOver
  deleveraged emil fund 0.004@87938.5 emil dora 0.006@87938.5
  # 0.004 x (61800 - 87938.5).
  fund has position 0 balance 895.446
  emil has balance 0
  `,
);

scenario(
  'LIQ-4 deleveraging has the effects of a fill: reduce-only orders are cut, cover is assigned again',
  `
  # Ben is short 0.01 with a reduce-only bid for all of it and a plain bid that it covers. Half of
  # it goes: the one is cut, of the other 0.005 x 50000 / 20 x 1.005 = 12.5625 are frozen.
  market BTCUSDT ${freeOfFunding}
  credit anna 8.1
  credit cleo 10000
  credit ben 10000
  index 60000
  anna leverage 50
  anna buy 0.005 @ 60000
  cleo buy 0.005 @ 60000
  ben sell 0.01 @ 60000
  ben buy 0.01 @ 50000 reduceOnly id out
  ben buy 0.01 @ 50000 id plain
  ben order plain cover 0.01 freeze 0
  index 58400
  deleveraged anna ben 0.005@58380
  ben order out open 0.005 quantity 0.005
  ben order plain cover 0.005 freeze 12.5625
  `,
);

scenario(
  'LIQ-4 one lot closes against one lot when only these two accounts are in the market',
  `
  # Long 0.001 from 60000 with 1.3: at 58400 -0.3: 58400 + 300.
  ${single('1.3').replaceAll('0.01 @', '0.001 @')}
  index 58400
  deleveraged anna ben 0.001@58700
  anna has balance 0 position 0
  ben has balance 10001.3 position 0
  `,
);

scenario(
  'LIQ-4 PRC-4 no position is deleveraged in a halted market',
  `
  ${single('16.5')}
  change status HALT
  index 58400
  deleveraged
  index 57000
  deleveraged
  anna has equity -13.5 flagged no
  change status TRADING
  # 57000 + 1350.
  deleveraged anna ben 0.01@58350
  anna has balance 0
  `,
);

scenario(
  'LIQ-4 LIQ-5 two bankrupt accounts of one tick share one ranking, one after the other',
  `
  # Anna 0.006 and Emil 0.004 long from 60000 with 9 and 6.2: -0.6 and -0.2 at 58400. Anna, who
  # is shorter of money, at 58500, Emil at 58450. Cleo's 0.008 rank above Ben's 0.002.
  market BTCUSDT ${freeOfFunding}
  credit anna 9
  credit emil 6.2
  credit cleo 20
  credit ben 10000
  index 60000
  anna leverage 50
  emil leverage 50
  cleo leverage 50
  anna buy 0.006 @ 60000
  emil buy 0.004 @ 60000
  cleo sell 0.008 @ 60000
  ben sell 0.002 @ 60000
  index 58400
  deleveraged anna cleo 0.006@58500 emil cleo 0.002@58450 emil ben 0.002@58450
  anna has balance 0
  emil has balance 0
  cleo has position 0 balance 32.1
  `,
);

test('LIQ-4 every deleveraging is an event with the inputs of the rank and of the bankrupt side', () => {
  const world = play(createWorld(), `${single('17')}\nindex 58400`);
  const reported = world.events.filter(
    (event): event is Deleveraged => event.kind === 'deleveraged',
  );
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatchObject({
    cause: 'deleveraging',
    market: 0,
    ticks: 583_000,
    mark: 584_000,
    lots: 10,
    side: -1,
    // 17 - 16 of 5.84; a loss of 0.01 x 1700.
    marginStatus: { equity: 1_000_000, maintenance: 5_840_000 },
    bankrupt: { account: 1, pnl: -17_000_000, fee: 0, balance: 0, position: 0 },
    counterparty: { account: 2, pnl: 17_000_000, fee: 0, balance: 10_017_000_000, position: 0 },
    rank: {
      unrealized: 16_000_000,
      notional: 584_000_000,
      entry: 600_000_000,
      equity: 10_016_000_000,
    },
  });
});

scenario(
  'LIQ-4 for a short: an account that would fall below zero closes at the mark, one below zero last',
  `
  # Rob, short 15 SOL with 37.5, has -112.5 at 110: 110 - 112.5 / 15 = 102.5. There Pia, long 10, would
  # lose 75 of her 60 + 100 - 120 and Quin, long 5, is 10 below zero already.
  market SOLUSDT ${freeOfFunding} liquidationFeeRate 0
  market AVAXUSDT ${freeOfFunding} liquidationFeeRate 0
  credit rob 37.5
  credit pia 60
  credit quin 60
  credit ben 10000
  tick SOLUSDT=100 AVAXUSDT=100
  rob leverage 50 SOLUSDT
  pia leverage 50 SOLUSDT
  quin leverage 50 SOLUSDT
  pia leverage 50 AVAXUSDT
  quin leverage 50 AVAXUSDT
  pia buy SOLUSDT 10 @ 100
  quin buy SOLUSDT 5 @ 100
  rob sell SOLUSDT 15 @ 100
  pia buy AVAXUSDT 12 @ 100
  quin buy AVAXUSDT 12 @ 100
  ben sell AVAXUSDT 24 @ 100
  tick SOLUSDT=110 AVAXUSDT=90
  deleveraged SOLUSDT rob pia 10@110 rob quin 5@110
  rob has balance 0 position 0
  `,
);

scenario(
  'LIQ-4 LIQ-3 a counterparty that cannot pay its own loss at the mark has the rest booked as shortfall',
  `
  # Ben, with 550, is short 0.1 from 50000, which 10 ETH from 2000 carry as long as they are 2000 up.
  # At 56300 and 2000 he has -80. Anna, the only long, has 360 for a loss of 370.
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  credit anna 360
  credit ben 550
  credit cleo 100000
  tick BTCUSDT=50000 ETHUSDT=2000
  anna leverage 50
  ben leverage 50
  ben leverage 50 ETHUSDT
  ben sell 0.1 @ 50000
  cleo buy 0.1 @ 50000
  ben buy ETHUSDT 10 @ 2000
  cleo sell ETHUSDT 10 @ 2000
  drift ETHUSDT 2200
  drift 60000
  anna buy 0.1 @ 60000
  cleo sell 0.1 @ 60000
  tick BTCUSDT=56300 ETHUSDT=2000
  deleveraged ben cleo 10@2000 ben anna 0.1@56300
  covered anna 0 0 10 ben 0 0 80
  funds shortfall 90
  anna has position 0 balance 0
  ben has position 0 balance 0
  `,
);

scenario(
  'LIQ-4 UNIT-3 realised profits share a deficit by exact parts of it',
  `
  # At 54000 Anna has -100: 54000 + 1000. Ben's 0.05 have won 250; Cleo, with 40, would lose 50 there,
  # and wins 150 at the mark. Anna is 50 short of the 300 of it: 250 and 150 parts of 400. Cleo then
  # has 21.25 of 57.
  ${shortsOfTwoPrices.replace('credit anna 400', 'credit anna 500')}
  tick BTCUSDT=54000 ETHUSDT=2850
  deleveraged anna ben 0.05@55000 anna cleo 0.05@54000 cleo ben 2@2839.38
  shared ben 31.25 cleo 18.75
  `,
);
