// Tables of buckets, one for each of several intervals; all receive the same data. A bucket in
// which nothing happened has no row; its reader knows what to show there. The first column is
// always the time at which the bucket begins.

import type { NumberRing } from '../std/numberRing.ts';
import { createNumberRing, pushNumbers } from '../std/numberRing.ts';
import { bucketAfter, bucketStart, type Interval } from '../units/interval.ts';

export type BucketRings<I extends Interval = Interval> = {
  /** The shortest first: every bucket of the others ends together with one of it. */
  readonly intervals: readonly I[];
  /** By interval, in the same order. */
  readonly rings: readonly NumberRing[];
  /**
   * When the present bucket of the shortest interval ends; 0 when the present buckets are unknown.
   */
  end: number;
};

/** Which buckets are requested: those that open in the window, both ends included. */
export type BucketWindow = {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  /** With `startTime` the first `limit` buckets, else the last. */
  readonly limit: number;
};

export function createBucketRings<I extends Interval>(
  intervals: readonly I[],
  { width, rowsMax }: { readonly width: number; readonly rowsMax: (interval: I) => number },
): BucketRings<I> {
  const rings = intervals.map((interval) => createNumberRing(width, rowsMax(interval)));
  return { intervals, rings, end: 0 };
}

/**
 * Makes the newest row of every interval the row that contains `now`. The other numbers of a new
 * row are 0.
 */
export function turnBuckets<I extends Interval>(buckets: BucketRings<I>, now: number): void {
  const { intervals, rings } = buckets;
  for (let i = 0; i < rings.length; i += 1) {
    const ring = rings[i]!;
    const start = bucketStart(intervals[i]!, now);
    if (ring.newest >= 0 && ring.values[ring.newest] === start) continue;
    const at = pushNumbers(ring);
    ring.values[at] = start;
  }
  buckets.end = bucketAfter(intervals[0]!, now, 1);
}

export function ringOf<I extends Interval>(
  { intervals, rings }: BucketRings<I>,
  interval: I,
): NumberRing {
  return rings[intervals.indexOf(interval)]!;
}
