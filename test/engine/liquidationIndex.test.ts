// Where the liquidation index puts positions and accounts, which it leaves out, and when those that
// changed are placed (clearing/liquidationIndex.ts). invariants.test.ts shows that it misses none,
// and test/scenarios the effects for traders.

import { expect, test } from 'vitest';
import { positionIn } from '../../src/engine/account.ts';
import { openAt } from '../../src/engine/clearing/closeAt.ts';
import {
  atRiskIn,
  markHoldersDirty,
  takeFailing,
  updateLiquidationIndex,
} from '../../src/engine/clearing/liquidationIndex.ts';
import { markDirty } from '../../src/engine/clearing/markDirty.ts';
import type { MarketRisk } from '../../src/engine/clearing/marketRisk.ts';
import type { Lots, MarketId, Ticks } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { accountOf, createWorld, type World } from '../scenarios/world.ts';

const sizesOf = ({ longs, shorts }: MarketRisk): number[] => [longs.size, shorts.size];

const keyOf = (world: World, name: string, market = 0): number =>
  positionIn(accountOf(world, name), market as MarketId).liquidationKey;

/** Places everything at another mark of the first market, in ticks, without a command. */
function placeAt({ exchange }: World, mark: number): void {
  const market = exchange.markets[0]!;
  market.prices.mark = mark as Ticks;
  markHoldersDirty(exchange, market);
  updateLiquidationIndex(exchange);
}

/**
 * Anna (account 1) is long 0.1, Ben (2) short, with `money` each, or what `ben` says. A tick, of
 * 600,000, moves each by 0.01, and its maintenance of 60 by 0.0001.
 */
const pair = (money: number | string, ben = money): string => `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna ${money}
  credit ben ${ben}
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

/** The same, Anna isolated on 357. */
const isolatedPair = pair(357).replace('index', 'anna mode isolated\n  index');
const alone = `${isolatedPair}anna collateral 57`;

test('LIQ-1 an account with more equity than the mark can cost is in no set', () => {
  const { exchange } = play(createWorld(), pair(100_000));
  const { risk } = exchange.markets[0]!;
  expect(sizesOf(risk)).toEqual([0, 0]);
  expect(sizesOf(play(createWorld(), pair(5000)).exchange.markets[0]!.risk)).toEqual([1, 1]);
});

test('LIQ-1 LIQ-3 when the mark has doubled every short is tested, but never the fund', () => {
  const { exchange } = play(createWorld(), pair(100_000));
  const market = exchange.markets[0]!;
  const own = positionIn(exchange.accounts[0]!, 0 as MarketId);
  openAt(exchange, own, -5 as Lots, market.prices.mark);
  const found = (mark: number): number[] => {
    market.prices.mark = mark as Ticks;
    return atRiskIn(market).map(({ account }) => account);
  };
  expect(found(1_199_999)).toEqual([]);
  expect(found(1_200_000)).toEqual([2]);
  expect(found(2_399_999)).toEqual([]);
});

test('LIQ-1 a command places only as many accounts as it may spend, and the next tick all others', () => {
  const names = Array.from({ length: 40 }, (_, i) => `account${i}`);
  const opened = names.map((name, i) => `${name} ${i % 2 === 0 ? 'buy' : 'sell'} 0.1 @ 60000`);
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    ${names.map((name) => `credit ${name} 5000`).join('\n')}
    index 60000
    ${opened.join('\n')}
    `,
  );
  const { exchange } = world;
  const { risk } = exchange.markets[0]!;
  expect(sizesOf(risk)).toEqual([20, 20]);
  markHoldersDirty(exchange, exchange.markets[0]!);
  play(world, 'account0 buy 0.001 @ 50000');
  expect(exchange.dirty).toHaveLength(8);
  play(world, 'index 60000');
  expect(exchange.dirty).toEqual([]);
  expect(sizesOf(risk)).toEqual([20, 20]);
});

test('LIQ-1 an account in a set is tested when three quarters of its surplus are used up', () => {
  // Less 60: Anna's 94949 ticks of 0.0099, Ben's 93069 of 0.0101; one less each, for the quotient
  // is rounded down from a little below, and two less: 94946 and 93066. Three quarters, rounded up.
  const world = play(createWorld(), pair('999.9951', '999.9969'));
  expect(keyOf(world, 'anna')).toBe(71_210 - 600_000);
  expect(keyOf(world, 'ben')).toBe(69_800 + 600_000);
  const market = world.exchange.markets[0]!;
  const found = (mark: number): number[] => {
    market.prices.mark = mark as Ticks;
    return atRiskIn(market).map(({ account }) => account);
  };
  expect(found(528_791)).toEqual([]);
  expect(found(528_790)).toEqual([1]);
  expect(found(669_799)).toEqual([]);
  expect(found(669_800)).toEqual([2]);
});

test('LIQ-1 the open positions of an account share its surplus, and a flat one has no part', () => {
  // 1000 - 60 - 30 in two parts: 45959.6 ticks of 0.0099 for ETH, three quarters of 45957. BTC
  // keeps the place that it had while AVAX, flat now, was open: (940 - 3) / 2 are 47323.2.
  const world = play(
    createWorld(),
    `
    ${pair(1000)}
    market ETHUSDT makerFee 0 takerFee 0
    market AVAXUSDT makerFee 0 takerFee 0
    index ETHUSDT 3000
    index AVAXUSDT 30
    anna buy AVAXUSDT 10 @ 30
    ben sell AVAXUSDT 10 @ 30
    anna sell AVAXUSDT 10 @ 30
    ben buy AVAXUSDT 10 @ 30
    anna buy ETHUSDT 1 @ 3000
    ben sell ETHUSDT 1 @ 3000
    `,
  );
  expect(keyOf(world, 'anna', 0)).toBe(35_491 - 600_000);
  expect(keyOf(world, 'anna', 1)).toBe(34_468 - 300_000);
  const { liquidationSide } = positionIn(accountOf(world, 'anna'), 2 as MarketId);
  expect(liquidationSide).toBe(0);
});

test('LIQ-1 a key that is early enough is kept until the mark reaches it', () => {
  const world = play(createWorld(), pair('999.9951'));
  const key = 71_210 - 600_000;
  play(world, 'credit anna 1');
  expect(keyOf(world, 'anna')).toBe(key);
  // 71212.5 ticks of 0.0099 are left, less two: exactly the distance to the key. Then one tick
  // less.
  play(world, 'anna withdraw 235.99135');
  expect(keyOf(world, 'anna')).toBe(key);
  play(world, 'anna withdraw 0.0099');
  const moved = 53_407 - 600_000;
  expect(keyOf(world, 'anna')).toBe(moved);
  placeAt(world, -moved + 1);
  expect(keyOf(world, 'anna')).toBe(moved);
  // 704.99385 - 534.07 + 5.3407 = 176.26455 are 17804 ticks: three quarters of 17802.
  placeAt(world, -moved);
  expect(keyOf(world, 'anna')).toBe(13_352 + moved);
});

// Of 297, 30000 ticks: three quarters of 29999 - 2. Isolated, the place of 240, 24242.4 ticks, is
// kept.
for (const [mode, text, ticks] of [
  ['cross', pair(357), 22_498],
  ['isolated', alone, 18_180],
] as const) {
  test(`LIQ-1 MAR-7 ${mode}: a failing or flagged account is tested at every mark`, () => {
    const world = play(createWorld(), text);
    const { exchange } = world;
    const anna = accountOf(world, 'anna');
    expect(keyOf(world, 'anna')).toBe(ticks - 600_000);
    // 357 - 300 = 57 are the maintenance of 57.
    placeAt(world, 570_000);
    expect(keyOf(world, 'anna')).toBe(-2 - 570_000);
    expect([...exchange.failing]).toEqual([]);
    placeAt(world, 569_999);
    expect(keyOf(world, 'anna')).toBeLessThan(-1e14);
    expect(takeFailing(exchange)).toEqual([anna]);
    expect(takeFailing(exchange)).toEqual([]);
    placeAt(world, 600_000);
    expect([...exchange.failing]).toEqual([]);
    const bearer = mode === 'cross' ? anna : anna.positions[0]!;
    bearer.flagged = true;
    markDirty(exchange, anna);
    expect(takeFailing(exchange)).toEqual([anna]);
    expect(keyOf(world, 'anna')).toBeLessThan(-1e14);
  });
}

test('LIQ-1 only an account that can bear the worst, a billionth and a unit more, is in no set', () => {
  const sizes = (text: string): number[] =>
    sizesOf(play(createWorld(), text).exchange.markets[0]!.risk);
  // Down to 0: 600000 x 0.0099, and 0.00000594 + 0.000001, beside the 60.
  expect(sizes(pair('6000.000006', 100_000))).toEqual([1, 0]);
  expect(sizes(pair('6000.000007', 100_000))).toEqual([0, 0]);
  expect(sizes(`${isolatedPair}credit anna 6000\nanna collateral 5700.000006`)).toEqual([1, 1]);
  expect(sizes(`${isolatedPair}credit anna 6000\nanna collateral 5700.000007`)).toEqual([0, 1]);
  // Up to twice the mark: 600000 x 0.0101, and 0.00000606 + 0.000001.
  expect(sizes(pair(100_000, '6120.000007'))).toEqual([0, 1]);
  expect(sizes(pair(100_000, '6120.000008'))).toEqual([0, 0]);
  // One lot, when the mark is no longer half of the reach: 630000 x 0.000099 beside 0.63.
  const lot = (money: string): string =>
    pair(money, 100_000)
      .replaceAll('0.1 @ 60000', '0.001 @ 63000')
      .replace('60000', '60000\n index 63000');
  expect(sizes(lot('63.000001'))).toEqual([1, 0]);
  expect(sizes(lot('63.000002'))).toEqual([0, 0]);
});

test('LIQ-1 an account whose equity grows beyond what the mark can cost leaves the set', () => {
  const world = play(createWorld(), pair(5000));
  const { exchange } = play(world, 'credit anna 10000');
  expect(sizesOf(exchange.markets[0]!.risk)).toEqual([0, 1]);
  play(world, 'credit anna 1');
  expect(sizesOf(exchange.markets[0]!.risk)).toEqual([0, 1]);
  expect([...exchange.failing]).toEqual([]);
});

test('LIQ-1 when the mark has doubled a short of a single lot is tested too', () => {
  const world = play(createWorld(), pair(100_000).replaceAll('0.1 @', '0.001 @'));
  const market = world.exchange.markets[0]!;
  market.prices.mark = 1_200_000 as Ticks;
  expect(atRiskIn(market).map(({ account }) => account)).toEqual([2]);
});

test('LIQ-1 MAR-7 isolated: a failing position of a single lot is tested at every mark', () => {
  // 3 of collateral, all lost at 57000.
  const world = play(createWorld(), isolatedPair.replaceAll('0.1 @', '0.001 @'));
  placeAt(world, 570_000);
  expect(takeFailing(world.exchange)).toEqual([accountOf(world, 'anna')]);
  expect(keyOf(world, 'anna')).toBeLessThan(-1e14);
});
