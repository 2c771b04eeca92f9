// One request that has no answer yet, on any surface, over HTTP or a socket: what every handler
// needs of it, how its body is read, and how it is answered or refused.

import type { Answer, Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import { stopwatchMs } from '../std/clock.ts';
import type { AccountId, Time } from '../units/units.ts';
import type { AddressLimit } from './exhaustedLimits.ts';
import type { Gateway } from './gateway.ts';
import { clientAddress } from './identity/clientAddress.ts';
import { limitKeyOf } from './identity/limitKey.ts';
import type { Caller, IncomingRequest } from './incomingRequest.ts';
import { minuteOf } from './rateLimits.ts';
import { bodyBytesMax } from './readBody.ts';
import { createUsage, type KeptOrder, type Responder, type Usage } from './responder.ts';
import { headWeight } from './sizeWeight.ts';

export type PendingRequest = {
  readonly gateway: Gateway;
  readonly row: Operation;
  readonly responder: Responder;
  /** What the answer will show of limits. */
  readonly usage: Usage;
  /** When it arrived, by the clock and by the stopwatch. */
  readonly now: Time;
  readonly startedAt: number;
  /** The client's network address (AUTH-1), and the key that limits count it by (AUTH-7). */
  readonly client: string;
  readonly limitKey: string;
  /** What its size adds to its weight (AUTH-10). */
  readonly sizeWeight: number;
  /** The Idempotency-Key that the client sent; empty: none. */
  readonly idempotencyKey: string;
  /** As sent: over HTTP the method and target, of a frame `WS` and the frame's method. */
  readonly method: string;
  readonly target: string;
};

export type PendingHttpRequest = PendingRequest & { readonly incoming: IncomingRequest };

/** Each request that is opened must be answered once. */
export function openRequest(
  gateway: Gateway,
  row: Operation,
  incoming: IncomingRequest,
  responder: Responder,
): PendingHttpRequest {
  const { headers, method, target, startedAt } = incoming;
  const key = headers['idempotency-key'];
  const client = clientOf(gateway, incoming);
  return {
    gateway,
    row,
    incoming,
    responder,
    usage: createUsage(),
    now: gateway.clock.now() as Time,
    startedAt,
    client,
    limitKey: limitKeyOf(client),
    sizeWeight: headWeight(target, headers),
    idempotencyKey: typeof key === 'string' ? key : '',
    method,
    target,
  };
}

/**
 * Reads the body of a request that was counted. `take` gets the request and its body. If the body
 * came later, `waited` is true and the time of the request is that of the body. If the body is
 * refused, this function answers.
 */
export function receiveBody(
  request: PendingHttpRequest,
  take: (request: PendingHttpRequest, bytes: Buffer | undefined, waited: boolean) => void,
): void {
  const { incoming, gateway, row } = request;
  let waited = false;
  incoming.readBody(bodyBytesMax[row.surface], (body) => {
    if (typeof body === 'string') refuseRequest(request, { reason: body });
    else if (!waited) take(request, body, false);
    else {
      const now = gateway.clock.now() as Time;
      take({ ...request, now, startedAt: stopwatchMs() }, body, true);
    }
  });
  waited = true;
}

/** The client's network address (AUTH-1). */
export function clientOf(
  { trustedProxies }: Pick<Gateway, 'trustedProxies'>,
  { peer, headers }: Caller,
): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress({
    peer,
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    trustedProxies,
  });
}

export function answerRequest(request: PendingRequest, answer: Answer): void {
  request.responder.send(answer, request.usage);
  noteServed(request, answer.status);
}

/** Answers with an order that the responder has kept. */
export function answerKept(request: PendingRequest, kept: KeptOrder): void {
  request.responder.sendKept?.(kept);
  noteServed(request, 200);
}

function noteServed(request: PendingRequest, status: number): void {
  const { gateway, row, startedAt, method, target } = request;
  if (gateway.onServed === undefined) return;
  const milliseconds = stopwatchMs() - startedAt;
  gateway.onServed({ operation: row.name, status, milliseconds, method, target });
}

/** Answers with the refusal, in the form of the row's surface. */
export function refuseRequest(request: PendingRequest, refusal: Refusal): void {
  const { responder, row, now } = request;
  answerRequest(request, responder.failureOf(row.surface, refusal, now));
}

/** Refuses because of a limit of the account, or of its key or token. */
export function refuseAccount(request: PendingRequest, account: AccountId): void {
  request.responder.onAccountExhausted?.(account);
  refuseRequest(request, { reason: 'tooManyRequests' });
}

/**
 * Refuses because of a limit of the client's address. `used`: what the address has used of it;
 * `returnable`: what of that may still be given back.
 */
export function refuseAddress(
  request: PendingRequest,
  limit: AddressLimit,
  { used, returnable = 0 }: { readonly used: number; readonly returnable?: number },
): void {
  const { gateway, responder, limitKey, now } = request;
  const left = Math.max(0, gateway.limits.ceilings[limit] - used + returnable);
  responder.onExhausted?.({ limit, limitKey, minute: minuteOf(now), used, left });
  refuseRequest(request, { reason: 'tooManyRequests' });
}
