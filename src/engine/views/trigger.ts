// A trigger as readers see it. The extreme of a trailing one is asked for: it follows the mark.

import type { MarketId, Ticks } from '../../units/units.ts';
import type { OrderReference } from '../command.ts';
import { findTrigger as findKept } from '../findTrigger.ts';
import { openTriggersOf as openOf } from '../openTriggersOf.ts';
import {
  extremeOf as extremeNow,
  type Trigger as TriggerState,
  waits as waitsNow,
} from '../trigger.ts';
import { presentStop as stopNow } from '../triggers/trailing.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

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
>;

/** A trigger as it was, for rows that are kept: its extreme follows no mark any more. */
export type TriggerRecord = Trigger & { readonly extreme: Ticks };

export function recordOf(trigger: Trigger): TriggerRecord {
  const { block: _, priority: __, ...record } = stateOf.trigger(trigger);
  return { ...record, extreme: extremeOf(trigger) };
}

/** The extreme that a trailing trigger follows or has followed, 0 before its activation. */
export function extremeOf(trigger: Trigger): Ticks {
  return extremeNow(stateOf.trigger(trigger));
}

/** Whether it waits for its price. */
export function waits(trigger: Trigger): boolean {
  return waitsNow(stateOf.trigger(trigger));
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
