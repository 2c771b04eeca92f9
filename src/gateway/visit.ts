// One request between arriving and being answered, on any surface: what every route needs of it,
// how it is refused, and how it reaches its row.

import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../api/deployment.ts';
import { failureAnswer } from '../api/errors/failureAnswer.ts';
import type { Fields } from '../api/fields.ts';
import type { Answer, Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Account, ApiKey } from '../engine/account.ts';
import type { Time } from '../units/units.ts';
import type { Gateway } from './gateway.ts';
import { idempotencyOf, noIdempotency } from './idempotency.ts';
import { clientAddress } from './identity/clientAddress.ts';
import { createPendingAnswer, type PendingAnswer, sendAnswer } from './pendingAnswer.ts';
import { performRow, type ServedRow } from './performRow.ts';

/** A route's handler: it answers every request it is given, now or later. */
export type Serve = (request: FastifyRequest, reply: FastifyReply) => void;

export type Visit = {
  readonly gateway: Gateway;
  readonly row: Operation;
  readonly request: FastifyRequest;
  readonly pending: PendingAnswer;
  /** When it arrived. */
  readonly now: Time;
  /** The client's network address (AUTH-1). */
  readonly client: string;
};

/** Takes the request over from the framework: from here on the visit answers it. */
export function openVisit(
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
    client: clientOf(gateway, request.raw),
  };
}

/** The client's network address (AUTH-1). */
export function clientOf({ trustedProxies }: Gateway, request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  return clientAddress({
    peer: request.socket.remoteAddress ?? '',
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    trustedProxies,
  });
}

function send({ gateway, row, pending, now }: Visit, answer: Answer): void {
  sendAnswer(pending, answer);
  if (gateway.onServed === undefined) return;
  const milliseconds = gateway.clock.now() - now;
  gateway.onServed({ operation: row.name, status: answer.status, milliseconds });
}

/** Answers with the refusal, in the form of the row's surface. */
export function refuseVisit(visit: Visit, refusal: Refusal): void {
  send(visit, failureAnswer(visit.row.surface, refusal, visit.now));
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
  const { gateway, row, request, now, client } = visit;
  const header = row.idempotent === true ? request.raw.headers['idempotency-key'] : undefined;
  const idempotency =
    typeof header === 'string' && header !== ''
      ? idempotencyOf(header, row.name, fields)
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
  performRow(gateway, served, context, (answer) => send(visit, answer));
}
