// Candles whose older buckets memory has forgotten, joined with these buckets from history, equal
// those of a memory without bounds, for every interval, gap and window (NAT-2a).

import { expect, test } from 'vitest';
import { type BucketWindow, createBucketRings } from '../../src/market-data/bucketRings.ts';
import {
  addPrice,
  addTrade,
  type Candles,
  candlesIn,
  closedBetween,
  createPriceCandles,
  createTradeCandles,
  forgottenCandles,
  withOlder,
} from '../../src/market-data/candles.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { intervals, nativeIntervals } from '../../src/units/interval.ts';
import type { Lots, Money, Ticks, Time } from '../../src/units/units.ts';

const begin = Date.UTC(2025, 0, 30, 23, 58) as Time;
const minute = 60_000;

/** Bounds of a memory that soon forgets. */
const few = 12;

function emptied(like: Candles, rows: number): Candles {
  const { width } = like.rings[0]!;
  return createBucketRings(nativeIntervals, { width, rowsMax: () => rows });
}

/** Pauses from nothing to weeks, so that every interval has buckets and gaps. */
const pause = (prng: Prng): number =>
  prng.below(prng.below(20) === 0 ? 40 * 1440 : prng.below(4) === 0 ? 600 : 3) * minute;

for (const kind of ['trade', 'mark'] as const) {
  test(`NAT-2a candles of ${kind} older than memory come from history without a difference`, () => {
    const prng = createPrng(7);
    const like = kind === 'trade' ? createTradeCandles() : createPriceCandles();
    const whole = emptied(like, 100_000);
    const bounded = emptied(like, few);
    let now = begin;
    let joined = 0;
    for (let id = 1; id <= 1000; id += 1) {
      now = (now + pause(prng)) as Time;
      const ticks = (50_000 + prng.below(1000)) as Ticks;
      const trade = { id, ticks, lots: (1 + prng.below(50)) as Lots, quote: (2 ** 51) as Money };
      for (const candles of [whole, bounded]) {
        if (kind === 'trade') addTrade(candles, trade, now);
        else addPrice(candles, ticks, now);
      }
      if (id % 25 > 0) continue;
      for (const interval of intervals) {
        const startTime = begin + prng.below(now - begin + 1);
        const window: BucketWindow = {
          startTime: prng.below(2) === 0 ? startTime : undefined,
          endTime: prng.below(2) === 0 ? startTime + prng.below(100_000 * minute) : undefined,
          limit: 1 + prng.below(60),
        };
        const needed = forgottenCandles(bounded, interval, window, now);
        let candles = bounded;
        if (needed !== undefined) {
          joined += 1;
          candles = withOlder(bounded, needed.interval, storedRows(whole, needed, now));
        }
        const expected = candlesIn(whole, interval, window, now);
        expect(candlesIn(candles, interval, window, now)).toEqual(expected);
      }
    }
    expect(joined).toBeGreaterThan(200);
  });
}

type Needed = NonNullable<ReturnType<typeof forgottenCandles>>;

/** The answer of the query of history. */
function storedRows(whole: Candles, { interval, from, to, limit }: Needed, now: Time) {
  const closed = closedBetween(whole, 0 as Time, now)
    .filter((each) => each.interval === interval)
    .map(({ candle }) => ({
      ...candle,
      volume: String(candle.volume),
      quoteVolume: String(candle.quoteVolume),
    }))
    .sort((a, b) => a.openTime - b.openTime);
  const earlier = closed.filter(({ openTime }) => openTime < from).slice(-1);
  const rows = closed.filter(({ openTime }) => openTime >= from && openTime <= to);
  return [...earlier, ...rows.slice(0, limit)];
}
