// Figures that one fill check in thousands depends on to the unit, asked for themselves: gap
// margins (MAR-4b … MAR-4d), the room of unified-margin offsets (MAR-7), and the maintenance that
// is left after a part has closed (MAR-10).

import { expect, test } from 'vitest';
import type { Account } from '../../src/engine/account.ts';
import { beginBatch } from '../../src/engine/apply.ts';
import { gapMargin, gapMargins, settlementLoss } from '../../src/engine/clearing/gapMargin.ts';
import { standInRoom } from '../../src/engine/clearing/hold.ts';
import { maintenanceAfter, maintenanceMargin } from '../../src/engine/clearing/maintenance.ts';
import type { Market } from '../../src/engine/market.ts';
import type { Position } from '../../src/engine/position.ts';
import type { Lots, Ticks, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { free } from '../scenarios/stages.ts';
import { accountOf, createWorld, type World } from '../scenarios/world.ts';

const positionOf = ({ positions }: Account, market = 0): Position => positions[market]!;
const marketIn = ({ exchange }: World, id = 0): Market => exchange.markets[id]!;

/** Time passes without a price, so that the indexes of all markets are in doubt. */
function waitFor(world: World, ms: number): void {
  beginBatch(world.exchange, (world.exchange.time + ms) as Time);
}

test('MAR-4b UNIT-3 a gap margin is 10 % of the notional, rounded up, of a doubtful index alone', () => {
  // 7.001 x 1.003 = 7.022003, of which 0.7022003.
  const world = play(createWorld(), 'market DUSTUSDT\nindex 1.003');
  const market = marketIn(world);
  expect(gapMargin(world.exchange, market, 7001 as Lots)).toBe(0);
  waitFor(world, 5000);
  expect(gapMargin(world.exchange, market, 7001 as Lots)).toBe(0);
  waitFor(world, 1);
  expect(gapMargin(world.exchange, market, 7001 as Lots)).toBe(702_201);
  expect(gapMargin(world.exchange, market, -7001 as Lots)).toBe(702_201);
});

test('MAR-4c gap margins and maintenance of all positions are summed to the unit', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT ${free}
    market ETHUSDT ${free}
    credit anna 10000
    credit ben 10000
    index 60000
    index ETHUSDT 3000
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna sell ETHUSDT 1 @ 3000
    ben buy ETHUSDT 1 @ 3000
    `,
  );
  const anna = accountOf(world, 'anna');
  const figures = (change: number) =>
    gapMargins(world.exchange, anna, positionOf(anna), change as Lots);
  expect(figures(0)).toEqual({ gaps: 0, maintenance: 0 });
  waitFor(world, 5001);
  // 10 % and 1 % of 6000 and of 3000.
  expect(figures(0)).toEqual({ gaps: 900_000_000, maintenance: 90_000_000 });
  expect(figures(-50)).toEqual({ gaps: 600_000_000, maintenance: 60_000_000 });
  expect(figures(-100)).toEqual({ gaps: 300_000_000, maintenance: 30_000_000 });
  expect(figures(-200)).toEqual({ gaps: 900_000_000, maintenance: 90_000_000 });
  // One lot.
  expect(figures(-99)).toEqual({ gaps: 306_000_000, maintenance: 30_600_000 });
});

test('MAR-4d a delivery from which a position gains keeps nothing back', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT ${free}
    index 60000
    steady 54000 for 38000
    index 59400
    change status CLOSE deliveryTime 1760000040000
    `,
  );
  const market = marketIn(world);
  expect(settlementLoss(world.exchange, market, 100 as Lots)).toBeGreaterThan(0);
  expect(settlementLoss(world.exchange, market, -100 as Lots)).toBe(0);
  // Without a delivery in sight the mark may be anywhere.
  const other = play(createWorld(), 'market BTCUSDT\nindex 60000');
  marketIn(other).prices.mark = 600_100 as Ticks;
  expect(settlementLoss(other.exchange, marketIn(other), 100 as Lots)).toBe(0);
});

test('MAR-7 the room of offsets is the profit of each position that has one, less what is in use', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT ${free}
    market ETHUSDT ${free}
    credit anna 700
    credit ben 10000
    index 60000
    index ETHUSDT 3000
    anna mode unified
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna buy ETHUSDT 0.01 @ 3000
    ben sell ETHUSDT 0.01 @ 3000
    index 63000
    index ETHUSDT 2900
    `,
  );
  const anna = accountOf(world, 'anna');
  expect(standInRoom(world.exchange, accountOf(world, 'ben'))).toBe(0);
  // 300 of profit; the loss of 1 is no part of it.
  expect(standInRoom(world.exchange, anna)).toBe(300_000_000);
  play(
    world,
    `
    anna has available 398.5
    # 603 to freeze: 204.5 of them are offset.
    anna buy 0.2 @ 60000 -> NEW
    anna has available 0 uncovered 204.5
    `,
  );
  expect(standInRoom(world.exchange, anna)).toBe(95_500_000);
  // What is in use exceeds the profit.
  play(world, 'index 61000');
  expect(standInRoom(world.exchange, anna)).toBe(0);
  play(world, 'index 59000');
  expect(standInRoom(world.exchange, anna)).toBe(0);
});

/** 0.5 at 1 % and 0.4 at 2 %. */
const bracketed = `
  market BTCUSDT ${free} openInterestCap 120000 brackets 30000:0.01,60000:0.02,120000:0.05
  credit anna 100000
  credit ben 1000000
  house ben
  index 60000
  ben sell 3 @ 60000
  anna buy 0.9 @ 60000
`;

test('MAR-10 before a part closes its maintenance is counted as it is after it', () => {
  const world = play(createWorld(), bracketed);
  const market = marketIn(world);
  const position = positionOf(accountOf(world, 'anna'));
  expect(maintenanceMargin(market, position)).toBe(780_000_000);
  const foreseen = [100, 300, 800, 899].map(
    (lots) => [lots, maintenanceAfter(market, position, -lots as Lots)] as const,
  );
  // Half of 780; two thirds of it, rounded up with the surcharge; nothing; and the first rate for
  // what opens on the other side.
  expect(maintenanceAfter(market, position, -450 as Lots)).toBe(390_000_000);
  expect(maintenanceAfter(market, position, -300 as Lots)).toBe(520_000_001);
  expect(maintenanceAfter(market, position, -900 as Lots)).toBe(0);
  expect(maintenanceAfter(market, position, -1000 as Lots)).toBe(60_000_000);
  for (const [lots, maintenance] of foreseen) {
    const twin = play(
      createWorld(),
      `
      ${bracketed}
      ben cancelAll
      ben buy ${lots / 1000} @ 60000
      anna sell ${lots / 1000} @ 60000 -> FILLED
      `,
    );
    const left = positionOf(accountOf(twin, 'anna'));
    expect(left.lots).toBe(900 - lots);
    expect(maintenanceMargin(marketIn(twin), left), `${lots}`).toBe(maintenance);
  }
});

test('MAR-10 what opens without a surcharge has the maintenance of its notional, to the unit', () => {
  // One lot of a tick is worth 1e-4 USDT, so that a whole 1e-8 of the price is a unit.
  const world = play(createWorld(), 'market BTCUSDT\ncredit anna 10\nindex 200000');
  const position = { lots: 0 as Lots, surcharge: 0n } as Position;
  expect(maintenanceAfter(marketIn(world), position, 1 as Lots)).toBe(2_000_000);
});
