// Admits requests to FAPI, over HTTP and over sockets, by the checks of the conventions in their
// order (1.5): gate, key, status, address list, signature and timestamp, weight, orders. A key or
// account without room is refused before its signature is checked (AUTH-10).

import type { Refusal } from '../api/refusal.ts';
import type { Account, ApiKey } from '../engine/views/account.ts';
import { accountById, apiKeyByText } from '../engine/views/exchange.ts';
import { must } from '../std/assert.ts';
import type { AccountId } from '../units/units.ts';
import { type AccountCharge, hasAccountRoom, takeAccountWeight } from './accountCeilings.ts';
import type { Gateway } from './gateway.ts';
import { dummyHmacKey, type HmacKey, hmacHex } from './identity/hmacSignature.ts';
import { ipAllowed } from './identity/ipWhitelist.ts';
import type { KeyUse } from './keyRing.ts';
import {
  type PendingRequest,
  refuseAccount,
  refuseAddress,
  refuseRequest,
} from './pendingRequest.ts';
import type { Admitted } from './performOperation.ts';
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
import { takeOrderOnce } from './takeOrderOnce.ts';
import { whyKeyBarred } from './whyKeyBarred.ts';

/** How a request proves that the owner of its key sent it. */
export type KeyProof = {
  /** Whether the client sent a signature. Used where the key alone is enough. */
  readonly isSigned: () => boolean;
  /** undefined when signature and timestamp are good. */
  readonly check: (key: HmacKey) => Refusal | undefined;
};

/** A key that may be used from the client's address. Its signature is not checked yet. */
export type KnownKey = {
  readonly apiKey: ApiKey;
  readonly use: KeyUse;
  readonly hmac: HmacKey;
  readonly account: Account;
};

/**
 * Whether the client's address has this much weight left; if not, this refuses the request. Counts
 * nothing. For requests whose exact weight is known only after they are read.
 */
export function hasPublicWeight(request: PendingRequest, amount: number): boolean {
  const { gateway, limitKey, now, sizeWeight } = request;
  const { weight } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.publicWeight;
  if (hasInMinute(weight, { amount: amount + sizeWeight, ceiling, now })) return true;
  return refusePublic(request, weight);
}

/** Counts the weight of a public request for its address, or refuses it. */
export function takePublicWeight(request: PendingRequest, amount: number): boolean {
  const { gateway, usage, limitKey, now, sizeWeight } = request;
  const { weight } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.publicWeight;
  if (!takeInMinute(weight, { amount: amount + sizeWeight, ceiling, now })) {
    return refusePublic(request, weight);
  }
  usage.weight = usedInMinute(weight, now);
  usage.weightMax = ceiling;
  return true;
}

function refusePublic(request: PendingRequest, weight: Counter): false {
  const { gateway, usage, now } = request;
  usage.weight = usedInMinute(weight, now);
  usage.weightMax = gateway.limits.ceilings.publicWeight;
  refuseAddress(request, 'publicWeight', { used: usage.weight });
  return false;
}

/**
 * Counts the request at the gate of its address, before authentication. If the gate is full, this
 * refuses the request, and only then shows the gate's figure (spec, Limits, rule 4).
 */
export function passGate(request: PendingRequest): boolean {
  const { gateway, usage, limitKey, now, sizeWeight } = request;
  const { gate } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.gate;
  if (takeInMinute(gate, { amount: 1 + sizeWeight, ceiling, now })) return true;
  usage.weight = usedInMinute(gate, now);
  usage.weightMax = ceiling;
  refuseAddress(request, 'gate', { used: usage.weight });
  return false;
}

/**
 * The key that a request names, if it may be used from this address and has room for `weight`; if
 * not, this refuses the request. `text`: as sent; empty: none. This reads only the head, so that a
 * refusal costs the same for every request.
 */
export function findKey(
  request: PendingRequest,
  text: string,
  weight: number,
): KnownKey | undefined {
  const { gateway, now } = request;
  if (text === '') return refuseUnknown(request, { reason: 'apiKeyMissing' });
  const apiKey = apiKeyByText(gateway.replica.exchange, text);
  const use = apiKey === undefined ? undefined : gateway.keys.useOf(apiKey, now);
  const material =
    apiKey === undefined || use === undefined ? undefined : gateway.keys.materialOf(apiKey, use);
  if (apiKey !== undefined && material === undefined) {
    // Another process has just made it: nothing was executed, and the next request finds it.
    const isArriving = gateway.keyArrivals?.arriving(text) !== undefined;
    if (isArriving) return refuseKey(request, { reason: 'overloaded' });
  }
  if (apiKey === undefined || use === undefined || material === undefined) {
    hmacHex(dummyHmacKey, dummyText, undefined);
    return refuseUnknown(request, { reason: 'apiKeyInvalid' });
  }
  showUsage(request, apiKey, use);
  if (apiKey.status !== 'active') return refuseKey(request, { reason: 'apiKeyDisabled' });
  if (!ipAllowed(material.whitelist, request.client)) {
    return refuseKey(request, { reason: 'addressNotAllowed' });
  }
  const known = { apiKey, use, hmac: material.hmac, account: accountOf(gateway, apiKey) };
  return hasRoom(request, known, weight) ? known : refuseTooMany(request, known);
}

/** Whether a key of the account may be used now from the client's address. Counts nothing. */
export function mayUseKey(
  gateway: Pick<Gateway, 'replica' | 'keys' | 'clock'>,
  { text, account, client }: KeyUser,
): boolean {
  if (apiKeyByText(gateway.replica.exchange, text)?.account !== account) return false;
  return whyKeyBarred(gateway, { text, client }) === undefined;
}

type KeyUser = {
  readonly text: string;
  readonly account: AccountId;
  /** The client's network address. */
  readonly client: string;
};

/** A text as long as that of a usual order. */
const dummyText = 'x'.repeat(150);

/** Checks the proof and counts the weight. If a check fails, this refuses the request. */
export function admitKey(
  request: PendingRequest,
  known: KnownKey,
  proof: KeyProof,
  weight: number,
): (Admitted & { readonly apiKey: ApiKey }) | undefined {
  const { gateway, row, now } = request;
  const { apiKey, account } = known;
  if (row.auth !== 'keyOnly' || proof.isSigned()) {
    const refusal = proof.check(known.hmac);
    if (refusal !== undefined) return refuseKey(request, refusal);
    gateway.lastUsed.note(apiKey.apiKey, now);
  }
  const taken = takeTier(request, known, weight);
  showUsage(request, apiKey, known.use);
  return taken ? { account, apiKey } : refuseTooMany(request, known);
}

function refuseTooMany(request: PendingRequest, { account }: KnownKey): undefined {
  refuseAccount(request, account.id);
  return undefined;
}

function refuseKey(request: PendingRequest, refusal: Refusal): undefined {
  refuseRequest(request, refusal);
  return undefined;
}

// Without a key there are no counters of a key: the answer shows the weight of the address.
function refuseUnknown(request: PendingRequest, refusal: Refusal): undefined {
  const { gateway, usage, limitKey, now, row } = request;
  usage.weight = usedInMinute(recordOf(gateway.limits.addresses, limitKey, now).weight, now);
  usage.weightMax = gateway.limits.ceilings.publicWeight;
  if (row.countsAsOrder === true) {
    usage.orders10s = 0;
    usage.orders1m = 0;
  }
  refuseRequest(request, refusal);
  return undefined;
}

function showUsage(
  { gateway, usage, row, now }: PendingRequest,
  { rateTier }: ApiKey,
  use: KeyUse,
): void {
  const tier = gateway.limits.ceilings.tiers[rateTier];
  usage.weight = usedInMinute(use.weight, now);
  usage.weightMax = tier.weight;
  usage.tier = tier;
  if (row.countsAsOrder !== true) return;
  usage.orders10s = ordersIn10s(use.orders, now);
  usage.orders1m = ordersIn1m(use.orders, now);
}

/** What a request uses of its account's limits. */
function chargeOf(
  { row, now, sizeWeight }: PendingRequest,
  account: Account,
  weight: number,
): AccountCharge {
  return { account, weight: weight + sizeWeight, isOrder: row.countsAsOrder === true, now };
}

/** Whether the key's weight and its account have room for the request. Counts nothing. */
function hasRoom(
  request: PendingRequest,
  { apiKey, use, account }: KnownKey,
  weight: number,
): boolean {
  const { limits } = request.gateway;
  const charge = chargeOf(request, account, weight);
  const ceiling = limits.ceilings.tiers[apiKey.rateTier].weight;
  const { weight: amount, now } = charge;
  return hasInMinute(use.weight, { amount, ceiling, now }) && hasAccountRoom(limits, charge);
}

// A rejected order keeps its weight (spec, Limits, rule 6).
function takeTier(request: PendingRequest, known: KnownKey, weight: number): boolean {
  if (!hasRoom(request, known, weight)) return false;
  const { apiKey, use, account } = known;
  const { limits } = request.gateway;
  const charge = chargeOf(request, account, weight);
  const ceilings = limits.ceilings.tiers[apiKey.rateTier];
  countInMinute(use.weight, charge.weight, charge.now);
  takeAccountWeight(limits, charge);
  return takeOrderOnce(request, { counters: use.orders, ceilings }, { ...charge, key: apiKey.id });
}

function accountOf({ replica }: Gateway, { account }: ApiKey): Account {
  return must(accountById(replica.exchange, account), 'every key has an account');
}
