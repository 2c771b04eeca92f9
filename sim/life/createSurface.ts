// Gives requests to a gateway without a socket: to the handler of their path. From there on
// everything is the gateway's own: addresses, authentication, limits, rows, answers. Parsing of
// HTTP, and what the listener refuses of it, are left out.

import { failureAnswer } from '../../src/api/errors/failureAnswer.ts';
import type { Operation } from '../../src/api/operation.ts';
import { createHandlers } from '../../src/gateway/createHandlers.ts';
import { createRouter } from '../../src/gateway/createRouter.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { givenBody } from '../../src/gateway/readBody.ts';
import { stopwatchMs } from '../../src/std/clock.ts';
import type { Answer, Request } from './ports.ts';

/** Hands the request in; `onAnswer` is called at most once, now or in a later turn. */
export type Surface = (request: Request, onAnswer: (answer: Answer) => void) => void;

/** Serves these rows. */
export function createSurface(gateway: Gateway, rows: readonly Operation[]): Surface {
  const findRoute = createRouter(createHandlers(gateway, rows), rows);
  return ({ method, path, headers, body, address }, onAnswer) => {
    const { handler, params } = findRoute(method, path);
    const incoming = {
      method,
      target: path,
      peer: address,
      headers,
      readBody: givenBody(body === '' ? undefined : Buffer.from(body)),
      params,
      startedAt: stopwatchMs(),
      verdict: 'unknown',
    } as const;
    handler(incoming, {
      failureOf: failureAnswer,
      send: ({ status, text }) => onAnswer({ status, text }),
    });
  };
}
