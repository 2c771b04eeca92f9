// The record of one account in one market: the position, its leverage setting and its open orders.

import { must } from '../std/assert.ts';
import type { AccountId, Lots, MarketId, Money, Time } from '../units/units.ts';
import type { Order } from './order.ts';
import type { Side } from './orderTypes.ts';
import type { Attachments } from './pair.ts';

/**
 * Fields that few orders touch come last: the engine waits for the first touch of each cache line
 * of a record (docs/decisions/0004-what-the-engine-waits-for.md).
 */
export type Position = {
  // What the margin of the whole account reads of each of its positions.
  /** Signed quantity: positive long, negative short. */
  lots: Lots;
  /** Signed entry notional, a sum (UNIT-2). */
  entry: Money;
  readonly market: MarketId;
  /** Σ lots × (marginal rate at which they opened − first rate), in 1e-8 lots (MAR-10). */
  surcharge: bigint;
  collateral: Money;
  /** The unified-margin offset in place of collateral: unified mode only (MAR-7). */
  uncovered: Money;

  readonly account: AccountId;
  /** The leverage setting (MAR-5); 0 while the default applies. */
  leverage: number;
  /** Live orders of both sides. */
  orderCount: number;
  /** Live reduce-only orders among them. */
  reduceOnlyCount: number;
  /**
   * Σ cover of its live orders: the lots with which the position covers orders that would close it
   * (MAR-1).
   */
  covered: Lots;
  // The ends of its queues: the account's orders of one side of the market, oldest priority first,
  // linked older/newer. They stand here and not in records of their own, which would be one more to
  // wait for.
  oldestBuy: Order | null;
  newestBuy: Order | null;
  oldestSell: Order | null;
  newestSell: Order | null;
  updatedAt: Time;
  /** The timer that ends the countdown (ORD-13), 0 without one. */
  countdown: number;
  epoch: number;
  /** Isolated mode: being liquidated, and when the last whole step was taken (LIQ-1). */
  flagged: boolean;
  steppedAt: Time;
  /** Waiting triggers that close the whole position: they end when it is gone (TRG-2). */
  closeTriggers: number;
  /** The pairs that close it or wait to (ATT-2); null until there is one. Transient. */
  attachments: Attachments | null;
  // The state of clearing/liquidationIndex.ts, transient: whether the market's holders list it; its
  // place in the liquidation index.
  held: boolean;
  liquidationSide: 0 | 1 | -1;
  liquidationKey: number;
};

export function createPosition(account: AccountId, market: MarketId): Position {
  return {
    lots: 0 as Lots,
    entry: 0 as Money,
    market,
    surcharge: 0n,
    collateral: 0 as Money,
    uncovered: 0 as Money,
    account,
    leverage: 0,
    orderCount: 0,
    reduceOnlyCount: 0,
    covered: 0 as Lots,
    oldestBuy: null,
    newestBuy: null,
    oldestSell: null,
    newestSell: null,
    updatedAt: 0 as Time,
    countdown: 0,
    epoch: 0,
    flagged: false,
    steppedAt: 0 as Time,
    closeTriggers: 0,
    attachments: null,
    held: false,
    liquidationSide: 0,
    liquidationKey: 0,
  };
}

/** The order of a side with the oldest priority, from which the others follow as newer. */
export function oldestOf(position: Position, side: Side): Order | null {
  return side > 0 ? position.oldestBuy : position.oldestSell;
}

export function newestOf(position: Position, side: Side): Order | null {
  return side > 0 ? position.newestBuy : position.newestSell;
}

function setOldest(position: Position, side: Side, order: Order | null): void {
  if (side > 0) position.oldestBuy = order;
  else position.oldestSell = order;
}

function setNewest(position: Position, side: Side, order: Order | null): void {
  if (side > 0) position.newestBuy = order;
  else position.newestSell = order;
}

/** Appends an order, the newest by priority, to the queue of its side. */
export function queueAppend(position: Position, order: Order): void {
  const newest = newestOf(position, order.side);
  order.position = position;
  order.older = newest;
  order.newer = null;
  if (newest === null) setOldest(position, order.side, order);
  else newest.newer = order;
  setNewest(position, order.side, order);
}

/** Removes an order from its queue. The caller changes the counts (endOrder.ts). */
export function queueUnlink(order: Order): void {
  const { newer, older, side } = order;
  const position = must(order.position, 'an order that rests has a position');
  if (older === null) setOldest(position, side, newer);
  else older.newer = newer;
  if (newer === null) setNewest(position, side, older);
  else newer.older = older;
  order.position = null;
  order.older = null;
  order.newer = null;
}
