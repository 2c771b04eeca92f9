// The headers with which browsers let a page of any origin use the clients' surfaces (AUTH-9). They
// give no access: a page has only the token or the key that its user gave it, and cookies are not
// read. The other probes and the operator's surface are not for pages.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { forgetRest, leavesRest } from './forgetRest.ts';
import type { ReadHeaders } from './incomingRequest.ts';
import { sniffing } from './pageHeaders.ts';

/** How long a browser may remember a preflight. */
const rememberedSeconds = 7200;

const anyOrigin = ['Access-Control-Allow-Origin', '*'] as const;
/** Headers of answers that a page can read besides the usual ones. */
const exposed = 'X-MBX-USED-WEIGHT-1M, X-MBX-ORDER-COUNT-10S, X-MBX-ORDER-COUNT-1M';
const answered = [...anyOrigin, 'Access-Control-Expose-Headers', exposed];
const permitted = [
  ...anyOrigin,
  ...sniffing,
  'Access-Control-Allow-Methods',
  'GET, POST, PUT, DELETE',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Idempotency-Key, X-MBX-APIKEY',
  'Access-Control-Max-Age',
  String(rememberedSeconds),
];
const none: readonly string[] = [];

const clientPath =
  /^\/(?:(?:api|fapi|futures)(?:[/?]|$)|(?:health|docs\/(?:open|async)api\.json)(?:\?|$))/;

const isOfPage = (target: string, { origin }: ReadHeaders): boolean =>
  origin !== undefined && clientPath.test(target);

/** Names and values of the headers of an answer to a page of another origin. */
export function crossOriginHeaders(target: string, headers: ReadHeaders): readonly string[] {
  return isOfPage(target, headers) ? answered : none;
}

/** Whether a browser asks what a page may send (a preflight). */
export function isPreflight({ method, url = '', headers }: IncomingMessage): boolean {
  const asks = headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && asks && isOfPage(url, headers);
}

/** It counts in no limit: the page did not ask for it and could not read a refusal. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  if (leavesRest(request)) forgetRest(request, response);
  response.writeHead(204, permitted);
  response.end();
}
