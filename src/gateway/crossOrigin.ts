// What browsers are told so that a page of any origin may ask the clients' surfaces (AUTH-9).
// Nothing here opens anything: a page has only the token or the key that its person gave it, and no
// cookie is read. The other probes and the operator's surface are for no page.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { forgetRest, leavesRest } from './forgetRest.ts';
import { sniffing } from './pageHeaders.ts';

/** How long a browser may remember a preflight. */
const rememberedSeconds = 7200;

const anyOrigin = ['Access-Control-Allow-Origin', '*'] as const;
/** Headers of answers that a page can read besides the plain ones. */
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

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

const isOfPage = ({ url = '', headers }: Asked): boolean =>
  headers.origin !== undefined && clientPath.test(url);

/** Names and values that an answer carries when a page of another origin has asked. */
export function crossOriginHeaders(request: Asked): readonly string[] {
  return isOfPage(request) ? answered : none;
}

/** Whether a browser asks what a page may send. */
export function isPreflight(request: Asked): boolean {
  const { method, headers } = request;
  const asks = headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && asks && isOfPage(request);
}

/** It counts in no limit: the page has not asked for it and could not hear why it was refused. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  if (leavesRest(request)) forgetRest(request, response);
  response.writeHead(204, permitted);
  response.end();
}
