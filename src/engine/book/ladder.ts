// The levels of one side of a book, sorted by price. They are in a sorted list of blocks of at most
// 64 levels, worst first. So a change near the best price moves a few entries at the end, and a
// book of a million sparse prices takes no more memory than its levels. The ladder does not know
// orders: book.ts links them.

import { assert, must } from '../../std/assert.ts';
import type { Ticks } from '../../units/units.ts';
import type { Side } from '../orderTypes.ts';
import { createLevel, type Level } from './level.ts';

/** Neighbouring levels. Their keys are in a separate list so that a search reads no level. */
type Block = { readonly keys: number[]; readonly levels: Level[] };

export type Ladder = {
  /** The side of the orders that rest here. */
  readonly side: Side;
  /** Worst first. There is at least one block. A block is empty only when it is the only one. */
  readonly blocks: Block[];
};

/** A block that would grow beyond this is split in two. */
const blockLevelsMax = 64;

/** An empty ladder for orders of `side`. */
export function createLadder(side: Side): Ladder {
  return { side, blocks: [{ keys: [], levels: [] }] };
}

/** The best level in the structure, live or dead. */
export function bestLevel(ladder: Ladder): Level | undefined {
  const { levels } = ladder.blocks[ladder.blocks.length - 1]!;
  return levels.length === 0 ? undefined : levels[levels.length - 1];
}

/** The next worse level after a level of the structure. */
export function levelAfter(ladder: Ladder, level: Level): Level | undefined {
  const key = keyOf(ladder, level.ticks);
  const index = blockIndexOf(ladder, key);
  const block = ladder.blocks[index]!;
  const slot = slotOf(block, key);
  assert(block.levels[slot] === level, 'the level is not in the ladder');
  if (slot > 0) return block.levels[slot - 1];
  if (index === 0) return undefined;
  const { levels } = ladder.blocks[index - 1]!;
  return levels[levels.length - 1];
}

/** The level at `ticks`, live or dead; undefined when there is none. */
export function findLevel(ladder: Ladder, ticks: Ticks): Level | undefined {
  const key = keyOf(ladder, ticks);
  const block = ladder.blocks[blockIndexOf(ladder, key)]!;
  const slot = slotOf(block, key);
  return block.keys[slot] === key ? block.levels[slot] : undefined;
}

/** The level at `ticks`, made when there is none. */
export function levelAt(ladder: Ladder, ticks: Ticks): Level {
  const key = keyOf(ladder, ticks);
  const index = blockIndexOf(ladder, key);
  const block = ladder.blocks[index]!;
  const slot = slotOf(block, key);
  if (slot < block.keys.length && block.keys[slot] === key) return block.levels[slot]!;
  const level = createLevel(ticks);
  openSlot(block, slot, key, level);
  if (block.keys.length > blockLevelsMax) splitBlock(ladder, index);
  return level;
}

/** Removes an empty level from the structure. */
export function dropLevel(ladder: Ladder, level: Level): void {
  assert(level.first === null && level.lots === 0, 'a dropped level is empty');
  const key = keyOf(ladder, level.ticks);
  const index = blockIndexOf(ladder, key);
  const block = ladder.blocks[index]!;
  const slot = slotOf(block, key);
  assert(block.levels[slot] === level, 'the level is not in the ladder');
  closeSlot(block, slot);
  if (block.keys.length === 0 && ladder.blocks.length > 1) ladder.blocks.splice(index, 1);
}

/** The number of levels in the structure, including dead ones. Cost: one step per block. */
export function levelCount(ladder: Ladder): number {
  let count = 0;
  for (const block of ladder.blocks) count += block.levels.length;
  return count;
}

/** On both sides a better price has the higher key. */
function keyOf(ladder: Ladder, ticks: Ticks): number {
  return ladder.side * ticks;
}

/**
 * The last block that begins at `key` or worse, else the first: the block where `key` is or
 * belongs.
 */
function blockIndexOf(ladder: Ladder, key: number): number {
  const { blocks } = ladder;
  let high = blocks.length - 1;
  // Most traffic is near the best price, and a small book is one block.
  if (high === 0 || blocks[high]!.keys[0]! <= key) return high;
  let low = 0;
  high -= 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (blocks[middle]!.keys[0]! <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first slot whose key is not below `key`; the length when there is none. */
function slotOf(block: Block, key: number): number {
  const { keys } = block;
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function openSlot(block: Block, slot: number, key: number, level: Level): void {
  const { keys, levels } = block;
  keys.push(key);
  levels.push(level);
  for (let i = keys.length - 1; i > slot; i -= 1) {
    keys[i] = keys[i - 1]!;
    levels[i] = levels[i - 1]!;
  }
  keys[slot] = key;
  levels[slot] = level;
}

function closeSlot(block: Block, slot: number): void {
  const { keys, levels } = block;
  const last = keys.length - 1;
  for (let i = slot; i < last; i += 1) {
    keys[i] = keys[i + 1]!;
    levels[i] = levels[i + 1]!;
  }
  keys.pop();
  levels.pop();
}

function splitBlock(ladder: Ladder, index: number): void {
  const block = must(ladder.blocks[index], 'no block to split');
  const half = block.keys.length >>> 1;
  const better = { keys: block.keys.splice(half), levels: block.levels.splice(half) };
  ladder.blocks.splice(index + 1, 0, better);
}
