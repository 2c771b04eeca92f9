// One answer on its way out of the gateway: what of its limits is shown with it, how a failure
// reads where it goes, and the way there. The way over HTTP stands here, that of sockets in
// sockets/.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureAnswer } from '../api/errors/failureAnswer.ts';
import type { Answer, Failure, Surface } from '../api/operation.ts';
import type { Ceilings } from '../api/rateTiers.ts';
import type { Time } from '../units/units.ts';
import { forgetRest, leavesRest } from './forgetRest.ts';
import { sniffing } from './pageHeaders.ts';
import { documentOf, representationOf } from './preparedDocument.ts';
import type { SpentLimit } from './spentLimits.ts';

/** A figure that is not shown. */
const unset = -1;

/** What a request has used of its limits. Figures of -1 are not shown. */
export type Usage = {
  /** Of the minute: X-MBX-USED-WEIGHT-1M. */
  weight: number;
  /** The ceiling that `weight` is under. */
  weightMax: number;
  /** X-MBX-ORDER-COUNT-10S and -1M. */
  orders10s: number;
  orders1m: number;
  /** Of the two; undefined where no key is known. */
  tier: Ceilings | undefined;
};

/** Where an answer goes; both may be called whenever the answer is there. */
export type AnswerExit = {
  readonly failureOf: (surface: Surface, failure: Failure, now: Time) => Answer;
  /** Does nothing when the client has gone. */
  readonly send: (answer: Answer, usage: Readonly<Usage>) => void;
  /** Hears, before the answer, of a limit of which what the client has left did not suffice. */
  readonly onSpent?: ((spent: SpentLimit) => void) | undefined;
};

export type PendingAnswer = Usage & { readonly exit: AnswerExit };

/** Nothing that could be shown. */
export const unseenUsage: Readonly<Usage> = {
  weight: unset,
  weightMax: unset,
  orders10s: unset,
  orders1m: unset,
  tier: undefined,
};

export function createPendingAnswer(exit: AnswerExit): PendingAnswer {
  return { exit, ...unseenUsage };
}

/**
 * Out by an HTTP response, which is written to long after the request was handed over. `more`:
 * names and values of headers that it carries whatever the answer is.
 */
export function httpExit(
  request: IncomingMessage,
  response: ServerResponse,
  more: readonly string[],
): AnswerExit {
  return {
    failureOf: failureAnswer,
    send: (answer, usage) => sendAnswer({ request, response, more }, answer, usage),
  };
}

const jsonType = 'application/json; charset=utf-8';

type HttpWay = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly more: readonly string[];
};

function sendAnswer(
  { request, response, more }: HttpWay,
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
  // Nearly every answer is plain ASCII, which needs no encoding on its way to the socket.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  if (leavesRest(request)) forgetRest(request, response);
  response.writeHead(status, headers);
  response.end(text, encoding);
}

function sendDocument({ request, response, more }: HttpWay, answer: Answer): void {
  const { status, headers, bytes } = representationOf(documentOf(answer), request.headers);
  if (leavesRest(request)) forgetRest(request, response);
  response.writeHead(status, [...sniffing, ...more, ...headers]);
  response.end(bytes);
}
