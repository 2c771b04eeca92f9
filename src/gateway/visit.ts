// One request between arriving and being answered, on any surface and whatever brought it: what
// every door needs of it, how it is refused, and how it reaches its row.

import type { Context } from '../api/deployment.ts';
import type { Fields } from '../api/fields.ts';
import type { Answer, Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Account, ApiKey } from '../engine/views/account.ts';
import { accountById } from '../engine/views/exchange.ts';
import { stopwatchMs } from '../std/clock.ts';
import type { Time } from '../units/units.ts';
import type { Arrival, Caller } from './arrival.ts';
import type { Gateway } from './gateway.ts';
import { idempotencyOf, noIdempotency } from './idempotency.ts';
import { clientAddress } from './identity/clientAddress.ts';
import { limitKeyOf } from './identity/limitKey.ts';
import { type AnswerExit, createPendingAnswer, type PendingAnswer } from './pendingAnswer.ts';
import { performRow } from './performRow.ts';
import { minuteOf } from './rateLimits.ts';
import { bodyBytesMax } from './readBody.ts';
import type { ServedRow } from './servedRow.ts';
import { headWeight } from './sizeWeight.ts';
import type { AddressLimit } from './spentLimits.ts';

export type Visit = {
  readonly gateway: Gateway;
  readonly row: Operation;
  readonly pending: PendingAnswer;
  /** When it arrived, by the clock and by the stopwatch. */
  readonly now: Time;
  readonly startedAt: number;
  /** The client's network address (AUTH-1), and what it counts as in limits (AUTH-7). */
  readonly client: string;
  readonly limitKey: string;
  /** What its size adds to its weight (AUTH-10). */
  readonly sizeWeight: number;
  /** The Idempotency-Key that was sent; empty: none. */
  readonly idempotencyKey: string;
  /** As it was sent: of HTTP its method and target, of a frame WS and the frame's method. */
  readonly method: string;
  readonly target: string;
};

export type HttpVisit = Visit & { readonly arrival: Arrival };

/** From here on the visit answers the request. */
export function openVisit(
  gateway: Gateway,
  row: Operation,
  arrival: Arrival,
  exit: AnswerExit,
): HttpVisit {
  const { headers, method, target, startedAt } = arrival;
  const key = headers['idempotency-key'];
  const client = clientOf(gateway, arrival);
  return {
    gateway,
    row,
    arrival,
    pending: createPendingAnswer(exit),
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
 * Reads the body of a request that was counted. `take` gets it with the visit, whose time is then
 * that of the body; `waited` says whether that is later. A body that is refused is answered here.
 */
export function readVisit(
  visit: HttpVisit,
  take: (visit: HttpVisit, bytes: Buffer | undefined, waited: boolean) => void,
): void {
  const { arrival, gateway, row } = visit;
  let waited = false;
  arrival.readBody(bodyBytesMax[row.surface], (body) => {
    if (typeof body === 'string') refuseVisit(visit, { reason: body });
    else if (!waited) take(visit, body, false);
    else {
      const now = gateway.clock.now() as Time;
      take({ ...visit, now, startedAt: stopwatchMs() }, body, true);
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

/** Answers without its row. */
export function sendVisit(visit: Visit, answer: Answer): void {
  const { gateway, row, pending, startedAt, method, target } = visit;
  pending.exit.send(answer, pending);
  if (gateway.onServed === undefined) return;
  const milliseconds = stopwatchMs() - startedAt;
  const { name: operation } = row;
  gateway.onServed({ operation, status: answer.status, milliseconds, method, target });
}

/** Answers with the refusal, in the form of the row's surface. */
export function refuseVisit(visit: Visit, refusal: Refusal): void {
  const { pending, row, now } = visit;
  sendVisit(visit, pending.exit.failureOf(row.surface, refusal, now));
}

/**
 * Refuses for a limit of the client's address, of which it has used so much; of that, `returnable`
 * may yet be given back.
 */
export function refuseAddress(
  visit: Visit,
  limit: AddressLimit,
  { used, returnable = 0 }: { readonly used: number; readonly returnable?: number },
): void {
  const { gateway, pending, limitKey, now } = visit;
  const left = Math.max(0, gateway.limits.ceilings[limit] - used + returnable);
  pending.exit.onSpent?.({ limit, limitKey, minute: minuteOf(now), used, left });
  refuseVisit(visit, { reason: 'tooManyRequests' });
}

/** Who was let in; neither of both on public routes. */
export type Admitted = {
  readonly account: Account | undefined;
  readonly apiKey: ApiKey | undefined;
};

export const nobody: Admitted = { account: undefined, apiKey: undefined };

/** Hands the request to its row and sends what comes of it. */
export function performVisit(
  visit: Visit,
  served: ServedRow,
  fields: Fields,
  { account, apiKey }: Admitted,
): void {
  const { gateway, row, pending, now, client, idempotencyKey } = visit;
  // It may have been forgotten since it was admitted, and its number be another's (AUTH-5a).
  if (account !== undefined && accountById(gateway.replica.exchange, account.id) !== account) {
    refuseVisit(visit, { reason: 'tokenInvalid' });
    return;
  }
  const idempotency =
    row.idempotent === true && idempotencyKey !== ''
      ? idempotencyOf(idempotencyKey, row.name, fields)
      : noIdempotency;
  if (idempotency === undefined) {
    refuseVisit(visit, { reason: 'parameterMalformed', name: 'Idempotency-Key' });
    return;
  }
  const context: Context = {
    deployment: gateway.deployment,
    account,
    apiKey,
    address: account?.address ?? '',
    client,
    now,
    idempotencyKey: idempotency.key,
    idempotencyRequest: idempotency.request,
    fields,
  };
  const { failureOf } = pending.exit;
  performRow(gateway, served, context, { failureOf, send: (answer) => sendVisit(visit, answer) });
}
