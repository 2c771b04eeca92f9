// How an answer reaches its client: the form of a failure, the limits that are shown with the
// answer, and the way there. This file has the responder of HTTP, sockets/frameResponder.ts that of
// sockets.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureAnswer } from '../api/errors/failureAnswer.ts';
import type { Answer, Failure, Surface } from '../api/operation.ts';
import type { Ceilings } from '../api/rateTiers.ts';
import type { OrderCharge } from '../replica/replica.ts';
import type { AccountId, Time } from '../units/units.ts';
import type { ExhaustedLimit } from './exhaustedLimits.ts';
import { forgetRest, leavesRest } from './forgetRest.ts';
import { sniffing } from './pageHeaders.ts';
import { documentOf, representationOf } from './preparedDocument.ts';
import { accountRefusals, addressRefusals } from './refusalPace.ts';

/** A figure that is not shown. */
const unset = -1;

/** What a request has used of its limits. Figures of -1 are not shown. */
export type Usage = {
  /** Of the minute: X-MBX-USED-WEIGHT-1M. */
  weight: number;
  /** The ceiling of `weight`. */
  weightMax: number;
  /** X-MBX-ORDER-COUNT-10S and -1M. */
  orders10s: number;
  orders1m: number;
  /** The ceilings of both order counts; undefined where no key is known. */
  tier: Ceilings | undefined;
  /** What it has used of the order limits; undefined: it is no order. */
  charge: OrderCharge | undefined;
};

/** Where the answer to a request goes. Each method may be called now or later. */
export type Responder = {
  readonly failureOf: (surface: Surface, failure: Failure, now: Time) => Answer;
  /** Does nothing when the client has gone. */
  readonly send: (answer: Answer, usage: Readonly<Usage>) => void;
  /** Called before the answer, when the rest of a client's limit was too small for the request. */
  readonly onExhausted?: ((exhausted: ExhaustedLimit) => void) | undefined;
  /** Called before the answer, when a limit of the account or of its key was too small. */
  readonly onAccountExhausted?: ((account: AccountId) => void) | undefined;
};

/** No figure is shown. */
export const unseenUsage: Readonly<Usage> = {
  weight: unset,
  weightMax: unset,
  orders10s: unset,
  orders1m: unset,
  tier: undefined,
  charge: undefined,
};

/** Answers by an HTTP response. `more`: names and values of headers that each answer carries. */
export function httpResponder(
  request: IncomingMessage,
  response: ServerResponse,
  more: readonly string[],
): Responder {
  return {
    failureOf: failureAnswer,
    send: (answer, usage) => sendAnswer({ request, response, more }, answer, usage),
    onExhausted: () => addressRefusals.add(response),
    onAccountExhausted: (account) => accountRefusals.set(response, account),
  };
}

const jsonType = 'application/json; charset=utf-8';

type HttpExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly more: readonly string[];
};

function sendAnswer(
  { request, response, more }: HttpExchange,
  answer: Answer,
  { weight, orders10s, orders1m }: Usage,
): void {
  if (response.destroyed || response.headersSent) return;
  if (answer.document === true) {
    sendDocument({ request, response, more }, answer);
    return;
  }
  const { status, text, contentType = jsonType } = answer;
  const bytes = Buffer.byteLength(text);
  const headers: string[] = [...sniffing, ...more];
  if (status !== 204) {
    headers.push('Content-Type', contentType, 'Content-Length', String(bytes));
  }
  if (weight !== unset) headers.push('X-MBX-USED-WEIGHT-1M', String(weight));
  if (orders10s !== unset) headers.push('X-MBX-ORDER-COUNT-10S', String(orders10s));
  if (orders1m !== unset) headers.push('X-MBX-ORDER-COUNT-1M', String(orders1m));
  // Nearly every answer is plain ASCII, which the socket takes without encoding.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  if (leavesRest(request)) forgetRest(request, response);
  response.writeHead(status, headers);
  response.end(text, encoding);
}

function sendDocument({ request, response, more }: HttpExchange, answer: Answer): void {
  const { status, headers, bytes } = representationOf(documentOf(answer), request.headers);
  if (leavesRest(request)) forgetRest(request, response);
  response.writeHead(status, [...sniffing, ...more, ...headers]);
  response.end(bytes);
}
