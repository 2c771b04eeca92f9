// How an answer reaches its client: the form of a failure, the limits that are shown with the
// answer, and the way there. This file has the responder of HTTP, sockets/frameResponder.ts that of
// sockets.

import { failureAnswer } from '../api/errors/failureAnswer.ts';
import type { Answer, Failure, Surface } from '../api/operation.ts';
import type { Ceilings } from '../api/rateTiers.ts';
import type { Order } from '../engine/views/order.ts';
import type { OrderCharge } from '../replica/replica.ts';
import type { AccountId, Time } from '../units/units.ts';
import type { ExhaustedLimit } from './exhaustedLimits.ts';
import type { HttpExchange } from './httpExchange.ts';
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

/** The bytes of an order from `at` to `end`; nothing writes there again. */
export type KeptOrder = { readonly buffer: Buffer; readonly at: number; readonly end: number };

/** Where the answer to a request goes. Each method may be called now or later. */
export type Responder = {
  readonly failureOf: (surface: Surface, failure: Failure, now: Time) => Answer;
  /** Does nothing when the client has gone. */
  readonly send: (answer: Answer, usage: Readonly<Usage>) => void;
  /**
   * Keeps an order as it is now, for an answer that shows it and nothing else; `sendKept` sends the
   * answer. Absent: such an answer is a text. The order is plain (writeOrder.ts).
   */
  readonly keepOrder?: ((order: Order, usage: Readonly<Usage>) => KeptOrder) | undefined;
  readonly sendKept?: ((kept: KeptOrder) => void) | undefined;
  /** Called before the answer, when the rest of a client's limit was too small for the request. */
  readonly onExhausted?: ((exhausted: ExhaustedLimit) => void) | undefined;
  /** Called before the answer, when a limit of the account or of its key was too small. */
  readonly onAccountExhausted?: ((account: AccountId) => void) | undefined;
};

/** No figure is shown yet. */
export const createUsage = (): Usage => ({
  weight: unset,
  weightMax: unset,
  orders10s: unset,
  orders1m: unset,
  tier: undefined,
  charge: undefined,
});

/** No figure is shown. */
export const unseenUsage: Readonly<Usage> = createUsage();

/** Answers an HTTP request. `more`: names and values of headers that each answer carries. */
export function httpResponder(exchange: HttpExchange, more: readonly string[]): Responder {
  return {
    failureOf: failureAnswer,
    send: (answer, usage) => sendAnswer({ exchange, more }, answer, usage),
    onExhausted: () => addressRefusals.add(exchange.answer),
    onAccountExhausted: (account) => accountRefusals.set(exchange.answer, account),
  };
}

const jsonType = 'application/json; charset=utf-8';

type Way = { readonly exchange: HttpExchange; readonly more: readonly string[] };

function sendAnswer(
  { exchange, more }: Way,
  answer: Answer,
  { weight, orders10s, orders1m }: Usage,
): void {
  if (exchange.isOver()) return;
  if (answer.document === true) {
    const { status, headers, bytes } = representationOf(documentOf(answer), exchange.headers);
    exchange.write({ status, headers: [...sniffing, ...more, ...headers], body: bytes });
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
  exchange.write({ status, headers, body: text, isAscii: bytes === text.length });
}
