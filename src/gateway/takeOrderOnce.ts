// What one request uses of the order limits (AUTH-7) and shows of them, where other processes of
// the deployment count too.

import type { Ceilings } from '../api/rateTiers.ts';
import type { Account } from '../engine/views/account.ts';
import type { CountedOrders } from '../replica/replica.ts';
import { type AccountCharge, takeOrderOf } from './accountCeilings.ts';
import type { PendingRequest } from './pendingRequest.ts';
import { minuteOf, type OrderCounters } from './rateLimits.ts';

/**
 * Counts a request that is an order, in the limits of its key or token and of its account, and
 * keeps what it has used. Gives false when a limit is used up; others than orders always pass.
 */
export function takeOrderOnce(
  { gateway, usage }: Pick<PendingRequest, 'gateway' | 'usage'>,
  own: { readonly counters: OrderCounters; readonly ceilings: Ceilings },
  charge: AccountCharge & { readonly key: number },
): boolean {
  if (!charge.isOrder) return true;
  if (!takeOrderOf(gateway.limits, own, charge)) return false;
  const { window } = own.counters.tenSeconds;
  usage.charge = { account: charge.account.id, key: charge.key, window };
  return true;
}

/**
 * The process that writes has counted the order with those of all processes. In the same window
 * this process may have counted more: orders that were tested, or refused before they were sent.
 */
export function showOrders(
  { usage }: Pick<PendingRequest, 'usage'>,
  { window, inTenSeconds, inMinute }: CountedOrders,
): void {
  if (usage.orders10s < 0 || usage.charge === undefined) return;
  const { window: before } = usage.charge;
  const isSameMinute = minuteOf(window) === minuteOf(before);
  usage.orders10s = window === before ? Math.max(usage.orders10s, inTenSeconds) : inTenSeconds;
  usage.orders1m = isSameMinute ? Math.max(usage.orders1m, inMinute) : inMinute;
}

/** The process that writes has refused the order because of a limit; it is counted nowhere. */
export function onOrdersRefused(
  { usage, responder }: Pick<PendingRequest, 'usage' | 'responder'>,
  account: Account | undefined,
): void {
  if (account !== undefined) responder.onAccountExhausted?.(account.id);
  if (usage.orders10s < 0) return;
  usage.orders10s = Math.max(0, usage.orders10s - 1);
  usage.orders1m = Math.max(0, usage.orders1m - 1);
}
