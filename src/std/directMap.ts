// A map of records by their own numbers, for numbers that are nearly always drawn anew, so that
// each is higher than all before. A record stands at the place that the last bits of its number
// give: adding one touches what the one before has touched, and finding one reads one place. A hash
// table reads a bucket and a chain at random places for each of them. When a new record comes to
// the place of an old one, either the places double, or the old one goes to a hash table.

import { assert } from './assert.ts';

type Numbered = { readonly id: number };

export type DirectMap<T extends Numbered> = {
  /** The number of its records. */
  size: number;
  /** A power of two of them: 256, or at most eight for each record that there ever were at once. */
  places: (T | undefined)[];
  /** Records whose place a higher number has taken, or that came after it. */
  readonly others: Map<number, T>;
  /** The highest number so far; −1 before the first. */
  newest: number;
};

const placesMin = 256;

export function createDirectMap<T extends Numbered>(): DirectMap<T> {
  return { size: 0, places: emptyPlaces(placesMin), others: new Map(), newest: -1 };
}

const emptyPlaces = <T>(length: number): (T | undefined)[] =>
  new Array<T | undefined>(length).fill(undefined);

/** Makes an empty map large enough for so many records: then it does not widen on the way. */
export function directReserve<T extends Numbered>(map: DirectMap<T>, count: number): void {
  assert(map.size === 0, 'room is made in an empty map');
  let length = placesMin;
  while (length < count * 4) length *= 2;
  map.places = emptyPlaces(length);
}

/** The record of a number; undefined for any number that has none. */
export function directGet<T extends Numbered>(map: DirectMap<T>, id: number): T | undefined {
  const { places } = map;
  const record = places[id & (places.length - 1)];
  if (record !== undefined && record.id === id) return record;
  return map.others.size === 0 ? undefined : map.others.get(id);
}

export function directHas<T extends Numbered>(map: DirectMap<T>, id: number): boolean {
  return directGet(map, id) !== undefined;
}

/**
 * Adds a record whose number has none. The caller draws whole numbers from 0; only of one that is
 * not above all before is this asked again. Cost: now and then, all records.
 */
export function directAdd<T extends Numbered>(map: DirectMap<T>, record: T): void {
  const { places } = map;
  const place = record.id & (places.length - 1);
  // Nearly always so. What is rare is a function of its own, which the compiler leaves out of line.
  if (record.id > map.newest && places[place] === undefined) {
    map.newest = record.id;
    places[place] = record;
    map.size += 1;
  } else {
    addBeside(map, record);
  }
}

/** A record whose number is not the highest, or whose place is taken. */
function addBeside<T extends Numbered>(map: DirectMap<T>, record: T): void {
  const { id } = record;
  assert(Number.isSafeInteger(id) && id >= 0, 'a record has a whole number from 0');
  assert(!directHas(map, id), 'a record is added once');
  map.newest = Math.max(map.newest, id);
  map.size += 1;
  if (isTaken(map, id) && map.size * 4 > map.places.length) widen(map);
  put(map, record);
}

function isTaken<T extends Numbered>({ places }: DirectMap<T>, id: number): boolean {
  return places[id & (places.length - 1)] !== undefined;
}

/** The higher number gets the place. */
function put<T extends Numbered>({ places, others }: DirectMap<T>, record: T): void {
  const place = record.id & (places.length - 1);
  const present = places[place];
  if (present !== undefined && present.id > record.id) {
    others.set(record.id, record);
    return;
  }
  places[place] = record;
  if (present !== undefined) others.set(present.id, present);
}

/** Doubles the places. What has gone to the hash table stays there. */
function widen<T extends Numbered>(map: DirectMap<T>): void {
  const before = map.places;
  map.places = emptyPlaces(before.length * 2);
  for (const record of before) if (record !== undefined) put(map, record);
}

/** Removes the record of a number; gives whether there was one. */
export function directDelete<T extends Numbered>(map: DirectMap<T>, id: number): boolean {
  const { places } = map;
  const place = id & (places.length - 1);
  const record = places[place];
  if (record !== undefined && record.id === id) places[place] = undefined;
  else if (!map.others.delete(id)) return false;
  map.size -= 1;
  return true;
}

/** All records by rising number. Cost: sorting them. */
export function directValues<T extends Numbered>({ places, others }: DirectMap<T>): T[] {
  const found = places.filter((record) => record !== undefined);
  return [...found, ...others.values()].sort((one, other) => one.id - other.id);
}
