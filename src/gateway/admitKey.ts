// Who is let in to FAPI, whatever brings the request, in the order of checks of the conventions
// (1.5): gate, key, status, address list, signature and timestamp, weight, orders. A key or account
// that has no room left is refused before its signature is looked at (AUTH-10).

import type { Refusal } from '../api/refusal.ts';
import type { Account, ApiKey } from '../engine/views/account.ts';
import { accountById, apiKeyByText } from '../engine/views/exchange.ts';
import { must } from '../std/assert.ts';
import {
  type AccountRequest,
  hasAccountRoom,
  takeAccountWeight,
  takeOrderOf,
} from './accountCeilings.ts';
import type { Gateway } from './gateway.ts';
import { dummyHmacKey, type HmacKey, hmacHex } from './identity/hmacSignature.ts';
import { ipAllowed } from './identity/ipWhitelist.ts';
import type { KeyUse } from './keyRing.ts';
import {
  type Counter,
  countInMinute,
  hasInMinute,
  ordersIn1m,
  ordersIn10s,
  recordOf,
  takeInMinute,
  usedInMinute,
} from './rateLimits.ts';
import { type Admitted, refuseAddress, refuseVisit, type Visit } from './visit.ts';

/** What a request shows to prove that it is its key's. */
export type KeyProof = {
  /** Whether a signature was sent; asked where the key alone would do. */
  readonly isSigned: () => boolean;
  /** undefined when signature and timestamp are good. */
  readonly check: (key: HmacKey) => Refusal | undefined;
};

/** A key that may be used from where the request comes. It has not been proven. */
export type KnownKey = {
  readonly apiKey: ApiKey;
  readonly use: KeyUse;
  readonly hmac: HmacKey;
  readonly account: Account;
};

/**
 * Whether the client's address has so much weight left; otherwise the refusal has been sent.
 * Nothing is counted. For requests whose own weight is known only when they are read.
 */
export function hasPublicWeight(visit: Visit, amount: number): boolean {
  const { gateway, limitKey, now, sizeWeight } = visit;
  const { weight } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.publicWeight;
  if (hasInMinute(weight, { amount: amount + sizeWeight, ceiling, now })) return true;
  return refusePublic(visit, weight);
}

/** Counts the weight of a public request for its address, or refuses it. */
export function takePublicWeight(visit: Visit, amount: number): boolean {
  const { gateway, pending, limitKey, now, sizeWeight } = visit;
  const { weight } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.publicWeight;
  if (!takeInMinute(weight, { amount: amount + sizeWeight, ceiling, now })) {
    return refusePublic(visit, weight);
  }
  pending.weight = usedInMinute(weight, now);
  pending.weightMax = ceiling;
  return true;
}

function refusePublic(visit: Visit, weight: Counter): false {
  const { gateway, pending, now } = visit;
  pending.weight = usedInMinute(weight, now);
  pending.weightMax = gateway.limits.ceilings.publicWeight;
  refuseAddress(visit, 'publicWeight', { used: pending.weight });
  return false;
}

/**
 * Lets a request of an address through to authentication; otherwise the refusal has been sent. The
 * gate shows its figure only then (spec, Limits, rule 4).
 */
export function passGate(visit: Visit): boolean {
  const { gateway, pending, limitKey, now, sizeWeight } = visit;
  const { gate } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.gate;
  if (takeInMinute(gate, { amount: 1 + sizeWeight, ceiling, now })) return true;
  pending.weight = usedInMinute(gate, now);
  pending.weightMax = ceiling;
  refuseAddress(visit, 'gate', { used: pending.weight });
  return false;
}

const tooMany: Refusal = { reason: 'tooManyRequests' };

/**
 * The key that a request names, when it may be used from this address and has room for `weight`;
 * otherwise the refusal has been sent. `text`: as it was sent; empty: none. Nothing but the head is
 * looked at, so that refusing costs the same whatever else was sent.
 */
export function knowKey(visit: Visit, text: string, weight: number): KnownKey | undefined {
  const { gateway, now } = visit;
  if (text === '') return refuseStranger(visit, { reason: 'apiKeyMissing' });
  const apiKey = apiKeyByText(gateway.replica.exchange, text);
  const use = apiKey === undefined ? undefined : gateway.keys.useOf(apiKey, now);
  const material =
    apiKey === undefined || use === undefined ? undefined : gateway.keys.materialOf(apiKey, use);
  if (apiKey === undefined || use === undefined || material === undefined) {
    hmacHex(dummyHmacKey, dummyText, undefined);
    return refuseStranger(visit, { reason: 'apiKeyInvalid' });
  }
  stampTier(visit, apiKey, use);
  if (apiKey.status !== 'active') return refuseKey(visit, { reason: 'apiKeyDisabled' });
  if (!ipAllowed(material.whitelist, visit.client)) {
    return refuseKey(visit, { reason: 'addressNotAllowed' });
  }
  const known = { apiKey, use, hmac: material.hmac, account: accountOf(gateway, apiKey) };
  return hasRoom(visit, known, weight) ? known : refuseKey(visit, tooMany);
}

/** A text as long as the usual order's. */
const dummyText = 'x'.repeat(150);

/** Lets the owner of a key in and counts the weight; otherwise the refusal has been sent. */
export function admitKey(
  visit: Visit,
  known: KnownKey,
  proof: KeyProof,
  weight: number,
): (Admitted & { readonly apiKey: ApiKey }) | undefined {
  const { gateway, row, now } = visit;
  const { apiKey, account } = known;
  if (row.auth !== 'keyOnly' || proof.isSigned()) {
    const refusal = proof.check(known.hmac);
    if (refusal !== undefined) return refuseKey(visit, refusal);
    gateway.lastUsed.note(apiKey.apiKey, now);
  }
  const taken = takeTier(visit, known, weight);
  stampTier(visit, apiKey, known.use);
  return taken ? { account, apiKey } : refuseKey(visit, tooMany);
}

function refuseKey(visit: Visit, refusal: Refusal): undefined {
  refuseVisit(visit, refusal);
  return undefined;
}

// Nobody's counters can be shown to who has no key: the address's own stand in for the weight.
function refuseStranger(visit: Visit, refusal: Refusal): undefined {
  const { gateway, pending, limitKey, now, row } = visit;
  pending.weight = usedInMinute(recordOf(gateway.limits.addresses, limitKey, now).weight, now);
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

/** What a request asks of its account. */
function requestOf(
  { row, now, sizeWeight }: Visit,
  account: Account,
  weight: number,
): AccountRequest {
  return { account, weight: weight + sizeWeight, isOrder: row.countsAsOrder === true, now };
}

/** Whether the key's weight and its account have room for the request. Counts nothing. */
function hasRoom(visit: Visit, { apiKey, use, account }: KnownKey, weight: number): boolean {
  const { limits } = visit.gateway;
  const request = requestOf(visit, account, weight);
  const ceiling = limits.ceilings.tiers[apiKey.rateTier].weight;
  const { weight: amount, now } = request;
  return hasInMinute(use.weight, { amount, ceiling, now }) && hasAccountRoom(limits, request);
}

// A rejected order has spent its weight all the same (spec, Limits, rule 6).
function takeTier(visit: Visit, known: KnownKey, weight: number): boolean {
  if (!hasRoom(visit, known, weight)) return false;
  const { apiKey, use, account } = known;
  const { limits } = visit.gateway;
  const request = requestOf(visit, account, weight);
  const ceilings = limits.ceilings.tiers[apiKey.rateTier];
  countInMinute(use.weight, request.weight, request.now);
  takeAccountWeight(limits, request);
  return !request.isOrder || takeOrderOf(limits, { counters: use.orders, ceilings }, request);
}

function accountOf({ replica }: Gateway, { account }: ApiKey): Account {
  return must(accountById(replica.exchange, account), 'every key has an account');
}
