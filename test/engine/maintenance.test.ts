// Goal: maintenance and its inverses are exact to the unit, lot and tick (MAR-2, MAR-10). Method:
// drawn positions of both sides, with and without surcharges, against the rules as fractions of
// bigints; for an inverse its definition is tried at the result and beside it.

import { expect, test } from 'vitest';
import {
  lossPerTickMax,
  lotsToFree,
  maintenanceAfter,
  maintenanceAt,
  maintenanceMargin,
  maintenanceRateOf,
  surchargeLeft,
  ticksAtMaintenance,
} from '../../src/engine/clearing/maintenance.ts';
import { bracketLeverage, leverageMaxOf } from '../../src/engine/clearing/openingSurcharge.ts';
import type { Market } from '../../src/engine/market.ts';
import type { Position } from '../../src/engine/position.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { Lots, Money, Rate, Ticks } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { play } from '../scenarios/scenario.ts';
import { accountOf, createWorld } from '../scenarios/world.ts';

const one = 100_000_000n;

const ceil = (numerator: bigint, denominator: bigint): bigint =>
  (numerator + denominator - 1n) / denominator;

const sizeOf = ({ lots }: Position): bigint => BigInt(lots < 0 ? -lots : lots);

function drawMarket(prng: Prng): Market {
  const grain = 10 ** prng.below(4);
  const mark = 1 + prng.below(10 ** (1 + prng.below(6)));
  // At a rate of a half a whole tick is often exactly enough.
  const maintenanceMarginRate = prng.below(3) === 0 ? 50_000_000 : 1 + prng.below(60_000_000);
  return { grain, prices: { mark }, terms: { maintenanceMarginRate } } as unknown as Market;
}

function drawPosition(prng: Prng): Position {
  const size = 1 + prng.below(10 ** (1 + prng.below(5)));
  const each = prng.below(3) === 0 ? 0 : prng.below(60_000_000);
  const surcharge = BigInt(size) * BigInt(each) + BigInt(each > 0 ? prng.below(size) : 0);
  return { lots: prng.below(2) === 0 ? size : -size, surcharge } as unknown as Position;
}

/** Lots × rate: that of the market, and the surcharge; below 100 % in all. */
function weightOf({ terms }: Market, position: Position): bigint {
  const weight = sizeOf(position) * BigInt(terms.maintenanceMarginRate) + position.surcharge;
  const most = sizeOf(position) * 99_999_999n;
  return weight > most ? most : weight;
}

const amountAt = (market: Market, position: Position, ticks: bigint): bigint =>
  ceil(weightOf(market, position) * ticks * BigInt(market.grain), one);

type Drawn = { readonly market: Market; readonly position: Position; readonly prng: Prng };

function forEachDrawn(count: number, look: (drawn: Drawn) => void): void {
  const prng = createPrng(14);
  for (let index = 0; index < count; index += 1) {
    look({ market: drawMarket(prng), position: drawPosition(prng), prng });
  }
}

test('MAR-2 MAR-10 maintenance is (lots × rate + surcharge) × price, rounded up, below the notional', () => {
  forEachDrawn(3000, ({ market, position, prng }) => {
    const { mark } = market.prices;
    expectSame(
      BigInt(maintenanceMargin(market, position)),
      amountAt(market, position, BigInt(mark)),
    );
    const ticks = 1 + prng.below(1_000_000);
    const there = maintenanceAt(market, position, ticks as Ticks);
    expectSame(BigInt(there), amountAt(market, position, BigInt(ticks)));
    const rate = ceil(weightOf(market, position), sizeOf(position));
    expectSame(BigInt(maintenanceRateOf(market, position)), rate);
    const slope = lossPerTickMax(market, position);
    const sign = position.lots > 0 ? -1 : 1;
    const own = Number(weightOf(market, position)) / Number(sizeOf(position) * one);
    expect(slope / (Number(sizeOf(position)) * market.grain * (1 + sign * own))).toBeCloseTo(1, 9);
  });
  const flat = { lots: 0 as Lots, surcharge: 0n } as Position;
  const market = drawMarket(createPrng(1));
  expect(maintenanceMargin(market, flat)).toBe(0);
  expect(maintenanceRateOf(market, flat)).toBe(market.terms.maintenanceMarginRate);
});

test('MAR-2 UNIT-3 the least fraction of a unit or of a tick is rounded against the account', () => {
  const terms = { maintenanceMarginRate: 1 };
  const marketAt = (mark: number) => ({ grain: 1, prices: { mark }, terms }) as unknown as Market;
  const lotAt = (surcharge: bigint) => ({ lots: 1 as Lots, surcharge }) as Position;
  // 66666667 x 3 = 200000001 are 2.00000001 units.
  expect(maintenanceMargin(marketAt(3), lotAt(66_666_666n))).toBe(3);
  // At 99.999997 % one unit is missing: 100000000 / 3.
  expect(ticksAtMaintenance(marketAt(5), lotAt(99_999_996n), 4n)).toBe(33_333_334);
});

test('MAR-10 the closed part takes its share of the surcharge with it, rounded down', () => {
  forEachDrawn(3000, ({ market, position, prng }) => {
    const size = Number(sizeOf(position));
    const closing = prng.below(size + 1);
    const left = position.surcharge - (position.surcharge * BigInt(closing)) / BigInt(size);
    expectSame(surchargeLeft(position, closing as Lots), left);
    const side = position.lots > 0 ? 1 : -1;
    const after = (change: number, surcharge: bigint): bigint => {
      const lots = (position.lots + change) as Lots;
      if (lots === 0) return 0n;
      const changed = { lots, surcharge } as unknown as Position;
      return amountAt(market, changed, BigInt(market.prices.mark));
    };
    const check = (change: number, surcharge: bigint, opened?: bigint): void =>
      expectSame(
        BigInt(maintenanceAfter(market, position, change as Lots, opened)),
        after(change, surcharge),
        `${position.lots} ${change}`,
      );
    check(-side * closing, left);
    // What exceeds the position opens on the other side.
    const over = 1 + prng.below(100);
    const opened = BigInt(prng.below(2) * prng.below(10 ** 9));
    check(-side * (size + over), opened, opened);
    check(side * over, position.surcharge + opened, opened);
    check(side * over, position.surcharge);
  });
});

test('LIQ-2 MAR-10 the fewest lots that free what is missing do, and one lot less does not', () => {
  let all = 0;
  forEachDrawn(3000, ({ market, position, prng }) => {
    const tenths = 10 + prng.below(3);
    const rate = Number(weightOf(market, position) / sizeOf(position));
    const cost = prng.below(Math.max(1, Math.floor((tenths * rate) / 20))) as Rate;
    const size = sizeOf(position);
    /** In tenths of a unit, times the position's size and 1e8: no fraction is left. */
    const freedBy = (lots: bigint): bigint =>
      lots *
      (BigInt(tenths) * weightOf(market, position) - 10n * BigInt(cost) * size) *
      BigInt(market.prices.mark * market.grain);
    if (freedBy(1n) <= 0n) return;
    // Often exactly what some lots free.
    const lots = 1n + BigInt(prng.below(Number(size) + 3));
    const amount = freedBy(lots) / (size * one) + BigInt(prng.below(3)) - 1n;
    if (amount <= 0n) return;
    const found = BigInt(lotsToFree(market, position, { amount, tenths, cost }));
    if (found === size) all += 1;
    else expect(freedBy(found) >= amount * size * one).toBe(true);
    expect(found > 0n && found <= size).toBe(true);
    expect(freedBy(found - 1n) < amount * size * one).toBe(true);
  });
  expect(all).toBeGreaterThan(20);
});

test('LIQ-1 MAR-10 at the mark of maintenance the equity is enough, and one tick further it is not', () => {
  const seen = { none: 0, exact: 0, beyond: 0 };
  forEachDrawn(6000, ({ market, position, prng }) => {
    const { grain, prices } = market;
    const long = position.lots > 0;
    const lots = BigInt(position.lots) * BigInt(grain);
    const mark = BigInt(prices.mark);
    const wanted = BigInt(prng.below(2 * prices.mark + 2));
    // What is left at the mark when the equity at `wanted` is its maintenance, or beside it.
    const least = amountAt(market, position, wanted) + lots * (mark - wanted);
    const far = prng.below(40) === 0 ? BigInt(10 ** 15) * 1000n : 0n;
    const left = least + BigInt(prng.below(3)) - 1n + (long ? -far : far);
    /** Equity less maintenance at some ticks, times 1e8. */
    const excess = (ticks: bigint): bigint =>
      (left + lots * (ticks - mark)) * one - weightOf(market, position) * ticks * BigInt(grain);
    const found = BigInt(ticksAtMaintenance(market, position, left));
    if (found === 0n) {
      seen.none += 1;
      // Enough at any price, or too little at any; otherwise further than numbers go.
      const most = BigInt(Number.MAX_SAFE_INTEGER);
      const isThere = long
        ? excess(0n) < 0n && excess(most) >= 0n
        : excess(1n) >= 0n && excess(most) < 0n;
      expectSame(isThere, false, `${position.lots} ${left}`);
      if (far > 0n) seen.beyond += 1;
      return;
    }
    if (excess(found) === 0n) seen.exact += 1;
    expect(excess(found) >= 0n).toBe(true);
    expect(excess(long ? found - 1n : found + 1n) < 0n).toBe(true);
  });
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

test('MAR-10 the leverage of a bracket is 1 / (2 × rate), rounded down, at least 1, at most the maximum', () => {
  const brackets = [{ upTo: 1 as Money, rate: 1_500_000 as Rate }];
  const at = (rate: number) => bracketLeverage({ brackets, maxLeverage: 50 }, rate as Rate);
  expect([1_500_000, 1_500_001, 3_000_000, 40_000_000, 60_000_000].map(at)).toEqual([
    50, 33, 16, 1, 1,
  ]);
});

test('MAR-10 what opens nothing may have the maximum, whatever stands before it', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT openInterestCap 120000 brackets 30000:0.01,60000:0.02,120000:0.05
    credit anna 100000
    credit ben 1000000
    house ben
    index 60000
    ben sell 3 @ 60000
    anna leverage 10
    anna buy 1.2 @ 60000
    `,
  );
  const market = world.exchange.markets[0]!;
  const anna = accountOf(world, 'anna');
  const at = (lots: number) =>
    leverageMaxOf(market, anna, { side: 1, lots: lots as Lots, ticks: 600_000 as Ticks });
  expect([at(0), at(1)]).toEqual([50, 10]);
});
