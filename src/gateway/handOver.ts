// The way of a request from the listener to what serves its path: its head at once, its body when
// what serves it asks for it.

import type { IncomingMessage as Request, ServerResponse as Response } from 'node:http';
import { stopwatchMs } from '../std/clock.ts';
import type { Arrival } from './arrival.ts';
import type { Found } from './createRoutes.ts';
import { crossOriginHeaders } from './crossOrigin.ts';
import type { Door } from './door.ts';
import { httpExit } from './pendingAnswer.ts';
import { type Body, readBody } from './readBody.ts';
import { boundPieces } from './unreadBody.ts';

export function handOver(
  door: Door,
  { serve, params }: Found,
  request: Request,
  response: Response,
): void {
  const exit = httpExit(request, response, crossOriginHeaders(request));
  /** What goes wrong costs this request and no other. */
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      response.shouldKeepAlive = false;
      door.onFault(error, 'http');
      door.refuses.internal(arrival, exit);
    }
  };
  const bound = boundPieces(request);
  const arrival: Arrival = {
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
  guard(() => serve(arrival, exit));
}
