// A queue, first in, first out, that can also be read by index. Removing an entry moves no other.

import { assert } from './assert.ts';

export type Queue<Item> = {
  /** When all places are taken, their number doubles; a power of two. */
  places: (Item | undefined)[];
  /** The place of the oldest entry. */
  first: number;
  length: number;
};

export function createQueue<Item>(): Queue<Item> {
  return { places: [], first: 0, length: 0 };
}

export function queuePush<Item>(queue: Queue<Item>, item: Item): void {
  if (queue.length === queue.places.length) grow(queue);
  queue.places[(queue.first + queue.length) & (queue.places.length - 1)] = item;
  queue.length += 1;
}

/** Removes and gives the oldest item; undefined when there is none. */
export function queueShift<Item>(queue: Queue<Item>): Item | undefined {
  if (queue.length === 0) return undefined;
  const item = queue.places[queue.first];
  queue.places[queue.first] = undefined;
  queue.first = (queue.first + 1) & (queue.places.length - 1);
  queue.length -= 1;
  return item;
}

/** The item at `index`, 0 being the oldest; undefined beyond the ends. */
export function queueAt<Item>(queue: Queue<Item>, index: number): Item | undefined {
  if (index < 0 || index >= queue.length) return undefined;
  return queue.places[(queue.first + index) & (queue.places.length - 1)];
}

function grow<Item>(queue: Queue<Item>): void {
  const { places, first, length } = queue;
  const wider: (Item | undefined)[] = places.slice(first);
  for (let i = 0; i < first; i += 1) wider.push(places[i]);
  assert(wider.length === length, 'a queue grows when it is full');
  const size = Math.max(8, length * 2);
  while (wider.length < size) wider.push(undefined);
  queue.places = wider;
  queue.first = 0;
}
