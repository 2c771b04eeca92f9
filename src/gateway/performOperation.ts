// Performs the operation of an admitted request: reads its parameters, runs its query or procedure
// or submits its command, and answers when everything that the answer may show is durable.

import type { Context } from '../api/deployment.ts';
import { type Fields, noFields } from '../api/fields.ts';
import {
  type Answer,
  type Apart,
  type Commanded,
  type Failure,
  type Intent,
  isAnswer,
  isIntent,
} from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/outcome.ts';
import { type Account, type ApiKey, apiKeysOf, hasSession } from '../engine/views/account.ts';
import { accountById } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import { isPlain } from '../engine/views/writeOrder.ts';
import type { Caller, PassedOn, Waiter } from '../replica/replica.ts';
import { SecretsNotTaken } from '../secrets/sharedSecrets.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs } from '../std/clock.ts';
import type { OrderId, Time } from '../units/units.ts';
import { chargeWork } from './accountCeilings.ts';
import type { Endpoint } from './endpoint.ts';
import type { Gateway } from './gateway.ts';
import { idempotencyOf, noIdempotency } from './idempotency.ts';
import { answerKept, answerRequest, type PendingRequest, refuseRequest } from './pendingRequest.ts';
import type { KeptOrder } from './responder.ts';
import { onOrdersRefused, showOrders } from './takeOrderOnce.ts';
import { whyKeyBarred } from './whyKeyBarred.ts';

/** The account and key that were admitted. On public routes both are undefined. */
export type Admitted = {
  readonly account: Account | undefined;
  readonly apiKey: ApiKey | undefined;
  /** Of a token: its session and the time of its login (AUTH-11). */
  readonly session?: OrderId;
  readonly loggedInAt?: Time;
  /** What the client calls itself. */
  readonly userAgent?: string;
};

export const anonymous: Admitted = { account: undefined, apiKey: undefined };

const internal: Refusal = { reason: 'internal' };

export function performOperation(
  request: PendingRequest,
  endpoint: Endpoint,
  fields: Fields,
  admitted: Admitted,
): void {
  const { whenCurrent } = request.gateway.replica;
  if (whenCurrent === undefined || !waitsForState(request, admitted)) {
    performNow(request, endpoint, fields, admitted);
  } else if (!passOn(request, endpoint, fields, admitted)) {
    performWhenCurrent(request, endpoint, fields, admitted);
  }
}

/**
 * Submits a command that follows from its request alone, without a question to the process that
 * writes: the answer is made behind it anyway. That process compares the caller with its own state;
 * if it has changed, the request waits like others. False: nothing was done. What this process
 * would refuse, and be it in part, may be right by what others have done, so it must wait, too.
 */
function passOn(
  request: PendingRequest,
  endpoint: Endpoint,
  fields: Fields,
  admitted: Admitted,
): boolean {
  const { row } = request;
  const { account } = admitted;
  const caller = callerOf(admitted);
  if (row.does !== 'command' || row.ofRequestAlone !== true) return false;
  if (account === undefined || caller === undefined) return false;
  let result: Commanded;
  try {
    const prepared = prepare(request, endpoint, fields, admitted);
    if (isRefusal(prepared)) return false;
    result = row.command(prepared.context, prepared.parameters);
  } catch {
    // It is reported when the request has waited and is performed.
    return false;
  }
  if (result instanceof Promise) result.catch(() => {});
  if (result instanceof Promise || !isIntent(result) || result.isPart === true) return false;
  submit(request, account, result, {
    caller,
    onChanged: () => performWhenCurrent(request, endpoint, fields, admitted),
  });
  return true;
}

function callerOf({ apiKey, session }: Admitted): Caller | undefined {
  if (apiKey !== undefined) return { key: apiKey.id, profile: apiKey.profile };
  return session === undefined ? undefined : { session };
}

/** What an account or the operator asks is answered with what they have done at any process. */
function performWhenCurrent(
  request: PendingRequest,
  endpoint: Endpoint,
  fields: Fields,
  admitted: Admitted,
): void {
  const { gateway } = request;
  const unlessBarred = (): void => {
    const barred = whyBarred(request, admitted);
    if (barred !== undefined) refuseRequest(request, barred);
    else performNow(request, endpoint, fields, admitted);
  };
  must(gateway.replica.whenCurrent, 'other processes write')(
    () => {
      const arriving = keysArriving(gateway, admitted);
      if (arriving.length === 0) return unlessBarred();
      Promise.all(arriving)
        .then(unlessBarred)
        .catch((error) => failRequest(request, error));
    },
    (reason) => refuseRequest(request, { reason }),
  );
}

/**
 * Public requests do not wait, nor do procedures of the operator: they ask about this process,
 * also when there is no process that writes.
 */
function waitsForState({ row }: PendingRequest, { account }: Admitted): boolean {
  return account !== undefined || (row.surface === 'operator' && row.does !== 'procedure');
}

/** The secrets and profiles that the answer may need and that are on their way here. */
function keysArriving(
  { keyArrivals }: Gateway,
  { account, apiKey }: Admitted,
): readonly Promise<void>[] {
  if (keyArrivals === undefined || account === undefined) return [];
  const keys = apiKey === undefined ? apiKeysOf(account) : [apiKey];
  return keys.flatMap((key) => keyArrivals.arriving(key.apiKey) ?? []);
}

function whyBarred({ gateway, client }: PendingRequest, { apiKey }: Admitted): Refusal | undefined {
  return apiKey && whyKeyBarred(gateway, { text: apiKey.apiKey, client });
}

function performNow(
  request: PendingRequest,
  endpoint: Endpoint,
  fields: Fields,
  admitted: Admitted,
): void {
  try {
    const prepared = prepare(request, endpoint, fields, admitted);
    if (isRefusal(prepared)) refuseRequest(request, prepared);
    else run(request, prepared.context, prepared.parameters);
  } catch (error) {
    request.gateway.onFault(error, request.row.name);
    refuseRequest(request, internal);
  }
}

type Prepared = {
  readonly context: Context;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** Reads the request by the present state, or says why it is refused. */
function prepare(
  request: PendingRequest,
  { reader }: Endpoint,
  fields: Fields,
  { account, apiKey, ...login }: Admitted,
): Prepared | Refusal {
  const { session = 0 as OrderId, loggedInAt = 0 as Time, userAgent = '' } = login;
  const { gateway, row, idempotencyKey } = request;
  // The account may be gone since it was admitted, and its number belong to another one (AUTH-5a),
  // or its session has ended (AUTH-11).
  const isThere = (known: Account): boolean =>
    accountById(gateway.replica.exchange, known.id) === known && hasSession(known, session);
  if (account !== undefined && !isThere(account)) return { reason: 'tokenInvalid' };
  const idempotency =
    row.idempotent === true && idempotencyKey !== ''
      ? idempotencyOf(idempotencyKey, row.name, fields)
      : noIdempotency;
  if (idempotency === undefined) return { reason: 'parameterMalformed', name: 'Idempotency-Key' };
  const context: Context = {
    ...contextOf(request, account, apiKey),
    session,
    loggedInAt,
    userAgent,
    idempotencyKey: idempotency.key,
    idempotencyRequest: idempotency.request,
    fields,
  };
  const parameters = reader(fields, gateway.replica.exchange);
  return isRefusal(parameters) ? parameters : { context, parameters };
}

/** Of a request without a session, an Idempotency-Key and fields. */
function contextOf(
  { gateway, client, now }: PendingRequest,
  account: Account | undefined,
  apiKey: ApiKey | undefined,
): Context {
  return {
    deployment: gateway.deployment,
    account,
    apiKey,
    client,
    now,
    session: 0 as OrderId,
    loggedInAt: 0 as Time,
    userAgent: '',
    address: account?.address ?? '',
    idempotencyKey: '',
    idempotencyRequest: '',
    fields: noFields,
  };
}

/**
 * Performs a command that a worker has made of a request with a key. What `performOperation` would
 * ask first is known: the key was admitted in this turn, and it has no Idempotency-Key.
 */
export function performMade(
  request: PendingRequest,
  apart: Apart<never>,
  command: Command,
  { account, apiKey }: Admitted,
): void {
  try {
    const context = contextOf(request, account, apiKey);
    submit(request, account, must(apart.intentOf(context, command), 'the row has made it'));
  } catch (error) {
    request.gateway.onFault(error, request.row.name);
    refuseRequest(request, internal);
  }
}

function run(
  request: PendingRequest,
  context: Context,
  parameters: Readonly<Record<string, unknown>>,
): void {
  const { row } = request;
  switch (row.does) {
    case 'query':
      answerDurable(request, answerOf(request, row.query(context, parameters)));
      return;
    case 'command': {
      const result = row.command(context, parameters);
      if (result instanceof Promise) answerLater(request, result);
      else if (isIntent(result)) submit(request, context.account, result);
      else answerDurable(request, answerOf(request, result));
      return;
    }
    case 'procedure':
      answerLater(request, row.procedure(context, parameters));
      return;
  }
}

function answerLater(request: PendingRequest, result: Promise<Answer | Failure>): void {
  result.then(
    (later) => answerDurable(request, answerOf(request, later)),
    (error) => failRequest(request, error),
  );
}

/** For an error in what runs after the turn in which the request came. */
export function failRequest(request: PendingRequest, error: unknown): void {
  answerRequest(request, faultAnswer(request, error));
}

/** A failure becomes an answer in the form of the row's surface. */
function answerOf({ responder, row, now }: PendingRequest, result: Answer | Failure): Answer {
  return isAnswer(result) ? result : responder.failureOf(row.surface, result, now);
}

function faultAnswer(request: PendingRequest, error: unknown): Answer {
  if (error instanceof SecretsNotTaken) return answerOf(request, { reason: 'waiting' });
  request.gateway.onFault(error, request.row.name);
  return answerOf(request, internal);
}

/** In milliseconds: the deadline of a command counts from the receipt of its request. */
function ageOf({ startedAt }: PendingRequest): number {
  return Math.max(0, Math.floor(stopwatchMs() - startedAt));
}

/** Probes do not wait for the disk (OPS-3): a crash may undo what their figures show. */
function answerDurable(request: PendingRequest, answer: Answer): void {
  if (request.row.surface === 'probe') answerRequest(request, answer);
  else request.gateway.replica.whenDurable(() => answerRequest(request, answer));
}

function submit(
  request: PendingRequest,
  account: Account | undefined,
  { command, lane, answer, showsOrder }: Intent,
  passedOn?: PassedOn,
): void {
  const { gateway, row, usage, responder } = request;
  const { charge } = usage;
  const keepOrder = showsOrder === true ? responder.keepOrder : undefined;
  let captured: Answer | Promise<Answer> | undefined;
  let kept: KeptOrder | undefined;
  const faulty = (error: unknown): Answer => faultAnswer(request, error);
  const ageMs = ageOf(request);
  const awaited: Waiter = {
    // The command is in the log and applied: if its answer cannot be made, the replica goes on.
    capture: (outcome, work) => {
      if (account !== undefined) chargeWork(gateway.limits, account, work, gateway.clock.now());
      if (outcome.kind === 'rejected' && outcome.rejection.reason === 'fault') {
        gateway.onFault(new Error(outcome.rejection.detail), row.name);
      }
      try {
        const order = keepOrder && plainOrderOf(outcome);
        if (order !== undefined) {
          kept = keepOrder!(order, usage);
          return;
        }
        const result = answer(outcome);
        captured =
          result instanceof Promise
            ? result.then((later) => answerOf(request, later)).catch(faulty)
            : answerOf(request, result);
      } catch (error) {
        captured = faulty(error);
      }
    },
    release: () => {
      if (kept !== undefined) answerKept(request, kept);
      else if (captured instanceof Promise) {
        captured.then((made) => answerRequest(request, made), faulty);
      } else answerRequest(request, captured ?? answerOf(request, internal));
    },
    refuse: (reason) => {
      if (reason === 'tooManyRequests') onOrdersRefused(request, account);
      answerRequest(request, answerOf(request, { reason }));
    },
    counted: (orders) => showOrders(request, orders),
    beside: charge === undefined ? { ageMs } : { ageMs, charge },
  };
  const waiter = passedOn === undefined ? awaited : { ...awaited, passedOn };
  const accepted = gateway.replica.submit(command, lane, waiter);
  if (!accepted) {
    answerRequest(request, answerOf(request, { reason: gateway.replica.whyRefused(lane) }));
  }
}

/** The order of an accepted command, if it has nothing that its bytes do not hold. */
function plainOrderOf(outcome: Outcome): Order | undefined {
  if (outcome.kind === 'rejected' || outcome.repeated !== undefined) return undefined;
  const { order } = outcome;
  return order !== undefined && isPlain(order) ? order : undefined;
}
