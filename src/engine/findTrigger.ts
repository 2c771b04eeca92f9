// Finding a trigger of an account by either id (ID-2): one that waits or has a live order.

import type { MarketId } from '../units/units.ts';
import type { Account } from './account.ts';
import { parseGeneratedClientOrderId } from './clientOrderId.ts';
import type { OrderReference } from './command.ts';
import type { Exchange } from './exchange.ts';
import type { Trigger } from './trigger.ts';

/** The trigger, if it belongs to this account and, when a market is given, to that market. */
export function findTrigger(
  exchange: Exchange,
  account: Account,
  reference: OrderReference,
  market?: MarketId,
): Trigger | undefined {
  const id =
    'id' in reference
      ? reference.id
      : (account.clientOrderIds.get(reference.clientOrderId) ??
        parseGeneratedClientOrderId(reference.clientOrderId));
  const trigger = id === undefined ? undefined : exchange.triggers.get(id);
  if (trigger === undefined || trigger.account !== account.id) return undefined;
  if (market !== undefined && trigger.market !== market) return undefined;
  if ('id' in reference) return trigger.createdAt === reference.createdAt ? trigger : undefined;
  const given = trigger.clientOrderId;
  return given === '' || given === reference.clientOrderId ? trigger : undefined;
}
