// The bounds of a market's terms (OPS-2), each at its last value that is taken and its first that
// is not. When terms may be changed, and what follows, is in listing.test.ts.

import { expect, test } from 'vitest';
import type { Bracket } from '../../src/engine/bracket.ts';
import { indexSourcesMax } from '../../src/engine/limits.ts';
import { type IndexSource, type MarketTerms, termsAfter } from '../../src/engine/marketTerms.ts';
import { checkTerms } from '../../src/engine/operations/checkTerms.ts';
import type { Money, Rate } from '../../src/units/units.ts';
import { scenario } from './scenario.ts';
import { defaultTerms } from './world.ts';

type Terms = { readonly [Field in keyof MarketTerms]?: unknown };

/** A field, with what its bounds are called and the terms on either side of them. */
type Bound = {
  readonly field: keyof MarketTerms;
  readonly detail: string;
  readonly taken: readonly Terms[];
  readonly refused: readonly Terms[];
};

const one = 100_000_000;
const most = 1_000_000_000_000_000;
const none = { maintenanceMarginRate: 1, liquidationFeeRate: 0, markClamp: 0 };

/** Values of one field. */
const each = (field: keyof MarketTerms, ...values: unknown[]): Terms[] =>
  values.map((value) => ({ [field]: value }));

/** A bracket up to so many millions of USDT at so many percent. */
const row = (millions: number, percent: number): Bracket => ({
  upTo: Math.round(millions * 1e12) as Money,
  rate: Math.round(percent * 1e6) as Rate,
});
const table = (...rows: [number, number][]): Terms => ({
  brackets: rows.map(([millions, percent]) => row(millions, percent)),
});

const source = (name: string, weight = 1): IndexSource => ({ source: name, weight });
const many = (count: number): IndexSource[] =>
  Array.from({ length: count }, (_, index) => source(`s${index}`));
const beside = (...wrong: IndexSource[]): Terms => ({ indexSources: [source('good'), ...wrong] });

const bounds: readonly Bound[] = [
  {
    field: 'maxLeverage',
    detail: 'a whole number in 1…200',
    taken: [
      { maxLeverage: 1 },
      { maxLeverage: 200, maintenanceMarginRate: 499_999, liquidationFeeRate: 249_999 },
    ],
    refused: each('maxLeverage', 0, 201, 1.5, -1),
  },
  {
    field: 'minOrderSize',
    detail: 'a positive amount',
    taken: [{ minOrderSize: 1 }, { minOrderSize: most, maxOrderSize: most }],
    refused: [
      ...each('minOrderSize', 0, -1, 1.5),
      { minOrderSize: most + 1, maxOrderSize: most + 1 },
    ],
  },
  {
    field: 'maxOrderSize',
    detail: 'at least the minimum',
    taken: [{ maxOrderSize: defaultTerms.minOrderSize }, { maxOrderSize: most }],
    refused: each('maxOrderSize', defaultTerms.minOrderSize - 1, most + 1, 5_000_000.5),
  },
  {
    field: 'openInterestCap',
    detail: 'a positive amount',
    taken: each('openInterestCap', 1, most),
    refused: each('openInterestCap', 0, most + 1, 1.5),
  },
  {
    field: 'fundingIntervalHours',
    detail: 'a whole divisor of 24',
    taken: each('fundingIntervalHours', 1, 2, 3, 4, 6, 8, 12, 24),
    refused: each('fundingIntervalHours', -1, 0, 0.5, 1.5, 5, 7, 23, 25, 48),
  },
  {
    field: 'deliveryTime',
    detail: 'a whole minute',
    taken: each('deliveryTime', 0, 60_000),
    refused: each('deliveryTime', -60_000, 1, 59_999, 60_001, 60_000 * 2 ** 40),
  },
  {
    field: 'liquidationFeeRate',
    detail: 'a rate below 1',
    taken: each('liquidationFeeRate', 0, 500_000),
    refused: each('liquidationFeeRate', -1, 0.5, one),
  },
  {
    field: 'maintenanceMarginRate',
    detail: 'below the initial rate at maximum leverage',
    taken: [
      none,
      { maintenanceMarginRate: 1_999_999 },
      { maintenanceMarginRate: 33_333_333, maxLeverage: 3 },
      { maintenanceMarginRate: one - 1, maxLeverage: 1 },
    ],
    refused: [
      { ...none, maintenanceMarginRate: 0 },
      ...each('maintenanceMarginRate', 2_000_000, 1_000_000.5),
      { maintenanceMarginRate: 33_333_334, maxLeverage: 3 },
      { maintenanceMarginRate: one, maxLeverage: 1 },
    ],
  },
  {
    field: 'maintenanceMarginRate',
    detail: 'at least twice the liquidation fee rate',
    taken: [{ maintenanceMarginRate: 1_000_000, liquidationFeeRate: 500_000 }],
    refused: [
      { maintenanceMarginRate: 999_999, liquidationFeeRate: 500_000 },
      { maintenanceMarginRate: one - 1, liquidationFeeRate: one - 1, maxLeverage: 1 },
    ],
  },
  {
    field: 'takerFee',
    detail: 'a rate below 1',
    taken: [{ takerFee: 0, makerFee: 0 }, { takerFee: one - 1 }],
    refused: [{ takerFee: -1, makerFee: 1 }, ...each('takerFee', one, 0.5)],
  },
  {
    field: 'makerFee',
    detail: 'maker + taker not below 0',
    taken: [{ makerFee: 0 }, { makerFee: one - 1 }, { makerFee: -50_000, takerFee: 50_000 }],
    refused: [...each('makerFee', one, 0.5), { makerFee: -50_001, takerFee: 50_000 }],
  },
  {
    field: 'markClamp',
    detail: 'below the maintenance rate',
    taken: each('markClamp', 0, defaultTerms.maintenanceMarginRate - 1),
    refused: each('markClamp', -1, 0.5, defaultTerms.maintenanceMarginRate),
  },
  ...(['markBand', 'maxMarketSlippage', 'priceBand', 'gapRate'] as const).map((field) => ({
    field,
    detail: 'a rate in (0, 1)',
    taken: each(field, 1, one - 1),
    refused: each(field, 0, 1.5, one),
  })),
  {
    field: 'fundingFactor',
    detail: 'a rate below 1',
    taken: each('fundingFactor', 0, one - 1),
    refused: each('fundingFactor', -1, 0.5, one),
  },
  {
    field: 'maxFundingRate',
    detail: 'a rate not below 0',
    taken: each('maxFundingRate', 0, one - 1),
    refused: each('maxFundingRate', -1, 0.5, one),
  },
  {
    field: 'minFundingRate',
    detail: 'a rate not above 0',
    taken: each('minFundingRate', 0, 1 - one),
    refused: each('minFundingRate', 1, -0.5, -one),
  },
  {
    field: 'brackets',
    detail: '1…16 brackets',
    taken: [table([20, 1]), { brackets: Array.from({ length: 16 }, (_, i) => row(5 + i, 1 + i)) }],
    refused: [table(), { brackets: Array.from({ length: 17 }, (_, i) => row(5 + i, 1 + i)) }],
  },
  {
    field: 'brackets',
    detail: 'bounds that rise, each a positive amount',
    taken: [table([0.000001, 1], [20, 2])],
    refused: [
      table([0, 1], [20, 2]),
      table([-5, 1], [20, 2]),
      table([10, 1], [5, 2], [20, 3]),
      table([20, 1], [20, 2]),
      table([20, 1], [1_000_000_001, 2]),
      { brackets: [{ upTo: 0.5, rate: 1_000_000 }, row(20, 2)] },
    ],
  },
  {
    field: 'brackets',
    detail: 'rates in (0, 1) that do not fall',
    taken: [table([10, 1], [20, 1]), { brackets: [row(10, 1), row(20, 99.999999)] }],
    refused: [
      table([20, 0]),
      table([20, -1]),
      table([10, 1], [20, 100]),
      table([10, 1], [20, 101]),
      table([5, 1], [10, 3], [20, 2]),
      { brackets: [{ upTo: 20_000_000_000_000, rate: 1_000_000.5 }] },
    ],
  },
  {
    field: 'brackets',
    detail: 'a first rate equal to the maintenance rate',
    taken: [{ ...table([20, 1.5]), maintenanceMarginRate: 1_500_000 }],
    refused: [table([20, 1.5]), table([20, 0.9]), table([10, 1.5], [20, 2])],
  },
  {
    field: 'brackets',
    detail: 'a last bound not below the open interest cap',
    taken: [table([20, 1]), table([10, 1], [500, 2]), { openInterestCap: most }],
    refused: [
      table([19.999999, 1]),
      table([10, 1], [19, 2]),
      { ...table([20, 1]), openInterestCap: 20_000_000_000_001 },
    ],
  },
  {
    field: 'accountShareMax',
    detail: 'a share above 0, at most 100 %',
    taken: each('accountShareMax', 1, one),
    refused: each('accountShareMax', 0, -1, 0.5, one + 1, 1.01 * one),
  },
  {
    field: 'fundFeeShare',
    detail: 'a share of 0 to 100 %',
    taken: each('fundFeeShare', 0, one),
    refused: each('fundFeeShare', -1, 0.5, one + 1, 1.01 * one),
  },
  {
    field: 'fundTarget',
    detail: 'an amount not below 0',
    taken: each('fundTarget', 0, 1, most),
    refused: each('fundTarget', -1, 0.5, most + 1),
  },
  {
    field: 'indexSources',
    detail: `1…${indexSourcesMax} different sources`,
    taken: each('indexSources', many(1), many(indexSourcesMax)),
    refused: [
      ...each('indexSources', [], many(indexSourcesMax + 1)),
      { indexSources: [source('a', 1), source('b', 1), source('a', 2)] },
    ],
  },
  {
    field: 'indexSources',
    detail: 'names of [a-z0-9:._-], whole positive weights',
    taken: [
      beside(source('x:1._-y'), source('z'.repeat(32))),
      beside(source('light', 1), source('heavy', 1_000_000)),
    ],
    refused: [
      ...['', 'UPPER', 'a b', 'ä', 'z'.repeat(33)].map((name) => beside(source(name))),
      ...[0, -1, 1.5, 1_000_001].map((weight) => beside(source('bad', weight))),
    ],
  },
];

for (const { field, detail, taken, refused } of bounds) {
  const reported = (terms: Terms): unknown =>
    checkTerms(termsAfter(defaultTerms, terms as Partial<MarketTerms>));
  test(`OPS-2 MAR-3 MAR-8 MAR-10 PRC-1 termsInvalid: ${field}, ${detail}`, () => {
    for (const terms of taken) expect(reported(terms), JSON.stringify(terms)).toBeUndefined();
    const rejection = { reason: 'termsInvalid', field, detail };
    for (const terms of refused) expect(reported(terms), JSON.stringify(terms)).toEqual(rejection);
  });
}

scenario(
  'SYM-2a termsInvalid: a delivery at the current moment is not in the future',
  `
  # It begins at 1760000000000, 20 s after a whole minute.
  after 40000
  market BTCUSDT status CLOSE deliveryTime 1760000040000 -> termsInvalid deliveryTime in the future
  market BTCUSDT status CLOSE deliveryTime 1760000100000
  `,
);
