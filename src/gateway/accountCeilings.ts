// What an account may use over all of its keys and its token together (AUTH-7a), and what its
// commands may cost the engine (AUTH-7b). Limits of one key stand in admitKey.ts, counting in
// rateLimits.ts.

import type { Ceilings } from '../api/rateTiers.ts';
import { type Account, apiKeysOf } from '../engine/views/account.ts';
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

/** An account may use what so many keys of the best tier among its own may use. */
export const accountKeysMax = 4;
/** Units of the engine's work that one unit of weight pays for; a unit takes 2 to 3 µs. */
export const workPerWeight = 16;

/** What one request asks of an account's limits. */
export type AccountRequest = {
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
 * Whether the request's weight fits, and of orders whether the account's work of this minute is not
 * used up. Cancels and reads pass whatever the engine has done for the account.
 */
export function hasAccountRoom(limits: RateLimits, request: AccountRequest): boolean {
  const { account, weight: amount, isOrder, now } = request;
  const use = useOf(limits, account, now);
  const ceiling = accountCeilings(limits, account).weight;
  if (!hasInMinute(use.weight, { amount, ceiling, now })) return false;
  return !isOrder || usedInMinute(use.work, now) < ceiling * workPerWeight;
}

/** Counts the weight of a request that `hasAccountRoom` has found to fit. */
export function takeAccountWeight(limits: RateLimits, request: AccountRequest): void {
  const { account, weight, now } = request;
  countInMinute(useOf(limits, account, now).weight, weight, now);
}

/**
 * Counts one order in the windows of the key or token and in those of its account, or in none of
 * them when one is full.
 */
export function takeOrderOf(
  limits: RateLimits,
  own: { readonly counters: OrderCounters; readonly ceilings: Ceilings },
  { account, now }: AccountRequest,
): boolean {
  const { allOrders } = useOf(limits, account, now);
  if (!hasOrder(allOrders, accountCeilings(limits, account), now)) return false;
  if (!takeOrder(own.counters, own.ceilings, now)) return false;
  return takeOrder(allOrders, accountCeilings(limits, account), now);
}

/** Charges what a command has cost the engine, which is known only afterwards. */
export function chargeWork(limits: RateLimits, account: Account, work: number, now: number): void {
  countInMinute(useOf(limits, account, now).work, work, now);
}

function useOf({ accounts }: RateLimits, { id }: Account, now: number): AccountUse {
  return recordOf(accounts, id, now);
}
