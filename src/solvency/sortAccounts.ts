// The order of addresses in short steps and without garbage: by one byte after the other. A sort by
// comparisons would be one long step.

import { assert } from '../std/assert.ts';

const accountBytes = 20;
/** Places that are moved between two pauses. */
const placesPerStep = 512;
/** So few are sorted by comparing them. */
const fewPlaces = 32;

type Sorting = {
  readonly accounts: Buffer;
  readonly places: Uint32Array;
  /** Room of the same size. */
  readonly aside: Uint32Array;
  /** Places that were moved since the last pause. */
  moved: number;
};

/**
 * The places (0, 1, …) of addresses of 20 bytes, in ascending order of these. Equal ones stand side
 * by side; it faults when more than `fewPlaces` are equal.
 */
export function* sortAccounts(accounts: Buffer): Generator<void, Uint32Array> {
  const count = accounts.length / accountBytes;
  const sorting: Sorting = {
    ...{ accounts, places: new Uint32Array(count), aside: new Uint32Array(count), moved: 0 },
  };
  for (let at = 0; at < count; at += 1) {
    sorting.places[at] = at;
    if (isPause(sorting)) yield;
  }
  yield* sortPart(sorting, 0, count, 0);
  return sorting.places;
}

function isPause(sorting: Sorting): boolean {
  sorting.moved += 1;
  if (sorting.moved < placesPerStep) return false;
  sorting.moved = 0;
  return true;
}

/** The places from `from` to `to`, whose addresses have the same first bytes, `depth` of them. */
function* sortPart(sorting: Sorting, from: number, to: number, depth: number): Generator<void> {
  if (to - from <= fewPlaces) {
    insertInOrder(sorting, from, to, depth);
    return;
  }
  assert(depth < accountBytes, 'no wallet is there twice');
  const { accounts, places, aside } = sorting;
  const counts = new Uint32Array(256);
  for (let at = from; at < to; at += 1) {
    counts[accounts[accountBytes * places[at]! + depth]!]! += 1;
    if (isPause(sorting)) yield;
  }
  const ends = new Uint32Array(256);
  for (let byte = 0, end = from; byte < 256; byte += 1) {
    // Until the places are moved: where those with this byte begin.
    ends[byte] = end;
    end += counts[byte]!;
  }
  for (let at = from; at < to; at += 1) {
    const place = places[at]!;
    const byte = accounts[accountBytes * place + depth]!;
    aside[ends[byte]!] = place;
    ends[byte]! += 1;
    if (isPause(sorting)) yield;
  }
  for (let at = from; at < to; at += 1) {
    places[at] = aside[at]!;
    if (isPause(sorting)) yield;
  }
  for (let byte = 0; byte < 256; byte += 1) {
    const end = ends[byte]!;
    const count = counts[byte]!;
    if (count > fewPlaces) yield* sortPart(sorting, end - count, end, depth + 1);
    else if (count > 1) insertInOrder(sorting, end - count, end, depth + 1);
    sorting.moved += count;
    if (isPause(sorting)) yield;
  }
}

function insertInOrder({ accounts, places }: Sorting, from: number, to: number, depth: number) {
  for (let at = from + 1; at < to; at += 1) {
    const place = places[at]!;
    let hole = at;
    while (hole > from && isAbove(accounts, places[hole - 1]!, place, depth)) {
      places[hole] = places[hole - 1]!;
      hole -= 1;
    }
    places[hole] = place;
  }
}

/** Whether the address at one place is above the other; they differ from byte `depth` on. */
function isAbove(accounts: Buffer, one: number, other: number, depth: number): boolean {
  for (let at = depth; at < accountBytes; at += 1) {
    const difference = accounts[accountBytes * one + at]! - accounts[accountBytes * other + at]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}
