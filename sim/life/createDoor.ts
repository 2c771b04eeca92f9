// Brings a request into a gateway without a socket: it goes to the code that serves its path. From
// there on everything is the gateway's own: addresses, authentication, limits, rows, answers. It
// skips the parsing of HTTP and the refusals of the listener.

import { failureAnswer } from '../../src/api/errors/failureAnswer.ts';
import type { Operation } from '../../src/api/operation.ts';
import { createDoor as createGatewayDoor } from '../../src/gateway/createDoor.ts';
import { createRoutes } from '../../src/gateway/createRoutes.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { givenBody } from '../../src/gateway/readBody.ts';
import { stopwatchMs } from '../../src/std/clock.ts';
import type { Answer, Request } from './ports.ts';

/** Hands the request in; `onAnswer` is called at most once, now or in a later turn. */
export type Door = (request: Request, onAnswer: (answer: Answer) => void) => void;

/** The entry to these rows. */
export function createDoor(gateway: Gateway, rows: readonly Operation[]): Door {
  const routeOf = createRoutes(createGatewayDoor(gateway, rows), rows);
  return ({ method, path, headers, body, address }, onAnswer) => {
    const { serve, params } = routeOf(method, path);
    const arrival = {
      method,
      target: path,
      peer: address,
      headers,
      readBody: givenBody(body === '' ? undefined : Buffer.from(body)),
      params,
      startedAt: stopwatchMs(),
      verdict: 'unknown',
    } as const;
    serve(arrival, {
      failureOf: failureAnswer,
      send: ({ status, text }) => onAnswer({ status, text }),
    });
  };
}
