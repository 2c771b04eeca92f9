// Refuses a request whose head has too many lines (AUTH-10). Some releases of the platform leave
// out what is beyond their own bound without a word. That could be the line in which a trusted
// proxy says who the client is (AUTH-1), and the request would count as the proxy's own.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { fullFailure } from '../api/errors/failureAnswer.ts';
import type { Clock } from '../std/clock.ts';
import type { Time } from '../units/units.ts';
import { forgetRest } from './forgetRest.ts';

/** Lines that a head may have: more than twice as many as a browser behind two proxies sends. */
export const headerLinesMax = 100;

/** `rawHeaders`: names and values alternate, as sent. */
export const hasTooManyLines = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.length > 2 * headerLinesMax;

/** Answers 431 in both shapes of an error; the connection ends then. */
export function refuseLines(
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { text } = fullFailure({ reason: 'requestMalformed' }, clock.now() as Time);
  forgetRest(request, response);
  response.writeHead(431, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    // The caller is unknown: a page must be able to read this, too (AUTH-9).
    'Access-Control-Allow-Origin': '*',
  });
  response.end(text);
}
