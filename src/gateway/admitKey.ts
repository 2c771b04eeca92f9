// Who is let in to FAPI, whatever brings the request, in the order of checks of the conventions
// (1.5): gate, key, status, address list, signature and timestamp, weight, orders.

import type { Refusal } from '../api/refusal.ts';
import type { Account, ApiKey } from '../engine/account.ts';
import { must } from '../std/assert.ts';
import type { Gateway } from './gateway.ts';
import { dummyHmacKey, type HmacKey } from './identity/hmacSignature.ts';
import { ipAllowed } from './identity/ipWhitelist.ts';
import type { KeyUse } from './keyRing.ts';
import {
  ordersIn1m,
  ordersIn10s,
  recordOf,
  takeInMinute,
  takeOrder,
  usedInMinute,
} from './rateLimits.ts';
import { type Admitted, refuseVisit, type Visit } from './visit.ts';

/** What a request shows to prove whose it is. */
export type KeyProof = {
  /** As it was sent; empty: none. */
  readonly apiKey: string;
  /** Whether a signature was sent; asked where the key alone would do. */
  readonly isSigned: () => boolean;
  /** undefined when signature and timestamp are good; costs the same whatever is wrong. */
  readonly check: (key: HmacKey) => Refusal | undefined;
};

/** Counts the weight of a public request for its address, or refuses it. */
export function takePublicWeight(visit: Visit, amount: number): boolean {
  const { gateway, pending, client, now } = visit;
  const { weight } = recordOf(gateway.limits.addresses, client, now);
  const ceiling = gateway.limits.ceilings.publicWeight;
  const taken = takeInMinute(weight, { amount, ceiling, now });
  pending.weight = usedInMinute(weight, now);
  pending.weightMax = ceiling;
  if (!taken) refuseVisit(visit, { reason: 'tooManyRequests' });
  return taken;
}

/**
 * Lets a request of an address through to authentication; otherwise the refusal has been sent. The
 * gate shows its figure only then (spec, Limits, rule 4).
 */
export function passGate(visit: Visit): boolean {
  const { gateway, pending, client, now } = visit;
  const { gate } = recordOf(gateway.limits.addresses, client, now);
  if (takeInMinute(gate, { amount: 1, ceiling: gateway.limits.ceilings.gate, now })) return true;
  pending.weight = usedInMinute(gate, now);
  pending.weightMax = gateway.limits.ceilings.gate;
  refuseVisit(visit, { reason: 'tooManyRequests' });
  return false;
}

/** Lets the owner of a key in and counts the weight; otherwise the refusal has been sent. */
export function admitKey(
  visit: Visit,
  proof: KeyProof,
  weight: number,
): (Admitted & { readonly apiKey: ApiKey }) | undefined {
  const apiKey = authenticate(visit, proof);
  if (apiKey === undefined || !takeTier(visit, apiKey, weight)) return undefined;
  return { account: accountOf(visit.gateway, apiKey), apiKey };
}

/** The key of a request that proves itself; otherwise the refusal has been sent. */
function authenticate(visit: Visit, proof: KeyProof): ApiKey | undefined {
  const { gateway, now, row } = visit;
  if (proof.apiKey === '') return refuseStranger(visit, { reason: 'apiKeyMissing' });
  const apiKey = gateway.replica.exchange.apiKeys.get(proof.apiKey);
  const use = apiKey === undefined ? undefined : gateway.keys.useOf(apiKey, now);
  const material =
    apiKey === undefined || use === undefined ? undefined : gateway.keys.materialOf(apiKey, use);
  if (apiKey === undefined || use === undefined || material === undefined) {
    // Takes as long as checking a known key's signature would.
    proof.check(dummyHmacKey);
    return refuseStranger(visit, { reason: 'apiKeyInvalid' });
  }
  stampTier(visit, apiKey, use);
  if (apiKey.status !== 'active') {
    refuseVisit(visit, { reason: 'apiKeyDisabled' });
    return undefined;
  }
  if (!ipAllowed(material.whitelist, visit.client)) {
    refuseVisit(visit, { reason: 'addressNotAllowed' });
    return undefined;
  }
  if (row.auth === 'keyOnly' && !proof.isSigned()) return apiKey;
  const refusal = proof.check(material.hmac);
  if (refusal !== undefined) {
    refuseVisit(visit, refusal);
    return undefined;
  }
  gateway.lastUsed.note(apiKey.apiKey, now);
  return apiKey;
}

// Nobody's counters can be shown to who has no key: the address's own stand in for the weight.
function refuseStranger(visit: Visit, refusal: Refusal): undefined {
  const { gateway, pending, client, now, row } = visit;
  pending.weight = usedInMinute(recordOf(gateway.limits.addresses, client, now).weight, now);
  pending.weightMax = gateway.limits.ceilings.publicWeight;
  if (row.countsAsOrder === true) {
    pending.orders10s = 0;
    pending.orders1m = 0;
  }
  refuseVisit(visit, refusal);
  return undefined;
}

function stampTier({ gateway, pending, row, now }: Visit, { rateTier }: ApiKey, use: KeyUse): void {
  const tier = gateway.limits.ceilings.tiers[rateTier];
  pending.weight = usedInMinute(use.weight, now);
  pending.weightMax = tier.weight;
  pending.tier = tier;
  if (row.countsAsOrder !== true) return;
  pending.orders10s = ordersIn10s(use.orders, now);
  pending.orders1m = ordersIn1m(use.orders, now);
}

// A rejected order has spent its weight all the same (spec, Limits, rule 6).
function takeTier(visit: Visit, apiKey: ApiKey, amount: number): boolean {
  const { gateway, row, now } = visit;
  const use = gateway.keys.useOf(apiKey, now);
  const ceilings = gateway.limits.ceilings.tiers[apiKey.rateTier];
  const taken =
    takeInMinute(use.weight, { amount, ceiling: ceilings.weight, now }) &&
    (row.countsAsOrder !== true || takeOrder(use.orders, ceilings, now));
  stampTier(visit, apiKey, use);
  if (!taken) refuseVisit(visit, { reason: 'tooManyRequests' });
  return taken;
}

function accountOf({ replica }: Gateway, { account }: ApiKey): Account {
  return must(replica.exchange.accounts[account], 'every key has an account');
}
