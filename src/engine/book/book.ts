// The resting orders of one market by price and time (ORD-1), and how one order enters and leaves
// them. The book moves no money and fills nothing; other files change orders by trades.

import { assert } from '../../std/assert.ts';
import type { Lots } from '../../units/units.ts';
import type { Order } from '../order.ts';
import { buy, type Side, sell } from '../orderTypes.ts';
import { createLadder, dropLevel, type Ladder, levelAt } from './ladder.ts';

export type Book = {
  readonly bids: Ladder;
  readonly asks: Ladder;
  /** Counts the changes that readers can see. The code that makes the change counts it. */
  updateId: number;
};

export function createBook(): Book {
  return { bids: createLadder(buy), asks: createLadder(sell), updateId: 0 };
}

/** The ladder in which orders of this side rest. */
export function ladderOf(book: Book, side: Side): Ladder {
  return side === buy ? book.bids : book.asks;
}

/** Puts a live, unlinked order at the end of its level's queue. */
export function insertOrder(book: Book, order: Order): void {
  assert(order.open > 0, 'only a live order rests');
  assert(order.level === null, 'the order rests already');
  assert(order.ticks > 0, 'a resting order has a price');
  const level = levelAt(ladderOf(book, order.side), order.ticks);
  order.level = level;
  order.previous = level.last;
  order.next = null;
  if (level.last === null) level.first = order;
  else level.last.next = order;
  level.last = order;
  level.lots = (level.lots + order.open) as Lots;
}

/**
 * Removes a dead order from its level's queue, and the level from its ladder when it was the last
 * order. The level's lots stay, because `reduceOrder` has already subtracted the order's lots.
 */
export function unlinkOrder(book: Book, order: Order): void {
  const { level, previous, next } = order;
  assert(order.open === 0, 'only a dead order leaves the book');
  assert(level !== null, 'the order does not rest');
  if (previous === null) level.first = next;
  else previous.next = next;
  if (next === null) level.last = previous;
  else next.previous = previous;
  order.level = null;
  order.previous = null;
  order.next = null;
  if (level.first === null) dropLevel(ladderOf(book, order.side), level);
}
