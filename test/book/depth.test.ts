// Goal: what is counted of a side before an order meets it is what the order would meet (ORD-2b,
// TRG-6). Method: seeded books beside their naive twin, with dead orders that are still linked;
// the twin's orders are counted one by one.

import { expect, test } from 'vitest';
import { createBook, ladderOf } from '../../src/engine/book/book.ts';
import { lotsWithin, ordersWithin } from '../../src/engine/book/depth.ts';
import { findLevel } from '../../src/engine/book/ladder.ts';
import { buy, type Side, sell } from '../../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { Lots, Ticks } from '../../src/units/units.ts';
import { type BookPair, createBookPair, cutInBoth, flushEnded, placeInBoth } from './bookPair.ts';
import type { NaiveOrder } from './naiveBook.ts';

const mid = 1000;

/** Orders on both sides of a price, several at a level; a fifth of them end. */
function seededBook(prng: Prng): BookPair {
  const pair = createBookPair();
  const orders = prng.below(30);
  for (let id = 1; id <= orders; id += 1) {
    const side: Side = prng.below(2) === 0 ? buy : sell;
    const ticks = mid - side * (1 + prng.below(6));
    const lots = 1 + prng.below(5);
    placeInBoth(pair, { id, account: id, side, ticks, lots, selfTradeMode: 'NONE' }, true);
  }
  for (const order of pair.resting) if (prng.below(5) === 0) cutInBoth(pair, order, order.open);
  return pair;
}

/** The orders of a side within a limit, best first. */
function within(pair: BookPair, side: Side, limit: number): NaiveOrder[] {
  const orders = side === buy ? pair.naive.bids : pair.naive.asks;
  return orders.filter(({ ticks }) => side * ticks >= side * limit);
}

/** How many of them are met until there are enough lots. */
function met(orders: readonly NaiveOrder[], enough: number): number {
  let lots = 0;
  return orders.filter(({ open }) => {
    const isMet = lots < enough;
    lots += open;
    return isMet;
  }).length;
}

test('TRG-6 ORD-2b orders and lots within a limit are counted as they are met, up to enough', () => {
  const prng = createPrng(7);
  for (let round = 0; round < 2000; round += 1) {
    const pair = seededBook(prng);
    const side: Side = prng.below(2) === 0 ? buy : sell;
    const ladder = ladderOf(pair.book, side);
    const limit = (mid - side * prng.below(8)) as Ticks;
    const enough = prng.below(40) as Lots;
    const ordersMax = prng.below(12);
    const orders = within(pair, side, limit);
    const expected = Math.min(met(orders, enough), ordersMax);
    expect(ordersWithin(ladder, limit, { enough, ordersMax }), `round ${round}`).toBe(expected);
    const isMet = met(orders, enough);
    const last = orders[isMet - 1];
    // A level is added up whole.
    const read =
      last === undefined ? [] : orders.filter((o) => side * o.ticks >= side * last.ticks);
    const lots = read.reduce((sum, { open }) => sum + open, 0);
    expect(lotsWithin(ladder, limit, enough).lots, `round ${round}`).toBe(lots);
    flushEnded(pair);
    const levels = new Set(read.map(({ ticks }) => ticks)).size;
    expect(lotsWithin(ladder, limit, enough), `round ${round}`).toEqual({ lots, levels });
  }
});

test('ORD-1 at each price is what rests there, and nothing between', () => {
  const prng = createPrng(8);
  for (let round = 0; round < 200; round += 1) {
    const pair = seededBook(prng);
    for (let ticks = mid - 8; ticks <= mid + 8; ticks += 1) {
      const side = ticks < mid ? buy : sell;
      const orders = within(pair, side, ticks).filter((order) => order.ticks === ticks);
      const lots = findLevel(ladderOf(pair.book, side), ticks as Ticks)?.lots ?? 0;
      expect(lots, `round ${round}`).toBe(orders.reduce((sum, { open }) => sum + open, 0));
    }
  }
});

test('WS-2 a new book has had no change that readers could see', () => {
  expect(createBook().updateId).toBe(0);
});
