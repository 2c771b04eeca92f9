// Seeded streams of orders for the benchmarks, in units of the book. A stream is made by playing it
// against a book that knows no money. So every cancel names an order that is live at that moment,
// and the stream knows the expected result. Each run is compared with it.

import {
  type Book,
  createBook,
  insertOrder,
  ladderOf,
  unlinkOrder,
} from '../src/engine/book/book.ts';
import { depthOf } from '../src/engine/book/depth.ts';
import { selfTrade } from '../src/engine/book/selfTrade.ts';
import { sweep } from '../src/engine/book/sweep.ts';
import type { Order } from '../src/engine/order.ts';
import { buy, type SelfTradeMode, type Side, sell } from '../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../src/std/prng.ts';
import type { Lots } from '../src/units/units.ts';
import { bookOrder } from '../test/book/bookOrder.ts';

export type StreamShape = {
  readonly name: string;
  readonly seed: number;
  /** Operations that only fill the books; they are not timed. */
  readonly preload: number;
  /** Operations after the preload: 50 % limits around mid, 40 % cancels, 10 % crossing. */
  readonly operations: number;
  /** Limit prices are at most this many ticks from mid. */
  readonly widthTicks: number;
};

/** The expected result of a stream. */
export type StreamResult = {
  trades: number;
  tradedLots: number;
  /** Orders that rest at the end. */
  resting: number;
  /** Every level of both sides of every market, best first, as one row of numbers. */
  depth: readonly number[];
};

/** One operation per index, in columns. */
export type Stream = {
  readonly shape: StreamShape;
  readonly length: number;
  readonly market: Uint8Array;
  readonly account: Uint16Array;
  /** 0 marks a cancel. */
  readonly side: Int8Array;
  readonly ticks: Int32Array;
  readonly lots: Int32Array;
  /** For a cancel: the operation that placed its order. */
  readonly target: Int32Array;
  readonly counts: { limits: number; cancels: number; crossing: number };
  readonly result: StreamResult;
};

export const streamMarkets = 3;
export const streamAccounts = 5_000;
/** The initial mid of every market; it moves by at most a twentieth of the width. */
export const midTicks = 100_000;
const wanderShare = 20;
/** The self-trade prevention of every order of a stream: the default of a market (ORD-4). */
export const streamSelfTrade: SelfTradeMode = 'EXPIRE_MAKER';

const lotsMax = 20;

/**
 * The plain stream: every account has on average two orders in all, within 100 ticks of mid. The
 * second: 100,000 orders, spread over 2,000 ticks. The more orders rest, the slower every book is,
 * because the records no longer fit into the caches.
 */
export function streamShapes(seed: number, operations: number): [StreamShape, StreamShape] {
  const preload = streamAccounts * 2;
  return [
    { name: 'plain', seed, preload, operations, widthTicks: 100 },
    { name: '100k resting', seed: seed + 1, preload: 100_000, operations, widthTicks: 2_000 },
  ];
}

/** The third stream of the engine alone: a million orders over 4,000 ticks. */
export function hugeShape(seed: number, operations: number): StreamShape {
  const preload = 1_000_000;
  return { name: '1M resting', seed: seed + 2, preload, operations, widthTicks: 4_000 };
}

/** What the making of a stream remembers. */
type Making = {
  readonly stream: Stream;
  readonly prng: Prng;
  readonly books: readonly Book[];
  readonly mids: number[];
  readonly orders: Map<number, Order>;
  /** Candidates for cancels; ended ones are removed when they are drawn. */
  readonly live: Order[];
  readonly ended: Order[];
};

/** Makes the stream of `shape`; the same shape gives the same stream. */
export function createStream(shape: StreamShape): Stream {
  const length = shape.preload + shape.operations;
  const stream: Stream = {
    shape,
    length,
    market: new Uint8Array(length),
    account: new Uint16Array(length),
    side: new Int8Array(length),
    ticks: new Int32Array(length),
    lots: new Int32Array(length),
    target: new Int32Array(length),
    counts: { limits: 0, cancels: 0, crossing: 0 },
    result: { trades: 0, tradedLots: 0, resting: 0, depth: [] },
  };
  const books = Array.from({ length: streamMarkets }, createBook);
  const mids = books.map(() => midTicks);
  const prng = createPrng(shape.seed);
  const making = { stream, prng, books, mids, orders: new Map(), live: [], ended: [] };
  for (let i = 0; i < length; i += 1) makeOperation(making, i);
  stream.result.resting = making.orders.size;
  stream.result.depth = books.flatMap(fullDepth);
  return stream;
}

/** Both sides of a book to the last level, as one row of numbers. */
export function fullDepth(book: Book): number[] {
  return [buy, sell].flatMap((side) =>
    depthOf(ladderOf(book, side as Side), Number.MAX_SAFE_INTEGER).flat(),
  );
}

function makeOperation(making: Making, index: number): void {
  const { stream, prng, mids } = making;
  const { shape, counts } = stream;
  const dice = index < shape.preload ? 0 : prng.below(100);
  const cancelled = dice >= 50 && dice < 90 ? drawLive(making) : undefined;
  if (cancelled !== undefined) {
    counts.cancels += 1;
    stream.market[index] = cancelled.market;
    stream.account[index] = cancelled.account;
    stream.target[index] = cancelled.id;
    endBookOrder(making, cancelled);
  } else {
    const market = prng.below(streamMarkets);
    if (prng.below(16) === 0) mids[market] = wander(making, mids[market]!);
    const side: Side = prng.below(2) === 0 ? buy : sell;
    const crossing = dice >= 90;
    if (crossing) counts.crossing += 1;
    else if (index >= shape.preload) counts.limits += 1;
    const { widthTicks } = shape;
    // Two draws: nearer prices are likelier.
    const distance = 1 + Math.min(prng.below(widthTicks), prng.below(widthTicks));
    stream.market[index] = market;
    stream.account[index] = prng.below(streamAccounts);
    stream.side[index] = side;
    stream.ticks[index] = mids[market]! + side * (crossing ? widthTicks : -distance);
    stream.lots[index] = 1 + prng.below(lotsMax);
    playPlace(making, index);
  }
  for (const order of making.ended) {
    unlinkOrder(making.books[order.market]!, order);
    making.orders.delete(order.id);
  }
  making.ended.length = 0;
}

function wander({ stream, prng }: Making, mid: number): number {
  const next = mid + (prng.below(2) === 0 ? 1 : -1);
  return Math.abs(next - midTicks) > stream.shape.widthTicks / wanderShare ? mid : next;
}

function drawLive(making: Making): Order | undefined {
  const { live } = making;
  while (live.length > 0) {
    const at = making.prng.below(live.length);
    const order = live[at]!;
    live[at] = live[live.length - 1]!;
    live.pop();
    if (order.open > 0) return order;
  }
  return undefined;
}

/** The order of the operation at `index`, in the form for the book; its id is the index. */
export function orderOf(stream: Stream, index: number): Order {
  return bookOrder({
    id: index,
    market: stream.market[index]!,
    account: stream.account[index]!,
    side: stream.side[index] as Side,
    ticks: stream.ticks[index]!,
    lots: stream.lots[index]!,
    selfTradeMode: streamSelfTrade,
  });
}

function playPlace(making: Making, index: number): void {
  const order = orderOf(making.stream, index);
  const book = making.books[order.market]!;
  sweep(book, order, order.ticks, making, meetBlindly);
  if (order.open === 0) return;
  insertOrder(book, order);
  making.orders.set(order.id, order);
  making.live.push(order);
}

/** What `meetBlindly` needs: the sums of the result, and the list of ended makers. */
export type BlindWorld = { readonly stream: { result: StreamResult }; readonly ended: Order[] };

/** A meeting without money: self-trade prevention, then as many lots as both have. */
export function meetBlindly(world: BlindWorld, taker: Order, maker: Order): void {
  if (taker.account === maker.account && selfTrade(taker.selfTradeMode) === 'maker') {
    endBookOrder(world, maker);
    return;
  }
  const lots = (taker.open < maker.open ? taker.open : maker.open) as Lots;
  const level = maker.level!;
  taker.open = (taker.open - lots) as Lots;
  maker.open = (maker.open - lots) as Lots;
  level.lots = (level.lots - lots) as Lots;
  if (maker.open === 0) world.ended.push(maker);
  const { result } = world.stream;
  result.trades += 1;
  result.tradedLots += lots;
}

/** Ends a resting order; the caller unlinks it after the operation. */
export function endBookOrder(world: { readonly ended: Order[] }, order: Order): void {
  const level = order.level!;
  level.lots = (level.lots - order.open) as Lots;
  order.open = 0 as Lots;
  world.ended.push(order);
}
