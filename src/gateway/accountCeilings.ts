// The limits of an account over all of its keys and its token together (AUTH-7a), and the limit of
// the engine's work for its commands (AUTH-7b). The limits of one key are in admitKey.ts, the
// counters in rateLimits.ts.

import type { Ceilings } from '../api/rateTiers.ts';
import type { Event } from '../engine/event.ts';
import { type Account, apiKeysOf } from '../engine/views/account.ts';
import { accountById, type Exchange } from '../engine/views/exchange.ts';
import {
  type AccountUse,
  countInMinute,
  hasInMinute,
  hasOrder,
  type OrderCounters,
  type RateLimits,
  recordOf,
  takeOrder,
  usedInMinute,
} from './rateLimits.ts';

/** An account may use as much as this many keys of the best tier among its keys. */
export const accountKeysMax = 4;
/** Units of the engine's work that one unit of weight pays for; a unit takes 2 to 3 µs. */
export const workPerWeight = 16;

/** What one request uses of an account's limits. */
export type AccountCharge = {
  readonly account: Account;
  readonly weight: number;
  readonly isOrder: boolean;
  readonly now: number;
};

/** The ceilings of an account: `accountKeysMax` times those of the best tier among its keys. */
export function accountCeilings({ ceilings }: RateLimits, account: Account): Ceilings {
  let best = ceilings.tiers.standard;
  for (const { rateTier } of apiKeysOf(account)) {
    const tier = ceilings.tiers[rateTier];
    if (tier.weight > best.weight) best = tier;
  }
  return {
    weight: best.weight * accountKeysMax,
    orders10s: best.orders10s * accountKeysMax,
    orders1m: best.orders1m * accountKeysMax,
  };
}

/**
 * Whether the request's weight fits. An order also needs that the account's work of this minute is
 * below its limit. Cancels and reads do not depend on the work.
 */
export function hasAccountRoom(limits: RateLimits, charge: AccountCharge): boolean {
  const { account, weight: amount, isOrder, now } = charge;
  const use = useOf(limits, account, now);
  const ceiling = accountCeilings(limits, account).weight;
  if (!hasInMinute(use.weight, { amount, ceiling, now })) return false;
  return !isOrder || usedInMinute(use.work, now) < ceiling * workPerWeight;
}

/** Counts the weight of a request that fits by `hasAccountRoom`. */
export function takeAccountWeight(limits: RateLimits, charge: AccountCharge): void {
  const { account, weight, now } = charge;
  countInMinute(useOf(limits, account, now).weight, weight, now);
}

/**
 * Counts one order in the windows of the key or token and in those of its account. If one window is
 * full, it counts in none.
 */
export function takeOrderOf(
  limits: RateLimits,
  own: { readonly counters: OrderCounters; readonly ceilings: Ceilings },
  { account, now }: AccountCharge,
): boolean {
  const { allOrders } = useOf(limits, account, now);
  const ceilings = accountCeilings(limits, account);
  if (!hasOrder(allOrders, ceilings, now)) return false;
  if (!takeOrder(own.counters, own.ceilings, now)) return false;
  return takeOrder(allOrders, ceilings, now);
}

/** Charges the work of a command, which is known only after the command. */
export function chargeWork(limits: RateLimits, account: Account, work: number, now: number): void {
  countInMinute(useOf(limits, account, now).work, work, now);
}

/**
 * Charges what no command of the account has caused: tries of triggers that filled nothing (TRG-8),
 * and ends of orders whose connection has ended (COD-5).
 */
export function chargeEvents(
  limits: RateLimits,
  step: { readonly exchange: Exchange; readonly events: readonly Event[]; readonly now: number },
): void {
  for (const event of step.events) {
    if (event.kind !== 'triggerTried' && event.kind !== 'disconnectApplied') continue;
    const account = accountById(step.exchange, event.account);
    if (account !== undefined) chargeWork(limits, account, event.work, step.now);
  }
}

function useOf({ accounts }: RateLimits, { id }: Account, now: number): AccountUse {
  return recordOf(accounts, id, now);
}
