// Candles of one market: of its trades, its mark, its index and its premium (NAT-2a). A bucket
// without data continues at the last close: it has no row here, but readers see it.

import { candlesMax } from '../engine/limits.ts';
import {
  createNumberRing,
  firstFrom,
  type NumberRing,
  pushNumbers,
  rowOf,
} from '../std/numberRing.ts';
import { addWide, setWide, wideSumAt } from '../std/wideSum.ts';
import {
  bucketAfter,
  bucketStart,
  type Interval,
  type NativeInterval,
  nativeIntervals,
  servedFrom,
} from '../units/interval.ts';
import type { Lots, Money, Ticks, Time } from '../units/units.ts';
import {
  type BucketRings,
  type BucketWindow,
  createBucketRings,
  ringOf,
  turnBuckets,
} from './bucketRings.ts';

/**
 * Columns. The prices' columns end with the number of ticks; each of the two sums takes two
 * numbers.
 */
const open = 1;
const high = 2;
const low = 3;
const close = 4;
const count = 5;
const priceWidth = 6;
const volume = 6;
const quoteVolume = 8;
const firstId = 10;
const lastId = 11;
const tradeWidth = 12;

export type Candles = BucketRings<NativeInterval>;

/** Candles of prices, which have no volume. */
export function createPriceCandles(): Candles {
  return createBucketRings(nativeIntervals, {
    width: priceWidth,
    rowsMax: (each) => candlesMax[each],
  });
}

/** Candles of trades. */
export function createTradeCandles(): Candles {
  return createBucketRings(nativeIntervals, {
    width: tradeWidth,
    rowsMax: (each) => candlesMax[each],
  });
}

/** Adds a price. Times never run backwards. */
export function addPrice(candles: Candles, price: number, now: Time): void {
  if (now >= candles.end) turnBuckets(candles, now);
  const { rings } = candles;
  for (let i = 0; i < rings.length; i += 1) {
    const { values, newest } = rings[i]!;
    showPrice(values, newest, price);
  }
}

/** Adds a trade. Cost: 0.1 µs for all intervals. */
export function addTrade(
  candles: Candles,
  trade: { readonly id: number; readonly ticks: Ticks; readonly lots: Lots; readonly quote: Money },
  now: Time,
): void {
  const { id, ticks, lots, quote } = trade;
  if (now >= candles.end) turnBuckets(candles, now);
  const { rings } = candles;
  for (let i = 0; i < rings.length; i += 1) {
    const { values, newest } = rings[i]!;
    if (values[newest + count] === 0) values[newest + firstId] = id;
    values[newest + lastId] = id;
    showPrice(values, newest, ticks);
    addWide(values, newest + volume, lots);
    addWide(values, newest + quoteVolume, quote);
  }
}

function showPrice(values: Float64Array, at: number, price: number): void {
  if (values[at + count] === 0) {
    values[at + open] = price;
    values[at + high] = price;
    values[at + low] = price;
  } else if (price > values[at + high]!) values[at + high] = price;
  else if (price < values[at + low]!) values[at + low] = price;
  values[at + close] = price;
  values[at + count]! += 1;
}

export type Candle = {
  readonly openTime: Time;
  /** The last millisecond. */
  readonly closeTime: Time;
  /** Ticks, or 1e-8 of a premium. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Lots and money; 0 for prices. */
  readonly volume: bigint;
  readonly quoteVolume: bigint;
  /** The number of trades, or of prices. */
  readonly count: number;
  /** The ids of the first trade and the last; -1 without trades. */
  readonly firstId: number;
  readonly lastId: number;
  readonly closed: boolean;
};

/**
 * The candles in the window up to the one that contains `now`, ascending. With `startTime` the
 * first `limit`, else the last. An interval that is not kept shows, at each of its own times, the
 * kept bucket that contains that time (NAT-2b). Cost: 0.3 µs a candle.
 */
export function candlesIn(
  candles: Candles,
  interval: Interval,
  window: BucketWindow,
  now: Time,
): Candle[] {
  const kept = servedFrom(interval);
  const ring = ringOf(candles, kept);
  if (ring.size === 0 || window.limit <= 0) return [];
  const oldest = ring.values[rowOf(ring, 0)]!;
  const first = firstServed(interval, ring);
  const { from, to } = boundsOf(interval, window, { first, now });
  const found: Candle[] = [];
  // The last row that begins at or before the candle.
  let index = Math.max(0, firstFrom(ring, 0, bucketStart(kept, from) + 1) - 1);
  for (let openTime = from; openTime <= to && found.length < window.limit; ) {
    const bucket = Math.max(oldest, bucketStart(kept, openTime)) as Time;
    while (index + 1 < ring.size && ring.values[rowOf(ring, index + 1)]! <= bucket) index += 1;
    const end = bucketAfter(interval, openTime, 1);
    const times = { openTime, closeTime: (end - 1) as Time, closed: end <= now };
    found.push(candleOf(ring, rowOf(ring, index), { bucket, times }));
    openTime = end;
  }
  return found;
}

/** A kept bucket that is not empty, as history stores it. */
export type Bucket = Omit<Candle, 'closeTime' | 'volume' | 'quoteVolume' | 'closed'> & {
  /** Whole numbers as text. */
  readonly volume: string;
  readonly quoteVolume: string;
};

/** Which kept buckets: the first `limit` of an interval that open from `from` to `to`. */
export type BucketRange = {
  readonly interval: NativeInterval;
  readonly from: Time;
  readonly to: Time;
  readonly limit: number;
};

/** Each candle of an interval consists of at most so many kept buckets. */
const keptOfOneMax = 3;

/**
 * The kept buckets that the window shows and that were dropped from memory; undefined: none,
 * `candlesIn` has everything. The last bucket before them is needed too: a gap continues at its
 * close.
 */
export function forgottenCandles(
  candles: Candles,
  interval: Interval,
  window: BucketWindow,
  now: Time,
): BucketRange | undefined {
  const kept = servedFrom(interval);
  const ring = ringOf(candles, kept);
  if (ring.size < ring.max) return undefined;
  const { from, to } = boundsOf(interval, window, { first: 0 as Time, now });
  const start = bucketStart(kept, from);
  if (from > to || start >= ring.values[rowOf(ring, 0)]!) return undefined;
  return { interval: kept, from: start, to, limit: keptOfOneMax * window.limit + 1 };
}

/** The buckets of one kept interval: these, ascending, and after them the ones in memory. */
export function withOlder(
  candles: Candles,
  interval: NativeInterval,
  older: readonly Bucket[],
): Candles {
  const ring = ringOf(candles, interval);
  const after = older.at(-1)?.openTime ?? -1;
  const known = firstFrom(ring, 0, after + 1);
  const joined = createNumberRing(ring.width, older.length + ring.size - known + 1);
  for (const bucket of older) pushBucket(joined, bucket);
  for (let index = known; index < ring.size; index += 1) {
    const from = rowOf(ring, index);
    const to = pushNumbers(joined);
    joined.values.set(ring.values.subarray(from, from + ring.width), to);
  }
  return { intervals: [interval], rings: [joined], end: candles.end };
}

function pushBucket(ring: NumberRing, bucket: Bucket): void {
  const at = pushNumbers(ring);
  const { values, width } = ring;
  values[at] = bucket.openTime;
  values[at + open] = bucket.open;
  values[at + high] = bucket.high;
  values[at + low] = bucket.low;
  values[at + close] = bucket.close;
  values[at + count] = bucket.count;
  if (width !== tradeWidth) return;
  setWide(values, at + volume, BigInt(bucket.volume));
  setWide(values, at + quoteVolume, BigInt(bucket.quoteVolume));
  values[at + firstId] = bucket.firstId;
  values[at + lastId] = bucket.lastId;
}

/**
 * The first candle of the interval: the one in which the oldest bucket begins, so that it exists as
 * soon as the bucket does. When older buckets were dropped, that candle opened in one of them, and
 * the first is the next one.
 */
function firstServed(interval: Interval, ring: NumberRing): Time {
  const oldest = ring.values[rowOf(ring, 0)]!;
  const around = bucketStart(interval, oldest);
  if (around === oldest || ring.size < ring.max) return around;
  return bucketAfter(interval, around, 1);
}

/**
 * The buckets with data that ended after `after` and by `now`, of every interval. Cost: two
 * look-ups for each interval, and the buckets found.
 */
export function closedBetween(
  candles: Candles,
  after: Time,
  now: Time,
): { readonly interval: NativeInterval; readonly candle: Candle }[] {
  const found: { interval: NativeInterval; candle: Candle }[] = [];
  for (const [i, interval] of candles.intervals.entries()) {
    const ring = candles.rings[i]!;
    for (let index = ring.size - 1; index >= 0; index -= 1) {
      const at = rowOf(ring, index);
      const bucket = ring.values[at]! as Time;
      const end = bucketAfter(interval, bucket, 1);
      if (end <= after) break;
      if (end > now) continue;
      const times = { openTime: bucket, closeTime: (end - 1) as Time, closed: true };
      found.push({ interval, candle: candleOf(ring, at, { bucket, times }) });
    }
  }
  return found;
}

function boundsOf(
  interval: Interval,
  { startTime, endTime = Number.MAX_SAFE_INTEGER, limit }: BucketWindow,
  { first, now }: { readonly first: Time; readonly now: Time },
): { readonly from: Time; readonly to: Time } {
  const to = bucketStart(interval, Math.min(now, endTime));
  if (startTime === undefined) {
    return { from: Math.max(first, bucketAfter(interval, to, 1 - limit)) as Time, to };
  }
  const start = bucketStart(interval, startTime);
  const from = start < startTime ? bucketAfter(interval, start, 1) : start;
  return { from: Math.max(first, from) as Time, to };
}

type Times = Pick<Candle, 'openTime' | 'closeTime' | 'closed'>;

/**
 * What the row shows in the bucket: its own values, or its close when the row is from an earlier
 * bucket.
 */
function candleOf(
  { values, width }: NumberRing,
  at: number,
  { bucket, times }: { readonly bucket: Time; readonly times: Times },
): Candle {
  const last = values[at + close]!;
  const there = values[at] === bucket;
  const prices = there
    ? { open: values[at + open]!, high: values[at + high]!, low: values[at + low]! }
    : { open: last, high: last, low: last };
  const made = { ...times, ...prices, close: last, count: there ? values[at + count]! : 0 };
  if (!there || width !== tradeWidth) return { ...made, ...untraded };
  return {
    ...made,
    volume: wideSumAt(values, at + volume),
    quoteVolume: wideSumAt(values, at + quoteVolume),
    firstId: values[at + firstId]!,
    lastId: values[at + lastId]!,
  };
}

const untraded = { volume: 0n, quoteVolume: 0n, firstId: -1, lastId: -1 };
