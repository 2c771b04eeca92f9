// Funding changes hands (FUND-1 … FUND-4). The scenarios begin at 08:53:20 UTC, 1760000000000. Most
// wait until 09:00, 400 s later, so that their positions stand for a whole interval of an hour;
// 16:00 is 25,600 s away. Trades cost nothing. Who cannot pay is in fundingDebts.test.ts; how a
// boundary becomes due in marketTimers.test.ts; what the operator settles in
// fundingByOperator.test.ts.

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { atFundingCap, hourly } from './stages.ts';
import { createWorld } from './world.ts';

const start = atFundingCap();

scenario(
  'FUND-1 FUND-2 FUND-3 FUND-4 at the boundary every position pays or is paid, internal ones too',
  `
  # 0.1 x 60000 x 0.01 = 60, at 10:00 exactly, once. At 09:00 there was no position.
  ${start}
  steady 60000 for 3599750 every 60000
  events fundingSettled 1 fundingPaid 0
  anna has balance 10000
  index 60000
  paid anna -60 mm 60
  funded 1760004000000 0.01
  shows fundedAt 1760004000000
  # Each could pay.
  helped
  anna has balance 9940
  mm has balance 10060
  steady 60000 for 10000
  events fundingSettled 2
  steady 60000 for 3590000 every 10000
  funded 1760007600000 0.01
  anna has balance 9880
  funds insurance 0 shortfall 0
  `,
);

scenario(
  'FUND-1 FUND-2 shorts pay at a negative rate, and the rate leaves only internal accounts out',
  `
  # Longs 0.1, shorts 0.2 of which the house has none: 0.01 x (0.1 - 0.2) / 0.3 = -0.00333333.
  after 399750
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm buy 0.1 @ 60000
  ben sell 0.2 @ 60000
  shows fundingRate -0.00333333
  steady 60000 for 3600000 every 60000
  # 12000 x 0.00333333 = 39.99996, 6000 x 0.00333333 = 19.99998.
  paid ben -39.99996 anna 19.99998 mm 19.99998
  funded 1760004000000 -0.00333333
  funds insurance 0
  `,
);

scenario(
  'FUND-2 UNIT-3 payers round up, receivers round down, and the fund gets the residue',
  `
  # At 1 % of 1.003: 0.5 are 0.005015, 0.501 0.00502503, up to 0.005026; the short of 1.001 is owed
  # 0.01004003, down to 0.01004.
  after 399750
  market DUSTUSDT ${hourly} minOrderSize 0.000001
  credit anna 10
  credit ben 10
  credit mm 10
  house mm
  index 1.003
  anna buy 0.5 @ 1.003
  ben buy 0.501 @ 1.003
  mm sell 1.001 @ 1.003
  steady 1.003 for 3600000 every 60000
  paid anna -0.005015 ben -0.005026 mm 0.01004
  funds insurance 0.000001
  `,
);

scenario(
  'FUND-2 UNIT-3 one lot against one lot leaves a residue of one unit at a time',
  `
  # 0.001 x 1.003 x 0.01 = 0.00001003.
  market DUSTUSDT ${hourly} minOrderSize 0.000001
  credit anna 10
  credit mm 10
  house mm
  index 1.003
  anna buy 0.001 @ 1.003
  mm sell 0.001 @ 1.003
  funding whole
  paid anna -0.000011 mm 0.00001
  index 1.003
  funding whole
  index 1.003
  funding whole
  funds insurance 0.000003
  anna has balance 9.999967
  mm has balance 10.00003
  `,
);

scenario(
  'FUND-2 FUND-3 UNIT-3 one unit is paid and received, and an account owed less gets a row of 0',
  `
  # 0.001 x 1.003 x 0.001 = 0.000001003, and a tenth of it. Mm is the older account.
  market DUSTUSDT ${hourly} fundingFactor 0.001 minOrderSize 0.000001
  credit mm 10
  credit anna 10
  house mm
  index 1.003
  anna buy 0.001 @ 1.003
  mm sell 0.001 @ 1.003
  funding whole
  paid anna -0.000002 mm 0.000001
  funds insurance 0.000001
  change fundingFactor 0.0001
  index 1.003
  funding whole
  paid mm 0 anna -0.000001
  funds insurance 0.000002
  anna has balance 9.999997
  mm has balance 10.000001
  `,
);

scenario(
  'FUND-2 the clamp applies to the rate and not to one side: shorts receive what longs pay',
  `
  after 399750
  market BTCUSDT ${hourly} fundingFactor 0.5 maxFundingRate 0.002
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.3 @ 60000
  mm sell 0.2 @ 60000
  ben sell 0.1 @ 60000
  # 0.5 x 0.2 / 0.4 = 0.25, clamped: 18000 x 0.002.
  steady 60000 for 3600000 every 60000
  paid anna -36 ben 12 mm 24
  `,
);

scenario(
  'FUND-3 a market without positions settles without rows, and rate 0 writes a row for each position',
  `
  market BTCUSDT ${hourly}
  credit anna 10000
  credit ben 10000
  steady 60000 for 400000
  paid
  funded 1760000400000 0
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  steady 60000 for 3600000
  paid anna 0 ben 0
  funded 1760004000000 0
  `,
);

scenario(
  'FUND-3 PRC-2 a stale price delays funding until the first accepted mark, whatever that mark is',
  `
  # 30 s after the boundary the price comes back at 61000.
  ${start}
  steady 60000 for 3595000 every 60000
  after 34750
  events fundingSettled 1
  index 61000
  paid anna -61 mm 61
  funded 1760004000000 0.01
  `,
);

scenario(
  'FUND-3 PRC-2 a refused price settles nothing',
  `
  ${start}
  steady 60000 for 3599000 every 60000
  index 70000
  index 70000
  index 70000
  events fundingSettled 1 indexRefused 3
  index 60000
  paid anna -60 mm 60
  `,
);

scenario(
  'FUND-3 after a gap only the last missed boundary is paid, and the others have rate 0',
  `
  # 10:00 and 11:00 pass without a price; at 11:00:01 three agreeing ticks are needed.
  ${start}
  after 7201000
  paid anna 0 mm 0
  funded 1760004000000 0
  prices sim=60000 after 1000
  prices sim=60000 after 1000
  events fundingSettled 2
  prices sim=60000 after 1000
  paid anna -60 mm 60
  funded 1760007600000 0.01
  anna has balance 9940
  `,
);

scenario(
  'FUND-3 FUND-3b boundaries more than a day ago are only reported',
  `
  # After that of 09:00 40 boundaries have gone by; the last is due. Of the 39 before it 23 are within a
  # day and have a row for each of two positions, at 0.
  ${start}
  after 144001000
  events fundingSettled 40
  events fundingPaid 46
  anna has balance 10000
  `,
);

test('FUND-3 a boundary that is not settled has the lots of each position in its rows, at rate 0', () => {
  const world = play(createWorld(), `${start}\nchange status HALT\nafter 3600000`);
  const rows = world.events.flatMap((event) =>
    event.kind === 'fundingPaid' ? [[event.account, event.rate, event.lots, event.amount]] : [],
  );
  expect(rows).toEqual([
    [1, 0, 100, 0],
    [2, 0, -100, 0],
  ]);
});

scenario(
  'FUND-3b a boundary of exactly a day ago has its rows',
  `
  # At 10:00 of the next day 24 are recorded, each with two rows.
  ${start}
  after 90000000
  events fundingSettled 25 fundingPaid 48
  `,
);

scenario(
  'FUND-3b a boundary of a day and a millisecond ago has none',
  `
  ${start}
  after 90000001
  events fundingSettled 25 fundingPaid 46
  `,
);

scenario(
  'FUND-3 FUND-3b boundaries without rows are reported one by one, at rate 0',
  `
  # The midnights of three days, of which the last is due.
  ${start.replace('Hours 1', 'Hours 24')}
  after 270000250
  funded 1760054400000 0 1760140800000 0
  paid
  shows fundedAt 1760140800000 fundingDue 1760227200000
  `,
);

scenario(
  'FUND-1b FUND-3 two boundaries of eight hours apart: each is paid at the rate of its own interval',
  `
  # At 00:00 as it stood. 2 s later Ben takes the part of the house: until 08:00 the imbalance was 1
  # for 2 of 28,800 s: 0.01 x 2 / 28800 = 0.00000069, and in that time the house was the short.
  after 25599750
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 10000
  credit ben 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  after 28800000
  prices sim=60000 after 0
  prices sim=60000 after 1000
  prices sim=60000 after 1000
  paid anna -60 mm 60
  funded 1760054400000 0.01
  ben sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  after 28800000
  prices sim=60000 after 1000
  prices sim=60000 after 1000
  prices sim=60000 after 1000
  paid anna -0.004167 ben 0 mm 0.004166
  funded 1760083200000 0.00000069
  anna has balance 9939.995833
  mm has balance 10060.004166
  `,
);

scenario(
  'FUND-3 SYM-1 in HALT a boundary is recorded at rate 0 with its rows; in CLOSE it is paid',
  `
  ${start}
  steady 60000 for 3599000 every 60000
  change status HALT
  after 1000
  paid anna 0 mm 0
  funded 1760004000000 0
  change status CLOSE
  steady 60000 for 3600000 every 1200
  paid anna -60 mm 60
  funded 1760007600000 0.01
  `,
);

scenario(
  'FUND-3 an index tick settles its markets in the order of their symbols',
  `
  after 399750
  market SOLUSDT ${hourly}
  market BTCUSDT ${hourly}
  credit anna 10000
  credit mm 10000
  house mm
  tick SOLUSDT=100 BTCUSDT=60000
  anna buy 10 @ 100 SOLUSDT
  mm sell 10 @ 100 SOLUSDT
  anna buy 0.1 @ 60000 BTCUSDT
  mm sell 0.1 @ 60000 BTCUSDT
  after 3595250
  tick SOLUSDT=100 BTCUSDT=60000 after 2000
  tick SOLUSDT=100 BTCUSDT=60000 after 1000
  tick SOLUSDT=100 BTCUSDT=60000 after 1000
  after 500
  tick SOLUSDT=100 BTCUSDT=60000
  paid anna -60 mm 60 anna -10 mm 10
  `,
);

scenario(
  'FUND-3 LIQ-1 funding comes before liquidation in a tick, at the new mark',
  `
  # Anna, long 0.1 from 60000 with 620, has 120 at 55000; funding of 55 leaves 65 of 55; at 54999.9
  # it would leave enough too. At 54900 it is 110 - 54.9 = 55.1 of 54.9, at 54895: 109.5 - 54.895 =
  # 54.605 of 54.895: she pays and is liquidated at once, at the mark.
  after 399750
  market BTCUSDT ${hourly}
  credit anna 620
  credit mm 10000
  credit cleo 10000
  house mm
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  index 55000
  steady 55000 for 3599000 every 60000
  cleo buy 0.1 @ 54895
  after 500
  index 54895
  paid anna -54.895 mm 54.895
  liquidated anna cleo 0.1@54895
  # 0.5 % of 5489.5.
  charged anna 27.4475
  anna has balance 27.1575
  `,
);

scenario(
  'FUND-4 the hourly rate is the rate by its part of the interval, half to even at 1e-8',
  `
  # At 16:00 an interval of eight hours begins.
  after 25599750
  market BTCUSDT makerFee 0 takerFee 0 fundingFactor 0.0000002
  credit anna 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  # An eighth of 20, 28, 21 and 27 are 2.5, 3.5, 2.625 and 3.375.
  shows fundingRate 0.0000002 hourlyRate 0.00000002
  change fundingFactor 0.00000028
  shows hourlyRate 0.00000004
  change fundingFactor 0.00000021
  shows hourlyRate 0.00000003
  change fundingFactor 0.00000027
  shows hourlyRate 0.00000003
  change fundingIntervalHours 1
  shows hourlyRate 0.00000027
  `,
);

scenario(
  'FUND-2 the next boundary is the next multiple of the interval, never the current moment',
  `
  market BTCUSDT
  shows nextFunding 1760025600000
  after 25599999
  shows nextFunding 1760025600000
  after 1
  shows nextFunding 1760054400000
  change fundingIntervalHours 1
  shows nextFunding 1760029200000
  `,
);
