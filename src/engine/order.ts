// A live order in the engine, and its enumerations. book/ and position.ts define a place in the
// book and in an account's queue.

import type { AccountId, Lots, MarketId, Money, OrderId, Ticks, Time } from '../units/units.ts';
import type { Level } from './book/level.ts';
import type {
  CancelReason,
  OrderOrigin,
  OrderStatus,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
  WorkingType,
} from './orderTypes.ts';
import type { Legs } from './pair.ts';
import type { Position } from './position.ts';
import type { Trigger } from './trigger.ts';

export type Order = {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly type: OrderType;
  /** As stored: an accepted GTX reads GTC. */
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  readonly selfTradeMode: SelfTradeMode;
  readonly workingType: WorkingType;
  readonly priceProtect: boolean;
  /** An order of the exchange itself closes an account's position or the fund's (LIQ-1, LIQ-6). */
  readonly origin: OrderOrigin;
  /** The trigger from which it came, or null. */
  readonly trigger: Trigger | null;
  /** Its take-profit and stop-loss (ATT-1), or null. */
  readonly legs: Legs | null;
  /** As the client sent it; empty when it is derived from the id (clientOrderId.ts). */
  readonly clientOrderId: string;
  readonly createdAt: Time;
  /** The mark at creation, kept for slippage figures. */
  readonly markAtCreation: Ticks;

  /** The limit price; 0 for MARKET. */
  ticks: Ticks;
  /** The whole quantity, after flooring, capping and modifying. */
  lots: Lots;
  /** The leverage captured at placement or modification (MAR-5). */
  leverage: number;
  status: OrderStatus;
  cancelReason: CancelReason;
  updatedAt: Time;
  /** The lots still to fill while the order is live; 0 after its end. */
  open: Lots;
  filled: Lots;
  /** Notional of all fills. */
  filledNotional: Money;

  /** Lots of `open` that the opposite position covers (MAR-1). */
  cover: Lots;
  /** What this order holds of the account's freezes (MAR-1). */
  freeze: Money;
  /** The unified-margin offset in its freeze: unified mode only (MAR-7). */
  uncovered: Money;
  /** Rank among the account's orders: the number drawn at placement or last modification. */
  priority: number;

  // Links of the level's queue (book/) and of the account's queue (position.ts). Transient.
  level: Level | null;
  previous: Order | null;
  next: Order | null;
  /** Its account's record for its market while it stands in that queue: no search finds it. */
  position: Position | null;
  older: Order | null;
  newer: Order | null;
  /** The tentative execution that last saved this record (undo.ts). Transient. */
  epoch: number;
};

/** What is known of an order at its beginning. */
export type OrderTerms = Pick<
  Order,
  | 'id'
  | 'account'
  | 'market'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'reduceOnly'
  | 'selfTradeMode'
  | 'workingType'
  | 'priceProtect'
  | 'origin'
  | 'trigger'
  | 'legs'
  | 'clientOrderId'
  | 'createdAt'
  | 'markAtCreation'
  | 'ticks'
  | 'lots'
  | 'leverage'
  | 'updatedAt'
  | 'priority'
>;

/** A live order without fills, holds and place. */
export function createOrder(terms: OrderTerms): Order {
  // Fields that the book reads come first: a neighbour in a queue then costs one line of the cache.
  return {
    level: null,
    previous: null,
    next: null,
    older: null,
    newer: null,
    open: terms.lots,
    position: null,
    id: terms.id,
    account: terms.account,
    market: terms.market,
    side: terms.side,
    type: terms.type,
    timeInForce: terms.timeInForce,
    reduceOnly: terms.reduceOnly,
    selfTradeMode: terms.selfTradeMode,
    workingType: terms.workingType,
    priceProtect: terms.priceProtect,
    origin: terms.origin,
    trigger: terms.trigger,
    legs: terms.legs,
    clientOrderId: terms.clientOrderId,
    createdAt: terms.createdAt,
    markAtCreation: terms.markAtCreation,
    ticks: terms.ticks,
    lots: terms.lots,
    leverage: terms.leverage,
    status: 'NEW',
    cancelReason: 'NONE',
    updatedAt: terms.updatedAt,
    filled: 0 as Lots,
    filledNotional: 0 as Money,
    cover: 0 as Lots,
    freeze: 0 as Money,
    uncovered: 0 as Money,
    priority: terms.priority,
    epoch: 0,
  };
}

/** The number under which its pair is listed, if it has legs: its own, or that of its trigger. */
export function pairIdOf({ id, trigger }: Order): OrderId {
  return trigger?.legs ? trigger.id : id;
}

/** Whether the order can still fill. */
export function isLive(order: Order): boolean {
  return order.open > 0;
}
