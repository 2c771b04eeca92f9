// One request of the native surface, the operator's or a probe, from the socket to its row. Native
// limits are AUTH-7's; the operator and the probes have none.

import { hash, timingSafeEqual } from 'node:crypto';
import { fullFailure } from '../api/errors/failureAnswer.ts';
import type { Fields, Value } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Account } from '../engine/views/account.ts';
import { accountById } from '../engine/views/exchange.ts';
import type { Time } from '../units/units.ts';
import { hasAccountRoom, takeAccountWeight, takeOrderOf } from './accountCeilings.ts';
import type { Arrival, Serve } from './arrival.ts';
import type { Gateway } from './gateway.ts';
import { readBearer } from './identity/accessToken.ts';
import { parsePairs, queryOf } from './parsePairs.ts';
import type { AnswerExit } from './pendingAnswer.ts';
import {
  giveBackInMinute,
  recordOf,
  takeInMinute,
  usedInMinute,
  whileReturnable,
} from './rateLimits.ts';
import { noBody, requestBodyOf } from './requestBody.ts';
import { requestFields } from './requestFields.ts';
import type { ServedRow } from './servedRow.ts';
import {
  clientOf,
  type HttpVisit,
  openVisit,
  performVisit,
  readVisit,
  refuseAddress,
  refuseVisit,
  type Visit,
} from './visit.ts';

const tooMany: Refusal = { reason: 'tooManyRequests' };

/** Serves a native row, whatever it asks for: nothing, a token, or a token if there is one. */
export function serveNative(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    const bearer = arrival.headers.authorization;
    if (row.auth === 'none' || (row.auth === 'jwtOptional' && bearer === undefined)) {
      if (takeAddress(visit)) readAndPerform(visit, served, undefined);
      return;
    }
    admitBearer(visit, bearer).then(
      (admitted) => {
        if (admitted === undefined) return;
        if (isRefusal(admitted)) refuseVisit(visit, admitted);
        else readAndPerform(visit, served, admitted);
      },
      (error) => {
        gateway.onFault(error, row.name);
        refuseVisit(visit, { reason: 'internal' });
      },
    );
  };
}

/** Serves a probe or a document: counted for the address, no authentication (CON-3). */
export function serveProbe(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  const refuse = refuseUnserved(gateway, row, { reason: 'pathUnknown' });
  return (arrival, exit) => {
    if (row.internal === true && !gateway.isInternal(clientOf(gateway, arrival))) {
      refuse(arrival, exit);
      return;
    }
    const visit = openVisit(gateway, row, arrival, exit);
    if (takeAddress(visit, row.weight as number)) readAndPerform(visit, served, undefined);
  };
}

/** Serves a row of the operator's listener. */
export function serveOperator(gateway: Gateway, served: ServedRow): Serve {
  const isOperator = createOperatorCheck(gateway);
  return (arrival, exit) => {
    const visit = openVisit(gateway, served.row, arrival, exit);
    if (isOperator(arrival)) readAndPerform(visit, served, undefined);
    else refuseVisit(visit, operatorTokenInvalid);
  };
}

/** Refuses whatever comes to the operator's listener, for its token first. */
export function refuseOperator(gateway: Gateway, row: Operation, refusal: Refusal): Serve {
  const isOperator = createOperatorCheck(gateway);
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    refuseVisit(visit, isOperator(arrival) ? refusal : operatorTokenInvalid);
  };
}

const operatorTokenInvalid: Refusal = { reason: 'operatorTokenInvalid' };

function createOperatorCheck(gateway: Gateway): (arrival: Arrival) => boolean {
  const expected = hash('sha256', gateway.operatorToken, 'buffer');
  return ({ headers }) => {
    const token = readBearer(headers.authorization) ?? '';
    // Digests are of one length, so that the comparison tells nothing of the token's.
    return timingSafeEqual(hash('sha256', token, 'buffer'), expected);
  };
}

/**
 * Refuses whatever comes, as a path that no row has; it counts for the address. The answer has the
 * members of both kinds of failure: stock clients ask here for what is theirs elsewhere.
 */
export function refuseUnserved(gateway: Gateway, row: Operation, refusal: Refusal): Serve {
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, { ...exit, failureOf: unservedFailure });
    if (takeAddress(visit)) refuseVisit(visit, refusal);
  };
}

const unservedFailure: AnswerExit['failureOf'] = (_surface, failure, now) =>
  fullFailure(failure, now);

/** Counts the request for its address; otherwise the refusal has been sent. */
function takeAddress(visit: Visit, weight = 1): boolean {
  const { gateway, limitKey, sizeWeight, now } = visit;
  const { native, returnable } = recordOf(gateway.limits.addresses, limitKey, now);
  const ceiling = gateway.limits.ceilings.nativeAddress;
  if (takeInMinute(native, { amount: weight + sizeWeight, ceiling, now })) return true;
  refuseAddress(visit, 'nativeAddress', { used: usedInMinute(native, now), returnable });
  return false;
}

/**
 * A token counts for the address before it is looked at, because that costs, and no longer once it
 * is found to be good: of many that come together only so many are looked at. undefined: the
 * refusal has been sent.
 */
async function admitBearer(
  visit: Visit,
  header: string | undefined,
): Promise<Account | Refusal | undefined> {
  const { gateway, limitKey, sizeWeight, now } = visit;
  if (!takeAddress(visit)) return undefined;
  const use = recordOf(gateway.limits.addresses, limitKey, now);
  const account = await whileReturnable(use, 1 + sizeWeight, () =>
    accountOfToken(gateway, header, now),
  );
  if (account === undefined) return { reason: 'tokenInvalid' };
  giveBackInMinute(use.native, 1 + sizeWeight, now);
  return takeAccount(visit, account) ? account : tooMany;
}

/** Counts the request in the limits of the token and of the account. */
function takeAccount({ gateway, row, sizeWeight, now }: Visit, account: Account): boolean {
  const { limits } = gateway;
  const { requests, orders } = recordOf(limits.accounts, account.id, now);
  const isOrder = row.countsAsOrder === true;
  const request = { account, weight: 1 + sizeWeight, isOrder, now };
  const taking = { amount: request.weight, ceiling: limits.ceilings.nativeAccount, now };
  if (!hasAccountRoom(limits, request) || !takeInMinute(requests, taking)) return false;
  takeAccountWeight(limits, request);
  const { standard: ceilings } = limits.ceilings.tiers;
  return !isOrder || takeOrderOf(limits, { counters: orders, ceilings }, request);
}

/** The account that a token speaks for, if it is still the one of that address. */
async function accountOfToken(
  gateway: Gateway,
  header: string | undefined,
  now: Time,
): Promise<Account | undefined> {
  const bearer = readBearer(header);
  if (bearer === undefined) return undefined;
  const claims = await gateway.tokens.verify(bearer, now);
  if (claims === undefined) return undefined;
  const account = accountById(gateway.replica.exchange, claims.account);
  return account?.address === claims.address ? account : undefined;
}

/** Reads the rest of a request that was let in, and hands it to its row. */
function readAndPerform(visit: HttpVisit, served: ServedRow, account: Account | undefined): void {
  readVisit(visit, (read, bytes) => {
    const fields = fieldsOf(read, served, bytes);
    if (isRefusal(fields)) refuseVisit(read, fields);
    else performVisit(read, served, fields, { account, apiKey: undefined });
  });
}

/** Query, JSON body and path parameters; the path wins, and a form is not understood here. */
function fieldsOf(
  { row, arrival }: HttpVisit,
  served: ServedRow,
  bytes: Buffer | undefined,
): Fields | Refusal {
  const query = parsePairs(queryOf(arrival.target));
  const body =
    row.method === 'GET' ? noBody : requestBodyOf(bytes, arrival.headers['content-type']);
  if (body.kind === 'form') return { reason: 'bodyMalformed' };
  const fields = requestFields(query, body, served.bodyList);
  if (isRefusal(fields)) return fields;
  const path = Object.entries(arrival.params);
  if (path.length === 0) return fields;
  const merged = new Map<string, Value>(fields);
  for (const [name, value] of path) merged.set(name.toLowerCase(), value);
  return merged;
}
