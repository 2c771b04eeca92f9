// The first candles of a new market: of every interval, and at every phase of the clock, there is
// one from the first trade or price on, and what was shown stays (NAT-2b).

import { describe, test } from 'vitest';
import {
  addPrice,
  addTrade,
  type Candles,
  candlesIn,
  createPriceCandles,
  createTradeCandles,
} from '../../src/market-data/candles.ts';
import { bucketAfter, bucketStart, intervals } from '../../src/units/interval.ts';
import type { Lots, Money, Ticks, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';

const begin = Date.UTC(2026, 10, 22);
const phases = 72;

const kinds = {
  trade: (now: Time): Candles => {
    const candles = createTradeCandles();
    const trade = { id: 1, ticks: 600_000 as Ticks, lots: 5 as Lots, quote: 300 as Money };
    addTrade(candles, trade, now);
    return candles;
  },
  price: (now: Time): Candles => {
    const candles = createPriceCandles();
    addPrice(candles, 600_000, now);
    return candles;
  },
};

describe.each(['trade', 'price'] as const)('of a %s', (kind) => {
  test.each(intervals)('NAT-2b %s has its candle at every time of the clock', (interval) => {
    const length = bucketAfter(interval, begin, 1) - bucketStart(interval, begin);
    for (let phase = 0; phase < phases; phase += 1) {
      const first = (begin + Math.floor((phase * 6 * length) / phases)) as Time;
      const candles = kinds[kind](first);
      let opened: Time | undefined;
      for (let part = 0; part < 24; part += 1) {
        const now = (first + Math.floor((part * length) / 8)) as Time;
        const rows = candlesIn(candles, interval, { limit: 1500 }, now);
        expectSame(rows.at(-1)?.openTime, bucketStart(interval, now));
        opened ??= rows[0]!.openTime;
        expectSame(rows[0]!.openTime, opened);
        expectSame(
          rows.every(({ open, close }) => open === 600_000 && close === 600_000),
          true,
        );
        const latest = candlesIn(candles, interval, { limit: 1 }, now);
        expectSame(latest, rows.slice(-1));
      }
    }
  });
});
