// Listing a market and changing it (OPS-2): the grid, the terms, and what they must satisfy.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import { marketsMax } from '../../src/engine/limits.ts';
import { grainOf } from '../../src/engine/operations/listMarket.ts';
import type { Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { createWorld, defaultTerms, grids } from './world.ts';

scenario(
  'OPS-2 MAR-10 termsInvalid: a table that falls, overlaps, ends too early or contradicts the rate',
  `
  market BTCUSDT brackets 10000000:0.01,20000000:0.009 -> termsInvalid brackets rates in (0, 1) that do not fall
  market BTCUSDT brackets 10000000:0.01,10000000:0.02 -> termsInvalid brackets bounds that rise, each a positive amount
  market BTCUSDT brackets 10000000:0.01,19999999:0.02 -> termsInvalid brackets a last bound not below the open interest cap
  market BTCUSDT brackets 20000000:0 -> termsInvalid brackets rates in (0, 1) that do not fall
  market BTCUSDT brackets 10000000:0.01,20000000:1 -> termsInvalid brackets rates in (0, 1) that do not fall
  market BTCUSDT brackets 20000000:0.011 -> termsInvalid brackets a first rate equal to the maintenance rate
  market BTCUSDT priceBand 0 -> termsInvalid priceBand a rate in (0, 1)
  market BTCUSDT accountShareMax 1.01 -> termsInvalid accountShareMax a share above 0, at most 100 %
  market BTCUSDT fundFeeShare 1.01 -> termsInvalid fundFeeShare a share of 0 to 100 %
  market BTCUSDT fundTarget -1 -> termsInvalid fundTarget an amount not below 0
  market BTCUSDT gapRate 0 -> termsInvalid gapRate a rate in (0, 1)
  market BTCUSDT brackets 10000000:0.01,20000000:0.02
  change brackets 20000000:0.02 -> termsInvalid brackets a first rate equal to the maintenance rate
  change openInterestCap 20000001 -> termsInvalid brackets a last bound not below the open interest cap
  `,
);

scenario(
  'OPS-2 MAR-10 a table moves with the maintenance rate, and one bracket with the cap',
  `
  market BTCUSDT
  shows brackets 20000000:0.01
  change openInterestCap 30000000
  shows brackets 30000000:0.01
  change maintenanceMarginRate 0.015
  shows brackets 30000000:0.015
  change brackets 40000000:0.015
  change maintenanceMarginRate 0.01
  # It ends above the cap, as the operator has set it.
  shows brackets 40000000:0.01
  change brackets 10000000:0.01,30000000:0.03
  change openInterestCap 29000000
  shows brackets 10000000:0.01,30000000:0.03
  change maintenanceMarginRate 0.012
  shows brackets 10000000:0.012,30000000:0.032
  index 60000
  credit anna 10000
  credit ben 10000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # With positions a raise waits a day, and the table with it. A new table holds at once, and moves
  # with the rate on that day.
  change maintenanceMarginRate 0.015
  shows brackets 10000000:0.012,30000000:0.032 maintenanceRate 1200000
  change brackets 10000000:0.012,30000000:0.05
  steady 60000 for 86400000
  shows brackets 10000000:0.015,30000000:0.053 maintenanceRate 1500000
  `,
);

scenario(
  'OPS-2 symbolTaken, and termsInvalid for a symbol that is not <base>USDT',
  `
  market BTCUSDT
  market BTCUSDT -> symbolTaken
  market BTCUSD -> termsInvalid symbol <base asset>USDT
  market btcUSDT -> termsInvalid symbol
  `,
);

scenario(
  'OPS-2 MAR-8 PRC-1 termsInvalid: the rejection names the field that is out of bounds',
  `
  market BTCUSDT maxLeverage 0 -> termsInvalid maxLeverage
  market BTCUSDT maxLeverage 201 -> termsInvalid maxLeverage
  market BTCUSDT minOrderSize 0 -> termsInvalid minOrderSize
  market BTCUSDT minOrderSize 10 maxOrderSize 9 -> termsInvalid maxOrderSize
  market BTCUSDT openInterestCap 0 -> termsInvalid openInterestCap
  market BTCUSDT fundingIntervalHours 7 -> termsInvalid fundingIntervalHours
  # 1 / 50 is the initial rate: the maintenance rate must be below it, and at least twice 0.5 %.
  market BTCUSDT maintenanceMarginRate 0.02 -> termsInvalid maintenanceMarginRate
  market BTCUSDT maintenanceMarginRate 0.00999999 -> termsInvalid maintenanceMarginRate
  market BTCUSDT maintenanceMarginRate 0.01 markClamp 0.01 -> termsInvalid markClamp
  market BTCUSDT markBand 0 -> termsInvalid markBand
  market BTCUSDT maxMarketSlippage 1 -> termsInvalid maxMarketSlippage
  market BTCUSDT takerFee -0.0001 -> termsInvalid takerFee
  market BTCUSDT makerFee -0.00050001 -> termsInvalid makerFee
  market BTCUSDT fundingFactor 1 -> termsInvalid fundingFactor
  market BTCUSDT maxFundingRate -0.01 -> termsInvalid maxFundingRate
  market BTCUSDT minFundingRate 0.01 -> termsInvalid minFundingRate
  market BTCUSDT indexSources a:1,a:1 -> termsInvalid indexSources
  market BTCUSDT indexSources a:0 -> termsInvalid indexSources
  market BTCUSDT deliveryTime -1 -> termsInvalid deliveryTime
  market BTCUSDT maintenanceMarginRate 0.01999999 markClamp 0.01999998 -> accepted
  `,
);

scenario(
  'OPS-2 changed terms pass the same checks, and a refused change changes nothing',
  `
  market BTCUSDT
  change maxLeverage 100 -> termsInvalid maintenanceMarginRate
  shows maxLeverage 50
  change maxLeverage 100 maintenanceMarginRate 0.005 liquidationFeeRate 0.0025
  shows maxLeverage 100
  `,
);

scenario(
  'OPS-2 a raised maintenance rate waits 24 hours while a position is open',
  `
  # 6000 of notional: 60 at 1 %, 90 at 1.5 %.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  change maintenanceMarginRate 0.015
  anna has maintenance 60
  after 86399999
  anna has maintenance 60
  after 1
  anna has maintenance 90
  # Lowering holds at once, and so does raising without a position.
  change maintenanceMarginRate 0.01
  anna has maintenance 60
  steady 60000 for 3000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  change maintenanceMarginRate 0.018
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has maintenance 108
  `,
);

scenario(
  'OPS-2a a later change of the rate replaces one that waits',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  change maintenanceMarginRate 0.015
  after 43200000
  change maintenanceMarginRate 0.012
  after 43200000
  anna has maintenance 60
  after 43200000
  anna has maintenance 72
  change maintenanceMarginRate 0.015
  change maintenanceMarginRate 0.01
  after 86400000
  anna has maintenance 60
  `,
);

/** Long 0.1 at 60000: a maintenance of 60 at 1 %. */
const held = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'OPS-2a a change of other terms leaves a raised rate waiting',
  `
  ${held}
  change maintenanceMarginRate 0.015
  after 43200000
  change takerFee 0.0006
  after 43200000
  anna has maintenance 90
  `,
);

scenario(
  'OPS-2a a raised rate that the terms of its day no longer allow lapses',
  `
  ${held}
  change maintenanceMarginRate 0.015
  # 1 / 80 is 1.25 %.
  change maxLeverage 80
  after 86400000
  anna has maintenance 60
  shows maintenanceRate 1000000 maxLeverage 80
  events marketChanged 2
  # It does not come back with terms that allow it.
  change maxLeverage 50
  after 86400000
  shows maintenanceRate 1000000
  `,
);

scenario(
  'OPS-2 termsInvalid: while a raised rate waits, the terms must hold with the present rate too',
  `
  ${held}
  change maintenanceMarginRate 0.016 liquidationFeeRate 0.008 -> termsInvalid maintenanceMarginRate
  change maintenanceMarginRate 0.02 -> termsInvalid maintenanceMarginRate
  steady 60000 for 1000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  change maintenanceMarginRate 0.016 liquidationFeeRate 0.008
  shows maintenanceRate 1600000
  `,
);

scenario(
  'OPS-2 a rate that falls, or changes without open positions, holds at once and for good',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  change maintenanceMarginRate 0.015
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  change maintenanceMarginRate 0.015
  change maintenanceMarginRate 0.01
  events marketChanged 3
  after 86400000
  # No timer has changed it again.
  events marketChanged 3
  anna has maintenance 60
  `,
);

test('OPS-2 OPS-2a one raise waits with its time, and after another change replaces it none waits', () => {
  const world = play(createWorld(), held);
  const { exchange } = world;
  const { raise } = exchange.markets[0]!;
  const timer = exchange.sequence + 1;
  play(world, 'change maintenanceMarginRate 0.015');
  expect(raise).toEqual({ rate: 1_500_000, at: exchange.time + 86_400_000, timer });
  play(world, 'change maintenanceMarginRate 0.01');
  expect(raise).toEqual({ rate: 0, at: 0, timer: 0 });
});

scenario(
  'SYM-2 OPS-2 termsInvalid: a raised rate that waits does not change a market that is settled',
  `
  ${held}
  change maintenanceMarginRate 0.015
  change status CLOSE deliveryTime 1760000100000
  after 100000
  index 60000
  settled 60000
  after 86400000
  shows maintenanceRate 1000000
  events marketChanged 2
  change maxLeverage 40 -> termsInvalid status a settled market never changes
  `,
);

test('OPS-2 FUND-3 only a changed interval sets a new boundary', () => {
  const world = play(createWorld(), held);
  const { exchange } = world;
  const { dues } = exchange.markets[0]!;
  const { sequence } = exchange;
  const timer = dues.fundingTimer;
  play(world, 'change takerFee 0.0006 fundingIntervalHours 8');
  expect([dues.fundingTimer, exchange.sequence]).toEqual([timer, sequence]);
  play(world, 'change fundingIntervalHours 4');
  expect(dues.fundingTimer).toBe(sequence + 1);
});

scenario(
  'PRC-1 OPS-2 a source that is no longer configured loses its price',
  `
  market BTCUSDT indexSources a:1,b:3
  index 60000 source a
  index 61000 source b
  shows index 61000
  change indexSources a:1,c:1
  # Prices are computed at index ticks only.
  shows index 61000
  index 60001 source a
  shows index 60001
  index 61000 source b -> prices 0
  `,
);

test('UNIT-1 tick x lot must be a whole number of 0.000001 USDT', () => {
  const tick = (decimals: number, step = 1) => ({ decimals, step });
  // 0.1 x 0.001 = 0.0001; 0.01 x 0.0001 = 0.000001; 0.5 x 0.000002 = 0.000001.
  expect(grainOf(tick(1), tick(3))).toBe(100);
  expect(grainOf(tick(2), tick(4))).toBe(1);
  expect(grainOf(tick(1, 5), tick(6, 2))).toBe(1);
  expect(grainOf(tick(0), tick(0))).toBe(1_000_000);
  // 0.01 x 0.00001 = 0.0000001 is no whole number, nor is 0.5 x 0.000001.
  expect(grainOf(tick(2), tick(5))).toBeUndefined();
  expect(grainOf(tick(1, 5), tick(6))).toBeUndefined();
  expect(grainOf(tick(1, 0), tick(3))).toBeUndefined();
  // The finest tick and the largest step; what lies beyond, though the product would be whole.
  expect(grainOf(tick(8, 100), tick(0))).toBe(1);
  expect(grainOf(tick(6, 1_000_000), tick(0))).toBe(1_000_000);
  expect(grainOf(tick(9, 1000), tick(0))).toBeUndefined();
  expect(grainOf(tick(-1), tick(2))).toBeUndefined();
  expect(grainOf(tick(1.5), tick(1.5))).toBeUndefined();
  expect(grainOf(tick(6, 1_000_001), tick(0))).toBeUndefined();
  expect(grainOf(tick(0, 1.5), tick(1, 2))).toBeUndefined();
  // A lot at the highest price must be countable: 9 x 10^6 units a tick, not one more.
  expect(grainOf(tick(0, 9), tick(0))).toBe(9_000_000);
  expect(grainOf(tick(3, 61), tick(3, 147_541))).toBeUndefined();
  expect(grainOf(tick(0, 10), tick(0))).toBeUndefined();
  const { exchange } = createWorld();
  const outcome = applyCommand(
    exchange,
    {
      kind: 'listMarket',
      symbol: 'BTCUSDT',
      baseAsset: 'BTC',
      tick: tick(2),
      lot: tick(5),
      terms: defaultTerms,
      status: 'TRADING',
    },
    0 as Time,
  );
  expect(outcome).toMatchObject({
    kind: 'rejected',
    rejection: {
      reason: 'termsInvalid',
      field: 'tickSize',
      detail: 'tick × lot must be a whole number of 0.000001 USDT',
    },
  });
});

test('OPS-2 a new market has no price and no past, and waits for its boundary', () => {
  const { exchange } = play(createWorld(), 'market BTCUSDT');
  const { prices, figures, dues, raise } = exchange.markets[0]!;
  const { fundingTimer } = dues;
  expect(exchange.timers.items).toMatchObject([{ id: fundingTimer, kind: 'funding' }]);
  const { epoch: priceEpoch, ...price } = prices;
  const { epoch: figureEpoch, ...figure } = figures;
  expect([priceEpoch, figureEpoch]).toEqual([0, 0]);
  const lists = { sources: [], pending: [], marks: [] };
  const noPrice = { index: 0, mark: 0, premium: 0, premiumAt: 0, indexAt: 0, breakerUntil: 0 };
  expect(price).toEqual({ ...noPrice, ...lists });
  const noTrade = { last: 0, lastAt: 0, lastRegular: 0, tradeId: 0 };
  const noInterest = { longLots: 0, shortLots: 0, fundingSum: 0 };
  const noPosition = { positionLots: 0, entry: 0 };
  const fundingAt = exchange.time;
  expect(figure).toEqual({ ...noTrade, ...noInterest, ...noPosition, fundingAt, feesToShare: 0 });
  const interval = { fundingFrom: exchange.time, fundingEnd: 1_760_025_600_000 };
  const noFunding = { funding: 0, fundingSum: 0, fundingMs: 0, ...interval };
  const noDelivery = { delivery: false, deliveryTimer: 0, settledAt: 0 };
  expect(dues).toEqual({ ...noFunding, fundingTimer, fundedAt: 0, ...noDelivery });
  expect(raise).toEqual({ rate: 0, at: 0, timer: 0 });
});

test('OPS-2 capacityReached: the list of markets is bounded', () => {
  const { exchange } = createWorld();
  const list = (number: number) =>
    applyCommand(
      exchange,
      {
        kind: 'listMarket',
        symbol: `M${number}USDT`,
        baseAsset: `M${number}`,
        ...grids.BTCUSDT!,
        terms: defaultTerms,
        status: 'TRADING',
      },
      0 as Time,
    );
  for (let number = 10; number < marketsMax + 10; number += 1) {
    expect(list(number).kind).toBe('accepted');
  }
  const rejection = { reason: 'capacityReached', limit: 'markets' };
  expect(list(marketsMax + 10)).toEqual({ kind: 'rejected', rejection });
});

test('OPS-2 marketUnknown: the market to change does not exist', () => {
  const { exchange } = play(createWorld(), 'market BTCUSDT');
  const change = { kind: 'changeMarket', market: 1, terms: {}, status: 'HALT' } as const;
  const outcome = applyCommand(exchange, change as never, 0 as Time);
  expect(outcome).toEqual({ kind: 'rejected', rejection: { reason: 'marketUnknown' } });
});
