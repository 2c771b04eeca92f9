// An HTTP listener over the rows of a door: finds the route of a request, reads its body, and hands
// both over. Bodies are kept raw, because signatures are over raw bytes.

import {
  createServer as createHttpServer,
  type IncomingMessage as Request,
  type ServerResponse as Response,
  type Server,
} from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import createRouter from 'find-my-way';
import { stopwatchMs } from '../std/clock.ts';
import type { Arrival, Serve } from './arrival.ts';
import type { Door, ListenerReason, Route } from './door.ts';
import { httpExit } from './pendingAnswer.ts';
import { type Body, hasBody, readBody } from './readBody.ts';
import { refuseSocket } from './refuseSocket.ts';
import { asksForSocket } from './sockets/asksForSocket.ts';

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
const keepAliveTimeoutMs = 75_000;
export const headerBytesMax = 16 * 1024;
/** Connections that clients may hold open at once. */
export const connectionsMax = 20_000;
/** The longest piece of a path that a route takes as a value. */
const pathValueMax = 100;

export type HttpListener = {
  readonly server: Server;
  /** Rejects when the address cannot be had. */
  readonly listen: (options: ListenOptions) => Promise<void>;
  /** Takes no new connection; resolves when the old ones have been answered and are gone. */
  readonly close: () => Promise<void>;
};

type Params = Readonly<Record<string, string | undefined>>;

/** A server that is not yet listening, with these rows. Throws when two rows share a path. */
export function createServer(
  door: Door,
  rows: readonly Pick<Route, 'method' | 'path'>[],
  connections = connectionsMax,
): HttpListener {
  const route = createRoutes(door, rows);
  let closing = false;
  const server: Server = createHttpServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      requireHostHeader: false,
      shouldUpgradeCallback: (request: Request) =>
        asksForSocket(request) && server.listenerCount('upgrade') > 0,
    },
    (request, response) => {
      if (closing) response.shouldKeepAlive = false;
      route(request, response);
    },
  );
  server.maxConnections = connections;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseSocket(door.clock, error.code ?? '', socket),
  );
  return {
    server,
    listen: (options) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(options, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    close: () => {
      closing = true;
      // An error says that it was not listening.
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function createRoutes(
  door: Door,
  rows: readonly Pick<Route, 'method' | 'path'>[],
): (request: Request, response: Response) => void {
  const refusing =
    (reason: ListenerReason) =>
    (request: Request, response: Response): void =>
      handOver(door, door.refuses[reason], request, response, {});
  const malformed = refusing('requestMalformed');
  const router = createRouter({
    maxParamLength: pathValueMax,
    querystringParser: () => ({}),
    defaultRoute: refusing('pathUnknown'),
    onBadUrl: (_path, request, response) => malformed(request as Request, response as Response),
    onMaxParamLength: (_path, request, response) =>
      malformed(request as Request, response as Response),
  });
  for (const [index, { method, path }] of rows.entries()) {
    const serve = door.serves[index]!;
    router.on(method, path, (request, response, params) =>
      handOver(door, serve, request as Request, response as Response, params),
    );
  }
  return (request, response) => router.lookup(request, response);
}

function handOver(
  door: Door,
  serve: Serve,
  request: Request,
  response: Response,
  params: Params,
): void {
  const give = (body: Body): void => {
    const refused = typeof body === 'string';
    // What is left of such a body is not worth reading.
    if (refused) response.shouldKeepAlive = false;
    const arrival: Arrival = {
      method: request.method ?? '',
      target: request.url ?? '',
      peer: request.socket.remoteAddress ?? '',
      headers: request.headers,
      body: refused ? undefined : body,
      params: params as Arrival['params'],
      startedAt: stopwatchMs(),
      verdict: 'unknown',
    };
    const exit = httpExit(response);
    try {
      (refused ? door.refuses[body] : serve)(arrival, exit);
    } catch (error) {
      response.shouldKeepAlive = false;
      door.onFault(error, 'http');
      door.refuses.internal(arrival, exit);
    }
  };
  if (hasBody(request)) readBody(request, give);
  else give(undefined);
}
