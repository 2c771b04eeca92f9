// The last rows of a table of whole numbers, in one flat array. A row is no object, so a table that
// changes all the time costs the garbage collector nothing. The owner knows what the columns mean.

import { assert } from './assert.ts';

export type NumberRing = {
  /** Numbers of a row. */
  readonly width: number;
  /** The maximum number of rows; at it, the oldest row is dropped. */
  readonly max: number;
  /** Grows with the rows, to `max` of them. */
  values: Float64Array;
  /** The number of rows. */
  size: number;
  /** The slot of the oldest row. */
  oldest: number;
  /** Where the newest row begins in `values`; -1 when there is no row. */
  newest: number;
};

const rowsAtFirst = 4;

export function createNumberRing(width: number, max: number): NumberRing {
  assert(width > 0 && max > 0, 'a ring has columns and room');
  return { width, max, values: new Float64Array(0), size: 0, oldest: 0, newest: -1 };
}

/** Adds a row of zeros and gives where it begins. At `max` rows it drops the oldest. */
export function pushNumbers(ring: NumberRing): number {
  const { width } = ring;
  let slots = ring.values.length / width;
  if (ring.size === slots && slots < ring.max) {
    grow(ring);
    slots = ring.values.length / width;
  }
  if (ring.size === slots) dropOldest(ring);
  const at = ((ring.oldest + ring.size) % slots) * width;
  const { values } = ring;
  // A loop, because rows are short: a call into the runtime costs more.
  for (let i = at; i < at + width; i += 1) values[i] = 0;
  ring.size += 1;
  ring.newest = at;
  return at;
}

function grow(ring: NumberRing): void {
  const { width, max, size, values } = ring;
  const grown = new Float64Array(Math.min(max, Math.max(rowsAtFirst, 2 * size)) * width);
  const head = values.subarray(ring.oldest * width);
  grown.set(head);
  grown.set(values.subarray(0, ring.oldest * width), head.length);
  ring.values = grown;
  ring.oldest = 0;
  ring.newest = (size - 1) * width;
}

/** Drops the oldest row, which must exist. */
export function dropOldest(ring: NumberRing): void {
  assert(ring.size > 0, 'a row that is dropped is there');
  ring.oldest = (ring.oldest + 1) % (ring.values.length / ring.width);
  ring.size -= 1;
  if (ring.size === 0) ring.newest = -1;
}

/** Where the row at `index`, counted from the oldest, begins in `values`. */
export function rowOf({ values, width, oldest }: NumberRing, index: number): number {
  return ((oldest + index) % (values.length / width)) * width;
}

/**
 * The index, counted from the oldest, of the first row whose number in `column` is at least
 * `least`; the size when there is none. The column must ascend.
 */
export function firstFrom(ring: NumberRing, column: number, least: number): number {
  let low = 0;
  let high = ring.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ring.values[rowOf(ring, middle) + column]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
