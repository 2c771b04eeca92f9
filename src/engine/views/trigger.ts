// A trigger as readers see it. The extreme of a trailing one is asked for: it follows the mark.

import type { MarketId, OrderId, Ticks, Time } from '../../units/units.ts';
import type { OrderReference } from '../command.ts';
import { findTrigger as findKept } from '../findTrigger.ts';
import { openTriggersOf as openOf } from '../openTriggersOf.ts';
import type { Legs, PairKind, PairName } from '../pair.ts';
import {
  extremeOf as extremeNow,
  type Trigger as TriggerState,
  takesPlace as takesPlaceNow,
  waits as waitsNow,
} from '../trigger.ts';
import { presentStop as stopNow } from '../triggers/trailing.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

/** The numbers of a parent's legs, which have its time of creation; 0 for none. */
export type LegNumbers = Readonly<Pick<Legs, 'takeProfit' | 'stopLoss'>>;

export type Trigger = Readonly<
  Pick<
    TriggerState,
    | 'id'
    | 'account'
    | 'market'
    | 'route'
    | 'side'
    | 'type'
    | 'timeInForce'
    | 'lots'
    | 'ticks'
    | 'reduceOnly'
    | 'closePosition'
    | 'selfTradeMode'
    | 'workingType'
    | 'priceProtect'
    | 'clientOrderId'
    | 'goodTillDate'
    | 'createdAt'
    | 'markAtCreation'
    | 'callbackRate'
    | 'activationTicks'
    | 'stopTicks'
    | 'status'
    | 'failure'
    | 'triggeredAt'
    | 'order'
    | 'updatedAt'
  >
> & {
  /**
   * The pair of which it is a leg (ATT-1). Rows of tables and events of earlier engines have none.
   */
  readonly pair?: PairName | null | undefined;
  /** Of a trigger that is a parent itself; missing as above. */
  readonly legs?: LegNumbers | null | undefined;
};

/** A trigger as it was, for rows that are kept: its extreme follows no mark any more. */
export type TriggerRecord = Omit<Trigger, 'pair' | 'legs'> & {
  readonly extreme: Ticks;
  /** Of a leg its pair; 0 and empty without one. */
  readonly pairId: OrderId;
  readonly pairCreatedAt: Time;
  readonly pairKind: PairKind | '';
} & LegColumns;

/** The numbers of a parent's legs in a row; 0 for none. */
export type LegColumns = { readonly takeProfitId: OrderId; readonly stopLossId: OrderId };

export function legColumnsOf({
  legs,
}: {
  readonly legs?: LegNumbers | null | undefined;
}): LegColumns {
  const none = 0 as OrderId;
  return { takeProfitId: legs?.takeProfit ?? none, stopLossId: legs?.stopLoss ?? none };
}

export function recordOf(trigger: Trigger): TriggerRecord {
  const { block: _, priority: __, pair, legs: ___, ...record } = stateOf.trigger(trigger);
  return {
    ...record,
    extreme: extremeOf(trigger),
    pairId: pair?.id ?? (0 as OrderId),
    pairCreatedAt: pair?.createdAt ?? (0 as Time),
    pairKind: pair?.kind ?? '',
    ...legColumnsOf(trigger),
  };
}

/** The extreme that a trailing trigger follows or has followed, 0 before its activation. */
export function extremeOf(trigger: Trigger): Ticks {
  return extremeNow(stateOf.trigger(trigger));
}

/** Whether it waits for its price. */
export function waits(trigger: Trigger): boolean {
  return waitsNow(stateOf.trigger(trigger));
}

/** Whether it waits for its price or, as a leg, for its parent (ATT-3). */
export function takesPlace(trigger: Trigger): boolean {
  return takesPlaceNow(stateOf.trigger(trigger));
}

/**
 * The price at which a trigger fires as things stand; 0 of a trailing one before its activation.
 */
export function presentStop(trigger: Trigger): Ticks {
  return stopNow(stateOf.trigger(trigger));
}

/** The trigger, when it is this account's and, if given, on this market (ID-2). */
export function findTrigger(
  exchange: Exchange,
  account: Account,
  reference: OrderReference,
  market?: MarketId,
): Trigger | undefined {
  return findKept(stateOf.exchange(exchange), stateOf.account(account), reference, market);
}

/**
 * The waiting triggers, of one market or of all, ascending by creation (TRG-2). Cost: all of them.
 */
export function openTriggersOf(account: Account, market?: MarketId): Trigger[] {
  return openOf(stateOf.account(account), market);
}

/**
 * The waiting triggers and the legs that wait for their parents (ATT-3), ascending by creation.
 * Cost: the account's triggers.
 */
export function placedTriggersOf(account: Account): Trigger[] {
  return stateOf.account(account).triggers.filter(takesPlaceNow);
}
