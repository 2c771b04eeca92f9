// A set of items sorted by a number, then by a second one. It is a sorted list of blocks of at most
// 64 items, so that adding and removing move a few entries at any size. The set does not look into
// items: to remove one, the caller gives the two numbers with which it was added.

import { assert, must } from './assert.ts';

/** A block of neighbours, ascending. */
export type SortedBlock<T> = {
  readonly keys: number[];
  readonly ids: number[];
  readonly items: T[];
};

export type SortedSet<T> = {
  /** Ascending. There is at least one block. A block is empty only when it is the only one. */
  readonly blocks: SortedBlock<T>[];
  size: number;
};

const blockMax = 64;

export function createSortedSet<T>(): SortedSet<T> {
  return { blocks: [{ keys: [], ids: [], items: [] }], size: 0 };
}

/**
 * Adds an item under (key, id), which must be free. Cost: logarithmic, and a move within a block.
 */
export function sortedAdd<T>(set: SortedSet<T>, key: number, id: number, item: T): void {
  const index = blockOf(set, key, id);
  const block = set.blocks[index]!;
  const slot = slotOf(block, key, id);
  assert(!holds(block, slot, key, id), 'a sorted set holds nothing twice');
  openSlot(block, slot, key, id, item);
  set.size += 1;
  if (block.keys.length > blockMax) split(set, index);
}

/** Removes the item under (key, id), which must exist. */
export function sortedRemove<T>(set: SortedSet<T>, key: number, id: number): void {
  assert(sortedRemoved(set, key, id), 'what is removed from a sorted set is in it');
}

/** Removes the item under (key, id); gives whether it existed. */
export function sortedRemoved<T>(set: SortedSet<T>, key: number, id: number): boolean {
  const index = blockOf(set, key, id);
  const block = set.blocks[index]!;
  const slot = slotOf(block, key, id);
  if (!holds(block, slot, key, id)) return false;
  closeSlot(block, slot);
  set.size -= 1;
  if (block.keys.length === 0 && set.blocks.length > 1) set.blocks.splice(index, 1);
  return true;
}

/** The item under (key, id); undefined when there is none. */
export function sortedFind<T>(set: SortedSet<T>, key: number, id: number): T | undefined {
  const block = set.blocks[blockOf(set, key, id)]!;
  const slot = slotOf(block, key, id);
  return holds(block, slot, key, id) ? block.items[slot] : undefined;
}

/**
 * Removes the items whose key is at most `keyMax` and gives them, ascending. Cost: by blocks, not
 * by items.
 */
export function sortedTakeUpTo<T>(set: SortedSet<T>, keyMax: number): SortedBlock<T>[] {
  const { blocks } = set;
  let whole = 0;
  while (whole < blocks.length && endsWithin(blocks[whole]!, keyMax)) whole += 1;
  const taken = blocks.splice(0, whole);
  if (blocks.length === 0) blocks.push({ keys: [], ids: [], items: [] });
  const [edge] = blocks;
  const slot = slotOf(edge!, keyMax, Number.POSITIVE_INFINITY);
  if (slot > 0) {
    const keys = edge!.keys.splice(0, slot);
    taken.push({ keys, ids: edge!.ids.splice(0, slot), items: edge!.items.splice(0, slot) });
  }
  for (const { items } of taken) set.size -= items.length;
  return taken;
}

/** The items whose key is at most `keyMax`, ascending, in a new list. */
export function sortedUpTo<T>(set: SortedSet<T>, keyMax: number): T[] {
  const found: T[] = [];
  for (const { keys, items } of set.blocks) {
    for (let slot = 0; slot < keys.length; slot += 1) {
      if (keys[slot]! > keyMax) return found;
      found.push(items[slot]!);
    }
  }
  return found;
}

/** All items, ascending. The set must not change meanwhile. */
export function* sortedItems<T>(set: SortedSet<T>): Generator<T, void, undefined> {
  for (const { items } of set.blocks) yield* items;
}

function endsWithin({ keys }: SortedBlock<unknown>, keyMax: number): boolean {
  const last = keys.at(-1);
  return last !== undefined && last <= keyMax;
}

const precedes = (keyA: number, idA: number, keyB: number, idB: number): boolean =>
  keyA < keyB || (keyA === keyB && idA < idB);

function holds<T>(block: SortedBlock<T>, slot: number, key: number, id: number): boolean {
  return block.keys[slot] === key && block.ids[slot] === id;
}

/** The last block that begins at or before (key, id), else the first block. */
function blockOf<T>({ blocks }: SortedSet<T>, key: number, id: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const { keys, ids } = blocks[middle]!;
    if (precedes(key, id, keys[0]!, ids[0]!)) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** The first slot that is not before (key, id); the length when there is none. */
function slotOf<T>({ keys, ids }: SortedBlock<T>, key: number, id: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (precedes(keys[middle]!, ids[middle]!, key, id)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Moves entries one by one: splicing makes a new array each time.

function openSlot<T>(block: SortedBlock<T>, slot: number, key: number, id: number, item: T): void {
  const { keys, ids, items } = block;
  keys.push(key);
  ids.push(id);
  items.push(item);
  for (let i = keys.length - 1; i > slot; i -= 1) {
    keys[i] = keys[i - 1]!;
    ids[i] = ids[i - 1]!;
    items[i] = items[i - 1]!;
  }
  keys[slot] = key;
  ids[slot] = id;
  items[slot] = item;
}

function closeSlot<T>({ keys, ids, items }: SortedBlock<T>, slot: number): void {
  const last = keys.length - 1;
  for (let i = slot; i < last; i += 1) {
    keys[i] = keys[i + 1]!;
    ids[i] = ids[i + 1]!;
    items[i] = items[i + 1]!;
  }
  keys.pop();
  ids.pop();
  items.pop();
}

function split<T>(set: SortedSet<T>, index: number): void {
  const block = must(set.blocks[index], 'no block to split');
  const half = block.keys.length >>> 1;
  const upper = {
    keys: block.keys.splice(half),
    ids: block.ids.splice(half),
    items: block.items.splice(half),
  };
  set.blocks.splice(index + 1, 0, upper);
}
