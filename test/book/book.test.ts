// Goal: the book is price-time priority and nothing else (ORD-1), and self-trades end whom ORD-4
// says. Method: a million seeded operations go to the book and to its naive twin; every trade and
// every end is compared, the whole book periodically; a few cases by hand fix the contracts.

import { describe, expect, test } from 'vitest';
import { createBook, insertOrder, ladderOf, unlinkOrder } from '../../src/engine/book/book.ts';
import { depthOf } from '../../src/engine/book/depth.ts';
import {
  bestLevel,
  createLadder,
  dropLevel,
  levelAfter,
  levelAt,
  levelCount,
} from '../../src/engine/book/ladder.ts';
import { selfTrade } from '../../src/engine/book/selfTrade.ts';
import { bestLive, crosses, sweep } from '../../src/engine/book/sweep.ts';
import { ticksMax } from '../../src/engine/limits.ts';
import type { Order } from '../../src/engine/order.ts';
import { buy, type Side, selfTradeModes, sell } from '../../src/engine/orderTypes.ts';
import { reduceOrder } from '../../src/engine/reduceOrder.ts';
import { createUndo } from '../../src/engine/undo.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { Lots, Ticks } from '../../src/units/units.ts';
import { bookOrder } from './bookOrder.ts';
import {
  type BookPair,
  compareDepth,
  compareQueues,
  createBookPair,
  cutInBoth,
  flushEnded,
  placeInBoth,
} from './bookPair.ts';

/** How prices of a phase are drawn, and how full its book gets. */
type Phase = {
  readonly name: string;
  readonly price: (prng: Prng, side: Side) => number;
  readonly restingMax: number;
  readonly accounts: number;
};

const operationsPerPhase = 125_000;

/** Around `mid`, worse by up to `width`, and one in ten better by as much. */
function around(mid: number, width: number): Phase['price'] {
  return (prng, side) => {
    const distance = prng.below(width) * (prng.below(10) === 0 ? -1 : 1);
    return Math.min(ticksMax, Math.max(1, mid - side * distance));
  };
}

const phases: readonly Phase[] = [
  { name: 'one price', price: () => 777, restingMax: 60, accounts: 40 },
  { name: 'two prices', price: (prng) => 1 + prng.below(2), restingMax: 60, accounts: 40 },
  { name: 'dense', price: around(50_000, 30), restingMax: 300, accounts: 50 },
  { name: 'dense, few accounts', price: around(50_000, 20), restingMax: 200, accounts: 3 },
  { name: 'wide', price: around(600_000, 2_000), restingMax: 1_000, accounts: 500 },
  { name: 'lowest prices', price: around(20, 40), restingMax: 300, accounts: 50 },
  { name: 'sparse', price: around(500_000_000, 500_000_000), restingMax: 1_500, accounts: 500 },
  { name: 'anywhere', price: (prng) => 1 + prng.below(ticksMax), restingMax: 400, accounts: 90 },
];

/** A live order of the pair, or undefined; dead ones met on the way leave the list. */
function drawResting(pair: BookPair, prng: Prng): Order | undefined {
  const { resting } = pair;
  while (resting.length > 0) {
    const at = prng.below(resting.length);
    const order = resting[at]!;
    if (order.open > 0) return order;
    resting[at] = resting[resting.length - 1]!;
    resting.pop();
  }
  return undefined;
}

function operate(pair: BookPair, phase: Phase, prng: Prng, id: number): 'place' | 'cut' | 'end' {
  const full = pair.naive.bids.length + pair.naive.asks.length >= phase.restingMax;
  const dice = prng.below(100);
  const order = dice < (full ? 70 : 42) ? drawResting(pair, prng) : undefined;
  if (order !== undefined) {
    const lots = dice % 7 === 0 ? 1 + prng.below(order.open) : order.open;
    cutInBoth(pair, order, lots);
    return order.open > 0 ? 'cut' : 'end';
  }
  const side: Side = prng.below(2) === 0 ? buy : sell;
  const given = {
    id,
    account: prng.below(phase.accounts),
    side,
    ticks: phase.price(prng, side),
    lots: 1 + prng.below(prng.below(8) === 0 ? 400 : 20),
    selfTradeMode: selfTradeModes[prng.below(selfTradeModes.length)]!,
  };
  placeInBoth(pair, given, prng.below(8) !== 0);
  return 'place';
}

describe('the book and its naive twin agree', () => {
  test.each(phases)('ORD-1 ORD-4 over 125,000 operations: $name', (phase) => {
    const prng = createPrng(phases.indexOf(phase) + 1);
    const pair = createBookPair();
    const counts = { place: 0, cut: 0, end: 0 };
    for (let i = 1; i <= operationsPerPhase; i += 1) {
      counts[operate(pair, phase, prng, i)] += 1;
      // Some dead orders stay linked over the next operation, as inside a command.
      if (prng.below(4) !== 0) flushEnded(pair);
      if (i % 500 === 0) compareDepth(pair);
      if (i % 2_500 === 0) compareQueues(pair);
    }
    flushEnded(pair);
    compareQueues(pair);
    compareDepth(pair);
    const levels = levelCount(pair.book.bids) + levelCount(pair.book.asks);
    expect(levels).toBe(compareLevels(pair));
    expect(pair.trades).toBeGreaterThan(operationsPerPhase / 20);
    // The dice bring about each kind of operation in every phase.
    expect(counts.place).toBeGreaterThan(operationsPerPhase / 4);
    expect(counts.end).toBeGreaterThan(operationsPerPhase / 10);
    expect(counts.cut).toBeGreaterThan(operationsPerPhase / 100);
  });
});

/** Once flushed, the structure holds exactly the live prices. */
function compareLevels(pair: BookPair): number {
  const prices = (orders: readonly { ticks: number }[]) => new Set(orders.map((o) => o.ticks)).size;
  return prices(pair.naive.bids) + prices(pair.naive.asks);
}

function resting(side: Side, ticks: number, lots: number, id = 1): Order {
  return bookOrder({ id, account: id, side, ticks, lots, selfTradeMode: 'NONE' });
}

describe('the ladder', () => {
  test.each<Side>([buy, sell])('ORD-1 walks 20,000 sparse prices best first, side %i', (side) => {
    const prng = createPrng(99);
    const ladder = createLadder(side);
    const prices = new Set<number>();
    while (prices.size < 20_000) prices.add(1 + prng.below(ticksMax));
    for (const ticks of prices) levelAt(ladder, ticks as Ticks);
    for (const ticks of [...prices]) {
      if (prng.below(3) === 0) continue;
      dropLevel(ladder, levelAt(ladder, ticks as Ticks));
      prices.delete(ticks);
    }
    const walked: number[] = [];
    for (let level = bestLevel(ladder); level !== undefined; level = levelAfter(ladder, level)) {
      walked.push(level.ticks);
    }
    expect(walked).toEqual([...prices].sort((a, b) => side * (b - a)));
    expect(levelCount(ladder)).toBe(prices.size);
  });

  test('ORD-1 is empty again after its last level', () => {
    const ladder = createLadder(sell);
    for (let ticks = 1; ticks <= 1_000; ticks += 1) levelAt(ladder, ticks as Ticks);
    for (let ticks = 1_000; ticks >= 1; ticks -= 1) {
      dropLevel(ladder, levelAt(ladder, ticks as Ticks));
    }
    expect(bestLevel(ladder)).toBeUndefined();
    expect(ladder.blocks.length).toBe(1);
  });
});

describe('the contracts of the book', () => {
  test('ORD-1 only a live, unlinked, priced order is inserted; only a dead one leaves', () => {
    const book = createBook();
    const order = resting(buy, 10, 5);
    expect(() => unlinkOrder(book, resting(buy, 10, 5))).toThrow('dead');
    expect(() => insertOrder(book, resting(buy, 0, 5))).toThrow('price');
    expect(() => insertOrder(book, resting(buy, 10, 0))).toThrow('live');
    insertOrder(book, order);
    expect(() => insertOrder(book, order)).toThrow('already');
    expect(() => unlinkOrder(book, order)).toThrow('dead');
    // A level with wrong lots is a fault, and no wrong depth is shown.
    order.open = 0 as Lots;
    expect(() => unlinkOrder(book, order)).toThrow('empty');
  });

  test('ORD-1 lots taken off an order leave its level too, and are at most its open lots', () => {
    const book = createBook();
    const undo = createUndo();
    const [order, incoming] = [resting(buy, 10, 5, 1), resting(buy, 10, 9, 2)];
    insertOrder(book, order);
    insertOrder(book, resting(buy, 10, 7, 3));
    const level = order.level!;
    reduceOrder(undo, order, 2 as Lots);
    reduceOrder(undo, incoming, 4 as Lots);
    expect([order.open, incoming.open, level.lots]).toEqual([3, 5, 10]);
    expect(() => reduceOrder(undo, order, 4 as Lots)).toThrow('what is open');
    reduceOrder(undo, order, 3 as Lots);
    expect([order.open, level.lots]).toEqual([0, 7]);
    unlinkOrder(book, order);
    expect(level.first?.id).toBe(3);
  });

  test('ORD-1 a sweep stops when its order ends, at its limit, and at a meeting that ends no order', () => {
    const book = createBook();
    insertOrder(book, resting(sell, 10, 5, 1));
    insertOrder(book, resting(sell, 11, 5, 2));
    insertOrder(book, resting(sell, 12, 5, 3));
    const met: number[] = [];
    const taker = resting(buy, 11, 20, 9);
    sweep(book, resting(buy, 11, 20, 8), taker.ticks, met, (world, incoming, maker) => {
      world.push(maker.id);
      incoming.open = 0 as Lots;
    });
    expect(met).toEqual([1]);
    sweep(book, taker, taker.ticks, met, (world, _taker, maker) => {
      world.push(maker.id);
      maker.level!.lots = 0 as Lots;
      maker.open = 0 as Lots;
    });
    expect(met).toEqual([1, 1, 2]);
    expect(() => sweep(book, taker, 12 as Ticks, met, () => {})).toThrow('must end');
  });

  test('ORD-1 dead levels are invisible while they are still linked', () => {
    const book = createBook();
    const orders = [resting(buy, 12, 5, 1), resting(buy, 11, 7, 2)];
    for (const order of orders) insertOrder(book, order);
    const bids = ladderOf(book, buy);
    orders[0]!.level!.lots = 0 as Lots;
    orders[0]!.open = 0 as Lots;
    expect(bestLevel(bids)?.ticks).toBe(12);
    expect(bestLive(bids)?.ticks).toBe(11);
    expect(depthOf(bids, 5)).toEqual([[11, 7]]);
    expect(depthOf(bids, 0)).toEqual([]);
    unlinkOrder(book, orders[0]!);
    expect(bestLevel(bids)?.ticks).toBe(11);
    expect(bestLive(ladderOf(book, sell))).toBeUndefined();
  });

  test('ORD-1 an order crosses at exactly its limit price', () => {
    const [low, high] = [99, 100] as [Ticks, Ticks];
    expect([crosses(buy, low, high), crosses(buy, high, high)]).toEqual([true, true]);
    expect([crosses(buy, high, low), crosses(sell, low, high)]).toEqual([false, false]);
    expect([crosses(sell, high, high), crosses(sell, high, low)]).toEqual([true, true]);
  });

  test('ORD-4 the mode of the taker decides which order ends', () => {
    expect(selfTradeModes.map(selfTrade)).toEqual(['none', 'taker', 'maker', 'both']);
  });
});
