// The intervals of candles and the periods of figures: their names, the kept interval that serves a
// requested one (interface, kline intervals), and where their buckets begin in time (NAT-2a).

import type { Time } from './units.ts';

/** Every interval that a client can request. */
export const intervals = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
export type Interval = (typeof intervals)[number];

/** The intervals of which candles are kept. */
export const nativeIntervals = ['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M'] as const;
export type NativeInterval = (typeof nativeIntervals)[number];

/** The periods of open interest and of taker volumes. */
export const periods = ['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d'] as const;
export type Period = (typeof periods)[number];

const served = {
  '3m': '5m',
  '30m': '15m',
  '2h': '1h',
  '6h': '4h',
  '8h': '4h',
  '12h': '4h',
  '3d': '1d',
} as const;

/** The kept interval whose buckets a requested interval shows under its own labels. */
export function servedFrom(interval: Interval): NativeInterval {
  return interval in served
    ? served[interval as keyof typeof served]
    : (interval as NativeInterval);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const lengths = {
  '1m': minute,
  '3m': 3 * minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '4h': 4 * hour,
  '6h': 6 * hour,
  '8h': 8 * hour,
  '12h': 12 * hour,
  '1d': day,
  '3d': 3 * day,
  '1w': 7 * day,
} as const satisfies Record<Exclude<Interval, '1M'>, number>;

/** The epoch was a Thursday; weeks begin on Mondays. */
const firstMonday = 4 * day;

/** The beginning of the bucket that contains `time`. */
export function bucketStart(interval: Interval, time: number): Time {
  if (interval === '1M') return monthsAfter(time, 0);
  const length = lengths[interval];
  const first = interval === '1w' ? firstMonday : 0;
  return (Math.floor((time - first) / length) * length + first) as Time;
}

/**
 * The beginning of the bucket that is `count` buckets after the one that contains `time`; a
 * negative count goes back.
 */
export function bucketAfter(interval: Interval, time: number, count: number): Time {
  if (interval === '1M') return monthsAfter(time, count);
  return (bucketStart(interval, time) + count * lengths[interval]) as Time;
}

function monthsAfter(time: number, count: number): Time {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count) as Time;
}
