// The engine's book and its naive twin side by side: every operation goes to both, and whatever
// they did must be the same. The part of the engine that ends and fills orders is played here.

import {
  type Book,
  createBook,
  insertOrder,
  ladderOf,
  unlinkOrder,
} from '../../src/engine/book/book.ts';
import { depthOf } from '../../src/engine/book/depth.ts';
import { bestLevel, type Ladder, levelAfter } from '../../src/engine/book/ladder.ts';
import { selfTrade } from '../../src/engine/book/selfTrade.ts';
import { sweep } from '../../src/engine/book/sweep.ts';
import type { Order } from '../../src/engine/order.ts';
import type { Lots } from '../../src/units/units.ts';
import { type BookOrder, bookOrder } from './bookOrder.ts';
import { createNaiveBook, type NaiveBook, naiveCut, naiveDepth, naivePlace } from './naiveBook.ts';

export type BookPair = {
  readonly book: Book;
  readonly naive: NaiveBook;
  /** Live orders of both books, in no order that matters. */
  readonly resting: Order[];
  /** Orders that ended and still hang in the book, as within a command of the engine. */
  readonly ended: Order[];
  readonly deeds: number[];
  trades: number;
};

export function createBookPair(): BookPair {
  const book = createBook();
  return { book, naive: createNaiveBook(), resting: [], ended: [], deeds: [], trades: 0 };
}

function takeLots(order: Order, lots: number): void {
  order.open = (order.open - lots) as Lots;
  const { level } = order;
  if (level !== null) level.lots = (level.lots - lots) as Lots;
}

function end(pair: BookPair, order: Order): void {
  takeLots(order, order.open);
  if (order.level !== null) pair.ended.push(order);
}

function meet(pair: BookPair, taker: Order, maker: Order): void {
  if (maker.account === taker.account) {
    const ending = selfTrade(taker.selfTradeMode);
    if (ending === 'maker' || ending === 'both') {
      end(pair, maker);
      pair.deeds.push(maker.id, 0, 0);
    }
    if (ending === 'taker' || ending === 'both') {
      end(pair, taker);
      pair.deeds.push(taker.id, 0, 0);
    }
    if (ending !== 'none') return;
  }
  const lots = Math.min(taker.open, maker.open);
  takeLots(taker, lots);
  takeLots(maker, lots);
  if (maker.open === 0) pair.ended.push(maker);
  pair.deeds.push(maker.id, maker.ticks, lots);
  pair.trades += 1;
}

/** Places an order in both books and compares every trade and every end. */
export function placeInBoth(pair: BookPair, given: BookOrder, rests: boolean): void {
  const taker = bookOrder(given);
  pair.deeds.length = 0;
  sweep(pair.book, taker, taker.ticks, pair, meet);
  if (taker.open > 0 && rests) {
    insertOrder(pair.book, taker);
    pair.resting.push(taker);
  }
  const expected = naivePlace(pair.naive, { ...given, open: given.lots }, rests);
  compare(pair.deeds, expected, `deeds of order ${given.id}`);
}

/** Takes `lots` off a resting order of both books; all of them is a cancel. */
export function cutInBoth(pair: BookPair, order: Order, lots: number): void {
  takeLots(order, lots);
  if (order.open === 0) pair.ended.push(order);
  naiveCut(pair.naive, order.side, order.id, lots);
}

/** Unlinks what ended, as the engine does when a command is sure. */
export function flushEnded(pair: BookPair): void {
  for (const order of pair.ended) unlinkOrder(pair.book, order);
  pair.ended.length = 0;
}

/** Compares prices and sums of both sides, to the last level. */
export function compareDepth(pair: BookPair): void {
  for (const side of [1, -1] as const) {
    const depth = depthOf(ladderOf(pair.book, side), Number.MAX_SAFE_INTEGER);
    const orders = side === 1 ? pair.naive.bids : pair.naive.asks;
    compare(depth.flat(), naiveDepth(orders).flat(), `depth of side ${side}`);
  }
}

/** Compares every order of both sides in its place, and the links between them. */
export function compareQueues(pair: BookPair): void {
  for (const side of [1, -1] as const) {
    const orders = side === 1 ? pair.naive.bids : pair.naive.asks;
    const expected = orders.flatMap((order) => [order.id, order.ticks, order.open]);
    compare(queuesOf(ladderOf(pair.book, side)), expected, `queues of side ${side}`);
  }
}

function queuesOf(ladder: Ladder): number[] {
  const queues: number[] = [];
  for (let level = bestLevel(ladder); level !== undefined; level = levelAfter(ladder, level)) {
    let previous: Order | null = null;
    for (let order = level.first; order !== null; order = order.next) {
      if (order.previous !== previous || order.level !== level) throw new Error('a torn queue');
      if (order.open > 0) queues.push(order.id, order.ticks, order.open);
      previous = order;
    }
    if (level.last !== previous) throw new Error('a torn end of a queue');
  }
  return queues;
}

function compare(found: readonly number[], expected: readonly number[], what: string): void {
  const length = Math.max(found.length, expected.length);
  for (let i = 0; i < length; i += 1) {
    if (found[i] === expected[i]) continue;
    throw new Error(`${what}: ${found[i]} at ${i} where the naive book has ${expected[i]}`);
  }
}
