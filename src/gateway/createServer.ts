// An HTTP listener over rows of the operations table: one route a row, nothing else. The framework
// parses HTTP and finds the route; bodies are kept raw, because signatures are over raw bytes.

import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { stopwatchMs } from '../std/clock.ts';
import type { Serve } from './arrival.ts';
import type { Door, ListenerReason, Route } from './door.ts';
import { httpExit } from './pendingAnswer.ts';
import { refuseSocket } from './refuseSocket.ts';
import { asksForSocket } from './sockets/asksForSocket.ts';

/** The largest body that is read, in bytes. */
export const bodyBytesMax = 1024 * 1024;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
const keepAliveTimeoutMs = 75_000;
export const headerBytesMax = 16 * 1024;
/** Connections that clients may hold open at once. */
export const connectionsMax = 20_000;

/** A server that is not yet listening, with these rows. Throws when two rows share a path. */
export function createServer(
  door: Door,
  rows: readonly Pick<Route, 'method' | 'path'>[],
  connections = connectionsMax,
): FastifyInstance {
  const app: FastifyInstance = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { caseSensitive: true, querystringParser: () => ({}) },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) =>
        asksForSocket(request) && app.server.listenerCount('upgrade') > 0,
    },
    clientErrorHandler: (error, socket) => refuseSocket(door.clock, error.code, socket),
    frameworkErrors: (error, request, reply) => {
      handOver(door.refuses[reasonOfError(door, error)], request, reply);
    },
  });
  app.server.maxConnections = connections;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, request, reply) => {
    // What is left of the body is not worth reading.
    reply.raw.shouldKeepAlive = false;
    handOver(door.refuses[reasonOfError(door, error)], request, reply);
  });
  app.setNotFoundHandler(handlerOf(door.refuses.pathUnknown));
  for (const [index, { method, path }] of rows.entries()) {
    app.route({ method, url: path, handler: handlerOf(door.serves[index]!) });
  }
  return app;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

const handlerOf =
  (serve: Serve): Handler =>
  (request, reply) =>
    handOver(serve, request, reply);

/** Takes the request over from the framework: from here on the door answers it. */
function handOver(serve: Serve, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const { raw, body, params } = request;
  const arrival = {
    method: raw.method ?? '',
    target: raw.url ?? '',
    peer: raw.socket.remoteAddress ?? '',
    headers: raw.headers,
    body: Buffer.isBuffer(body) ? body : undefined,
    params: (params ?? {}) as Readonly<Record<string, string>>,
    startedAt: stopwatchMs(),
    verdict: 'unknown',
  } as const;
  serve(arrival, httpExit(reply.raw));
}

/**
 * What the framework itself refuses: a body that is too large or cut short, a path with a bad
 * escape, a content type that is none. It is the client's doing, so never a 5xx. What the client
 * did not cause is a fault.
 */
function reasonOfError(door: Door, error: unknown): ListenerReason {
  const { code } = error as { readonly code?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'bodyTooLarge';
  const framework = typeof code === 'string' && code.startsWith('FST_ERR_');
  // ECONNRESET: the client went away in the middle of its body.
  if (framework || code === 'ECONNRESET') return 'requestMalformed';
  door.onFault(error, 'http');
  return 'internal';
}
