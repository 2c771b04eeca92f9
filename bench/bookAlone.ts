// Our book alone, and the npm package `nodejs-order-book`, on one stream. Neither clears money.
// Both must end with the trades and the depth that the stream predicts.

import { OrderBook, Side as PeerSide, SelfTradePreventionMode } from 'nodejs-order-book';
import { createBook, insertOrder, unlinkOrder } from '../src/engine/book/book.ts';
import { sweep } from '../src/engine/book/sweep.ts';
import type { Order } from '../src/engine/order.ts';
import { buy } from '../src/engine/orderTypes.ts';
import {
  endBookOrder,
  fullDepth,
  meetBlindly,
  orderOf,
  type Stream,
  type StreamResult,
  streamMarkets,
} from './orderStreams.ts';
import { check } from './report.ts';

/** Runs our book through the stream; gives operations per second after the preload. */
export function runOurBook(stream: Stream): number {
  const books = Array.from({ length: streamMarkets }, createBook);
  const orders: (Order | undefined)[] = new Array(stream.length).fill(undefined);
  const result: StreamResult = { trades: 0, tradedLots: 0, resting: 0, depth: [] };
  const world = { stream: { result }, ended: [] as Order[] };
  let started = performance.now();
  for (let i = 0; i < stream.length; i += 1) {
    if (i === stream.shape.preload) started = performance.now();
    const book = books[stream.market[i]!]!;
    if (stream.side[i] === 0) {
      endBookOrder(world, orders[stream.target[i]!]!);
    } else {
      const order = orderOf(stream, i);
      sweep(book, order, order.ticks, world, meetBlindly);
      if (order.open > 0) {
        insertOrder(book, order);
        orders[i] = order;
      }
    }
    for (let order = world.ended.pop(); order !== undefined; order = world.ended.pop()) {
      unlinkOrder(book, order);
      orders[order.id] = undefined;
    }
  }
  const seconds = (performance.now() - started) / 1000;
  for (const order of orders) if (order !== undefined) result.resting += 1;
  compareResults('our book', { ...result, depth: books.flatMap(fullDepth) }, stream.result);
  return stream.shape.operations / seconds;
}

/**
 * Runs the peer through the stream; gives operations per second after the preload. Only with
 * `counting` it reads the answers and compares the trades. The depth is always compared.
 */
export function runPeer(stream: Stream, counting: boolean): number {
  const books = Array.from({ length: streamMarkets }, () => new OrderBook());
  const ids = Array.from({ length: stream.length }, (_, i) => `o${i}`);
  const accounts = Array.from({ length: 65_536 }, (_, i) => `a${i}`);
  const counted = { trades: 0, tradedLots: 0 };
  let started = performance.now();
  for (let i = 0; i < stream.length; i += 1) {
    if (i === stream.shape.preload) started = performance.now();
    const book = books[stream.market[i]!]!;
    if (stream.side[i] === 0) {
      book.cancel(ids[stream.target[i]!]!);
      continue;
    }
    const answer = book.limit({
      id: ids[i]!,
      side: stream.side[i] === buy ? PeerSide.BUY : PeerSide.SELL,
      size: stream.lots[i]!,
      price: stream.ticks[i]!,
      accountId: accounts[stream.account[i]!]!,
      stpMode: SelfTradePreventionMode.EXPIRE_MAKER,
    });
    if (counting) countPeer(counted, ids[i]!, answer);
  }
  const seconds = (performance.now() - started) / 1000;
  const depth = books.flatMap((book) => {
    const [asks, bids] = book.depth();
    return [...bids.flat(), ...asks.flat()];
  });
  const { result } = stream;
  const trades = counting ? counted : { trades: result.trades, tradedLots: result.tradedLots };
  compareResults('the peer', { ...trades, resting: result.resting, depth }, result);
  return stream.shape.operations / seconds;
}

type PeerAnswer = ReturnType<OrderBook['limit']>;

/** Adds the trades of one answer: makers that filled whole, and perhaps one with a rest. */
function countPeer(
  counted: { trades: number; tradedLots: number },
  id: string,
  answer: PeerAnswer,
): void {
  for (const done of answer.done) {
    if (done.id === id || !('size' in done)) continue;
    counted.trades += 1;
    counted.tradedLots += done.size;
  }
  if (answer.partial === null || answer.partial.id === id) return;
  counted.trades += 1;
  counted.tradedLots += answer.partialQuantityProcessed;
}

/** Fails unless a run had the result that its stream predicts. */
export function compareResults(who: string, found: StreamResult, expected: StreamResult): void {
  const { trades, tradedLots, resting } = expected;
  check(found.trades === trades, `${who} made ${found.trades} trades, not ${trades}`);
  check(found.tradedLots === tradedLots, `${who} traded ${found.tradedLots}, not ${tradedLots}`);
  check(found.resting === resting, `${who} ends with ${found.resting} orders, not ${resting}`);
  const same =
    found.depth.length === expected.depth.length &&
    found.depth.every((value, i) => value === expected.depth[i]);
  check(same, `${who} ends with another depth`);
}
