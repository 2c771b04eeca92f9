// An exchange whose request the platform has read, and whose answer it writes.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundPieces, forgetRest, leavesRest } from './forgetRest.ts';
import type { HttpExchange } from './httpExchange.ts';
import { callerOf } from './incomingRequest.ts';
import { readBody } from './readBody.ts';

export function platformExchange(request: IncomingMessage, response: ServerResponse): HttpExchange {
  const { method = '', url: target = '' } = request;
  const bound = boundPieces(request);
  return {
    ...callerOf(request),
    method,
    target,
    readBody: (bytesMax, give) => readBody({ request, bytesMax, bound }, give),
    isOver: () => response.destroyed || response.headersSent,
    endAfter: () => {
      response.shouldKeepAlive = false;
    },
    write: ({ status, headers, body, isAscii }) => {
      if (leavesRest(request)) forgetRest(request, response);
      response.writeHead(status, headers as string[]);
      if (typeof body === 'string') response.end(body, isAscii === true ? 'latin1' : 'utf8');
      else response.end(body);
    },
    answer: response,
  };
}
