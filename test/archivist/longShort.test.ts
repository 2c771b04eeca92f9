// NAT-2f: who holds the positions of a market, and how often that is counted.

import { expect, test } from 'vitest';
import { type LongShortCounts, longShortOf } from '../../src/archivist/longShort.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import type { MarketId, Time } from '../../src/units/units.ts';
import { runStream } from '../engine/commandStream.ts';

const none = { long: 0, short: 0 };

/** The positions that count, the largest first. */
function countedIn(exchange: Exchange, market: MarketId) {
  return liveAccounts(exchange)
    .filter(({ id, house }) => id !== insuranceAccount && !house)
    .flatMap(({ id, positions }) => {
      const lots = positions[market]?.lots ?? 0;
      return lots === 0 ? [] : [{ id, lots }];
    })
    .sort((a, b) => Math.abs(b.lots) - Math.abs(a.lots) || a.id - b.id);
}

const sumOf = (rows: readonly { readonly lots: number }[], amountOf: (lots: number) => number) =>
  rows.reduce(
    ({ long, short }, { lots }) =>
      lots > 0 ? { long: long + amountOf(lots), short } : { long, short: short + amountOf(lots) },
    none,
  );

test('NAT-2f all accounts are counted, and the fifth with the largest positions, rounded up', () => {
  const exchange = runStream(1, 2500);
  let positions = 0;
  for (const { id: market } of exchange.markets) {
    const rows = countedIn(exchange, market);
    positions += rows.length;
    const top = rows.slice(0, Math.ceil(rows.length / 5));
    expect(longShortOf(exchange, new Map(), market)).toEqual({
      market,
      time: exchange.time,
      accounts: sumOf(rows, () => 1),
      topAccounts: sumOf(top, () => 1),
      topLots: sumOf(top, Math.abs),
    });
  }
  expect(positions).toBeGreaterThan(8);
});

test('NAT-2f internal accounts do not count, and an unknown market has no positions', () => {
  const exchange = runStream(1, 2500);
  const market = exchange.markets[0]!.id;
  for (const account of liveAccounts(exchange)) account.house = true;
  const nobody = { accounts: none, topAccounts: none, topLots: none };
  expect(longShortOf(exchange, new Map(), market)).toMatchObject(nobody);
  expect(longShortOf(exchange, new Map(), 99 as MarketId)).toMatchObject(nobody);
});

test('a market is counted at most once in five seconds, by the time of batches', () => {
  const exchange = runStream(1, 2500);
  const counts: LongShortCounts = new Map();
  const market = exchange.markets[0]!.id;
  const first = longShortOf(exchange, counts, market);
  for (const account of liveAccounts(exchange)) account.house = true;
  exchange.time = (exchange.time + 4999) as Time;
  expect(longShortOf(exchange, counts, market)).toBe(first);
  exchange.time = (exchange.time + 1) as Time;
  expect(longShortOf(exchange, counts, market).accounts).toEqual(none);
});
