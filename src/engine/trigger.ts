// A trigger: an order that waits outside the book until the mark reaches its price, and is then
// placed (TRG-1 … TRG-5). triggers/ and operations/ have its behaviour.

import type { AccountId, Lots, MarketId, OrderId, Rate, Ticks, Time } from '../units/units.ts';
import type { SelfTradeMode, Side, TimeInForce, WorkingType } from './orderTypes.ts';
import type { Legs, PairName } from './pair.ts';
import type { TrailingBlock } from './triggers/trailingRun.ts';
import type { TriggerRoute, TriggerStatus, TriggerType } from './triggerTypes.ts';

export type Trigger = {
  /** algoId; on the order route also the id of the order that it places (OD-6). */
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly route: TriggerRoute;
  readonly side: Side;
  readonly type: TriggerType;
  /** Of the order that it places; GTX stays GTX here. */
  readonly timeInForce: TimeInForce;
  /** 0 with closePosition. Of a leg those of its pair, 0 while it is PENDING (ATT-2). */
  lots: Lots;
  /** The limit price; 0 for the market types. */
  readonly ticks: Ticks;
  readonly reduceOnly: boolean;
  readonly closePosition: boolean;
  readonly selfTradeMode: SelfTradeMode;
  readonly workingType: WorkingType;
  readonly priceProtect: boolean;
  /** As the client sent it; empty when it is derived from the id. */
  readonly clientOrderId: string;
  /** When it expires, together with the rest of its order (TRG-5); 0: never. */
  readonly goodTillDate: Time;
  readonly createdAt: Time;
  readonly markAtCreation: Ticks;
  /** The pair of which it is a leg (ATT-1), or null. */
  readonly pair: PairName | null;
  /** Its own take-profit and stop-loss (ATT-1), or null. */
  readonly legs: Legs | null;
  /** Trailing: the distance to the extreme, and the mark from which on the extreme is followed. */
  readonly callbackRate: Rate;
  readonly activationTicks: Ticks;

  /** It fires when the mark is at or beyond this; 0 for a trailing one. */
  readonly stopTicks: Ticks;
  /**
   * Trailing: the highest (SELL) or lowest (BUY) mark since activation; 0 before. While the trigger
   * is in a block, its group has the extreme: `extremeOf` gives it in both cases.
   */
  extreme: Ticks;
  /**
   * Its block among the trailing triggers (triggers/trailingRun.ts). Transient; rows of tables and
   * records of earlier engines have none.
   */
  block?: TrailingBlock | null;
  status: TriggerStatus;
  /**
   * The reason for which its order was refused: it FAILED, or it waits and is tried again (TRG-8);
   * empty otherwise.
   */
  failure: string;
  triggeredAt: Time;
  /** The order that it placed, 0 before; with `triggeredAt` it makes that order's UUID. */
  order: OrderId;
  updatedAt: Time;
  /**
   * Its place among triggers at one price: its number, or the one drawn when it was changed last.
   */
  priority: number;
};

/** Whether it waits for its price. */
export function waits(trigger: Readonly<Trigger>): boolean {
  return trigger.status === 'NEW';
}

/**
 * Whether it takes one of its account's places for triggers: it waits, or its parent does (ATT-6).
 */
export function takesPlace({ status }: Readonly<Trigger>): boolean {
  return status === 'NEW' || status === 'PENDING';
}

/** Whether it waits to be tried again, because its order was refused (TRG-8). */
export function isTried(trigger: Readonly<Trigger>): boolean {
  return waits(trigger) && trigger.failure !== '';
}

/** Whether it can only make a position smaller. */
export function onlyReduces({ reduceOnly, closePosition }: Readonly<Trigger>): boolean {
  return reduceOnly || closePosition;
}

/** The extreme that a trailing trigger follows or has followed, 0 before its activation. */
export function extremeOf({ block, extreme }: Readonly<Trigger>): Ticks {
  return block?.run.group.extreme ?? extreme;
}

/**
 * The index of the trigger with that number in a list by number; undefined when it is not there.
 */
export function indexOfTrigger(triggers: readonly Trigger[], id: OrderId): number | undefined {
  let low = 0;
  let high = triggers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (triggers[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return triggers[low]?.id === id ? low : undefined;
}
