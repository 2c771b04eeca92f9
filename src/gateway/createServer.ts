// An HTTP listener: finds the handler of each request by its path and calls it (handleRequest.ts).

import {
  createServer as createHttpServer,
  type IncomingMessage as Request,
  type ServerResponse as Response,
  type Server,
} from 'node:http';
import type { ListenOptions } from 'node:net';
import { type ConnectionBounds, defaultConnectionBounds } from './connectionBounds.ts';
import { type ConnectionFigures, createConnectionClients } from './connectionClients.ts';
import { createRouter, type RoutedRow } from './createRouter.ts';
import { answerPreflight, isPreflight } from './crossOrigin.ts';
import { isForgotten } from './forgetRest.ts';
import { handleRequest } from './handleRequest.ts';
import type { Handlers } from './handlers.ts';
import type { HttpExchange } from './httpExchange.ts';
import { keepAliveMs } from './lane/answerHead.ts';
import { type ParseRequest, parseRequest } from './lane/parseRequest.ts';
import { paceConnections, paceUpgradeListeners } from './paceConnections.ts';
import { platformExchange } from './platformExchange.ts';
import { hasTooManyLines, headerLinesMax, refuseLines } from './refuseLines.ts';
import { refuseSocket } from './refuseSocket.ts';
import { asksForSocket } from './sockets/asksForSocket.ts';
import type { TurnGate } from './sockets/pacedSteps.ts';

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
export const headerBytesMax = 16 * 1024;
/** How often the platform looks for late heads and bodies. */
const lateCheckMs = 2000;

export type HttpListener = {
  readonly server: Server;
  /** Rejects when it cannot listen at the address. */
  readonly listen: (options: ListenOptions) => Promise<void>;
  /** Takes no new connection; resolves when the old ones are answered and closed. */
  readonly close: () => Promise<void>;
  /** For the metrics. */
  readonly figures: ConnectionFigures;
};

export type ServerOptions = {
  /** Bounds that differ from the usual ones. */
  readonly bounds?: Partial<ConnectionBounds> | undefined;
  readonly trustedProxies?: ReadonlySet<string>;
  /** Reads the requests of the fast lane (lane/), if not as usual. Only for tests. */
  readonly parseInLane?: ParseRequest;
  /** While it is closed, requests wait for their turn (CON-8). */
  readonly gate?: TurnGate;
};

/** A server that does not listen yet. Throws when two rows share a path. */
export function createServer(
  handlers: Handlers,
  rows: readonly RoutedRow[],
  options: ServerOptions = {},
): HttpListener {
  const findRoute = createRouter(handlers, rows);
  const bounds = { ...defaultConnectionBounds, ...options.bounds };
  let closing = false;
  const server: Server = createHttpServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    requireHostHeader: false,
    shouldUpgradeCallback: (request: Request) =>
      !hasTooManyLines(request) &&
      asksForSocket(request) &&
      !isForgotten(request.socket) &&
      server.listenerCount('upgrade') > paceUpgradeListeners,
    connectionsCheckingInterval: lateCheckMs,
  });
  const serve = (exchange: HttpExchange): void =>
    handleRequest(handlers, findRoute(exchange.method, exchange.target), exchange);
  const handle = (request: Request, response: Response): void => {
    if (closing) response.shouldKeepAlive = false;
    if (hasTooManyLines(request)) refuseLines(handlers.clock, request, response);
    else if (isPreflight(request)) answerPreflight(request, response);
    else serve(platformExchange(request, response));
  };
  server.maxConnections = bounds.all;
  // One more than allowed, so that too many are noticed where the platform only leaves lines out.
  server.maxHeadersCount = headerLinesMax + 1;
  const { perAddress } = bounds;
  const { trustedProxies = new Set<string>(), parseInLane = parseRequest } = options;
  const clients = createConnectionClients({ perAddress, trustedProxies });
  const paced = paceConnections(server, {
    handle,
    parseInLane,
    handleInLane: serve,
    refuse: (code, socket) => refuseSocket(handlers.clock, code, socket),
    bounds,
    clients,
    gate: options.gate,
  });
  server.on('request', paced.take);
  meetExpectations(server);
  return {
    server,
    figures: clients.figures,
    listen: (at) => listen(server, at, (error) => handlers.onFault(error, 'accept')),
    close: () => {
      closing = true;
      paced.close();
      // An error means that it was not listening.
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** `onError` is called when one connection could not be accepted, as without a free descriptor. */
function listen(
  server: Server,
  at: ListenOptions,
  onError: (error: unknown) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      server.on('error', onError);
      resolve();
    });
  });
}

/** Expectations of RFC 9110, 10.1.1. */
function meetExpectations(server: Server): void {
  // An unknown one is ignored, as HTTP allows. The platform itself would answer 417, which is not
  // documented.
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
  server.on('checkContinue', (request, response) => {
    // Without a body no client waits for it, and it costs a write.
    if (response.socket === null || !announcesBody(request)) leaveOutContinue(response);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

function announcesBody({ headers }: Request): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || length !== '0';
}

/**
 * Of an answer that waits for earlier ones the platform would write "100 Continue" behind its head,
 * into its body. The client may send its body without it, so the connection need not end, as the
 * platform would have it. The field has no public name.
 */
function leaveOutContinue(response: Response): void {
  (response as { _expect_continue?: boolean })._expect_continue = false;
}
