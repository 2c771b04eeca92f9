// One FAPI request from the socket to its row, in the order of checks of the conventions (1.5):
// gate, key, status, address list, signature and timestamp, weight, orders, and then the row.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../api/deployment.ts';
import { failureAnswer } from '../api/errors/failureAnswer.ts';
import { type Fields, noFields } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import type { ApiKey } from '../engine/account.ts';
import { must } from '../std/assert.ts';
import type { Time } from '../units/units.ts';
import { checkSignature, type SignedRequest, spendSignatureTime } from './checkSignature.ts';
import type { Gateway } from './gateway.ts';
import { idempotencyOf, noIdempotency } from './idempotency.ts';
import { clientAddress } from './identity/clientAddress.ts';
import { ipAllowed } from './identity/ipWhitelist.ts';
import type { KeyUse } from './keyRing.ts';
import { type Pairs, parsePairs, queryOf } from './parsePairs.ts';
import { createPendingAnswer, type PendingAnswer, sendAnswer } from './pendingAnswer.ts';
import { performRow, type ServedRow } from './performRow.ts';
import {
  gateMax,
  ordersIn1m,
  ordersIn10s,
  publicWeightMax,
  recordOf,
  takeInMinute,
  takeOrder,
  tierCeilings,
  usedInMinute,
} from './rateLimits.ts';
import { type RequestBody, requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';

/** One request while it is being let in. */
type Visit = {
  readonly gateway: Gateway;
  readonly row: Operation;
  readonly request: FastifyRequest;
  readonly pending: PendingAnswer;
  readonly now: Time;
  readonly client: string;
};

function clientOf(gateway: Gateway, { raw }: FastifyRequest): string {
  const forwarded = raw.headers['x-forwarded-for'];
  return clientAddress({
    peer: raw.socket.remoteAddress ?? '',
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    trustedProxies: gateway.trustedProxies,
  });
}

function openVisit(
  gateway: Gateway,
  row: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Visit {
  reply.hijack();
  return {
    gateway,
    row,
    request,
    pending: createPendingAnswer(reply.raw),
    now: gateway.clock.now() as Time,
    client: clientOf(gateway, request),
  };
}

function refuse({ gateway, row, pending, now }: Visit, refusal: Refusal): void {
  const answer = failureAnswer('fapi', refusal, now);
  sendAnswer(pending, answer);
  gateway.onServed?.({ operation: row.name, status: answer.status, milliseconds: 0 });
}

function weightOf(row: Operation, query: Pairs): number {
  if (typeof row.weight === 'number') return row.weight;
  const fields = queryFields(query);
  return row.weight(isRefusal(fields) ? noFields : fields);
}

/** Serves a public row: the weight of the client's address, then the row. */
export function serveFapiPublic(
  gateway: Gateway,
  served: ServedRow,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { row } = served;
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    const query = parsePairs(queryOf(request.raw.url ?? ''));
    if (!takePublicWeight(visit, weightOf(row, query))) return;
    const fields = queryFields(query);
    if (isRefusal(fields)) refuse(visit, fields);
    else perform(visit, served, fields, undefined);
  };
}

/** Answers a path that no row has. It weighs as every other route does. */
export function serveFapiUnknown(
  gateway: Gateway,
  row: Operation,
): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    if (takePublicWeight(visit, 1)) refuse(visit, { reason: 'pathUnknown' });
  };
}

function takePublicWeight(visit: Visit, amount: number): boolean {
  const { gateway, pending, client, now } = visit;
  const { weight } = recordOf(gateway.limits.addresses, client, now);
  const taken = takeInMinute(weight, { amount, ceiling: publicWeightMax, now });
  pending.weight = usedInMinute(weight, now);
  if (!taken) refuse(visit, { reason: 'tooManyRequests' });
  return taken;
}

/** Serves a row that asks for a key and a signature. */
export function serveFapiSigned(
  gateway: Gateway,
  served: ServedRow,
): (request: FastifyRequest, reply: FastifyReply) => void {
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
    if (isRefusal(fields)) refuse(visit, fields);
    else perform(visit, served, fields, apiKey);
  };
}

// The gate shows its figure only on its own refusal (spec, Limits, rule 4).
function passGate(visit: Visit): boolean {
  const { gateway, pending, client, now } = visit;
  const { gate } = recordOf(gateway.limits.addresses, client, now);
  if (takeInMinute(gate, { amount: 1, ceiling: gateMax, now })) return true;
  pending.weight = usedInMinute(gate, now);
  refuse(visit, { reason: 'tooManyRequests' });
  return false;
}

/** The key of a request that proves itself; otherwise the refusal has been sent. */
function authenticate(visit: Visit, signed: SignedRequest): ApiKey | undefined {
  const { gateway, request, now } = visit;
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
    refuse(visit, { reason: 'apiKeyDisabled' });
    return undefined;
  }
  if (!ipAllowed(material.whitelist, visit.client)) {
    refuse(visit, { reason: 'addressNotAllowed' });
    return undefined;
  }
  const refusal = checkSignature(material.hmac, signed);
  if (refusal === undefined) return apiKey;
  refuse(visit, refusal);
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
  refuse(visit, refusal);
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
  const ceilings = tierCeilings[apiKey.rateTier];
  gateway.lastUsed.note(apiKey.apiKey, now);
  const taken =
    takeInMinute(use.weight, { amount, ceiling: ceilings.weight, now }) &&
    (row.countsAsOrder !== true || takeOrder(use.orders, ceilings, now));
  stampTier(visit, use);
  if (!taken) refuse(visit, { reason: 'tooManyRequests' });
  return taken;
}

function perform(
  visit: Visit,
  served: ServedRow,
  fields: Fields,
  apiKey: ApiKey | undefined,
): void {
  const { gateway, row, request, pending, now, client } = visit;
  const header = row.idempotent === true ? request.raw.headers['idempotency-key'] : undefined;
  const idempotency =
    typeof header === 'string' && header !== ''
      ? idempotencyOf(header, row.name, fields)
      : noIdempotency;
  if (idempotency === undefined) {
    refuse(visit, { reason: 'parameterMalformed', name: 'Idempotency-Key' });
    return;
  }
  const { accounts } = gateway.replica.exchange;
  const context: Context = {
    deployment: gateway.deployment,
    account:
      apiKey === undefined ? undefined : must(accounts[apiKey.account], 'every key has an account'),
    apiKey,
    address: '',
    client,
    now,
    idempotencyKey: idempotency.key,
    idempotencyRequest: idempotency.request,
    fields,
  };
  performRow(gateway, served, context, (answer) => {
    sendAnswer(pending, answer);
    if (gateway.onServed === undefined) return;
    const milliseconds = gateway.clock.now() - now;
    gateway.onServed({ operation: row.name, status: answer.status, milliseconds });
  });
}
