// Goal: a direct map finds, lists and forgets what a Map does, and its places stay in proportion to
// its records. Method: seeded operations side by side with a Map, over lives in which numbers are
// drawn anew, return, and stay while all around them goes.

import { expect, test } from 'vitest';
import { Fault } from '../../src/std/assert.ts';
import {
  createDirectMap,
  type DirectMap,
  directAdd,
  directDelete,
  directGet,
  directHas,
  directReserve,
  directValues,
} from '../../src/std/directMap.ts';
import { createPrng } from '../../src/std/prng.ts';

type Entry = { readonly id: number };

const inOrder = (twin: ReadonlyMap<number, Entry>): Entry[] =>
  [...twin.values()].sort((one, other) => one.id - other.id);

function expectSame(map: DirectMap<Entry>, twin: ReadonlyMap<number, Entry>): void {
  expect(map.size).toBe(twin.size);
  expect(directValues(map)).toEqual(inOrder(twin));
}

/**
 * How far the next number is from the last, and how many of a hundred steps add one; how many
 * records must lose their places.
 */
const lives = {
  'numbers side by side': { gapMax: 1, adds: 55, first: 0, losers: 0 },
  'numbers with gaps': { gapMax: 40, adds: 52, first: 0, losers: 10 },
  'numbers that come round to the places of old ones': {
    gapMax: 5000,
    adds: 60,
    first: 9,
    losers: 10,
  },
  'numbers above 32 bits': { gapMax: 3, adds: 55, first: 2 ** 40, losers: 0 },
};

for (const [name, { gapMax, adds, first, losers }] of Object.entries(lives)) {
  test.each([1, 2, 3])(`it holds what a Map holds: ${name}, seed %i`, (seed) => {
    const prng = createPrng(seed);
    const map = createDirectMap<Entry>();
    const twin = new Map<number, Entry>();
    const drawn: number[] = [];
    const wrong: number[] = [];
    const seen = { returned: 0, besides: 0, sizeMax: 0 };
    let last = first;
    for (let step = 0; step < 12_000; step += 1) {
      const dice = prng.below(100);
      const old = drawn.length === 0 ? first : drawn[prng.below(drawn.length)]!;
      if (dice < adds) {
        // A modified order or that of a trigger comes back under an old number.
        const returns = dice < 8 && drawn.length > 0 && !twin.has(old);
        if (!returns) last += 1 + prng.below(gapMax);
        else seen.returned += 1;
        const id = returns ? old : last;
        if (!returns) drawn.push(id);
        directAdd(map, { id });
        twin.set(id, { id });
      } else if (directDelete(map, old) !== twin.delete(old) || directHas(map, old)) {
        wrong.push(old);
      }
      const asked = drawn.length === 0 ? 0 : drawn[prng.below(drawn.length)]!;
      if (directGet(map, asked)?.id !== twin.get(asked)?.id) wrong.push(asked);
      seen.besides = Math.max(seen.besides, map.others.size);
      seen.sizeMax = Math.max(seen.sizeMax, map.size);
      if (step % 3000 === 0) expectSame(map, twin);
    }
    expectSame(map, twin);
    expect(wrong).toEqual([]);
    expect(seen.returned).toBeGreaterThan(50);
    expect(seen.besides).toBeGreaterThanOrEqual(losers);
    expect(map.places.length).toBeLessThanOrEqual(Math.max(256, 8 * seen.sizeMax));
    for (const id of drawn) directDelete(map, id);
    expect([map.size, map.others.size, directValues(map)]).toEqual([0, 0, []]);
  });
}

test('what was never added is not found', () => {
  const map = createDirectMap<Entry>();
  directAdd(map, { id: 300 });
  const absent = [0, 44, 299, 301, 556, 100_000, 300 + 2 ** 32, -1, 1.5, 300.5, Number.NaN];
  for (const id of absent) {
    expect(directGet(map, id)).toBeUndefined();
    expect(directDelete(map, id)).toBe(false);
  }
  expect(directValues(map)).toEqual([{ id: 300 }]);
});

test('a number is added once, and only a whole one from 0', () => {
  const map = createDirectMap<Entry>();
  directAdd(map, { id: 300 });
  directAdd(map, { id: 299 });
  for (const id of [299, 300, -1, Number.NaN, 44.5]) {
    expect(() => directAdd(map, { id })).toThrow(Fault);
  }
  expect([map.size, map.newest]).toEqual([2, 300]);
});

test.each([0, 1, 100, 5000])(
  'with room for %i records it does not widen, and holds the same',
  (count) => {
    const prng = createPrng(count);
    const [map, twin] = [createDirectMap<Entry>(), createDirectMap<Entry>()];
    directReserve(map, count);
    const { places } = map;
    let id = 0;
    for (let i = 0; i < count; i += 1) {
      id += 1 + prng.below(9);
      for (const one of [map, twin]) directAdd(one, { id });
    }
    expect(map.places).toBe(places);
    expect(map.places.length).toBeLessThanOrEqual(Math.max(256, 8 * count));
    expect(directValues(map)).toEqual(directValues(twin));
    directAdd(map, { id: id + 1 });
    expect(() => directReserve(map, 10)).toThrow(Fault);
  },
);

test('few records that stay take few places, however many come and go', () => {
  const map = createDirectMap<Entry>();
  for (let id = 0; id < 300_000; id += 1) {
    directAdd(map, { id });
    if (id % 1000 !== 0) directDelete(map, id);
  }
  expect(map.size).toBe(300);
  expect(map.places.length).toBeLessThanOrEqual(8 * 301);
  expect(directValues(map).map(({ id }) => id / 1000)).toEqual([...Array(300).keys()]);
});
