// Gives a request of the platform to its handler: its head at once, its body when the handler asks
// for it.

import type { IncomingMessage as Request, ServerResponse as Response } from 'node:http';
import { stopwatchMs } from '../std/clock.ts';
import type { RouteMatch } from './createRouter.ts';
import { crossOriginHeaders } from './crossOrigin.ts';
import { boundPieces } from './forgetRest.ts';
import type { Handlers } from './handlers.ts';
import type { IncomingRequest } from './incomingRequest.ts';
import { type Body, readBody } from './readBody.ts';
import { httpResponder } from './responder.ts';

export function handleRequest(
  handlers: Handlers,
  { handler, params }: RouteMatch,
  request: Request,
  response: Response,
): void {
  const responder = httpResponder(request, response, crossOriginHeaders(request));
  /** An exception ends this request and no other. */
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      response.shouldKeepAlive = false;
      handlers.onFault(error, 'http');
      handlers.refusals.internal(incoming, responder);
    }
  };
  const bound = boundPieces(request);
  const incoming: IncomingRequest = {
    method: request.method ?? '',
    target: request.url ?? '',
    peer: request.socket.remoteAddress ?? '',
    headers: request.headers,
    readBody: (bytesMax, give) =>
      readBody({ request, bytesMax, bound }, (body: Body) => {
        if (typeof body === 'string') response.shouldKeepAlive = false;
        guard(() => give(body));
      }),
    params,
    startedAt: stopwatchMs(),
    verdict: 'unknown',
  };
  guard(() => handler(incoming, responder));
}
