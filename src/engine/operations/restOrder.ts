// An accepted order takes its place in the book and in its account's queue, or leaves the place
// that it had. Freezing follows the cover, which is distributed with the order in its place
// (MAR-1).

import { assert } from '../../std/assert.ts';
import { directAdd, directDelete } from '../../std/directMap.ts';
import type { Lots } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { insertOrder, unlinkOrder } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import { dealCover } from '../clearing/cover.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import { type Position, queueAppend, queueUnlink } from '../position.ts';

export type Place = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly account: Account;
  readonly position: Position;
};

/** Puts a live order at the end of its level and queue and distributes the cover with it. */
export function restOrder(place: Place, order: Order): void {
  takePlace(place, order);
  if (place.position.lots !== 0) dealCover(place.exchange, place.account, place.position);
}

/**
 * The same for an order that has met no other and holds what its cover requires: it is the newest,
 * so the holds of the others do not change.
 */
export function takePlace(place: Place, order: Order): void {
  const { exchange, market, account, position } = place;
  insertOrder(market.book, order);
  market.book.updateId += 1;
  queueAppend(position, order);
  position.orderCount += 1;
  position.covered = (position.covered + order.cover) as Lots;
  if (order.reduceOnly) position.reduceOnlyCount += 1;
  directAdd(exchange.orders, order);
  if (order.clientOrderId !== '') account.clientOrderIds.set(order.clientOrderId, order.id);
}

/**
 * Removes an order that a tentative execution has detached (modifyOrder.ts) from the level and the
 * queue in which it still is.
 */
export function leavePlace(place: Place, order: Order, level: Level): void {
  const { exchange, market, account } = place;
  assert(order.level === null, 'a detached order knows no level');
  const { open } = order;
  order.level = level;
  order.open = 0 as Lots;
  unlinkOrder(market.book, order);
  order.open = open;
  queueUnlink(order);
  market.book.updateId += 1;
  directDelete(exchange.orders, order.id);
  if (order.clientOrderId !== '') account.clientOrderIds.delete(order.clientOrderId);
}
