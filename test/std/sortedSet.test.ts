// Goal: a sorted set is a sorted list, whatever is added and removed, and moves only a block at a
// time. Method: seeded operations side by side with a plain array, over keys that often tie.

import { expect, test } from 'vitest';
import { Fault } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';
import {
  createSortedSet,
  type SortedSet,
  sortedAdd,
  sortedItems,
  sortedRemove,
  sortedUpTo,
} from '../../src/std/sortedSet.ts';
import { expectSame } from '../fixtures/expectSame.ts';

type Entry = { readonly key: number; readonly id: number };

/** The naive twin: an array kept in order by sorting it. */
const ordered = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.key - b.key || a.id - b.id);

function expectOrdered(set: SortedSet<Entry>, entries: readonly Entry[]): void {
  const sorted = ordered(entries);
  expectSame([...sortedItems(set)], sorted);
  expectSame(set.size, entries.length);
  for (const { keys, ids, items } of set.blocks) {
    expect(keys.length).toBeLessThanOrEqual(64);
    expectSame(
      keys,
      items.map(({ key }) => key),
    );
    expectSame(
      ids,
      items.map(({ id }) => id),
    );
    expectSame(keys.length > 0 || set.blocks.length === 1, true);
  }
}

/** Few keys tie all the time; some are negative, as those of falling prices are. */
const shapes: Record<string, (below: (bound: number) => number) => number> = {
  'keys that tie': (below) => below(5) - 2,
  'keys far apart': (below) => below(2_000_000) - 1_000_000,
  'keys that rise with what is there': (below) => 1000 + below(3),
};

for (const [name, drawKey] of Object.entries(shapes)) {
  test.each([1, 2, 3, 4])(`adds and removes like a sorted array: ${name}, seed %i`, (seed) => {
    const prng = createPrng(seed);
    const set = createSortedSet<Entry>();
    let entries: Entry[] = [];
    let largest = 0;
    for (let step = 0; step < 4000; step += 1) {
      // It grows for a while, then shrinks to nothing, and again.
      const grows = Math.floor(step / 1000) % 2 === 0;
      if (entries.length === 0 || prng.below(10) < (grows ? 8 : 2)) {
        const entry = { key: drawKey((bound) => prng.below(bound)), id: prng.below(1_000_000) };
        if (entries.some(({ key, id }) => key === entry.key && id === entry.id)) continue;
        sortedAdd(set, entry.key, entry.id, entry);
        entries.push(entry);
      } else {
        const gone = entries[prng.below(entries.length)]!;
        sortedRemove(set, gone.key, gone.id);
        entries = entries.filter((entry) => entry !== gone);
      }
      largest = Math.max(largest, entries.length);
      if (step % 97 !== 0 && entries.length > 3) continue;
      expectOrdered(set, entries);
      const bound = drawKey((limit) => prng.below(limit));
      expect(sortedUpTo(set, bound)).toEqual(ordered(entries).filter(({ key }) => key <= bound));
    }
    expect(largest).toBeGreaterThan(300);
    while (entries.length > 0) {
      const gone = entries.pop()!;
      sortedRemove(set, gone.key, gone.id);
    }
    expectOrdered(set, []);
  });
}

test('splits and joins at the edges of its blocks', () => {
  for (const [first, step] of [
    [0, 1],
    [1000, -1],
  ] as const) {
    const set = createSortedSet<Entry>();
    const entries: Entry[] = [];
    for (let i = 0; i < 1000; i += 1) {
      const entry = { key: first + step * i, id: 7 };
      sortedAdd(set, entry.key, entry.id, entry);
      entries.push(entry);
    }
    expectOrdered(set, entries);
    expect(set.blocks.length).toBeGreaterThan(15);
    for (const entry of entries.splice(0, 990)) sortedRemove(set, entry.key, entry.id);
    expectOrdered(set, entries);
  }
});

test('an empty set has no items', () => {
  const set = createSortedSet<string>();
  expect(sortedUpTo(set, Number.POSITIVE_INFINITY)).toEqual([]);
  expect([...sortedItems(set)]).toEqual([]);
});

test('found items may be removed, because the list is a copy', () => {
  const set = createSortedSet<number>();
  for (let id = 0; id < 200; id += 1) sortedAdd(set, id % 9, id, id);
  const found = sortedUpTo(set, 4);
  for (const id of found) sortedRemove(set, id % 9, id);
  expect(found).toHaveLength(set.size + 24);
  expect(set.blocks[0]!.keys[0]).toBe(5);
});

test('faults on adding an existing item and on removing a missing one', () => {
  const set = createSortedSet<string>();
  sortedAdd(set, 3, 1, 'a');
  expect(() => sortedAdd(set, 3, 1, 'b')).toThrow(Fault);
  expect(() => sortedRemove(set, 3, 2)).toThrow(Fault);
  expect(() => sortedRemove(set, 2, 1)).toThrow(Fault);
  expect([...sortedItems(set)]).toEqual(['a']);
});
