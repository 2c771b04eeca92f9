// An order as the book sees one, with everything else blank: for tests and benchmarks of the book
// alone.

import type { Order } from '../../src/engine/order.ts';
import type { SelfTradeMode, Side } from '../../src/engine/orderTypes.ts';
import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Ticks,
  Time,
} from '../../src/units/units.ts';

export type BookOrder = {
  readonly id: number;
  readonly account: number;
  /** 0 when not given. */
  readonly market?: number;
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
  readonly selfTradeMode: SelfTradeMode;
};

/** A live order that rests nowhere yet. */
export function bookOrder(given: BookOrder): Order {
  // The fields that the book reads come first: a neighbour in a queue then costs one cache line.
  return {
    level: null,
    previous: null,
    next: null,
    open: given.lots as Lots,
    ticks: given.ticks as Ticks,
    side: given.side,
    id: given.id as OrderId,
    account: given.account as AccountId,
    market: (given.market ?? 0) as MarketId,
    selfTradeMode: given.selfTradeMode,
    type: 'LIMIT',
    timeInForce: 'GTC',
    reduceOnly: false,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    origin: 'account',
    trigger: null,
    legs: null,
    clientOrderId: '',
    createdAt: 0 as Time,
    markAtCreation: 0 as Ticks,
    lots: given.lots as Lots,
    leverage: 1,
    status: 'NEW',
    cancelReason: 'NONE',
    updatedAt: 0 as Time,
    filled: 0 as Lots,
    filledNotional: 0 as Money,
    cover: 0 as Lots,
    freeze: 0 as Money,
    uncovered: 0 as Money,
    priority: given.id,
    older: null,
    newer: null,
    position: null,
    epoch: 0,
  };
}
