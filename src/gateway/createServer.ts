// An HTTP listener over the rows of a door: hands each request to what serves its path
// (handOver.ts).

import {
  createServer as createHttpServer,
  type IncomingMessage as Request,
  type ServerResponse as Response,
  type Server,
} from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import { type ConnectionBounds, defaultConnectionBounds } from './connectionBounds.ts';
import { type ConnectionFigures, createConnectionClients } from './connectionClients.ts';
import { createRoutes, type RoutesRow } from './createRoutes.ts';
import { answerPreflight, isPreflight } from './crossOrigin.ts';
import type { Door } from './door.ts';
import { isForgotten } from './forgetRest.ts';
import { handOver } from './handOver.ts';
import { paceConnections, paceUpgradeListeners } from './paceConnections.ts';
import { refuseSocket } from './refuseSocket.ts';
import { asksForSocket } from './sockets/asksForSocket.ts';

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
const keepAliveTimeoutMs = 75_000;
export const headerBytesMax = 16 * 1024;
/** How often it is looked whose head or body is late. */
const lateCheckMs = 2000;

export type HttpListener = {
  readonly server: Server;
  /** Rejects when the address cannot be had. */
  readonly listen: (options: ListenOptions) => Promise<void>;
  /** Takes no new connection; resolves when the old ones have been answered and are gone. */
  readonly close: () => Promise<void>;
  /** For the metrics. */
  readonly figures: ConnectionFigures;
};

export type ServerOptions = {
  /** Those that are not the usual ones. */
  readonly bounds?: Partial<ConnectionBounds> | undefined;
  readonly trustedProxies?: ReadonlySet<string>;
};

/** A server that is not yet listening, with these rows. Throws when two rows share a path. */
export function createServer(
  door: Door,
  rows: readonly RoutesRow[],
  options: ServerOptions = {},
): HttpListener {
  const routeOf = createRoutes(door, rows);
  const bounds = { ...defaultConnectionBounds, ...options.bounds };
  let closing = false;
  const server: Server = createHttpServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    requireHostHeader: false,
    shouldUpgradeCallback: (request: Request) =>
      asksForSocket(request) &&
      !isForgotten(request.socket) &&
      server.listenerCount('upgrade') > paceUpgradeListeners,
    connectionsCheckingInterval: lateCheckMs,
  });
  const handle = (request: Request, response: Response): void => {
    if (closing) response.shouldKeepAlive = false;
    const { method = '', url = '' } = request;
    if (isPreflight(request)) answerPreflight(request, response);
    else handOver(door, routeOf(method, url), request, response);
  };
  server.maxConnections = bounds.all;
  const { perAddress } = bounds;
  const { trustedProxies = new Set<string>() } = options;
  const clients = createConnectionClients({ perAddress, trustedProxies });
  server.on('request', paceConnections(server, { handle, bounds, clients }));
  // An expectation that is not known is passed over, as HTTP allows (RFC 9110, 10.1.1): the
  // platform would answer 417 by itself, which is in no documentation.
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseSocket(door.clock, error.code ?? '', socket),
  );
  return {
    server,
    figures: clients.figures,
    listen: (options) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(options, () => {
          server.off('error', reject);
          // One connection could not be taken, for want of a descriptor, say: the rest goes on.
          server.on('error', (error) => door.onFault(error, 'accept'));
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
