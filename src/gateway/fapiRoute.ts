// One FAPI request from the socket to its row, in the order of checks of the conventions (1.5):
// gate, key, status, address list, signature and timestamp, weight, orders, and then the row.

import { noFields } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Account, ApiKey } from '../engine/account.ts';
import { must } from '../std/assert.ts';
import {
  checkSignature,
  isSigned,
  type SignedRequest,
  spendSignatureTime,
} from './checkSignature.ts';
import type { Gateway } from './gateway.ts';
import { ipAllowed } from './identity/ipWhitelist.ts';
import type { KeyUse } from './keyRing.ts';
import { type Pairs, parsePairs, queryOf } from './parsePairs.ts';
import type { ServedRow } from './performRow.ts';
import {
  ordersIn1m,
  ordersIn10s,
  recordOf,
  takeInMinute,
  takeOrder,
  usedInMinute,
} from './rateLimits.ts';
import { requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';
import { nobody, openVisit, performVisit, refuseVisit, type Serve, type Visit } from './visit.ts';

function weightOf(row: Operation, query: Pairs): number {
  if (typeof row.weight === 'number') return row.weight;
  const fields = queryFields(query);
  return row.weight(isRefusal(fields) ? noFields : fields);
}

/** Serves a public row: the weight of the client's address, then the row. */
export function serveFapiPublic(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    const query = parsePairs(queryOf(request.raw.url ?? ''));
    if (!takePublicWeight(visit, weightOf(row, query))) return;
    const fields = queryFields(query);
    if (isRefusal(fields)) refuseVisit(visit, fields);
    else performVisit(visit, served, fields, nobody);
  };
}

/** Refuses whatever comes, as a path that no row has. It weighs as every other route does. */
export function refuseFapi(gateway: Gateway, row: Operation, refusal: Refusal): Serve {
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    if (takePublicWeight(visit, 1)) refuseVisit(visit, refusal);
  };
}

function takePublicWeight(visit: Visit, amount: number): boolean {
  const { gateway, pending, client, now } = visit;
  const { weight } = recordOf(gateway.limits.addresses, client, now);
  const taken = takeInMinute(weight, {
    amount,
    ceiling: gateway.limits.ceilings.publicWeight,
    now,
  });
  pending.weight = usedInMinute(weight, now);
  if (!taken) refuseVisit(visit, { reason: 'tooManyRequests' });
  return taken;
}

/** Serves a row that asks for a key, and unless the key alone will do for a signature. */
export function serveFapiSigned(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    if (!passGate(visit)) return;
    const query = parsePairs(queryOf(request.raw.url ?? ''));
    const body = requestBodyOf(request.body, request.raw.headers['content-type']);
    const apiKey = authenticate(visit, { query, body, now: visit.now });
    if (apiKey === undefined) return;
    if (!takeTier(visit, apiKey, weightOf(row, query))) return;
    const fields = requestFields(query, body, served.bodyList);
    if (isRefusal(fields)) refuseVisit(visit, fields);
    else performVisit(visit, served, fields, { account: accountOf(gateway, apiKey), apiKey });
  };
}

// The gate shows its figure only on its own refusal (spec, Limits, rule 4).
function passGate(visit: Visit): boolean {
  const { gateway, pending, client, now } = visit;
  const { gate } = recordOf(gateway.limits.addresses, client, now);
  if (takeInMinute(gate, { amount: 1, ceiling: gateway.limits.ceilings.gate, now })) return true;
  pending.weight = usedInMinute(gate, now);
  refuseVisit(visit, { reason: 'tooManyRequests' });
  return false;
}

/** The key of a request that proves itself; otherwise the refusal has been sent. */
function authenticate(visit: Visit, signed: SignedRequest): ApiKey | undefined {
  const { gateway, request, now, row } = visit;
  const text = request.raw.headers['x-mbx-apikey'];
  if (typeof text !== 'string' || text === '') {
    return refuseStranger(visit, { reason: 'apiKeyMissing' });
  }
  const apiKey = gateway.replica.exchange.apiKeys.get(text);
  const use = apiKey === undefined ? undefined : gateway.keys.useOf(apiKey, now);
  const material =
    apiKey === undefined || use === undefined ? undefined : gateway.keys.materialOf(apiKey, use);
  if (apiKey === undefined || use === undefined || material === undefined) {
    spendSignatureTime(signed);
    return refuseStranger(visit, { reason: 'apiKeyInvalid' });
  }
  stampTier(visit, use);
  if (apiKey.status !== 'active') {
    refuseVisit(visit, { reason: 'apiKeyDisabled' });
    return undefined;
  }
  if (!ipAllowed(material.whitelist, visit.client)) {
    refuseVisit(visit, { reason: 'addressNotAllowed' });
    return undefined;
  }
  if (row.auth === 'keyOnly' && !isSigned(signed)) return apiKey;
  const refusal = checkSignature(material.hmac, signed);
  if (refusal === undefined) return apiKey;
  refuseVisit(visit, refusal);
  return undefined;
}

// Nobody's counters can be shown to who has no key: the address's own stand in for the weight.
function refuseStranger(visit: Visit, refusal: Refusal): undefined {
  const { gateway, pending, client, now, row } = visit;
  pending.weight = usedInMinute(recordOf(gateway.limits.addresses, client, now).weight, now);
  if (row.countsAsOrder === true) {
    pending.orders10s = 0;
    pending.orders1m = 0;
  }
  refuseVisit(visit, refusal);
  return undefined;
}

function stampTier({ pending, row, now }: Visit, use: KeyUse): void {
  pending.weight = usedInMinute(use.weight, now);
  if (row.countsAsOrder !== true) return;
  pending.orders10s = ordersIn10s(use.orders, now);
  pending.orders1m = ordersIn1m(use.orders, now);
}

// A rejected order has spent its weight all the same (spec, Limits, rule 6).
function takeTier(visit: Visit, apiKey: ApiKey, amount: number): boolean {
  const { gateway, row, now } = visit;
  const use = gateway.keys.useOf(apiKey, now);
  const ceilings = gateway.limits.ceilings.tiers[apiKey.rateTier];
  if (row.auth === 'key') gateway.lastUsed.note(apiKey.apiKey, now);
  const taken =
    takeInMinute(use.weight, { amount, ceiling: ceilings.weight, now }) &&
    (row.countsAsOrder !== true || takeOrder(use.orders, ceilings, now));
  stampTier(visit, use);
  if (!taken) refuseVisit(visit, { reason: 'tooManyRequests' });
  return taken;
}

function accountOf({ replica }: Gateway, { account }: ApiKey): Account {
  return must(replica.exchange.accounts[account], 'every key has an account');
}
