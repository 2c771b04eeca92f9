// The public figures of a market, computed from everything that happened: slow and obvious,
// with separate calendars. The views must give the same figures.

import type { Side } from '../../src/engine/orderTypes.ts';
import type { Candle } from '../../src/market-data/candles.ts';
import type { TakerVolume } from '../../src/market-data/periodFigures.ts';
import type { AggregateTrade, Trade, TradeWindow } from '../../src/market-data/recentTrades.ts';
import type { DayFigures } from '../../src/market-data/rollingDay.ts';
import type { Interval, Period } from '../../src/units/interval.ts';
import type { Ticks, Time } from '../../src/units/units.ts';

export type NaiveTrade = {
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
  readonly quote: number;
  readonly time: number;
  readonly side: Side;
  readonly order: number;
};

/** An accepted index tick. Open interest is that of the market at the tick, in money. */
export type NaiveTick = {
  readonly mark: number;
  readonly index: number;
  readonly interest: number;
  readonly time: number;
};

const minute = 60_000;
const day = 86_400_000;
const lengths: Record<string, number> = { m: minute, h: 60 * minute, d: day };

/** When the bucket begins that holds the time. */
export function naiveStart(interval: Interval, time: number): number {
  const date = new Date(time);
  if (interval === '1M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  if (interval === '1w') return midnight - ((date.getUTCDay() + 6) % 7) * day;
  const length = Number.parseInt(interval, 10) * lengths[interval.at(-1)!]!;
  return time - (time % length);
}

export function naiveEnd(interval: Interval, time: number): number {
  const start = naiveStart(interval, time);
  if (interval === '1M') return naiveStart(interval, start + 32 * day);
  if (interval === '1w') return start + 7 * day;
  return start + Number.parseInt(interval, 10) * lengths[interval.at(-1)!]!;
}

/** The interface's table. */
const served: Partial<Record<Interval, Interval>> = {
  '3m': '5m',
  '30m': '15m',
  '2h': '1h',
  '6h': '4h',
  '8h': '4h',
  '12h': '4h',
  '3d': '1d',
};

type Sample = {
  readonly price: number;
  readonly time: number;
  readonly lots: number;
  readonly quote: number;
  readonly id: number;
};

/** Of trades, or of prices, which have no volume. */
export const samplesOf = {
  trades: (trades: readonly NaiveTrade[]): Sample[] =>
    trades.map(({ ticks, lots, quote, time, id }) => ({ price: ticks, lots, quote, time, id })),
  prices: (ticks: readonly NaiveTick[], priceOf: (tick: NaiveTick) => number): Sample[] =>
    ticks.map((tick) => ({ price: priceOf(tick), time: tick.time, lots: 0, quote: 0, id: -1 })),
};

type Bucket = { readonly start: number; readonly samples: Sample[] };

function bucketsOf(samples: readonly Sample[], interval: Interval): Bucket[] {
  const found: Bucket[] = [];
  for (const sample of samples) {
    const start = naiveStart(interval, sample.time);
    if (found.at(-1)?.start !== start) found.push({ start, samples: [] });
    found.at(-1)!.samples.push(sample);
  }
  return found;
}

const sumOf = (amounts: readonly number[]): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

/** Every candle from the oldest bucket that is remembered to the one that holds `now`. */
export function naiveCandles(
  samples: readonly Sample[],
  { interval, max, now }: { interval: Interval; max: number; now: number },
): Candle[] {
  const kept = served[interval] ?? interval;
  const buckets = bucketsOf(samples, kept).slice(-max);
  if (buckets.length === 0) return [];
  // The first bucket of all shows in the candle in which it begins, though that opened before.
  const whole = buckets.length < max;
  const byStart = new Map(buckets.map(({ start, samples: held }) => [start, held]));
  const found: Candle[] = [];
  let last = 0;
  let next = 0;
  for (let open = naiveStart(interval, buckets[0]!.start); open <= now; ) {
    const end = naiveEnd(interval, open);
    const bucket = Math.max(naiveStart(kept, open), whole ? buckets[0]!.start : 0);
    for (; next < buckets.length && buckets[next]!.start <= bucket; next += 1) {
      last = buckets[next]!.samples.at(-1)!.price;
    }
    if (bucket >= buckets[0]!.start) {
      const times = { openTime: open as Time, closeTime: (end - 1) as Time, closed: end <= now };
      found.push(candleOf(byStart.get(bucket) ?? [], last, times));
    }
    open = end;
  }
  return found;
}

function candleOf(
  held: readonly Sample[],
  last: number,
  times: Pick<Candle, 'openTime' | 'closeTime' | 'closed'>,
): Candle {
  const prices = held.length === 0 ? [last] : held.map(({ price }) => price);
  const traded = held.length > 0 && held[0]!.id > 0;
  return {
    ...times,
    open: prices[0]!,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1)!,
    volume: sumOf(held.map(({ lots }) => lots)),
    quoteVolume: sumOf(held.map(({ quote }) => quote)),
    count: held.length,
    firstId: traded ? held[0]!.id : -1,
    lastId: traded ? held.at(-1)!.id : -1,
  };
}

/** Conventions, 1.6: both bounds included; the first `limit` from startTime on, else the last. */
export function inWindow<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => number,
  { startTime, endTime, limit, fromId }: TradeWindow,
  idOf: (row: Row) => number = () => 0,
): Row[] {
  const found = rows.filter(
    (row) =>
      timeOf(row) >= (startTime ?? 0) &&
      timeOf(row) <= (endTime ?? Number.POSITIVE_INFINITY) &&
      idOf(row) >= (fromId ?? 0),
  );
  const forward = startTime !== undefined || fromId !== undefined;
  return forward ? found.slice(0, limit) : found.slice(Math.max(0, found.length - limit));
}

/** Of the trades after `now` − 24 h. */
export function naiveDay(trades: readonly NaiveTrade[], now: number): DayFigures | undefined {
  const inside = trades.filter(({ time }) => time > now - day && time <= now);
  if (inside.length === 0) return undefined;
  const prices = inside.map(({ ticks }) => ticks);
  return {
    open: prices[0]! as Ticks,
    high: Math.max(...prices) as Ticks,
    low: Math.min(...prices) as Ticks,
    volume: sumOf(inside.map(({ lots }) => lots)),
    quoteVolume: sumOf(inside.map(({ quote }) => quote)),
    firstId: inside[0]!.id,
    count: inside.length,
  };
}

export const naiveTrade = ({ id, ticks, lots, time, side }: NaiveTrade): Trade =>
  ({ id, ticks, lots, time, takerSide: side }) as Trade;

export function naiveAggregates(trades: readonly NaiveTrade[]): AggregateTrade[] {
  const groups: NaiveTrade[][] = [];
  for (const trade of trades) {
    const before = groups.at(-1)?.at(-1);
    const same =
      before?.order === trade.order && before.ticks === trade.ticks && before.time === trade.time;
    if (same) groups.at(-1)!.push(trade);
    else groups.push([trade]);
  }
  return groups.map((group, index) => ({
    ...naiveTrade(group[0]!),
    id: index + 1,
    lots: Number(sumOf(group.map(({ lots }) => lots))) as never,
    firstId: group[0]!.id,
    lastId: group.at(-1)!.id,
  }));
}

/** Every period from the first with anything on, ascending, of those that are remembered. */
export function naiveVolumes(
  happened: readonly (NaiveTrade | NaiveTick)[],
  { period, max, now }: { period: Period; max: number; now: number },
): TakerVolume[] {
  const starts = [...new Set(happened.map(({ time }) => naiveStart(period, time)))].slice(-max);
  if (starts.length === 0) return [];
  const trades = happened.filter((each): each is NaiveTrade => 'side' in each);
  const found: TakerVolume[] = [];
  for (let time = starts[0]!; time <= now; time = naiveEnd(period, time)) {
    const end = naiveEnd(period, time);
    const inside = trades.filter((trade) => trade.time >= time && trade.time < end);
    const of = (side: Side): bigint =>
      sumOf(inside.filter((trade) => trade.side === side).map(({ lots }) => lots));
    found.push({ time: time as Time, bought: of(1), sold: of(-1) });
  }
  return found;
}

export function naiveInterest(
  happened: readonly (NaiveTrade | NaiveTick)[],
  { period, max }: { period: Period; max: number },
) {
  const starts = [...new Set(happened.map(({ time }) => naiveStart(period, time)))].slice(-max);
  const ticks = happened.filter((each): each is NaiveTick => 'interest' in each);
  return starts.flatMap((time) => {
    const seen = ticks.filter((tick) => naiveStart(period, tick.time) === time);
    if (seen.length === 0) return [];
    return [{ time, sum: sumOf(seen.map(({ interest }) => interest)), samples: seen.length }];
  });
}
