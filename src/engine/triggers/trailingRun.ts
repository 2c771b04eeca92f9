// Trailing triggers that share an extreme, or a mark that activates them, by rising callback, in a
// sequence of blocks of at most 64. A trigger knows its block, a block its run and a run its group,
// so that one write moves a whole block. trailingSide.ts has the groups.

import { assert } from '../../std/assert.ts';
import type { Rate, Ticks } from '../../units/units.ts';
import type { Trigger } from '../trigger.ts';

export type TrailingGroup = {
  /** The highest (SELL) or lowest (BUY) mark since their activation; 0 before. */
  extreme: Ticks;
  runs: TrailingRun[];
  /** The mark at which the first of them fires or is activated, or a mark before it. */
  stop: Ticks;
  /** Whether it has few runs: at most one of each power of two, except the largest. */
  tidy: boolean;
  /** They are due: the extreme is final, and they leave in their turn (wave.ts). */
  readonly due: boolean;
};

export type TrailingRun = { group: TrailingGroup; blocks: TrailingBlock[]; size: number };

/** The callbacks are beside the triggers so that a search reads no trigger. */
export type TrailingBlock = {
  run: TrailingRun;
  readonly callbacks: Rate[];
  readonly items: Trigger[];
};

const blockMax = 64;

/** A run of one trigger. */
export function createRun(group: TrailingGroup, trigger: Trigger): TrailingRun {
  const run: TrailingRun = { group, blocks: [], size: 0 };
  append(run, trigger.callbackRate, trigger);
  return run;
}

/** Adds a trigger to a run of one block with room; false when it is not such a run. */
export function addToRun(run: TrailingRun, trigger: Trigger): boolean {
  const [block] = run.blocks;
  if (block === undefined || run.blocks.length > 1 || block.items.length >= blockMax) return false;
  const slot = slotBehind(block, (callback) => callback <= trigger.callbackRate);
  block.callbacks.splice(slot, 0, trigger.callbackRate);
  block.items.splice(slot, 0, trigger);
  trigger.block = block;
  run.size += 1;
  return true;
}

/** Removes a trigger that is not due from its run. */
export function removeFromRun(trigger: Trigger, { run, callbacks, items }: TrailingBlock): void {
  const slot = items.indexOf(trigger);
  assert(slot >= 0, 'a trailing trigger stands in its block');
  callbacks.splice(slot, 1);
  items.splice(slot, 1);
  run.size -= 1;
  if (items.length > 0) return;
  run.blocks = run.blocks.filter((block) => block.items.length > 0);
}

/** The smallest callback of a run that is not empty. */
export function firstCallback({ blocks }: TrailingRun): Rate {
  return blocks[0]!.callbacks[0]!;
}

/**
 * Moves the triggers at the beginning whose callback is `within` to another run, of `group`. Cost:
 * the blocks that move, and one that is cut.
 */
export function cutRun(
  run: TrailingRun,
  group: TrailingGroup,
  within: (callback: Rate) => boolean,
): TrailingRun {
  const { blocks } = run;
  const cut: TrailingRun = { group, blocks: [], size: 0 };
  let whole = 0;
  while (whole < blocks.length && within(blocks[whole]!.callbacks.at(-1)!)) whole += 1;
  cut.blocks = blocks.splice(0, whole);
  for (const block of cut.blocks) {
    block.run = cut;
    cut.size += block.items.length;
  }
  run.size -= cut.size;
  const [edge] = blocks;
  const slot = edge === undefined ? 0 : slotBehind(edge, within);
  if (edge === undefined || slot === 0) return cut;
  edge.callbacks.splice(0, slot);
  for (const trigger of edge.items.splice(0, slot)) append(cut, trigger.callbackRate, trigger);
  run.size -= slot;
  return cut;
}

/** Merges two runs of a group. Cost: their triggers. */
export function mergeRuns(one: TrailingRun, other: TrailingRun): TrailingRun {
  const merged: TrailingRun = { group: one.group, blocks: [], size: 0 };
  const left = createCursor(one);
  const right = createCursor(other);
  for (;;) {
    const next = left.callback <= right.callback ? left : right;
    if (next.callback === Number.POSITIVE_INFINITY) return merged;
    const { callbacks, items } = next.run.blocks[next.block]!;
    append(merged, callbacks[next.slot]!, items[next.slot]!);
    stepCursor(next);
  }
}

/** A place in a run; after its end the callback is infinite. */
type Cursor = { readonly run: TrailingRun; block: number; slot: number; callback: number };

function createCursor(run: TrailingRun): Cursor {
  const cursor = { run, block: 0, slot: -1, callback: 0 };
  stepCursor(cursor);
  return cursor;
}

function stepCursor(cursor: Cursor): void {
  const { blocks } = cursor.run;
  cursor.slot += 1;
  if (cursor.slot === blocks[cursor.block]?.items.length) {
    cursor.block += 1;
    cursor.slot = 0;
  }
  const block = blocks[cursor.block];
  cursor.callback = block === undefined ? Number.POSITIVE_INFINITY : block.callbacks[cursor.slot]!;
}

function append(run: TrailingRun, callback: Rate, trigger: Trigger): void {
  let block = run.blocks.at(-1);
  if (block === undefined || block.items.length >= blockMax) {
    block = { run, callbacks: [], items: [] };
    run.blocks.push(block);
  }
  block.callbacks.push(callback);
  block.items.push(trigger);
  trigger.block = block;
  run.size += 1;
}

/** The number of triggers at the beginning of a block with a callback that is `within`. */
function slotBehind({ callbacks }: TrailingBlock, within: (callback: Rate) => boolean): number {
  let low = 0;
  let high = callbacks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (within(callbacks[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
