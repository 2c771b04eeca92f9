// The legs of which a user data stream says nothing yet (ATT-3). FAPI has no word for a leg that is
// PENDING, so its client hears of it when it waits for the first time. From then on it hears of
// every change until the end, also while the leg is PENDING again: then its quantity is 0.

import type { Event } from '../../engine/event.ts';
import type { Account } from '../../engine/views/account.ts';
import type { Exchange } from '../../engine/views/exchange.ts';
import { hasWaited } from '../../engine/views/hasWaited.ts';
import { placedTriggersOf } from '../../engine/views/trigger.ts';
import type { OrderId } from '../../units/units.ts';

/** At most as many as an account may have triggers. */
export type SilentLegs = Set<OrderId>;

/** Those of a stream that begins now. Cost: the account's triggers. */
export function silentLegsOf(exchange: Exchange, account: Account): SilentLegs {
  const pending = placedTriggersOf(account).filter(({ status }) => status === 'PENDING');
  return new Set(pending.filter((leg) => !hasWaited(exchange, leg)).map(({ id }) => id));
}

/** Takes the next event; gives whether it is of a leg of which the client is to hear nothing. */
export function isSilent(legs: SilentLegs, event: Event): boolean {
  switch (event.kind) {
    case 'triggerPlaced': {
      const { id, pair } = event.trigger;
      // The record stays live, so its status may be that of the end of the step. The legs of a
      // parent begin as PENDING, and those of a position wait at once (ATT-9).
      const isPending = Boolean(pair) && pair?.kind !== 'position';
      if (isPending) legs.add(id);
      return isPending;
    }
    case 'triggerModified':
      return legs.has(event.trigger.id);
    case 'triggerResized':
      legs.delete(event.id);
      return false;
    case 'triggerEnded':
      return legs.delete(event.trigger.id);
    default:
      return false;
  }
}
