// Whether the caller of a command that was passed on is still what the process that received it
// believed. That process may have been a moment behind.

import { apiKeysOf, hasSession } from '../engine/views/account.ts';
import { accountById, type Exchange } from '../engine/views/exchange.ts';
import type { Caller } from '../link/forwardedCommand.ts';
import type { AccountId, OrderId } from '../units/units.ts';

/** By this state: the session lasts, or the key is active and has the same profile. */
export function isStillCaller(
  exchange: Exchange,
  account: AccountId | undefined,
  caller: Caller,
): boolean {
  const found = account === undefined ? undefined : accountById(exchange, account);
  if (found === undefined) return false;
  if ('session' in caller) return hasSession(found, caller.session as OrderId);
  const key = apiKeysOf(found).find(({ id }) => id === caller.key);
  return key?.status === 'active' && key.profile === caller.profile;
}
