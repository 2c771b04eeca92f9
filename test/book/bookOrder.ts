// An order as the book sees one, with everything else blank: for tests and benchmarks of the book
// alone.

import type { Order, SelfTradeMode, Side } from '../../src/engine/order.ts';
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
  return {
    id: given.id as OrderId,
    account: given.account as AccountId,
    market: (given.market ?? 0) as MarketId,
    side: given.side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    reduceOnly: false,
    selfTradeMode: given.selfTradeMode,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: '',
    createdAt: 0 as Time,
    markAtCreation: 0 as Ticks,
    ticks: given.ticks as Ticks,
    lots: given.lots as Lots,
    leverage: 1,
    status: 'NEW',
    cancelReason: 'NONE',
    updatedAt: 0 as Time,
    open: given.lots as Lots,
    filled: 0 as Lots,
    filledNotional: 0 as Money,
    cover: 0 as Lots,
    freeze: 0 as Money,
    priority: given.id,
    level: null,
    previous: null,
    next: null,
    older: null,
    newer: null,
    epoch: 0,
  };
}
