// OPS-8: what a gap would cost, against the equity that pays for each position alone.

import { expect, test } from 'vitest';
import { gapHolesOf } from '../../src/archivist/gapHoles.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { positionFigures } from '../../src/engine/views/positionFigures.ts';
import { type Rate, rateOne, type Time, usdt } from '../../src/units/units.ts';
import { runStream } from '../engine/commandStream.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const holesIn = ({ exchange }: { readonly exchange: Exchange }): number[] =>
  gapHolesOf(exchange).map(({ hole }) => hole / usdt);

test('OPS-8 a position pays a gap with its equity; the fund pays the rest, on the worse side', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT maxLeverage 50 gapRate 0.05
    credit ann 700
    credit bob 100000
    index 60000
    bob sell 0.4 @ 60000
    ann leverage 50
    ann buy 0.4 market
    `,
  );
  // 5 % of 24,000 are 1200; ann has 700 less her fee of 12. Bob has enough.
  expect(holesIn(world)).toEqual([512]);
  // What she loses by the fall is missing at the next gap: 5 % of 23,800 less 488.
  expect(holesIn(play(world, 'drift 59500'))).toEqual([702]);
});

test('OPS-8 no unit of a cross account pays for two positions, and an isolated one pays alone', () => {
  const open = `
    market BTCUSDT maxLeverage 50 gapRate 0.05
    market ETHUSDT maxLeverage 50 gapRate 0.05
    credit ann 1000
    credit bob 1000000
    index 60000 BTCUSDT
    index 3000 ETHUSDT
    ann leverage 50 BTCUSDT
    ann leverage 50 ETHUSDT
    bob sell 0.3 @ 60000 BTCUSDT
    bob sell 2 @ 3000 ETHUSDT
    `;
  const buy = `
    ann buy 0.3 market BTCUSDT
    ann buy 2 market ETHUSDT
    `;
  // Fees are 12; the rest, 988, is shared as the maintenance of 180 and of 60: 741 and 247. A gap
  // takes 900 and 300.
  expect(holesIn(play(createWorld(), open + buy))).toEqual([159, 53]);
  // Isolated she has 360 less 9 of collateral here, 120 less 3 there, and 508 that pay for neither.
  const isolated = play(createWorld(), `${open}ann mode isolated${buy}`);
  expect(holesIn(isolated)).toEqual([540, 180]);
});

test('OPS-8 the whole loss of a position of the fund is the fund’s', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT maxLeverage 50 gapRate 0.05
    credit ann 200
    credit bob 100000
    insurance 100000
    index 60000
    bob sell 0.1 @ 60000
    ann leverage 50
    ann buy 0.1 market
    index 58100
    mark 58100
    fund has position 0.1
    `,
  );
  expect(holesIn(world)).toEqual([290.5]);
});

test('OPS-8 the gap hole is what is left of each loss, for every market of a stream', () => {
  const exchange = runStream(3, 2500);
  for (const market of exchange.markets) {
    market.terms = { ...market.terms, gapRate: (rateOne / 5) as Rate };
  }
  let found = 0;
  const expected = exchange.markets.map(({ id, terms }) => {
    const sides = [0n, 0n];
    for (const account of liveAccounts(exchange)) {
      const position = account.positions[id];
      if (position === undefined || position.lots === 0) continue;
      const { notional, maintenance, collateral, unrealized } = positionFigures(exchange, position);
      const all = accountFigures(exchange, account);
      const gap = BigInt(Math.abs(notional)) * BigInt(terms.gapRate);
      const loss = (gap + BigInt(rateOne) - 1n) / BigInt(rateOne);
      let pays = (BigInt(all.equity) * BigInt(maintenance)) / BigInt(all.maintenance);
      if (account.marginMode === 'isolated') pays = BigInt(collateral + unrealized);
      if (account.id === insuranceAccount) pays = 0n;
      if (loss > pays) sides[position.lots > 0 ? 0 : 1]! += loss - pays;
    }
    found += sides.filter((sum) => sum > 0n).length;
    return Number(sides[0]! > sides[1]! ? sides[0] : sides[1]);
  });
  expect(found).toBeGreaterThan(1);
  expect(gapHolesOf(exchange).map(({ hole }) => hole)).toEqual(expected);
  exchange.markets[1]!.dues.settledAt = 1 as Time;
  expect(gapHolesOf(exchange).map(({ market }) => market)).toEqual([0, 2]);
});
