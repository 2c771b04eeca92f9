// The handlers of the native surface, the operator's surface and probes, over HTTP. Native limits
// are those of AUTH-7. The operator has no limits; probes count for their address.

import { hash, timingSafeEqual } from 'node:crypto';
import { fullFailure } from '../api/errors/failureAnswer.ts';
import type { Fields, Value } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Account } from '../engine/views/account.ts';
import { assert } from '../std/assert.ts';
import type { OrderId, Time } from '../units/units.ts';
import { hasAccountRoom, takeAccountWeight } from './accountCeilings.ts';
import type { Endpoint } from './endpoint.ts';
import type { Gateway } from './gateway.ts';
import { readBearer } from './identity/accessToken.ts';
import { accountOfClaims } from './identity/accountOfClaims.ts';
import type { Handler, IncomingRequest } from './incomingRequest.ts';
import { parsePairs, queryOf } from './parsePairs.ts';
import {
  clientOf,
  openRequest,
  type PendingHttpRequest,
  type PendingRequest,
  receiveBody,
  refuseAccount,
  refuseAddress,
  refuseRequest,
} from './pendingRequest.ts';
import { anonymous, performOperation } from './performOperation.ts';
import {
  giveBackInMinute,
  recordOf,
  takeInMinute,
  usedInMinute,
  whileReturnable,
} from './rateLimits.ts';
import { noBody, requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';
import type { Responder } from './responder.ts';
import { takeOrderOnce } from './takeOrderOnce.ts';
import { untilCurrent } from './untilCurrent.ts';
import { weightOf } from './weightOf.ts';

/** For a native row that asks for no token, for a token, or for a token if there is one. */
export function createNativeHandler(gateway: Gateway, endpoint: Endpoint): Handler {
  const { row } = endpoint;
  assert(/^(none|jwt)/.test(row.auth), 'no API key opens a native route (AUTH-5)');
  return (incoming, responder) => {
    const request = openRequest(gateway, row, incoming, responder);
    const bearer = incoming.headers.authorization;
    if (row.auth === 'none' || (row.auth === 'jwtOptional' && bearer === undefined)) {
      if (takeAddress(request)) readAndPerform(request, endpoint, undefined);
      return;
    }
    admitBearer(request, bearer).then(
      (admitted) => {
        if (admitted === undefined) return;
        if (isRefusal(admitted)) refuseRequest(request, admitted);
        else readAndPerform(request, endpoint, admitted);
      },
      (error) => {
        gateway.onFault(error, row.name);
        refuseRequest(request, { reason: 'internal' });
      },
    );
  };
}

/** For a probe or a document: counts for the address and asks for no authentication (CON-3). */
export function createProbeHandler(gateway: Gateway, endpoint: Endpoint): Handler {
  const { row } = endpoint;
  assert(row.auth === 'none', 'probes are open');
  const refuse = createNativeRefusal(gateway, row, { reason: 'pathUnknown' });
  return (incoming, responder) => {
    if (row.internal === true && !gateway.isInternal(clientOf(gateway, incoming))) {
      refuse(incoming, responder);
      return;
    }
    const request = openRequest(gateway, row, incoming, responder);
    if (takeAddress(request, row.weight as number)) readAndPerform(request, endpoint, undefined);
  };
}

/** For a row of the operator's listener. */
export function createOperatorHandler(gateway: Gateway, endpoint: Endpoint): Handler {
  const { row } = endpoint;
  assert(row.auth === 'operator', 'the operator always shows a token');
  const isOperator = createOperatorCheck(gateway);
  return (incoming, responder) => {
    const request = openRequest(gateway, row, incoming, responder);
    if (isOperator(incoming)) readAndPerform(request, endpoint, undefined);
    else refuseRequest(request, operatorTokenInvalid);
  };
}

/** Refuses every request to the operator's listener: first because of the token, if it is wrong. */
export function createOperatorRefusal(gateway: Gateway, row: Operation, refusal: Refusal): Handler {
  const isOperator = createOperatorCheck(gateway);
  return (incoming, responder) => {
    const request = openRequest(gateway, row, incoming, responder);
    refuseRequest(request, isOperator(incoming) ? refusal : operatorTokenInvalid);
  };
}

const operatorTokenInvalid: Refusal = { reason: 'operatorTokenInvalid' };

function createOperatorCheck(gateway: Gateway): (incoming: IncomingRequest) => boolean {
  const expected = hash('sha256', gateway.operatorToken, 'buffer');
  return ({ headers }) => {
    const token = readBearer(headers.authorization) ?? '';
    // Digests have one length, so that the comparison does not show the length of the token.
    return timingSafeEqual(hash('sha256', token, 'buffer'), expected);
  };
}

/**
 * Refuses every request, as for a path that no row has; it counts for the address. The answer has
 * the members of both kinds of failure, because stock clients ask here for paths of other
 * exchanges.
 */
export function createNativeRefusal(gateway: Gateway, row: Operation, refusal: Refusal): Handler {
  return (incoming, responder) => {
    const full = { ...responder, failureOf: unservedFailure };
    const request = openRequest(gateway, row, incoming, full);
    if (takeAddress(request)) refuseRequest(request, refusal);
  };
}

const unservedFailure: Responder['failureOf'] = (_surface, failure, now) =>
  fullFailure(failure, now);

/** Counts the request for its address. If the limit is reached, this refuses and gives false. */
function takeAddress(request: PendingRequest, weight = 1): boolean {
  const { gateway, limitKey, sizeWeight, now } = request;
  const { native } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.nativeAddress;
  if (takeInMinute(native, { amount: weight + sizeWeight, ceiling, now })) return true;
  const { held: returnable } = native;
  refuseAddress(request, 'nativeAddress', { used: usedInMinute(native, now), returnable });
  return false;
}

/**
 * Checks a token. The check is expensive, so the request counts for the address before it, which
 * bounds the tokens that are checked at the same time. A good token gives the count back.
 * undefined: the request is refused already.
 */
async function admitBearer(
  request: PendingHttpRequest,
  header: string | undefined,
): Promise<TokenHolder | Refusal | undefined> {
  const { gateway, limitKey, sizeWeight, now } = request;
  if (!takeAddress(request)) return undefined;
  const use = recordOf(gateway.limits.addresses, limitKey, now);
  const holder = await whileReturnable(use, 1 + sizeWeight, () =>
    holderOfToken(gateway, header, now),
  );
  if (holder === undefined) return { reason: 'tokenInvalid' };
  if (isRefusal(holder)) return holder;
  giveBackInMinute(use.native, 1 + sizeWeight, now);
  if (takeAccount(request, holder.account)) {
    gateway.sessionsUsed.note(holder.session, now);
    return holder;
  }
  refuseAccount(request, holder.account.id);
  return undefined;
}

/** Counts the request in the limits of the token and of the account. */
function takeAccount(request: PendingHttpRequest, account: Account): boolean {
  const { gateway, row, incoming, sizeWeight, now } = request;
  const { limits } = gateway;
  const { requests, orders } = recordOf(limits.accounts, account.id, now);
  const isOrder = row.countsAsOrder === true;
  const weight = weightOf(row, () => queryFields(parsePairs(queryOf(incoming.target))));
  const charge = { account, weight: weight + sizeWeight, isOrder, now };
  const taking = { amount: charge.weight, ceiling: limits.ceilings.nativeAccount, now };
  if (!hasAccountRoom(limits, charge) || !takeInMinute(requests, taking)) return false;
  takeAccountWeight(limits, charge);
  const { standard: ceilings } = limits.ceilings.tiers;
  return takeOrderOnce(request, { counters: orders, ceilings }, { ...charge, key: 0 });
}

/** The account that a token opens, with the login that made the token. */
type TokenHolder = {
  readonly account: Account;
  readonly session: OrderId;
  readonly loggedInAt: Time;
};

async function holderOfToken(
  gateway: Gateway,
  header: string | undefined,
  now: Time,
): Promise<TokenHolder | Refusal | undefined> {
  const bearer = readBearer(header);
  if (bearer === undefined) return undefined;
  const claims = await gateway.tokens.verify(bearer, now);
  if (claims === undefined) return undefined;
  const { exchange } = gateway.replica;
  let account = accountOfClaims(exchange, claims);
  if (account === undefined) {
    const refusal = await untilCurrent(gateway);
    if (refusal !== undefined) return refusal;
    account = accountOfClaims(exchange, claims);
  }
  const { session, issuedAt } = claims;
  return account && { account, session, loggedInAt: (issuedAt * 1000) as Time };
}

/** Reads the body and the parameters of an admitted request, and performs its operation. */
function readAndPerform(
  request: PendingHttpRequest,
  endpoint: Endpoint,
  holder: TokenHolder | undefined,
): void {
  const userAgent = request.incoming.headers['user-agent'] ?? '';
  receiveBody(request, (received, bytes) => {
    const fields = fieldsOf(received, endpoint, bytes);
    if (isRefusal(fields)) refuseRequest(received, fields);
    else performOperation(received, endpoint, fields, { ...anonymous, ...holder, userAgent });
  });
}

/** Query, JSON body and path parameters; the path wins. Forms are refused here. */
function fieldsOf(
  { row, incoming }: PendingHttpRequest,
  endpoint: Endpoint,
  bytes: Buffer | undefined,
): Fields | Refusal {
  const query = parsePairs(queryOf(incoming.target));
  const body =
    row.method === 'GET' ? noBody : requestBodyOf(bytes, incoming.headers['content-type']);
  if (body.kind === 'form') return { reason: 'bodyMalformed' };
  const fields = requestFields(query, body, endpoint.bodyList);
  if (isRefusal(fields)) return fields;
  const path = Object.entries(incoming.params);
  if (path.length === 0) return fields;
  const merged = new Map<string, Value>(fields);
  for (const [name, value] of path) merged.set(name.toLowerCase(), value);
  return merged;
}
