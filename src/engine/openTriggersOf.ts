// The waiting triggers of an account, of one market or of all, of both routes (TRG-2).

import type { MarketId } from '../units/units.ts';
import type { Account } from './account.ts';
import { type Trigger, waits } from './trigger.ts';

/** Ascending by creation, in a new list. Cost: the account's triggers. */
export function openTriggersOf(account: Account, market?: MarketId): Trigger[] {
  return account.triggers.filter(
    (trigger) => waits(trigger) && (market === undefined || trigger.market === market),
  );
}
