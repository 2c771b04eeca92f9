// LIQ-7: the fifth of the ranking of its side in which a position is, and how often a side is
// ranked.

import { expect, test } from 'vitest';
import { type AdlRankings, adlQuantilesOf } from '../../src/archivist/adlQuantiles.ts';
import { rankPositions } from '../../src/engine/clearing/deleverage.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Ticks, Time } from '../../src/units/units.ts';
import { runStream } from '../engine/commandStream.ts';

/** An exchange after a stream, and who has a position where. */
function traded(): Exchange {
  const exchange = runStream(1, 2500);
  const open = liveAccounts(exchange).flatMap(({ positions }) =>
    positions.filter((position) => position !== undefined && position.lots !== 0),
  );
  expect(open.length).toBeGreaterThan(8);
  return exchange;
}

const quantilesOfAll = (exchange: Exchange, rankings: AdlRankings) =>
  liveAccounts(exchange).map(({ id }) => adlQuantilesOf(exchange, rankings, id));

test('LIQ-7: the first fifth of a side has 4, the last 0, and a single position 4', () => {
  const exchange = traded();
  const answers = quantilesOfAll(exchange, new Map());
  for (const market of exchange.markets) {
    for (const side of [1, -1] as const) {
      const ranked = rankPositions(exchange, market, side);
      const found = ranked.map(({ account }) => {
        const own = answers[account]!.find((row) => row.market === market.id);
        return own?.quantile;
      });
      // Each fifth as it is counted by hand.
      const expected = ranked.map((_, place) => {
        const share = (place + 1) / ranked.length;
        const before = place / ranked.length;
        return [0.2, 0.4, 0.6, 0.8].reduce(
          (quantile, bound) => (before >= bound - 1e-12 && share > bound ? quantile - 1 : quantile),
          4,
        );
      });
      expect(found).toEqual(expected);
      if (ranked.length > 0) expect(found[0]).toBe(4);
    }
  }
});

test('the fund and unknown accounts have no quantile', () => {
  const exchange = traded();
  expect(adlQuantilesOf(exchange, new Map(), 999 as never)).toEqual([]);
  for (const rows of quantilesOfAll(exchange, new Map())) {
    for (const { quantile } of rows) expect([0, 1, 2, 3, 4]).toContain(quantile);
  }
});

test('a side is ranked at most once a second, by the time of batches', () => {
  const exchange = traded();
  const rankings: AdlRankings = new Map();
  const before = quantilesOfAll(exchange, rankings);
  const ranked = [...rankings.values()];
  expect(ranked.length).toBeLessThanOrEqual(2 * exchange.markets.length);
  const { prices } = exchange.markets[0]!;
  prices.mark = Math.ceil(prices.mark / 2) as Ticks;
  exchange.time = (exchange.time + 999) as Time;
  expect(quantilesOfAll(exchange, rankings)).toEqual(before);
  expect([...rankings.values()]).toEqual(ranked);
  exchange.time = (exchange.time + 1) as Time;
  expect(quantilesOfAll(exchange, rankings)).toEqual(quantilesOfAll(exchange, new Map()));
  for (const { at } of rankings.values()) expect(at).toBe(exchange.time);
});
