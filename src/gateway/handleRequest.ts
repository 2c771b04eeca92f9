// Gives a request to its handler: its head at once, its body when the handler asks for it.

import { stopwatchMs } from '../std/clock.ts';
import type { RouteMatch } from './createRouter.ts';
import { crossOriginHeaders } from './crossOrigin.ts';
import type { Handlers } from './handlers.ts';
import type { HttpExchange } from './httpExchange.ts';
import type { IncomingRequest } from './incomingRequest.ts';
import { httpResponder } from './responder.ts';

export function handleRequest(
  handlers: Handlers,
  { handler, params }: RouteMatch,
  exchange: HttpExchange,
): void {
  const { method, target, peer, headers } = exchange;
  const responder = httpResponder(exchange, crossOriginHeaders(target, headers));
  /** An exception ends this request and no other. */
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      exchange.endAfter();
      handlers.onFault(error, 'http');
      handlers.refusals.internal(incoming, responder);
    }
  };
  const incoming: IncomingRequest = {
    method,
    target,
    peer,
    headers,
    readBody: (bytesMax, give) =>
      exchange.readBody(bytesMax, (body) => {
        if (typeof body === 'string') exchange.endAfter();
        guard(() => give(body));
      }),
    params,
    startedAt: stopwatchMs(),
    verdict: 'unknown',
  };
  guard(() => handler(incoming, responder));
}
