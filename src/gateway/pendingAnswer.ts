// One answer on its way out: where it goes and which headers it carries. Written straight to the
// socket's response, because the answer may be made long after the framework's turn is over.

import type { ServerResponse } from 'node:http';
import type { Answer } from '../api/operation.ts';

/** A figure that is not stamped. */
const unset = -1;

export type PendingAnswer = {
  readonly response: ServerResponse;
  /** X-MBX-USED-WEIGHT-1M and the two order counts; -1: no such header. */
  weight: number;
  orders10s: number;
  orders1m: number;
};

export function createPendingAnswer(response: ServerResponse): PendingAnswer {
  return { response, weight: unset, orders10s: unset, orders1m: unset };
}

const jsonType = 'application/json; charset=utf-8';

/** Sends status, headers and body. Does nothing when the client has gone. */
export function sendAnswer(pending: PendingAnswer, answer: Answer): void {
  const { response, weight, orders10s, orders1m } = pending;
  if (response.destroyed || response.headersSent) return;
  const { status, text, contentType = jsonType } = answer;
  const bytes = Buffer.byteLength(text);
  const headers: string[] = [];
  if (status !== 204) {
    headers.push('Content-Type', contentType, 'Content-Length', String(bytes));
  }
  if (weight !== unset) headers.push('X-MBX-USED-WEIGHT-1M', String(weight));
  if (orders10s !== unset) headers.push('X-MBX-ORDER-COUNT-10S', String(orders10s));
  if (orders1m !== unset) headers.push('X-MBX-ORDER-COUNT-1M', String(orders1m));
  response.writeHead(status, headers);
  // Nearly every answer is plain ASCII, which needs no encoding on its way to the socket.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}
