// Open interest and the volumes that takers bought and sold on one market, by period (NAT-2e).

import { periodBucketsMax } from '../engine/limits.ts';
import type { Side } from '../engine/orderTypes.ts';
import { firstFrom, rowOf } from '../std/numberRing.ts';
import { addWide, wideSumAt } from '../std/wideSum.ts';
import { bucketAfter, bucketStart, type Period, periods } from '../units/interval.ts';
import type { Lots, Money, Time } from '../units/units.ts';
import {
  type BucketRings,
  type BucketWindow,
  createBucketRings,
  ringOf,
  turnBuckets,
} from './bucketRings.ts';

/** Columns; each sum is two numbers. */
const interest = 1;
const samples = 3;
const bought = 4;
const sold = 6;
const width = 8;

export type PeriodFigures = BucketRings<Period>;

export function createPeriodFigures(bucketsMax: number = periodBucketsMax): PeriodFigures {
  return createBucketRings(periods, { width, rowsMax: () => bucketsMax });
}

export function addTakerVolume(
  figures: PeriodFigures,
  { takerSide, lots }: { readonly takerSide: Side; readonly lots: Lots },
  now: Time,
): void {
  if (now >= figures.end) turnBuckets(figures, now);
  const { rings } = figures;
  const column = takerSide > 0 ? bought : sold;
  for (let i = 0; i < rings.length; i += 1) {
    const { values, newest } = rings[i]!;
    addWide(values, newest + column, lots);
  }
}

/** Adds one observation of the open interest, long and short, in USD. */
export function addOpenInterest(
  figures: PeriodFigures,
  { long, short }: { readonly long: Money; readonly short: Money },
  now: Time,
): void {
  if (now >= figures.end) turnBuckets(figures, now);
  const { rings } = figures;
  for (let i = 0; i < rings.length; i += 1) {
    const { values, newest } = rings[i]!;
    addWide(values, newest + interest, long);
    addWide(values, newest + interest, short);
    values[newest + samples]! += 1;
  }
}

export type OpenInterestAverage = {
  /** When the bucket begins. */
  readonly time: Time;
  /** Σ of the observations, in money, and their number. */
  readonly sum: bigint;
  readonly samples: number;
};

/** The last buckets with an observation, ascending. */
export function openInterestOver(
  figures: PeriodFigures,
  period: Period,
  limit: number,
): OpenInterestAverage[] {
  const ring = ringOf(figures, period);
  const found: OpenInterestAverage[] = [];
  for (let index = ring.size - 1; index >= 0 && found.length < limit; index -= 1) {
    const at = rowOf(ring, index);
    if (ring.values[at + samples] === 0) continue;
    found.push({
      time: ring.values[at]! as Time,
      sum: wideSumAt(ring.values, at + interest),
      samples: ring.values[at + samples]!,
    });
  }
  return found.reverse();
}

export type TakerVolume = {
  readonly time: Time;
  /** Lots. */
  readonly bought: bigint;
  readonly sold: bigint;
};

/**
 * The buckets that begin in the window, from the oldest in memory to the one that contains `now`,
 * ascending; also those without a trade. With `startTime` the first `limit`, else the last.
 */
export function takerVolumesIn(
  figures: PeriodFigures,
  period: Period,
  { startTime, endTime = Number.MAX_SAFE_INTEGER, limit }: BucketWindow,
  now: Time,
): TakerVolume[] {
  const ring = ringOf(figures, period);
  if (ring.size === 0 || limit <= 0) return [];
  const { values } = ring;
  const first = values[rowOf(ring, 0)]!;
  const to = bucketStart(period, Math.min(now, endTime));
  const from =
    startTime === undefined
      ? Math.max(first, bucketAfter(period, to, 1 - limit))
      : Math.max(first, bucketAfter(period, startTime - 1, 1));
  const found: TakerVolume[] = [];
  let index = firstFrom(ring, 0, from);
  for (let time = from as Time; time <= to && found.length < limit; ) {
    const at = index < ring.size ? rowOf(ring, index) : 0;
    const there = index < ring.size && values[at] === time;
    found.push({
      time,
      bought: there ? wideSumAt(values, at + bought) : 0n,
      sold: there ? wideSumAt(values, at + sold) : 0n,
    });
    if (there) index += 1;
    time = bucketAfter(period, time, 1);
  }
  return found;
}
