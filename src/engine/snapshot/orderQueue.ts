// Puts the orders of a snapshot back to their places. An order touches its account's queue and its
// level, each at a random place of memory. Some orders wait until what all of them touch has been
// read in short loops, so that the waits for memory overlap
// (docs/decisions/0004-what-the-engine-waits-for.md).

import { assert } from '../../std/assert.ts';
import { directAdd, directHas, directReserve } from '../../std/directMap.ts';
import type { Lots } from '../../units/units.ts';
import { positionIn } from '../account.ts';
import { insertOrder, ladderOf } from '../book/book.ts';
import { findLevel } from '../book/ladder.ts';
import type { Level } from '../book/level.ts';
import type { Exchange } from '../exchange.ts';
import { ordersMax } from '../limits.ts';
import type { Order } from '../order.ts';
import { newestOf, type Position, queueAppend } from '../position.ts';

/** What was read must still be in the cache when the orders come to their places. */
const aheadMax = 64;

export type OrderQueue = {
  /** Orders come by priority. Faults on what cannot stand with the others. */
  readonly add: (order: Order) => void;
  /** After the last one: all have their places. */
  readonly flush: () => void;
};

/** For so many orders. */
export function createOrderQueue(exchange: Exchange, count: number): OrderQueue {
  directReserve(exchange.orders, Math.min(count, ordersMax));
  let waiting: Order[] = [];
  const flush = (): void => {
    readAhead(exchange, waiting);
    for (const order of waiting) addOrder(exchange, order);
    waiting = [];
  };
  return {
    add: (order) => {
      waiting.push(order);
      if (waiting.length === aheadMax) flush();
    },
    flush,
  };
}

/** Gives a meaningless number, so that no compiler may remove the reading. */
function readAhead({ accounts, markets }: Exchange, orders: readonly Order[]): number {
  const positions: Position[] = [];
  const levels: Level[] = [];
  let sum = 0;
  for (let i = 0; i < orders.length; i += 1) {
    const { account, market } = orders[i]!;
    const position = accounts[account]?.positions[market];
    if (position !== undefined) positions.push(position);
  }
  for (let i = 0; i < orders.length; i += 1) {
    const { market, side, ticks } = orders[i]!;
    const book = markets[market]?.book;
    const level = book === undefined ? undefined : findLevel(ladderOf(book, side), ticks);
    if (level !== undefined) levels.push(level);
  }
  for (let i = 0; i < positions.length; i += 1) {
    const { newestBuy, newestSell } = positions[i]!;
    if (newestBuy !== null) sum += newestBuy.priority;
    if (newestSell !== null) sum += newestSell.priority;
  }
  for (let i = 0; i < levels.length; i += 1) {
    const { last } = levels[i]!;
    if (last !== null) sum += last.open;
  }
  return sum;
}

/** Restores an order to its places: orders come by priority, which is the order of every queue. */
function addOrder(exchange: Exchange, order: Order): void {
  const account = exchange.accounts[order.account];
  const market = exchange.markets[order.market];
  assert(account !== undefined && market !== undefined, 'an order has an account and a market');
  assert(!directHas(exchange.orders, order.id), 'an order comes twice');
  insertOrder(market.book, order);
  const position = positionIn(account, market.id);
  const newest = newestOf(position, order.side);
  const isNewest = newest === null || newest.priority < order.priority;
  assert(isNewest, 'orders stand in the order of their priority');
  queueAppend(position, order);
  position.orderCount += 1;
  if (order.reduceOnly) position.reduceOnlyCount += 1;
  position.covered = (position.covered + order.cover) as Lots;
  directAdd(exchange.orders, order);
  if (order.clientOrderId === '') return;
  const found = account.clientOrderIds.get(order.clientOrderId);
  // An order with the number of its trigger also has its client's id.
  const shared = found === order.id && order.trigger?.id === order.id;
  assert(found === undefined || shared, 'a client order id comes twice');
  account.clientOrderIds.set(order.clientOrderId, order.id);
}
