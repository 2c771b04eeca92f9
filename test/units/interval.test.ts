// When buckets begin (NAT-2a), and which interval is served from which (NAT-2b).

import { describe, expect, test } from 'vitest';
import {
  bucketAfter,
  bucketStart,
  type Interval,
  intervals,
  nativeIntervals,
  periods,
  servedFrom,
} from '../../src/units/interval.ts';
import { expectSame } from '../fixtures/expectSame.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 19);

describe('NAT-2a buckets begin at multiples of UTC', () => {
  test.each([
    ['1m', '2026-02-27T23:59:59.999', '2026-02-27T23:59:00'],
    ['3m', '2026-02-27T23:59:00', '2026-02-27T23:57:00'],
    ['4h', '2026-02-27T23:59:59', '2026-02-27T20:00:00'],
    ['12h', '2026-02-27T11:59:59', '2026-02-27T00:00:00'],
    ['1d', '2026-02-28T00:00:00', '2026-02-28T00:00:00'],
    // A week begins on Monday.
    ['1w', '2026-03-01T23:59:59.999', '2026-02-23T00:00:00'],
    ['1w', '2026-03-02T00:00:00', '2026-03-02T00:00:00'],
    ['1M', '2024-02-29T23:59:59.999', '2024-02-01T00:00:00'],
    ['1M', '2026-01-01T00:00:00', '2026-01-01T00:00:00'],
  ] as const)('%s at %s', (interval, time, start) => {
    expect(textOf(bucketStart(interval, at(time)))).toBe(start);
  });

  test.each([
    ['1M', '2024-01-31T12:00:00', 1, '2024-02-01T00:00:00'],
    ['1M', '2024-02-29T12:00:00', 11, '2025-01-01T00:00:00'],
    ['1M', '2024-01-15T12:00:00', -2, '2023-11-01T00:00:00'],
    ['1w', '2026-03-01T12:00:00', 1, '2026-03-02T00:00:00'],
    ['3d', '1970-01-05T12:00:00', 1, '1970-01-07T00:00:00'],
    ['1h', '2026-03-01T12:30:00', -13, '2026-02-28T23:00:00'],
  ] as const)('%s of %s and %i more', (interval, time, count, start) => {
    expect(textOf(bucketAfter(interval, at(time), count))).toBe(start);
  });

  test('every bucket of two years ends where the next one begins', () => {
    for (const interval of intervals) {
      let start = bucketStart(interval, at('2024-01-01T00:00:00'));
      const end = interval.endsWith('m') ? start + 86_400_000 : at('2026-01-01T00:00:00');
      while (start < end) {
        const next = bucketAfter(interval, start, 1);
        expectSame(next > start, true);
        expectSame(bucketStart(interval, next), next);
        expectSame(bucketStart(interval, next - 1), start);
        expectSame(bucketAfter(interval, next, -1), start);
        start = next;
      }
    }
  });
});

test('NAT-2a a bucket is as long as its name says, and a month as long as in the calendar', () => {
  const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
  for (const interval of intervals) {
    if (interval === '1M') continue;
    const length = Number(interval.slice(0, -1)) * unitMs[interval.at(-1)!]!;
    expect(bucketAfter(interval, 0, 1) - bucketStart(interval, 0), interval).toBe(length);
  }
  expect(bucketAfter('1M', 0, 1)).toBe(31 * 86_400_000);
});

test('NAT-2b intervals that are not stored are served from the table of the interface', () => {
  const table: Partial<Record<Interval, Interval>> = {};
  for (const interval of intervals) {
    if (servedFrom(interval) !== interval) table[interval] = servedFrom(interval);
  }
  expect(table).toStrictEqual({
    '3m': '5m',
    '30m': '15m',
    '2h': '1h',
    '6h': '4h',
    '8h': '4h',
    '12h': '4h',
    '3d': '1d',
  });
  expect(nativeIntervals).toEqual(['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M']);
  expect(intervals.filter((interval) => table[interval] === undefined)).toEqual(nativeIntervals);
  expect(periods).toEqual(['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d']);
});
